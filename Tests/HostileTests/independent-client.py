#!/usr/bin/env python3
"""Takes a ticket, confirms it and verifies each answer, by Assets/Api alone: nothing of the project's is used.

Usage: independent-client.py ADDRESS KEY.pem BACKEND-KEY     (the backend's key in base64url)
Prints the reservation as JSON. Needs python3 and openssl(1).
"""

import base64
import hashlib
import http.client
import json
import re
import secrets
import subprocess
import sys
import tempfile
import time
import urllib.parse

ADDRESS, KEY, BACKEND = sys.argv[1:]
ASKED = 'clup=();tag="clup-answer"'


def openssl(*arguments, given=b""):
    return subprocess.run(["openssl", *arguments], input=given, capture_output=True, check=False)


def file(content):
    handle = tempfile.NamedTemporaryFile()
    handle.write(content)
    handle.flush()
    return handle


def key_id(public):
    return hashlib.sha256(public).hexdigest()[:32]


def sign(base):
    with file(base) as message:
        return openssl("pkeyutl", "-sign", "-rawin", "-inkey", KEY, "-in", message.name).stdout


def verify(public, signature, base):
    # The 12 bytes before every Ed25519 key in DER (RFC 8410 4).
    der = bytes.fromhex("302a300506032b6570032100") + public
    with file(der) as key, file(signature) as sealed, file(base) as message:
        return openssl(
            "pkeyutl", "-verify", "-rawin", "-pubin", "-keyform", "DER", "-inkey", key.name,
            "-sigfile", sealed.name, "-in", message.name,
        ).returncode == 0


def digest(body):
    return f"sha-256=:{base64.b64encode(hashlib.sha256(body).digest()).decode()}:"


def decode(text):
    return base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))


OWN = openssl("pkey", "-in", KEY, "-pubout", "-outform", "DER").stdout[-32:]
PINNED = decode(BACKEND)


def call(method, path, body=None, key=None):
    """The status and the decoded body of an answer that the backend has verified and signed."""
    url = urllib.parse.urlsplit(ADDRESS)
    content = b"" if body is None else json.dumps(body).encode()
    fields = {"Accept-Signature": ASKED}
    covered = {
        "@method": method, "@authority": url.netloc.lower(), "@path": path, "@query": "?",
    }
    if content:
        fields["Content-Type"] = "application/json"
        covered["content-digest"] = fields["Content-Digest"] = digest(content)
    if method != "GET":
        covered["idempotency-key"] = fields["Idempotency-Key"] = key or secrets.token_urlsafe(16)
    listed = " ".join(f'"{name}"' for name in covered)
    parameters = (
        f"({listed});created={int(time.time())};nonce=\"{secrets.token_urlsafe(16)}\""
        f';keyid="{key_id(OWN)}";tag="clup-machine"'
    )
    base = "".join(f'"{name}": {value}\n' for name, value in covered.items())
    base += f'"@signature-params": {parameters}'
    fields["Signature-Input"] = f"clup={parameters}"
    fields["Signature"] = f"clup=:{base64.b64encode(sign(base.encode())).decode()}:"
    connection = http.client.HTTPConnection(url.netloc)
    connection.request(method, path, content or None, fields)
    answer = connection.getresponse()
    read = answer.read()

    values = {"@status": str(answer.status), "content-digest": answer.getheader("Content-Digest")}
    assert values["content-digest"] == digest(read), "the body is not the one that was signed"
    for name in ("content-type", "retry-after"):
        if answer.getheader(name) is not None:
            values[name] = answer.getheader(name)
    lines = [(f'"{name}"', value) for name, value in values.items()]
    lines += [(f'"{name}";req', value) for name, value in covered.items()]
    lines.append(('"signature";req', fields["Signature"]))
    given = re.fullmatch(
        r'clup=(\((.*)\);created=(\d+);keyid="([0-9a-f]{32})";tag="(clup-[a-z]+)")',
        answer.getheader("Signature-Input"),
    )
    assert given, "the answer has no signature of the contract's"
    assert given[2] == " ".join(name for name, _ in lines), f"it covers {given[2]}"
    assert given[4] == key_id(PINNED), "another backend's key"
    base = "".join(f"{name}: {value}\n" for name, value in lines)
    base += f'"@signature-params": {given[1]}'
    sealed = re.fullmatch(r"clup=:([A-Za-z0-9+/=]+):", answer.getheader("Signature"))
    assert verify(PINNED, base64.b64decode(sealed[1]), base.encode()), "the signature is wrong"
    tag = "clup-unverified" if answer.status == 401 else "clup-answer"
    assert given[5] == tag, f"the answer is {given[5]}"
    return answer.status, json.loads(read) if read else None


status, machine = call("GET", "/v1/machine")
assert status == 200, machine
status, hold = call("POST", "/v1/holds", {"kind": "ticket"})
assert status == 201, hold
again = secrets.token_urlsafe(16)
path = f"/v1/holds/{hold['id']}/confirmation"
status, reservation = call("POST", path, key=again)
assert status == 201 and reservation["id"] == hold["id"], reservation
assert call("POST", path, key=again) == (201, reservation), "the same key, another answer"
status, found = call("POST", "/v1/reservations/lookup", {"code": reservation["code"]})
assert status == 200 and found["number"] == reservation["number"], found
status, problem = call("DELETE", f"/v1/reservations/{hold['id']}", {"code": "0000000000"})
assert (status, problem["type"]) == (404, "urn:clup:problem:not-found"), problem
print(json.dumps(reservation))
