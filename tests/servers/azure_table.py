"""Signed requests to Azure's table service, as azurite takes them: SharedKeyLite.

Source   "Authorize with Shared Key", Azure storage services REST documentation. The account and its
         key are the ones that the emulator publishes.
"""

import base64
import email.utils
import hmac
import http.client
import json
import urllib.parse

ACCOUNT = "devstoreaccount1"
KEY = "Eby8vdM02xNOcqFlqUwJPLlmEtlCDXJ1OUzFT50uSRZ6IFsuFq2UVErCz4I6tq/K1SZFPTOtr/KBHBeksoGMGw=="


def request(endpoint, method, path, words=None, query="", headers=None, key=KEY):
    """Status, headers by names in lower case, and the JSON (or nothing) that came."""
    date = email.utils.formatdate(usegmt=True)
    text = f"{date}\n/{ACCOUNT}/{ACCOUNT}{path}"
    signature = hmac.digest(base64.b64decode(key), text.encode(), "sha256")
    place = urllib.parse.urlsplit(endpoint)
    connection = http.client.HTTPConnection(place.hostname, place.port, timeout=60)
    try:
        connection.request(
            method, f"/{ACCOUNT}{path}{'?' if query else ''}{query}",
            None if words is None else json.dumps(words), {
                "x-ms-date": date, "x-ms-version": "2019-02-02",
                "authorization": f"SharedKeyLite {ACCOUNT}:{base64.b64encode(signature).decode()}",
                "accept": "application/json;odata=minimalmetadata",
                "content-type": "application/json", **(headers or {})})
        answer = connection.getresponse()
        body = answer.read()
        return (answer.status, {name.lower(): value for name, value in answer.getheaders()},
                json.loads(body) if body.startswith(b"{") else None)
    finally:
        connection.close()
