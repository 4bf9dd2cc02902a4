"""Signature Version 4 of a request: worked out, and checked as the service does.

Source   "Create a signed AWS API request", AWS Identity and Access Management user guide.
"""

import dataclasses
import datetime
import hashlib
import hmac
import re

ALGORITHM = "AWS4-HMAC-SHA256"
AUTHORIZATION = re.compile(ALGORITHM + r" Credential=([^/, ]+)/(\d{8})/([^/, ]+)/([^/, ]+)/"
                           r"aws4_request, ?SignedHeaders=([^, ]+), ?Signature=([0-9a-f]{64})")
DATE_FORMAT = "%Y%m%dT%H%M%SZ"
SKEW_MAX = datetime.timedelta(minutes=5)
# The names of the refusals in faults.py.
UNKNOWN, WRONG, SKEWED = "unknown_token", "bad_signature", "skewed_clock"


@dataclasses.dataclass
class Credentials:
    access_key: str
    secret_key: str
    region: str = "us-east-1"
    session_token: str = None


def utc_now():
    return datetime.datetime.now(datetime.timezone.utc).replace(tzinfo=None)


def signature_of(request, names, scope, secret_key):
    """The signature of a request under a scope (date/region/service/aws4_request)."""
    lines = "".join(f"{name}:{' '.join(request.headers.get(name, '').split())}\n"
                    for name in names)
    path, _, query = request.path.partition("?")
    canonical = "\n".join([request.method, path, query, lines, ";".join(names),
                           hashlib.sha256(request.body).hexdigest()])
    text = "\n".join([ALGORITHM, request.headers.get("x-amz-date", ""), scope,
                      hashlib.sha256(canonical.encode("latin-1")).hexdigest()])
    key = ("AWS4" + secret_key).encode()
    for word in scope.split("/"):
        key = hmac.digest(key, word.encode(), "sha256")
    return hmac.new(key, text.encode(), "sha256").hexdigest()


def complaint(request, credentials, now):
    """What is wrong with a request's signature: a refusal and its words, or nothing."""
    match = AUTHORIZATION.fullmatch(request.headers.get("authorization", ""))
    if match is None:
        return UNKNOWN, "Request must contain a valid (registered) AWS access key ID."
    key, day, region, service, signed, signature = match.groups()
    if key != credentials.access_key or \
            request.headers.get("x-amz-security-token") != credentials.session_token:
        return UNKNOWN, None
    if region != credentials.region:
        return WRONG, f"Credential should be scoped to a valid region, not '{region}'. "
    if service != "dynamodb":
        return WRONG, "Credential should be scoped to correct service: 'dynamodb'. "
    names = signed.split(";")
    scope = f"{day}/{region}/{service}/aws4_request"
    right = signature_of(request, names, scope, credentials.secret_key)
    if not {"host", "x-amz-date", "x-amz-target"} <= set(names) or \
            not request.headers["x-amz-date"].startswith(day) or signature != right:
        return WRONG, None
    return skew(request.headers["x-amz-date"], now)


def skew(date, now):
    """What is wrong with the time of a request, by the service's clock."""
    try:
        then = datetime.datetime.strptime(date, DATE_FORMAT)
    except ValueError:
        return WRONG, "Date must be in ISO-8601 'basic format'."
    if now - then > SKEW_MAX:
        return SKEWED, f"Signature expired: {date} is now earlier than " \
                       f"{now - SKEW_MAX:{DATE_FORMAT}} ({now:{DATE_FORMAT}} - 5 min.)"
    if then - now > SKEW_MAX:
        return SKEWED, f"Signature not yet current: {date} is still later than " \
                       f"{now + SKEW_MAX:{DATE_FORMAT}} ({now:{DATE_FORMAT}} + 5 min.)"
    return None
