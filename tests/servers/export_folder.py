"""Writes a table's rows as DynamoDB's export to S3 lays them out, whole or damaged on purpose.

    python3 export_folder.py ROWS.ndjson FOLDER --table users --files 4 --damage wrong_md5

ROWS.ndjson has a row a line, {"Item": {...}}, as `idxfsck dump --shape dynamodb` writes it. The
export stands in FOLDER/[PREFIX/]AWSDynamoDB/ID, whose path is printed:

    manifest-summary.json   when, of which table, how many items, in which format
    manifest-files.json     a line for each data file: its key, its items, the MD5 of its bytes
    *.checksum, _started    beside them
    data/NAME.json.gz       a row a line; each file holds a share of the keys, which may be none

The same rows and options give the same bytes.

Source   "DynamoDB table export output format", Amazon DynamoDB developer guide. What is inside the
         .checksum files is not said there: the MD5 in base64 is our guess.
"""

import argparse
import base64
import gzip
import hashlib
import json
import os
import sys
import zlib

ACCOUNT, REGION, BUCKET = "123456789012", "us-east-1", "example-exports"
DAMAGES = {
    "missing_file": "a data file is not there",
    "truncated_file": "a data file is half as long",
    "flipped_byte": "a byte of a data file is another",
    "wrong_md5": "the manifest has another MD5 for a file",
    "wrong_count": "the manifest has one item more for a file",
    "wrong_total": "the summary has one item more",
    "cut_line": "a data file's last line is cut, and the MD5 is of that file",
    "empty_line": "a data file has an empty line, and the MD5 is of that file",
    "file_twice": "the manifest names a file twice",
    "unnamed_file": "there is a data file that the manifest does not name",
    "outside": "the manifest names a file outside of the export",
    "no_files_manifest": "manifest-files.json is not there",
    "no_summary": "manifest-summary.json is not there, as of an export that has not ended",
    "cut_manifest": "manifest-files.json is cut in its last line",
    "ion": "the format is Amazon Ion",
    "incremental": "the export is of the changes in a time",
}
# Those that are another kind of export, whole in itself.
KINDS = ("ion", "incremental")


def write_export(rows, folder, table="users", files=3, prefix="", damage=None,
                 export_time="2026-11-29T22:00:00.000Z"):
    """Writes an export of `rows` and gives the folder that holds its manifests."""
    number = zlib.crc32(f"{table}/{export_time}".encode())
    export_id = f"017640{number % 10 ** 8:08}-{number:08x}"
    key = "/".join(filter(None, [prefix, "AWSDynamoDB", export_id]))
    where = os.path.join(folder, key)
    # The data of incremental exports stand beside their manifests' folder.
    data_key = key.rpartition("/")[0] + "/data" if damage == "incremental" else key + "/data"
    os.makedirs(os.path.join(folder, data_key))
    os.makedirs(where, exist_ok=True)
    lines = []
    rows = list(rows)
    for index, share in enumerate(shares(rows, files)):
        name = f"{data_key}/{hashlib.md5(f'{key}/{index}'.encode()).hexdigest()[:26]}" \
               f".{'ion' if damage == 'ion' else 'json'}.gz"
        content = compressed(share, damage if index == 0 or damage in KINDS else None)
        write(folder, name, content)
        lines.append({"itemCount": len(share), "md5Checksum": md5(content),
                      "etag": hashlib.md5(content).hexdigest() + "-1", "dataFileS3Key": name})
    summary = summary_of(table, key, prefix, export_time, len(rows), damage)
    spoil(damage, folder, where, lines, summary)
    write_manifests(damage, where, lines, summary)
    return where


def shares(rows, files):
    """The rows in as many parts as there are files, by their keys."""
    parts = [[] for _ in range(files)]
    for row in rows:
        first = json.dumps(row["Item"], sort_keys=True) if "pk" not in row["Item"] else \
            json.dumps(row["Item"]["pk"])
        parts[zlib.crc32(first.encode()) % files].append(row)
    return parts


def compressed(rows, damage):
    lines = [json.dumps(changed(row) if damage == "incremental" else row,
                        separators=(",", ":")) + "\n" for row in rows]
    if damage == "ion":
        lines = ["$ion_1_0 " + line for line in lines]
    if damage == "empty_line":
        lines.insert(len(lines) // 2, "\n")
    text = "".join(lines).encode()
    return gzip.compress(text[:-20] if damage == "cut_line" else text, mtime=0)


def changed(row):
    """A row as a change, in an incremental export."""
    keys = [name for name in ("pk", "sk") if name in row["Item"]] or sorted(row["Item"])[:1]
    return {"Metadata": {"WriteTimestampMicros": {"N": "1764453600000000"}},
            "Keys": {name: row["Item"][name] for name in keys}, "NewImage": row["Item"]}


def summary_of(table, key, prefix, export_time, items, damage):
    arn = f"arn:aws:dynamodb:{REGION}:{ACCOUNT}:table/{table}"
    summary = {"version": "2020-06-30", "exportArn": f"{arn}/export/{key.rpartition('/')[2]}",
               "startTime": export_time, "endTime": export_time, "tableArn": arn,
               "tableId": "12345a12-abcd-123a-ab12-1234abc12345", "exportTime": export_time,
               "s3Bucket": BUCKET, "s3Prefix": prefix or None, "s3SseAlgorithm": "AES256",
               "s3SseKmsKeyId": None, "manifestFilesS3Key": f"{key}/manifest-files.json",
               "billedSizeBytes": 0, "itemCount": items + (damage == "wrong_total"),
               "outputFormat": "ION" if damage == "ion" else "DYNAMODB_JSON"}
    if damage == "incremental":
        del summary["exportTime"]
        summary.update(version="2023-08-01", exportFromTime="2026-11-28T22:00:00.000Z",
                       exportToTime=export_time, outputView="NEW_AND_OLD_IMAGES",
                       exportType="INCREMENTAL_EXPORT")
    return summary


def spoil(damage, folder, where, lines, summary):
    """Damages that are done once the data files stand."""
    first = lines[0]
    path = os.path.join(folder, first["dataFileS3Key"])
    if damage == "missing_file":
        os.remove(path)
    elif damage == "truncated_file":
        os.truncate(path, os.path.getsize(path) // 2)
    elif damage == "flipped_byte":
        with open(path, "r+b") as file:
            file.seek(os.path.getsize(path) // 2)
            byte = file.read(1)[0]
            file.seek(-1, os.SEEK_CUR)
            file.write(bytes([byte ^ 1]))
    elif damage == "wrong_md5":
        first["md5Checksum"] = md5(b"another")
    elif damage == "wrong_count":
        first["itemCount"] += 1
        summary["itemCount"] += 1
    elif damage == "file_twice":
        lines.append(dict(first))
    elif damage == "unnamed_file":
        write(where, "data/unnamed.json.gz", gzip.compress(b"", mtime=0))
    elif damage == "outside":
        first["dataFileS3Key"] = "../../../../../../../../etc/hostname"


def write_manifests(damage, where, lines, summary):
    files = "".join(json.dumps(line, separators=(",", ":")) + "\n" for line in lines).encode()
    if damage == "cut_manifest":
        files = files[:-30]
    contents = {"manifest-files": files,
                "manifest-summary": json.dumps(summary, separators=(",", ":")).encode()}
    left_out = {"no_files_manifest": "manifest-files", "no_summary": "manifest-summary"}
    for name, content in contents.items():
        if left_out.get(damage) != name:
            write(where, name + ".json", content)
            write(where, name + ".checksum", md5(content).encode())
    write(where, "_started", b"")


def md5(content):
    return base64.b64encode(hashlib.md5(content).digest()).decode()


def write(folder, name, content):
    with open(os.path.join(folder, name), "wb") as file:
        file.write(content)


def main(words):
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("rows")
    parser.add_argument("folder")
    parser.add_argument("--table", default="users")
    parser.add_argument("--files", type=int, default=3)
    parser.add_argument("--prefix", default="")
    parser.add_argument("--export-time", default="2026-11-29T22:00:00.000Z")
    parser.add_argument("--damage", choices=DAMAGES, metavar="|".join(DAMAGES))
    options = parser.parse_args(words)
    with open(options.rows, encoding="utf-8") as file:
        rows = [json.loads(line) for line in file]
    print(write_export(rows, options.folder, options.table, options.files, options.prefix,
                       options.damage, options.export_time))


if __name__ == "__main__":
    main(sys.argv[1:])
