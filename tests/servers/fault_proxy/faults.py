"""What can go wrong with a request, by a plan: which fault, on which requests.

A plan is {"seed": 7, "faults": [RULE, ...]}. A rule names its fault and may name "operations" and
a "table". Each rule counts, from one, the requests that it is about; it strikes

    "at": [1, 3]     the first and the third          "first": 2    the first two
    "every": 5       the fifth, the tenth, ...        "share": 0.1  a tenth, by the plan's seed
                     (none of these: all of them)

and at most "times" times. The first rule that strikes decides. The same requests in the same
order meet the same faults.
"""

import json
import random

from .wire import Answer

DYNAMODB = "com.amazonaws.dynamodb.v20120810#"
SERVICE = "com.amazon.coral.service#"
AVAILABILITY = "com.amazon.coral.availability#"

# Answers in place of the real one: status, type, message.
REFUSALS = {
    "throttled": (400, DYNAMODB + "ProvisionedThroughputExceededException",
                  "The level of configured provisioned throughput for the table was exceeded. "
                  "Consider increasing your provisioning level with the UpdateTable API."),
    "throttling": (400, AVAILABILITY + "ThrottlingException",
                   "Rate of requests exceeds the allowed throughput."),
    "request_limit": (400, DYNAMODB + "RequestLimitExceeded",
                      "Throughput exceeds the current throughput limit for your account."),
    "internal": (500, DYNAMODB + "InternalServerError", "The request processing has failed."),
    "unavailable": (503, AVAILABILITY + "ServiceUnavailableException",
                    "The service is temporarily unavailable."),
    "expired_token": (400, SERVICE + "ExpiredTokenException",
                      "The security token included in the request is expired"),
    "unknown_token": (400, SERVICE + "UnrecognizedClientException",
                      "The security token included in the request is invalid."),
    "bad_signature": (400, SERVICE + "InvalidSignatureException",
                      "The request signature we calculated does not match the signature you "
                      "provided. Check your AWS Secret Access Key and signing method. Consult the "
                      "service documentation for details."),
    "skewed_clock": (400, SERVICE + "InvalidSignatureException",
                     "Signature expired: 20260101T000000Z is now earlier than 20260101T001500Z "
                     "(20260101T002000Z - 5 min.)"),
    "denied": (400, SERVICE + "AccessDeniedException",
               "User: arn:aws:iam::123456789012:user/audit is not authorized to perform: "
               "dynamodb:{operation} on resource: "
               "arn:aws:dynamodb:us-east-1:123456789012:table/{table} because no identity-based "
               "policy allows the dynamodb:{operation} action"),
    "no_table": (400, DYNAMODB + "ResourceNotFoundException", "Requested resource not found"),
    "table_in_use": (400, DYNAMODB + "ResourceInUseException",
                     "Table is being created or deleted: {table}"),
    "conflict": (400, DYNAMODB + "TransactionConflictException",
                 "Transaction is ongoing for the item"),
    "in_progress": (400, DYNAMODB + "TransactionInProgressException",
                    "Transaction with the same request token is already in progress."),
}
# How the bytes of an answer are spoilt on their way: see delivery.py.
DELIVERIES = {"drop", "hang", "reset", "cut", "slow", "truncated", "not_json", "bad_checksum",
              "too_long", "too_short"}
# What is changed in an answer, or in the request behind it: see pages.py.
PAGES = {"unprocessed", "empty_page", "short_page", "repeated_token", "empty_token"}
# What the server behind has, or says, is another: see service.py and stale.py.
VIEWS = {"meanwhile", "described", "stale"}
SELECTORS = {"operations", "table", "at", "first", "every", "share", "times"}
# What some faults can be told beside.
SETTINGS = {"after", "message", "item", "date_offset_seconds", "keep", "limit", "bytes",
            "chunk_bytes", "pause_ms", "writes", "table_words",
            "right_checksum", "inner"}


# All that can be told of DynamoDB.
FAULTS = {*REFUSALS, *DELIVERIES, *PAGES, *VIEWS}


class Rule:
    def __init__(self, words, number, seed, faults):
        self.words, self.number, self.seed = words, number, seed
        self.fault = words.get("fault")
        self.seen = 0
        self.struck = 0
        unknown = set(words) - SELECTORS - SETTINGS - {"fault"}
        if unknown:
            raise ValueError(f"a rule has no {sorted(unknown)}")
        if self.fault not in faults:
            raise ValueError(f"no such fault: {self.fault}")

    def concerns(self, operation, tables):
        return operation in self.words.get("operations", [operation]) and \
            self.words.get("table", tables[0] if tables else None) in (tables or [None])

    def is_due(self):
        words, number = self.words, self.seen
        if self.struck >= words.get("times", number):
            return False
        if not {"at", "first", "every", "share"} & set(words):
            return True
        chance = random.Random(f"{self.seed}/{self.number}/{number}").random()
        return (number in words.get("at", []) or number <= words.get("first", 0) or
                ("every" in words and number % words["every"] == 0) or
                chance < words.get("share", 0))

    def setting(self, name, otherwise=None):
        return self.words.get(name, otherwise)


class Plan:
    def __init__(self, words=None, faults=frozenset(FAULTS)):
        words = words or {}
        if set(words) - {"seed", "faults"}:
            raise ValueError("a plan has a seed and faults")
        seed = words.get("seed", 0)
        self.rules = [Rule(rule, number, seed, faults)
                      for number, rule in enumerate(words.get("faults", []))]

    def has(self, fault):
        return any(rule.fault == fault for rule in self.rules)

    def fault_for(self, operation, tables):
        """The rule that strikes this request, or nothing. Every rule counts the request."""
        struck = None
        for rule in self.rules:
            if rule.concerns(operation, tables):
                rule.seen += 1
                if struck is None and rule.is_due():
                    rule.struck += 1
                    struck = rule
        return struck


def error_answer(status, kind, message, name="message"):
    return Answer(status, json.dumps({"__type": kind, name: message}).encode())


def cancelled(reasons):
    """The answer to a transaction that was cancelled; one reason for each of its items."""
    codes = ", ".join(reason["Code"] for reason in reasons)
    words = {"__type": DYNAMODB + "TransactionCanceledException", "CancellationReasons": reasons,
             "Message": "Transaction cancelled, please refer cancellation reasons for specific "
                        f"reasons [{codes}]"}
    return Answer(400, json.dumps(words).encode())


def refusal(rule, operation, tables, words):
    """The answer that a rule gives in place of the real one."""
    if rule.fault == "conflict" and operation.startswith("Transact"):
        return conflict(rule, words)
    message = rule.setting("message", REFUSALS[rule.fault][2])
    return worded(rule.fault, message.replace("{operation}", operation)
                  .replace("{table}", tables[0] if tables else "*"))


def worded(fault, message=None):
    """A refusal in words of its own, or in its usual ones."""
    status, kind, usual = REFUSALS[fault]
    # The service spells this one's field differently.
    return error_answer(status, kind, message or usual,
                        "Message" if fault == "denied" else "message")


def conflict(rule, words):
    reasons = [{"Code": "None"} for _ in words.get("TransactItems", [])] or [{"Code": "None"}]
    reasons[rule.setting("item", 0) % len(reasons)] = {
        "Code": "TransactionConflict", "Message": "Transaction is ongoing for the item"}
    return cancelled(reasons)
