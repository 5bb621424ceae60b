"""A phone of the tests: Firefox, and the push service that it is subscribed at.

    phone.py FOLDER LANGUAGE WIDTH HEIGHT

The first line of output is {"pushService": ORIGIN}. Then each line of input is a command, {"do": NAME, ...}, and is
answered by a line, {"value": VALUE} or {"error": TEXT}. The browser starts with the command "switchOn", and ends with the
input, on SIGTERM, or after the longest time that a test may take; its profile is in FOLDER.
"""
import asyncio
import json
import os
import signal
import sys

from fake_push_service import FakePushService
from firefox import Firefox

LONGEST = 400


class Phone:
    def __init__(self, service, *start):
        self.service, self.firefox = service, Firefox(*start)

    async def carry_out(self, command):
        match command:
            case {"do": "posts"}:
                return self.service.posts
            case {"do": "answer", "status": status}:
                self.service.answer = status
                return None
            case {"do": "switchOff"}:
                await self.firefox.switch_off()
                return self.service.hold()
            case {"do": "switchOn"}:
                # A message that waits is delivered once every notification that the browser draws is noted.
                await self.firefox.start()
                return await self.service.deliver()
            case {"do": "open", "url": url}:
                return await self.firefox.open(url)
            case {"do": "reload"}:
                return await self.firefox.reload()
            case {"do": "value", "expression": expression}:
                return await self.firefox.value(expression)
            case {"do": "touch", "selector": selector}:
                return await self.firefox.touch(selector)
            case {"do": "type", "text": text}:
                return await self.firefox.type(text)
            case {"do": "picture"}:
                return await self.firefox.picture()
            case {"do": "closePage"}:
                return await self.firefox.close_page()
            case {"do": "pages"}:
                return await self.firefox.pages()
            case {"do": "notifications"}:
                return await self.firefox.notifications()
            case {"do": "touchNotification"}:
                return await self.firefox.touch_notification()
        raise RuntimeError(f"unknown command {command}")


def say(message):
    print(json.dumps(message), flush=True)


async def main(folder, language, width, height):
    service = FakePushService()
    await service.start()
    phone = Phone(service, folder, language, service.browsers, int(width), int(height))
    say({"pushService": service.origin})
    try:
        async with asyncio.timeout(LONGEST):
            while line := await asyncio.to_thread(sys.stdin.readline):
                try:
                    say({"value": await phone.carry_out(json.loads(line))})
                except Exception as error:
                    say({"error": f"{type(error).__name__}: {error}"})
    finally:
        if phone.firefox.process is not None:
            phone.firefox.kill()


def run():
    loop = asyncio.new_event_loop()
    task = loop.create_task(main(*sys.argv[1:]))
    loop.add_signal_handler(signal.SIGTERM, task.cancel)
    try:
        loop.run_until_complete(task)
    except (asyncio.CancelledError, TimeoutError):
        pass


run()
# The threads that still wait for input or for senders need no end of their own.
os._exit(0)
