"""Lets schemathesis call as machines do: signs each request, and counts the answers.

CLUP_KEYS is a folder with an Ed25519 key for each role (`ROLE.pem`); the counts go to `answers.json` in it. The words of
CLUP_CAPABILITIES open tickets on phones, those of CLUP_VISITS visits, and CLUP_INVITATION lets phones join.
"""

import atexit
import base64
import collections
import hashlib
import json
import os
import pathlib
import random
import re
import secrets
import threading
import time
import urllib.parse

import requests.auth
import schemathesis
from cryptography.hazmat.primitives import serialization

FOLDER = pathlib.Path(os.environ["CLUP_KEYS"])
PLAIN = re.compile(r"[0-9A-Za-z_-]{1,64}")


class Signer(requests.auth.AuthBase):
    """HTTP Message Signatures (RFC 9421) in the profile of Assets/Api/openapi.yaml."""

    def __init__(self, pem):
        self.key = serialization.load_pem_private_key(pem, None)
        public = self.key.public_key().public_bytes(
            serialization.Encoding.Raw, serialization.PublicFormat.Raw
        )
        self.name = hashlib.sha256(public).hexdigest()[:32]

    def __call__(self, request):
        url = urllib.parse.urlsplit(request.url)
        values = {
            "@method": request.method,
            "@authority": url.netloc.lower(),
            "@path": url.path or "/",
            "@query": "?" + url.query,
        }
        body = request.body or b""
        body = body.encode() if isinstance(body, str) else body
        if body:
            digest = base64.b64encode(hashlib.sha256(body).digest()).decode()
            values["content-digest"] = request.headers["Content-Digest"] = f"sha-256=:{digest}:"
        key = request.headers.get("Idempotency-Key")
        if request.method != "GET" and key is not None:
            key = key.decode("latin-1") if isinstance(key, bytes) else key
            values["idempotency-key"] = key.strip()
        parameters = (
            f"({' '.join(json.dumps(name) for name in values)});created={int(time.time())}"
            f';nonce="{secrets.token_urlsafe(16)}";keyid="{self.name}";tag="clup-machine"'
        )
        lines = [f'"{name}": {value}' for name, value in values.items()]
        base = "\n".join(lines + [f'"@signature-params": {parameters}'])
        signature = base64.b64encode(self.key.sign(base.encode("utf-8", "replace"))).decode()
        request.headers["Signature-Input"] = f"clup={parameters}"
        request.headers["Signature"] = f"clup=:{signature}:"
        return request


SIGNERS = {path.stem: Signer(path.read_bytes()) for path in FOLDER.glob("*.pem")}
ROLES = sorted(SIGNERS)
NAMES = {signer.name: role for role, signer in SIGNERS.items()}
lock = threading.Lock()
#: A generator of its own: Hypothesis resets that of the module before each request.
dice = random.Random(os.environ.get("CLUP_SEED", "1"))
#: Answers by status, and by call and status.
statuses = collections.Counter()
calls = collections.defaultdict(collections.Counter)
#: The role that a call accepted, and the roles that it refused.
welcome = {}
refused = collections.defaultdict(set)
#: Places and their codes that the backend gave out lately, to be used again.
known = {name: collections.deque(maxlen=20) for name in ("id", "code")}
#: The place that is held now, the only one that can be confirmed.
held = []
CAPABILITIES = os.environ.get("CLUP_CAPABILITIES", "").split()
INVITATION = os.environ.get("CLUP_INVITATION", "")
#: The tag of a shop that gives places to phones elsewhere.
TAG = INVITATION[:4]
#: The secrets of some phones' cookies.
DEVICES = ["".join(dice.choice("0123456789ABCDEFGHJKMNPQRSTVWXYZ") for _ in range(26)) for _ in range(30)]
#: The tickets of places that were offered to phones lately, each with the cookie of its phone.
offers = collections.deque(maxlen=10)
#: The starts of slots that the backend listed lately, and what opens visits.
slots = collections.deque(maxlen=40)
visits = collections.deque(os.environ.get("CLUP_VISITS", "").split(), maxlen=10)
#: Actions of the staff after which no more places are given out.
CLOSING = ("end-tickets", "send-home", "close-early")


def remember(value):
    if isinstance(value, dict):
        for name, part in value.items():
            kind = "code" if name == "typedCode" else name
            if kind in known and isinstance(part, str):
                known[kind].append(part)
            remember(part)
    elif isinstance(value, list):
        for part in value:
            remember(part)


@schemathesis.hook
def before_call(context, case, kwargs):
    """A fresh key for most requests, places and codes that exist for many, and a role's signature."""
    operation = case.operation.label
    with lock:
        key = (case.headers or {}).get("Idempotency-Key")
        if isinstance(key, str) and PLAIN.fullmatch(key) and dice.random() < 0.9:
            case.headers["Idempotency-Key"] = secrets.token_urlsafe(16)
        if "id" in (case.path_parameters or {}) and known["id"] and dice.random() < 0.7:
            case.path_parameters["id"] = dice.choice(known["id"])
        if operation == "POST /v1/holds/{id}/confirmation" and held and dice.random() < 0.8:
            case.path_parameters["id"] = held[-1]
        if operation == "DELETE /v1/holds/{id}" and held and dice.random() < 0.9:
            # The place that is held is given back rarely, because it is to be confirmed.
            others = [place for place in known["id"] if place not in held]
            case.path_parameters["id"] = dice.choice(others) if others else "other"
        if isinstance(case.body, dict) and "code" in case.body and known["code"]:
            if dice.random() < 0.5:
                case.body["code"] = dice.choice(known["code"])
        if CAPABILITIES and isinstance(case.body, dict) and isinstance(case.body.get("capability"), str):
            if dice.random() < 0.7:
                case.body["capability"] = dice.choice(CAPABILITIES)
            # Only a visit has an event.
            if operation == "POST /v1/public/calendar" and visits and dice.random() < 0.7:
                case.body["capability"] = dice.choice(visits)
        if operation == "POST /v1/public/holds" and slots and isinstance(case.body, dict) and "shop" in case.body:
            if dice.random() < 0.3:
                case.body["visit"] = {"start": dice.choice(slots)}
        if INVITATION and isinstance(case.body, dict) and isinstance(case.body.get("invitation"), str):
            if dice.random() < 0.7:
                case.body["invitation"] = INVITATION
            if dice.random() < 0.9:
                case.headers["Cookie"] = f"clup-device={dice.choice(DEVICES)}"
        if INVITATION and isinstance(case.body, dict) and isinstance(case.body.get("shop"), str):
            if dice.random() < 0.7:
                case.body["shop"] = TAG
            if dice.random() < 0.9:
                case.headers["Cookie"] = f"clup-device={dice.choice(DEVICES)}"
        if offers and isinstance(case.body, dict) and isinstance(case.body.get("ticket"), str):
            if dice.random() < 0.9:
                case.body["ticket"], cookie = dice.choice(offers)
                case.headers["Cookie"] = cookie
        if isinstance(case.body, dict) and case.body.get("action") in CLOSING:
            # These actions are rare and soon undone, because the other calls need places.
            if dice.random() < 0.9:
                case.body["action"] = "open-again"
        role = welcome.get(operation)
        left = [role for role in ROLES if role not in refused[operation]]
        tried = calls[operation].total() - calls[operation][405]
        if role is None and left and tried < 2 * len(ROLES):
            # The roles are tried in turn, so that even a rare call finds the role that may make it.
            kwargs["auth"] = SIGNERS[left[0]]
            return
        if role is None or dice.random() < 0.1:
            role = dice.choice(ROLES if role else left or ROLES)
    # One request in twenty has no signature.
    if dice.random() > 0.05:
        kwargs["auth"] = SIGNERS[role]


@schemathesis.hook
def after_call(context, case, response):
    with lock:
        statuses[response.status_code] += 1
        calls[case.operation.label][response.status_code] += 1
        signed = re.search(r'keyid="(\w+)"', str(response.request.headers.get("Signature-Input")))
        if signed and response.status_code < 300:
            welcome[case.operation.label] = NAMES[signed[1]]
        if signed and response.status_code == 403:
            refused[case.operation.label].add(NAMES[signed[1]])
        try:
            answer = response.json()
            remember(answer)
            if case.operation.label == "POST /v1/holds" and response.status_code == 201:
                held[:] = [answer["id"]]
            if case.operation.label == "POST /v1/public/holds" and response.status_code == 201:
                offers.append((answer["ticket"], response.request.headers["Cookie"]))
            if case.operation.label == "POST /v1/public/slots" and response.status_code == 200:
                slots.extend(period["first"] for period in answer["periods"][1:])
            if case.operation.label == "POST /v1/public/confirmation" and answer.get("kind") == "visit":
                visits.append(answer["link"].partition("#")[2])
        except ValueError:
            pass


@atexit.register
def write():
    report = {
        "statuses": {str(status): count for status, count in statuses.items()},
        "calls": {
            call: {str(status): count for status, count in found.items()}
            for call, found in sorted(calls.items())
        },
    }
    (FOLDER / "answers.json").write_text(json.dumps(report))
