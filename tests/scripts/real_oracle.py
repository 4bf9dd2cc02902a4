"""What is wrong in the two real dumps, worked out by plain loops over their rows.

Knows the mappings in words and nothing of the program. findings(name, rows) gives the lines of an
answer key, for the dump as it is and for any shuffled or renamed copy of it.
"""

import json


def line(index, kind, reason, key, pointer):
    words = {"index": index, "kind": kind, "reason": reason, "key": key, "pointer": pointer}
    return json.dumps({name: word for name, word in words.items() if word is not None})


def of_kind(rows, kind):
    return {row["RowKey"]: row for row in rows if row["PartitionKey"] == kind}


def emails(rows):
    """userByEmail: the e-mail as it is, to the user's id; a full copy of the user."""
    users, entries = of_kind(rows, "user"), of_kind(rows, "userByEmail")
    for user_id, user in users.items():
        email = user["email"]
        same = [other for other in users if users[other]["email"] == email]
        key = ["userByEmail", email]
        if len(same) > 1:
            if user_id == min(same):
                yield line("userByEmail", "duplicate_claim", None, key, [])
        elif email not in entries:
            yield line("userByEmail", "orphaned_write", "entry_missing", key, [user_id])
        elif entries[email]["id"] != user_id:
            yield line("userByEmail", "orphaned_write", "entry_elsewhere", key, [user_id])
        elif copied(entries[email]) != copied(user):
            yield line("userByEmail", "divergent_copy", None, key, [user_id])
    for email, entry in entries.items():
        key, pointer = ["userByEmail", email], [entry["id"]]
        if entry["id"] not in users:
            yield line("userByEmail", "stale_pointer", "base_missing", key, pointer)
        elif users[entry["id"]]["email"] != email:
            yield line("userByEmail", "stale_pointer", "value_changed", key, pointer)


def copied(row):
    system = ("odata.etag", "Timestamp", "PartitionKey", "RowKey")
    return {name: value for name, value in row.items() if name not in system}


def accounts(rows):
    """accountByUserId: a column for each account of the user, provider = providerAccountId."""
    bases, entries = of_kind(rows, "account"), of_kind(rows, "accountByUserId")
    for base in bases.values():
        held = entries.get(base["userId"], {}).get(base["provider"])
        if held != base["providerAccountId"]:
            yield line("accountByUserId", "orphaned_write", "entry_missing",
                       ["accountByUserId", base["userId"]],
                       [base["provider"], base["providerAccountId"]])
    for user_id, entry in entries.items():
        for provider, account in copied(entry).items():
            base = bases.get(f"{account}_{provider}")
            if base is None or base["userId"] != user_id:
                yield line("accountByUserId", "stale_pointer",
                           "base_missing" if base is None else "value_changed",
                           ["accountByUserId", user_id], [provider, account])


def sessions(rows):
    """sessionByUserId: one session of the user, whichever."""
    bases, entries = of_kind(rows, "session"), of_kind(rows, "sessionByUserId")
    for user_id in {base["userId"] for base in bases.values()}:
        tokens = [token for token in bases if bases[token]["userId"] == user_id]
        entry = entries.get(user_id)
        if entry is None or entry["sessionToken"] not in tokens:
            yield line("sessionByUserId", "orphaned_write",
                       "entry_missing" if entry is None else "entry_elsewhere",
                       ["sessionByUserId", user_id], [min(tokens)])
    for user_id, entry in entries.items():
        base = bases.get(entry["sessionToken"])
        if base is None or base["userId"] != user_id:
            yield line("sessionByUserId", "stale_pointer",
                       "base_missing" if base is None else "value_changed",
                       ["sessionByUserId", user_id], [entry["sessionToken"]])


def claims(rows, index, attribute, prefix_of):
    """Claims without a pointer: right if some user derives them. Without a value there is none."""
    plain = [{name: value["S"] for name, value in row["Item"].items()} for row in rows]
    called_for = [prefix_of(row) + row[attribute] for row in plain
                  if row["pk"].startswith("user#") and attribute in row]
    held = [row["pk"] for row in plain
            if row["sk"] == "_unique#" and f"#User#{attribute}#" in row["pk"]]
    for key in sorted(set(called_for)):
        if called_for.count(key) > 1:
            yield line(index, "duplicate_claim", None, [key, "_unique#"], [])
        elif key not in held:
            yield line(index, "orphaned_write", "entry_missing", [key, "_unique#"], [])
    for key in held:
        if key not in called_for:
            yield line(index, "stale_pointer", "unclaimed", [key, "_unique#"], [])


def findings(name, rows):
    """The lines of the answer key of a dump, sorted."""
    if name == "auth-azure":
        found = [*emails(rows), *accounts(rows), *sessions(rows)]
    else:
        found = [*claims(rows, "email", "email", lambda user: "_unique#User#email#"),
                 *claims(rows, "handle", "handle",
                         lambda user: f"_unique#{user['tenant']}#User#handle#")]
    return sorted(found)
