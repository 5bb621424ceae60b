"""A push service of the tests, for one browser: strict where push services may be strict.

Browsers hold a WebSocket and speak JSON with it, as with Mozilla's service. Senders POST messages (RFC 8030) to the
endpoint that a browser got from "register"; a message that a strict service refuses is refused.
"""
import asyncio
import base64
import http.server
import json
import re
import threading
import time
import uuid
from urllib.parse import urlsplit

import websockets
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec, utils

LARGEST = 4096
A_DAY = 86_400


def decoded(text):
    return base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))


def encoded(data):
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


def fault_of_sender(header, origin, wanted_key):
    """What is wrong with `Authorization: vapid t=TOKEN, k=KEY` (RFC 8292); None if nothing is."""
    if not (header or "").startswith("vapid "):
        return "no vapid"
    try:
        parts = dict(part.strip().split("=", 1) for part in header[len("vapid "):].split(","))
        head, claims, signature = parts["t"].split(".")
        key, signature = decoded(parts["k"]), decoded(signature)
        if key != wanted_key:
            return "another key than the subscription's"
        if json.loads(decoded(head)).get("alg") != "ES256" or len(signature) != 64:
            return "not ES256"
        r, s = (int.from_bytes(half, "big") for half in (signature[:32], signature[32:]))
        ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), key).verify(
            utils.encode_dss_signature(r, s), parts["t"].rpartition(".")[0].encode(), ec.ECDSA(hashes.SHA256()))
        claims = json.loads(decoded(claims))
    except (KeyError, ValueError, InvalidSignature) as error:
        return f"bad token: {type(error).__name__} {error}"
    if claims.get("aud") != origin:
        return f"audience {claims.get('aud')} instead of {origin}"
    if not time.time() < claims.get("exp", 0) <= time.time() + A_DAY:
        return f"expires at {claims.get('exp')}, not within a day"
    if "sub" in claims and not re.match("mailto:|https://", claims["sub"]):
        return f"subject {claims['sub']}"
    return None


def fault_of_message(headers, body):
    """The status and the reason with which a message is refused; None if nothing is wrong with it."""
    if not re.fullmatch("[0-9]+", headers.get("TTL") or ""):
        return 400, "no TTL"
    if headers.get("Urgency", "normal") not in ("very-low", "low", "normal", "high"):
        return 400, "unknown urgency"
    if not re.fullmatch("[A-Za-z0-9_-]{1,32}", headers.get("Topic", "-")):
        return 400, "bad topic"
    if headers.get("Content-Encoding") != "aes128gcm":
        return 400, "not aes128gcm"
    if len(body) > LARGEST:
        return 413, "too large"
    return None


class FakePushService:
    def __init__(self):
        self.subscriptions = {}  # By the last part of the endpoint.
        self.online = {}  # The connection of each browser.
        self.kept = {}  # For each browser the messages that it has not acknowledged.
        self.posts = []  # What senders posted, the oldest first.
        self.answer = None  # The status of all answers, instead of the right one.
        self.delivers = False  # Whether browsers get messages at once; held messages are kept.

    # The side of the browsers

    async def _serve_browser(self, socket):
        browser = None
        async for text in socket:
            message = json.loads(text)
            kind = message.get("messageType")
            if kind == "hello":
                browser = message.get("uaid") or uuid.uuid4().hex
                self.online[browser] = socket
                await self._send(socket, kind, uaid=browser, use_webpush=True)
                if self.delivers:
                    await self._deliver(browser, socket)
            elif kind == "register":
                token = uuid.uuid4().hex
                self.subscriptions[token] = {
                    "channel": message["channelID"], "browser": browser, "key": decoded(message.get("key") or "")}
                await self._send(
                    socket, kind, channelID=message["channelID"], pushEndpoint=f"{self.origin}/push/{token}")
            elif kind == "unregister":
                self.subscriptions = {
                    token: one for token, one in self.subscriptions.items() if one["channel"] != message["channelID"]}
                await self._send(socket, kind, channelID=message["channelID"])
            elif kind == "ack":
                for update in message["updates"]:
                    self._acknowledge(browser, update)
            elif message == {}:
                await socket.send("{}")
        if self.online.get(browser) is socket:
            del self.online[browser]

    async def deliver(self):
        """Gives browsers what is kept for them, and from now on each message at once."""
        self.delivers = True
        for browser, socket in list(self.online.items()):
            await self._deliver(browser, socket)

    def hold(self):
        """Keeps all messages until they are to be delivered."""
        self.delivers = False

    async def _deliver(self, browser, socket):
        for kept in self._unexpired(browser):
            await socket.send(kept["text"])

    async def _send(self, socket, kind, **values):
        await socket.send(json.dumps({"messageType": kind, "status": 200, **values}))

    def _unexpired(self, browser):
        self.kept[browser] = [one for one in self.kept.get(browser, []) if one["expires"] > time.time()]
        return self.kept[browser]

    def _acknowledge(self, browser, update):
        self.kept[browser] = [one for one in self.kept.get(browser, []) if one["version"] != update["version"]]
        for post in self.posts:
            if post["version"] == update["version"]:
                post["acknowledged"] = update["code"]

    # The side of the senders

    async def _take(self, path, headers, body):
        """Takes or refuses a message; the status, and the message's version or the reason."""
        subscription = self.subscriptions.get(urlsplit(path).path.removeprefix("/push/"))
        version = uuid.uuid4().hex
        if self.answer is not None:
            status, reason = self.answer, "the test's answer"
        elif subscription is None:
            status, reason = 410, "no such subscription"
        else:
            fault = fault_of_sender(headers.get("Authorization"), self.origin, subscription["key"])
            status, reason = fault_of_message(headers, body) or ((401, fault) if fault else (201, ""))
        self.posts.append({
            "path": path, "ttl": headers.get("TTL"), "urgency": headers.get("Urgency"),
            "topic": headers.get("Topic"), "size": len(body), "status": status, "reason": reason,
            "version": version, "acknowledged": None})
        if status == 201:
            await self._hand_on(subscription, version, headers, body)
        return status, version if status == 201 else reason

    async def _hand_on(self, subscription, version, headers, body):
        browser, topic = subscription["browser"], headers.get("Topic")
        text = json.dumps({
            "messageType": "notification", "channelID": subscription["channel"], "version": version,
            "data": encoded(body), "headers": {"encoding": "aes128gcm"}})
        # A newer message of the same topic takes the place of one that was not delivered (RFC 8030 5.4).
        others = [
            one for one in self._unexpired(browser)
            if topic is None or (one["topic"], one["channel"]) != (topic, subscription["channel"])]
        self.kept[browser] = others + [{
            "version": version, "text": text, "expires": time.time() + int(headers["TTL"]), "topic": topic,
            "channel": subscription["channel"]}]
        if self.delivers and browser in self.online:
            await self.online[browser].send(text)

    async def start(self):
        loop = asyncio.get_running_loop()
        socket = await websockets.serve(self._serve_browser, "127.0.0.1", 0, ping_interval=None)
        self.browsers = f"ws://127.0.0.1:{socket.sockets[0].getsockname()[1]}/"
        service = self

        class Handler(http.server.BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_POST(self):
                body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
                taking = asyncio.run_coroutine_threadsafe(service._take(self.path, self.headers, body), loop)
                status, text = taking.result(60)
                self.send_response(status)
                if status == 201:
                    self.send_header("Location", f"{service.origin}/message/{text}")
                self.send_header("Content-Length", str(len(text)))
                self.end_headers()
                self.wfile.write(text.encode())

            def log_message(self, *_):
                pass

        senders = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.origin = f"http://127.0.0.1:{senders.server_port}"
        threading.Thread(target=senders.serve_forever, daemon=True).start()
