#!/usr/bin/python3
"""Lives a day with a backend of the past, and goes on with the same day and today's backend.

    day.py live PROGRAM DATABASE FOLDER        makes a shop and its day; writes FOLDER/day.json
    day.py continue PROGRAM DATABASE FOLDER    asks for what FOLDER/day.json has, and goes on where the day was

DATABASE is the path of a file or the address of a database of PostgreSQL. FOLDER has the keys of the backend and, between
the two, what the day has left. Both are run at the time of that day (Tests/at-time). Knows the calls by
Assets/Api/openapi.yaml alone, and of those only what all versions have in common, or asks whether the program has it.
"""

import base64
import hashlib
import http.client
import json
import os
import pathlib
import secrets
import signal
import subprocess
import sys
import time
import urllib.parse

# The roles of the readers, which came later than machines.
READERS = ("entrance", "checkout")
COOKIE = "clup-device=0123456789ABCDEFGHJKMNPQR0"
# Of the repository whose program it is.
ASSETS = "Assets"


class Trouble(Exception):
    """What is not as it must be."""


def need(isSo, *what):
    if not isSo:
        raise Trouble(" ".join(str(part) for part in what))


def openssl(*arguments, given=b""):
    return subprocess.run(["openssl", *arguments], input=given, capture_output=True, check=True).stdout


class Key:
    """An Ed25519 key of a machine or a reader."""

    def __init__(self, path):
        self.path = path
        if not path.exists():
            path.write_bytes(openssl("genpkey", "-algorithm", "ed25519"))
        self.public = openssl("pkey", "-in", path, "-pubout", "-outform", "DER")[-32:]
        self.text = base64.urlsafe_b64encode(self.public).decode().rstrip("=")
        self.name = hashlib.sha256(self.public).hexdigest()[:32]

    def sign(self, text):
        message = self.path.with_suffix(".message")
        message.write_bytes(text.encode())
        return base64.b64encode(openssl("pkeyutl", "-sign", "-rawin", "-inkey", self.path, "-in", message)).decode()


class Backend:
    """A program, its database and its server."""

    def __init__(self, program, database, folder):
        self.program, self.database, self.folder = program, database, folder
        self.keys = {}
        self.server = None

    def has(self, command, option=None):
        """Whether the program has a command, and the command an option."""
        found = subprocess.run([self.program, *command.split(), "--help"], capture_output=True, text=True, check=False)
        return found.returncode == 0 and (option is None or option in found.stdout)

    def run(self, command, *options):
        words = [self.program, *command.split(), "--database", self.database, *options]
        done = subprocess.run(words, capture_output=True, text=True, check=False)
        need(done.returncode == 0, " ".join(words), "ended with", done.returncode, done.stdout, done.stderr)
        return done.stdout

    def state(self):
        """Where the keys of the backend are, if the database is no file, beside which they are."""
        return ["--state", str(self.folder)] if "://" in self.database else []

    def add_keys(self, is_new):
        """The keys of two machines and the readers, which are let in if they are new."""
        for name in ("door-1", "door-2", *READERS):
            if name in READERS and is_new and not self.has("device add"):
                continue
            path = self.folder / f"{name}.pem"
            if not is_new and not path.exists():
                continue
            key = self.keys[name] = Key(path)
            if is_new:
                role = ["--role", name] if name in READERS else []
                self.run("device add" if role else "machine add", *role, "--shop", "ROM1", "--name", name, f"--key={key.text}")

    def start(self):
        words = [self.program, "serve", "--database", self.database, "--listen", "127.0.0.1:0", "--rate-limit", "0"]
        words += self.state()
        if self.has("serve", "--phones"):
            words += ["--phones", "127.0.0.1:0", "--assets", ASSETS]
        self.said = self.folder / "said"
        with open(self.said, "w") as said:
            self.server = subprocess.Popen(words, stdout=subprocess.PIPE, stderr=said, text=True)
        line = self.server.stdout.readline()
        need(line, "the server did not start:", self.said.read_text())
        ready = json.loads(line)
        self.address = ready["listening"].removeprefix("http://")
        self.phones = ready.get("phones", "").removeprefix("http://")

    def stop(self):
        if self.server:
            self.server.send_signal(signal.SIGTERM)
            need(self.server.wait() == 0, "the server ended with", self.server.returncode, self.said.read_text())
            self.server = None

    def call(self, name, method, path, body=None, key=None):
        """A call that is signed by the key of this name: the status and the answer."""
        signer = self.keys[name]
        content = b"" if body is None else json.dumps(body).encode()
        covered = {"@method": method, "@authority": self.address, "@path": path, "@query": "?"}
        fields = {}
        if content:
            digest = f"sha-256=:{base64.b64encode(hashlib.sha256(content).digest()).decode()}:"
            covered["content-digest"] = fields["Content-Digest"] = digest
            fields["Content-Type"] = "application/json"
        if method != "GET":
            covered["idempotency-key"] = fields["Idempotency-Key"] = key or secrets.token_urlsafe(16)
        listed = " ".join(json.dumps(part) for part in covered)
        parameters = (f"({listed});created={int(time.time())};nonce=\"{secrets.token_urlsafe(16)}\""
                      f';keyid="{signer.name}";tag="clup-machine"')
        base = "".join(f'"{part}": {value}\n' for part, value in covered.items()) + f'"@signature-params": {parameters}'
        fields["Signature-Input"] = f"clup={parameters}"
        fields["Signature"] = f"clup=:{signer.sign(base)}:"
        return self.exchange(self.address, method, path, content, fields)

    def public(self, name, body):
        """A call of a customer's phone."""
        fields = {"Content-Type": "application/json", "Cookie": COOKIE, "Idempotency-Key": secrets.token_urlsafe(16)}
        return self.exchange(self.phones, "POST", f"/v1/public/{name}", json.dumps(body).encode(), fields)

    def exchange(self, address, method, path, content, fields):
        connection = http.client.HTTPConnection(address)
        connection.request(method, path, content or None, fields)
        answer = connection.getresponse()
        read = answer.read()
        return answer.status, json.loads(read) if read.strip().startswith(b"{") else None

    def ask(self, status, *words, **more):
        """A call that must be answered with this status; gives the answer."""
        found, answer = self.call(*words, **more)
        need(found == status, *words, "was answered", found, answer)
        return answer

    def hold(self, name, kind="ticket", key=None):
        return self.ask(201, name, "POST", "/v1/holds", {"kind": kind}, key=key)

    def confirm(self, name, place, key=None):
        return self.ask(201, name, "POST", f"/v1/holds/{place}/confirmation", key=key)

    def ticket(self, name="door-1", kind="ticket"):
        return self.confirm(name, self.hold(name, kind)["id"])


def live(backend):
    """Makes a shop for four people and its day, so far; gives what it has left."""
    options = ["--name", "Città", "--tag", "ROM1", "--time-zone", "Europe/Rome", "--hours", "Mon-Sun 06:00-22:00",
               "--capacity", "4", "--stay", "10", "--languages", "it,de"]
    for option in ("--delays", "--phone-places", "--phone-visits"):
        if backend.has("shop add", option):
            options += [option, "yes"]
    if backend.has("shop add", "--desks"):
        options += ["--desks", "2"]
    backend.run("shop add", *options)
    backend.add_keys(is_new=True)
    backend.start()

    states = {}

    def put(name, place, state):
        states[name] = {"state": state, **{part: place[part] for part in ("id", "kind", "number", "code", "typedCode")}}

    put("called", backend.ticket(), "called")
    put("second", backend.ticket("door-2"), "called")
    put("called-too", backend.ticket("door-2"), "called")
    put("fourth", backend.ticket(), "called")
    put("waits", backend.ticket(), "planned")
    put("given-back", backend.ticket(), "deleted")
    kept = backend.hold("door-1", key="kept-hold")
    stored = backend.confirm("door-1", kept["id"], key="kept-confirmation")
    put("stored", stored, "planned")
    gone = states["given-back"]
    backend.ask(204, "door-1", "DELETE", f"/v1/reservations/{gone['id']}", {"code": gone["code"]})
    if "entrance" in backend.keys:
        backend.ask(200, "entrance", "POST", "/v1/entries", {"code": states["second"]["code"]})
        states["second"]["state"] = "inside"
        put("third", backend.ticket("door-2"), "planned")
        action = {"action": "let-in", "number": states["called"]["number"], "by": "Anna"}
        backend.ask(200, "door-2", "POST", "/v1/staff/actions", action)
        states["called"]["state"] = "inside"
        backend.ask(200, "checkout", "POST", "/v1/exits", {"code": states["called"]["code"]})
        states["called"]["state"] = "used"
    status, visit = backend.call("door-2", "POST", "/v1/holds", {"kind": "visit"})
    if status == 201:
        put("visit", backend.confirm("door-2", visit["id"]), "planned")
    if backend.phones and backend.has("shop add", "--phone-visits"):
        status, slots = backend.public("slots", {"shop": "ROM1"})
        need(status == 200, "slots", status, slots)
        start = slots["periods"][-1]["first"]
        status, offer = backend.public("holds", {"shop": "ROM1", "visit": {"start": start}})
        need(status == 201, "a visit on a phone", status, offer)
        status, place = backend.public("confirmation", {"ticket": offer["ticket"]})
        need(status == 201, "its confirmation", status, place)
        put("phone-visit", place, "planned")
    orders = []
    if backend.has("order add"):
        for reference in ("A-1", "A-2"):
            line = json.loads(backend.run("order add", "--shop", "ROM1", "--reference", reference, "--promised",
                                          time.strftime("%Y-%m-%d 09:00"), "--parcels", "small@A3"))
            orders.append({"code": line["code"], "reference": reference})
        order = backend.ask(200, "door-1", "POST", "/v1/orders/lookup", {"code": orders[0]["code"]})
        backend.ask(201, "door-1", "POST", f"/v1/orders/{order['id']}/arrival", {"code": orders[0]["code"]})
        for order in orders:
            order["answer"] = backend.ask(200, "door-1", "POST", "/v1/orders/lookup", {"code": order["code"]})
    pending = backend.hold("door-1")
    queue = backend.ask(200, "door-1", "GET", "/v1/queue")
    for place in states.values():
        # The first version knew no calls.
        if place["state"] == "called" and place["number"] not in queue["calling"]:
            place["state"] = "planned"
    backend.stop()
    return {"now": queue["now"], "places": states, "pending": pending["id"], "queue": queue, "orders": orders,
            "stored": {"hold": kept, "confirmation": stored}}


def is_within(former, present, place=""):
    """Needs all of a former answer in the present one, but for the moment, the estimate and the server's address."""
    if isinstance(former, dict):
        for name, value in former.items():
            if name in ("now", "wait", "link"):
                continue
            need(isinstance(present, dict) and name in present, f"{place}/{name} is missing")
            is_within(value, present[name], f"{place}/{name}")
    else:
        need(former == present, f"{place}: {former} is {present} now")


def go_on(backend, day):
    """Looks whether the day is as it was, and goes on."""
    backend.add_keys(is_new=False)
    backend.run("database check")
    backend.start()
    places = day["places"]
    # Both kinds of codes find every place in its state.
    for name, place in places.items():
        for code in ("code", "typedCode"):
            found = backend.ask(200, "door-2", "POST", "/v1/reservations/lookup", {"code": place[code]})
            is_within({part: place[part] for part in ("id", "kind", "number")}, found, name)
            # Who waited may be called as soon as the server runs.
            states = ("planned", "called") if place["state"] == "planned" else (place["state"],)
            need(found["state"] in states, name, "was", place["state"], "and is", found["state"])
    queue = backend.ask(200, "door-2", "GET", "/v1/queue")
    former = day["queue"]
    need(queue["open"] == former["open"], "open:", queue["open"])
    need(set(former["calling"]) <= set(queue["calling"]), former["calling"], "are", queue["calling"], "now")
    for order in day["orders"]:
        found = backend.ask(200, "door-1", "POST", "/v1/orders/lookup", {"code": order["code"]})
        is_within(order["answer"], found, f"order {order['reference']}")
    # A request that is repeated gets the answer that it had, and no second place.
    is_within(day["stored"]["hold"], backend.hold("door-1", key="kept-hold"), "stored hold")
    is_within(day["stored"]["confirmation"],
              backend.confirm("door-1", day["stored"]["hold"]["id"], key="kept-confirmation"), "stored confirmation")
    # The place that was held becomes the next one of its day, and numbers go on behind it.
    last = max(place["number"] for place in places.values() if place["kind"] == "ticket")
    held = backend.confirm("door-1", day["pending"])
    need(held["number"] > last, held["number"], "is not behind", last)
    need(backend.ticket()["number"] == held["number"] + 1, "the numbers do not go on")
    # A ticket of then is given back, and the next one is called.
    first = places["waits"]
    backend.ask(204, "door-2", "DELETE", f"/v1/reservations/{first['id']}", {"code": first["code"]})
    status, problem = backend.call("door-2", "DELETE", f"/v1/reservations/{first['id']}", {"code": first["code"]})
    need(status == 409, "a place was given back twice:", status, problem)
    if "entrance" in backend.keys:
        status, problem = backend.call("entrance", "POST", "/v1/entries", {"code": first["code"]})
        need(status == 409, "a place that was given back opens the door:", status, problem)
        inside = next(place for place in places.values() if place["state"] == "inside")
        backend.ask(200, "checkout", "POST", "/v1/exits", {"code": inside["code"]})
    else:
        action = {"action": "let-in", "number": places["called"]["number"]}
        backend.ask(200, "door-2", "POST", "/v1/staff/actions", action)
    if "phone-visit" in places:
        visit = places["phone-visit"]
        backend.ask(204, "door-1", "DELETE", f"/v1/reservations/{visit['id']}", {"code": visit["typedCode"]})
    backend.stop()
    backend.run("database check")
    # Signs the end of the audit, which a server does from time to time.
    backend.run("key", *backend.state())
    backend.run("audit verify", *backend.state())


def main():
    mode, program, database, folder = sys.argv[1:]
    folder = pathlib.Path(folder)
    backend = Backend(program, database, folder)
    try:
        if mode == "live":
            (folder / "day.json").write_text(json.dumps(live(backend), indent=1, ensure_ascii=False) + "\n")
        else:
            go_on(backend, json.loads((folder / "day.json").read_text()))
    except Trouble as trouble:
        sys.exit(f"day.py: {trouble}")
    finally:
        if backend.server:
            backend.server.kill()


main()
