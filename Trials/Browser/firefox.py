"""Firefox, driven by WebDriver BiDi, which it supports without a separate driver."""

import base64
import json
import re
import shutil
import subprocess
import threading

try:
    import websocket
except ImportError:
    websocket = None


def missing():
    """The missing programs, as a sentence; None if there are none."""
    if not shutil.which("firefox-esr"):
        return "firefox-esr is not installed"
    return None if websocket else "python3-websocket is not installed"


class Firefox:
    """A headless Firefox with one page."""

    def __init__(self, home):
        profile = home / "firefox"
        profile.mkdir()
        self.process = subprocess.Popen(
            ["firefox-esr", "--headless", "--no-remote", "--profile", str(profile), "--remote-debugging-port", "0"],
            stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
        address = next(
            found.group(1) for line in self.process.stderr if (found := re.search(r"BiDi listening on (ws://\S+)", line)))
        threading.Thread(target=self.process.stderr.read, daemon=True).start()
        self.socket = websocket.create_connection(f"{address}/session", timeout=30, suppress_origin=True)
        self.number, self.errors = 0, []
        self.version = self.send("session.new", capabilities={})["capabilities"]["browserVersion"]
        self.send("session.subscribe", events=["log.entryAdded"])
        # The initial page never receives the focus.
        self.context = self.send("browsingContext.create", type="tab")["context"]
        self.send("browsingContext.activate", context=self.context)

    def send(self, method, **parameters):
        self.number += 1
        self.socket.send(json.dumps({"id": self.number, "method": method, "params": parameters}))
        while True:
            message = json.loads(self.socket.recv())
            if message.get("method") == "log.entryAdded" and message["params"]["level"] == "error":
                self.errors.append(message["params"]["text"])
            if message.get("id") == self.number:
                if message["type"] == "error":
                    raise RuntimeError(f"{method}: {message['message']}")
                return message["result"]

    def get(self, address):
        self.send("browsingContext.navigate", context=self.context, url=address, wait="complete")

    def run(self, expression):
        """Returns the value of an expression, which may be a promise."""
        found = self.send(
            "script.evaluate", expression=f"(async () => JSON.stringify((await ({expression})) ?? null))()", awaitPromise=True,
            target={"context": self.context})
        if found["type"] != "success":
            raise RuntimeError(found["exceptionDetails"]["text"])
        return json.loads(found["result"]["value"])

    def keys(self, *keys):
        """Presses keys one after the other, one character each."""
        actions = [{"type": kind, "value": key} for key in "".join(keys) for kind in ("keyDown", "keyUp")]
        self.send("input.performActions", context=self.context, actions=[{"type": "key", "id": "keyboard", "actions": actions}])

    def look(self, size):
        self.send("browsingContext.setViewport", context=self.context, viewport={"width": size[0], "height": size[1]})

    def picture(self, file):
        file.write_bytes(base64.b64decode(self.send("browsingContext.captureScreenshot", context=self.context)["data"]))

    def close(self):
        self.socket.close()
        self.process.terminate()
        self.process.wait(10)
