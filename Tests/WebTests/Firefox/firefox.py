"""A real Firefox, driven by WebDriver BiDi over its own WebSocket, as a phone with one page."""
import asyncio
import ctypes
import itertools
import json
import os
import signal
import subprocess

import websockets

PROGRAM = "/usr/bin/firefox-esr"

PREFERENCES = {
    # The browser's own preferences for remote control switch push off, with the one that the next line switches on.
    "remote.prefs.recommended": False,
    "dom.push.connection.enabled": True,
    # The push service of the tests has no certificate.
    "dom.push.testing.allowInsecureServerURL": True,
    "dom.push.retryBaseInterval": 200,
    # The permission for notifications is there without a question.
    "permissions.default.desktop-notification": 1,
    # Without a desktop there is no service for notifications: the browser draws them itself.
    "alerts.useSystemBackend": False,
    # A computer that has the loopback only is on line.
    "network.manage-offline-status": False,
    "network.proxy.type": 0,
    # A phone draws its scroll bars over the page.
    "ui.useOverlayScrollbars": 1,
    # What the browser would ask its maker, and what it would show before the page.
    "app.update.auto": False,
    "app.normandy.enabled": False,
    "browser.aboutwelcome.enabled": False,
    "browser.newtabpage.enabled": False,
    "browser.safebrowsing.malware.enabled": False,
    "browser.safebrowsing.phishing.enabled": False,
    "browser.shell.checkDefaultBrowser": False,
    "browser.startup.homepage_override.mstone": "ignore",
    "browser.startup.page": 0,
    "datareporting.policy.dataSubmissionEnabled": False,
    "extensions.getAddons.cache.enabled": False,
    "network.captive-portal-service.enabled": False,
    "network.connectivity-service.enabled": False,
    "services.settings.server": "data:,#",
    "toolkit.telemetry.enabled": False,
}

# Notes each notification that the browser draws, and keeps it on the screen until it is touched: its window would
# close by itself after twenty seconds.
WATCH_NOTIFICATIONS = """
globalThis.drawnNotifications = [];
function note(window) {
  if (window.document.documentElement.getAttribute("windowtype") !== "alert:alert") return;
  window.document.getElementById("alertBox").removeAttribute("animate");
  const [, title, body] = window.arguments;
  const language = window.document.getElementById("alertTitleLabel").getAttribute("lang");
  drawnNotifications.push({ window, title, body, language: language || "" });
}
Services.ww.registerNotification({ observe(window, topic) {
  if (topic === "domwindowopened") window.addEventListener("load", () => window.setTimeout(note, 0, window), { once: true });
} });
"""

NOTIFICATIONS = """
drawnNotifications.map(({ window, title, body, language }) => ({ title, body, language, isOpen: !window.closed }))
"""

TOUCH_NOTIFICATION = """
(() => {
  const shown = drawnNotifications.filter((one) => !one.window.closed).at(-1);
  if (!shown) throw new Error("no notification is shown");
  shown.window.document.getElementById("alertTitleLabel").click();
})()
"""


def end_with_parent():
    """Has the kernel end this process when its parent ends (prctl(2), PR_SET_PDEATHSIG)."""
    ctypes.CDLL(None).prctl(1, signal.SIGKILL)


class Firefox:
    """A running browser; its profile stays in its folder when it ends."""

    def __init__(self, folder, language, push_url, width, height):
        self.folder = folder
        self.size = {"width": width, "height": height}
        self.preferences = {
            **PREFERENCES, "dom.push.serverURL": push_url, "intl.accept_languages": language}
        self.process = self.reader = self.page = None

    async def start(self):
        profile = os.path.join(self.folder, "profile")
        os.makedirs(profile, exist_ok=True)
        with open(os.path.join(profile, "user.js"), "w") as file:
            for name, value in self.preferences.items():
                file.write(f"user_pref({json.dumps(name)}, {json.dumps(value)});\n")
        port_file = os.path.join(profile, "WebDriverBiDiServer.json")
        if os.path.exists(port_file):
            os.remove(port_file)
        log = os.path.join(self.folder, "firefox.log")
        environment = {
            "PATH": os.environ["PATH"], "LANG": "C.UTF-8", "HOME": self.folder, "TMPDIR": self.folder,
            "MOZ_CRASHREPORTER_DISABLE": "1"}
        with open(log, "a") as errors:
            self.process = subprocess.Popen(
                [PROGRAM, "--headless", "--no-remote", "--new-instance", "--profile", profile,
                 "--remote-debugging-port=0", "--remote-allow-system-access"],
                stdin=subprocess.DEVNULL, stdout=errors, stderr=errors, env=environment,
                start_new_session=True, preexec_fn=end_with_parent)
        while not (os.path.exists(port_file) and os.path.getsize(port_file)):
            if self.process.poll() is not None:
                with open(log) as file:
                    raise RuntimeError("Firefox ended: " + file.read()[-2000:])
            await asyncio.sleep(0.05)
        with open(port_file) as file:
            port = json.load(file)["ws_port"]
        self.socket = await websockets.connect(
            f"ws://127.0.0.1:{port}/session", max_size=None, ping_interval=None)
        self.numbers, self.waiting = itertools.count(1), {}
        self.reader = asyncio.create_task(self._read())
        await self.call("session.new", capabilities={"alwaysMatch": {"acceptInsecureCerts": True}})
        windows = await self.call("browsingContext.getTree", **{"moz:scope": "chrome"})
        self.window = windows["contexts"][0]["context"]
        await self._evaluate(self.window, WATCH_NOTIFICATIONS)

    async def _read(self):
        async for text in self.socket:
            answer = json.loads(text)
            if answer.get("id") in self.waiting:
                self.waiting.pop(answer["id"]).set_result(answer)

    async def call(self, method, **parameters):
        number = next(self.numbers)
        answer = self.waiting[number] = asyncio.get_running_loop().create_future()
        await self.socket.send(json.dumps({"id": number, "method": method, "params": parameters}))
        answer = await asyncio.wait_for(answer, 80)
        if answer["type"] == "error":
            raise RuntimeError(f"{method}: {answer['error']}: {answer['message']}")
        return answer["result"]

    async def _evaluate(self, context, expression):
        answer = await self.call(
            "script.evaluate", target={"context": context}, awaitPromise=True, expression=expression)
        if answer["type"] == "exception":
            raise RuntimeError(answer["exceptionDetails"]["text"])
        return answer["result"].get("value")

    async def value(self, expression, context=None):
        """The value of an expression, for whose promise it waits; as JSON has it."""
        text = await self._evaluate(
            context or self.page,
            f"(async () => JSON.stringify(await ({expression})) ?? 'null')()")
        return json.loads(text)

    # The page

    async def open(self, url):
        """Opens a page in the browser's tab for pages."""
        if self.page is None:
            self.page = (await self.call("browsingContext.create", type="tab"))["context"]
            await self.call("browsingContext.setViewport", context=self.page, viewport=self.size)
        await self.call("browsingContext.navigate", context=self.page, url=url, wait="complete")

    async def reload(self):
        await self.call("browsingContext.reload", context=self.page, wait="complete")

    async def close_page(self):
        """Closes the page; the browser goes on with its first, empty tab."""
        await self.call("browsingContext.close", context=self.page)
        self.page = None

    async def pages(self):
        """The addresses of all tabs."""
        return [one["url"] for one in (await self.call("browsingContext.getTree"))["contexts"]]

    async def touch(self, selector):
        """Touches the middle of an element with a finger."""
        found = await self.call(
            "browsingContext.locateNodes", context=self.page, maxNodeCount=1,
            locator={"type": "css", "value": selector})
        if not found["nodes"]:
            raise RuntimeError(f"nothing at {selector}")
        node = {"sharedId": found["nodes"][0]["sharedId"]}
        await self.call(
            "script.callFunction", target={"context": self.page}, awaitPromise=False, arguments=[node],
            functionDeclaration="(node) => node.scrollIntoView({ block: 'center', behavior: 'instant' })")
        await self.call("input.performActions", context=self.page, actions=[{
            "type": "pointer", "id": "finger", "parameters": {"pointerType": "touch"}, "actions": [
                {"type": "pointerMove", "x": 0, "y": 0, "origin": {"type": "element", "element": node}},
                {"type": "pointerDown", "button": 0}, {"type": "pointerUp", "button": 0}]}])

    async def type(self, text):
        keys = [{"type": kind, "value": letter} for letter in text for kind in ("keyDown", "keyUp")]
        await self.call("input.performActions", context=self.page, actions=[
            {"type": "key", "id": "keys", "actions": keys}])

    async def picture(self):
        """A picture of the page's visible part: a PNG in base64."""
        return (await self.call("browsingContext.captureScreenshot", context=self.page))["data"]

    # Notifications, in the windows of the browser itself

    async def notifications(self):
        return await self.value(NOTIFICATIONS, self.window)

    async def touch_notification(self):
        await self.value(TOUCH_NOTIFICATION, self.window)

    # The end

    async def switch_off(self):
        """Ends the browser as its user does: what it keeps is in its profile."""
        await self.call("browser.close")
        await self.socket.close()
        await asyncio.to_thread(self.process.wait)
        self._forget()

    def kill(self):
        """Ends the browser and its helpers at once."""
        os.killpg(self.process.pid, signal.SIGKILL)
        self.process.wait()
        self._forget()

    def _forget(self):
        if self.reader is not None:
            self.reader.cancel()
        self.process = self.reader = self.page = None
