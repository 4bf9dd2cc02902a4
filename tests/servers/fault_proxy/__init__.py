"""A proxy before a DynamoDB server that makes things go wrong by a plan, and counts."""
