#!/usr/bin/env python3
"""The other side of Web Push, with the libraries of its authors: a browser that opens messages, a push service that
checks its sender.

    receive-pushes.py keys KEYS              makes a browser's keys; prints the public half as JSON
    receive-pushes.py open KEYS REQUESTS     opens the requests of a file, and prints what they hold as JSON

A request is {"origin", "fields", "body"}, its fields by names in small letters, its body in Base64. It ends with an
error at the first request that a push service would refuse, or that a browser could not open.
"""
import base64
import json
import os
import sys
import time

import http_ece
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat
from py_vapid import Vapid02


def encode(data):
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


def decode(text):
    return base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))


def make_keys(path):
    key = ec.generate_private_key(ec.SECP256R1())
    secret = os.urandom(16)
    with open(path, "w", encoding="utf-8") as file:
        json.dump({"key": key.private_numbers().private_value, "auth": encode(secret)}, file)
    point = key.public_key().public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)
    print(json.dumps({"p256dh": encode(point), "auth": encode(secret)}))


def check_sender(request):
    """RFC 8292: the token is for this push service, ends within a day, and is signed by its key."""
    scheme, _, parameters = request["fields"]["authorization"].partition(" ")
    assert scheme == "vapid", scheme
    part = dict(item.strip().split("=", 1) for item in parameters.split(","))
    head, claims, signature = (decode(text) for text in part["t"].split("."))
    assert json.loads(head) == {"alg": "ES256", "typ": "JWT"}, head
    assert len(signature) == 64 and len(decode(part["k"])) == 65
    # Its parser takes no space between the parameters.
    field = "vapid " + parameters.replace(", ", ",")
    assert Vapid02.verify(field), "the signature is wrong"
    changed = field.replace(part["t"].split(".")[1], encode(claims.replace(b"http", b"HTTP")))
    assert changed != field and not Vapid02.verify(changed), "a changed token is taken"
    claims = json.loads(claims)
    assert claims["aud"] == request["origin"], claims
    assert time.time() < claims["exp"] <= time.time() + 86_400, claims
    return part["k"], claims.get("sub")


def open_requests(keys_path, requests_path):
    with open(keys_path, encoding="utf-8") as file:
        keys = json.load(file)
    with open(requests_path, encoding="utf-8") as file:
        requests = json.load(file)
    key = ec.derive_private_key(keys["key"], ec.SECP256R1())
    found = []
    for request in requests:
        fields, body = request["fields"], base64.b64decode(request["body"])
        assert fields["content-encoding"] == "aes128gcm" and len(body) <= 4_096
        assert int(fields["ttl"]) >= 0
        sender, subject = check_sender(request)
        content = http_ece.decrypt(
            body, private_key=key, auth_secret=decode(keys["auth"]), version="aes128gcm")
        found.append({
            "content": content.decode(), "sender": sender, "subject": subject, "size": len(body),
            "salt": encode(body[:16]), "key": encode(body[21:86]),
        })
    print(json.dumps(found))


if sys.argv[1] == "keys":
    make_keys(sys.argv[2])
else:
    open_requests(sys.argv[2], sys.argv[3])
