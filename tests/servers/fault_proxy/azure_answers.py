"""Answers as Azure's table service words them: errors, and answers to batches."""

import dataclasses
import json
import re

from .wire import Answer

# Fault: status, code, message.
REFUSALS = {
    "unavailable": (503, "ServerBusy", "The server is busy."),
    "timed_out": (500, "OperationTimedOut",
                  "Operation could not be completed within the specified time."),
    "internal": (500, "InternalError", "The server encountered an internal error. Please retry the "
                                       "request."),
    "bad_signature": (403, "AuthenticationFailed",
                      "Server failed to authenticate the request. Make sure the value of "
                      "Authorization header is formed correctly including the signature."),
    "denied": (403, "AuthorizationPermissionMismatch",
               "This request is not authorized to perform this operation using this permission."),
    "no_table": (404, "TableNotFound", "The table specified does not exist."),
    "table_in_use": (409, "TableBeingDeleted",
                     "The specified table is being deleted. Try operation later."),
}
OPERATIONS_MAX = 100
BATCH_BYTES_MAX = 4 << 20
# What DynamoDB's answers have and these have not.
NOT_HERE = {"x-amz-crc32": None, "x-amzn-requestid": None}


def plain(answer):
    """The answer with the headers of this service and no others."""
    more = {"content-type": None} if not answer.body else {}
    return dataclasses.replace(answer, headers={**NOT_HERE, **more, **answer.headers})


def error_answer(status, code, message):
    return plain(Answer(status, error_body(code, message),
                        {"content-type": "application/json;odata=minimalmetadata",
                         "x-ms-error-code": code}))


def error_body(code, message):
    return json.dumps({"odata.error": {"code": code, "message": {
        "lang": "en-US", "value": message}}}).encode()


def refusal(rule, is_batch):
    """The answer that a rule gives in place of the real one; of a batch, inside if it says so."""
    status, code, usual = REFUSALS[rule.fault]
    message = rule.setting("message", usual)
    if is_batch and rule.setting("inner"):
        return batch_answer(status, code, f"{rule.setting('item', 0)}:{message}")
    return error_answer(status, code, message)


def batch_answer(status, code, message):
    """The answer to a batch of which an operation failed, so that none was done."""
    body = error_body(code, message)
    lines = ["--batchresponse_1", "Content-Type: multipart/mixed; boundary=changesetresponse_1", "",
             "--changesetresponse_1", "Content-Type: application/http",
             "Content-Transfer-Encoding: binary", "", f"HTTP/1.1 {status} {code}",
             "Content-Type: application/json;odata=minimalmetadata;charset=utf-8", "",
             body.decode(), "--changesetresponse_1--", "--batchresponse_1--", ""]
    return plain(Answer(202, "\r\n".join(lines).encode(),
                        {"content-type": "multipart/mixed; boundary=batchresponse_1"}))


def batch_complaint(operations, size):
    """What the service refuses in a batch, and the emulator may let pass; nothing if it is well."""
    if size > BATCH_BYTES_MAX:
        return error_answer(413, "RequestBodyTooLarge",
                            "The request body is too large and exceeds the maximum permissible "
                            "limit.")
    if len(operations) > OPERATIONS_MAX:
        return batch_answer(400, "InvalidInput", f"{OPERATIONS_MAX}:The batch request operation "
                            "exceeds the maximum 100 changes per change set.")
    for number, one in enumerate(operations):
        if one.key is None or one.key[0] != operations[0].key[0] or \
                one.table != operations[0].table:
            return batch_answer(400, "CommandsInBatchActOnDifferentPartitions",
                                f"{number}:All commands in a batch must operate on same entity "
                                "group.")
        if one.key in [before.key for before in operations[:number]]:
            return batch_answer(400, "InvalidDuplicateRow",
                                f"{number}:The batch request contains multiple changes with same "
                                "row key. An entity can appear only once in a batch request.")
    return None


def in_part(answer, keep):
    """A batch's answer with the answers to the first `keep` operations (else half) alone."""
    boundary = re.search(rb"boundary=(changesetresponse_[^\s;\"]+)", answer.body)
    if boundary is None:
        return answer
    before, *parts, end = answer.body.split(b"--" + boundary[1])
    kept = parts[:len(parts) // 2 if keep is None else keep]
    return dataclasses.replace(answer, body=(b"--" + boundary[1]).join([before, *kept, end]))
