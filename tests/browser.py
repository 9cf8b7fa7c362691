"""A real browser without a window, for pages that the program writes.

It is Debian's chromium (or google-chrome), spoken to through two pipes in its own protocol:
messages of JSON, each ended by a zero byte. It has no network: every request is refused, and
noted.
"""

from __future__ import annotations

import json
import os
import select
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

NAMES = ("chromium", "chromium-browser", "google-chrome")
PROGRAM = next((found for name in NAMES if (found := shutil.which(name))), None)
MISSING = "there is no browser; `apt-get install chromium` has one"

_OPTIONS = (
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-dev-shm-usage",
    "--disable-background-networking",
    "--disable-component-update",
    "--no-first-run",
    "--no-default-browser-check",
    "--hide-scrollbars",
    "--remote-debugging-pipe",
)
_PATIENCE = 300
"""Seconds that the browser may take to answer before the test fails."""


class Browser:
    """One page at a time. `requests` are what pages wanted to load, `errors` what went wrong."""

    def __init__(self, to_browser: int, from_browser: int) -> None:
        self._out = os.fdopen(to_browser, "wb", buffering=0)
        self._in = from_browser
        self._data = b""
        self._number = 0
        self._session = ""
        self.requests: list[str] = []
        self.errors: list[str] = []

    def begin(self) -> None:
        """Have a page to show, once the browser is there."""
        target = self.call("Target.createTarget", url="about:blank")["targetId"]
        attached = self.call("Target.attachToTarget", targetId=target, flatten=True)
        self._session = attached["sessionId"]
        for domain in ("Page", "Runtime", "Network", "Log"):
            self.call(f"{domain}.enable")

    def close(self) -> None:
        """Have the browser end."""
        self._send("Browser.close", {})
        self._out.close()
        os.close(self._in)

    def open(self, path: Path, *, dark: bool = False, still: bool = True) -> None:
        """Show a file, for a user who wishes a dark scheme or no motion."""
        features = [
            {"name": "prefers-color-scheme", "value": "dark" if dark else "light"},
            {"name": "prefers-reduced-motion", "value": "reduce" if still else "no-preference"},
        ]
        self.call("Emulation.setEmulatedMedia", features=features)
        self.requests.clear()
        self.errors.clear()
        self.call("Page.navigate", url=path.as_uri())
        self.wait_for("document.readyState === 'complete' && location.protocol === 'file:'")

    def evaluate(self, expression: str) -> Any:
        """The value of an expression of JavaScript, which may be a promise."""
        answer = self.call(
            "Runtime.evaluate", expression=expression, returnByValue=True, awaitPromise=True
        )
        if "exceptionDetails" in answer:
            raise AssertionError(answer["exceptionDetails"])
        return answer["result"].get("value")

    def wait_for(self, condition: str) -> None:
        """Wait until a condition in JavaScript holds, looked at in each frame."""
        self.evaluate(
            f"new Promise(done => {{ const look = () => ({condition}) ? done() : "
            "setTimeout(look, 5); look(); })"
        )

    def press(self, key: str, code: str | None = None) -> None:
        """Press a key and let it go."""
        numbers = {" ": 32, "End": 35, "Home": 36, "ArrowLeft": 37, "ArrowRight": 39, "Tab": 9,
                   "PageUp": 33, "PageDown": 34}
        event = {"key": key, "code": code or key, "windowsVirtualKeyCode": numbers.get(key, 0)}
        if len(key) == 1:
            event["text"] = key
        self.call("Input.dispatchKeyEvent", type="keyDown", **event)
        self.call("Input.dispatchKeyEvent", type="keyUp", **event)

    def click(self, x: float, y: float) -> None:
        """Press the mouse there and let it go."""
        for kind in ("mousePressed", "mouseReleased"):
            self.call("Input.dispatchMouseEvent", type=kind, x=x, y=y, button="left", clickCount=1)

    def resize(self, width: int, height: int) -> None:
        """Show pages in a window of that size."""
        metrics = {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": False}
        self.call("Emulation.setDeviceMetricsOverride", **metrics)

    def call(self, method: str, **parameters: Any) -> dict[str, Any]:
        """Ask for something, and wait for the answer."""
        self._send(method, parameters)
        while (message := self._receive()).get("id") != self._number:
            self._note(message)
        if "error" in message:
            raise AssertionError(f"{method}: {message['error']}")
        return dict(message["result"])

    def _send(self, method: str, parameters: dict[str, Any]) -> None:
        self._number += 1
        message: dict[str, Any] = {"id": self._number, "method": method, "params": parameters}
        if self._session and not method.startswith(("Target.", "Browser.")):
            message["sessionId"] = self._session
        self._out.write(json.dumps(message).encode() + b"\0")

    def _receive(self) -> dict[str, Any]:
        while b"\0" not in self._data:
            ready, _, _ = select.select([self._in], [], [], _PATIENCE)
            data = os.read(self._in, 1 << 16) if ready else b""
            if not data:
                raise AssertionError("the browser has ended" if ready else "it does not answer")
            self._data += data
        message, _, self._data = self._data.partition(b"\0")
        return dict(json.loads(message))

    def _note(self, message: dict[str, Any]) -> None:
        parameters = message.get("params", {})
        match message.get("method"):
            case "Network.requestWillBeSent":
                self.requests.append(parameters["request"]["url"])
            case "Runtime.exceptionThrown":
                self.errors.append(str(parameters["exceptionDetails"]))
            case "Log.entryAdded":
                self.errors.append(parameters["entry"]["text"])


@contextmanager
def browser(profile: Path) -> Iterator[Browser]:
    """A browser of one's own, with its files in a folder; it ends with the block."""
    assert PROGRAM is not None, MISSING
    theirs, to_browser = os.pipe()
    from_browser, ours = os.pipe()
    # It reads messages from file 3 and writes them to file 4.
    numbers = f"exec 3<&{theirs} 4>&{ours}; "
    command = [PROGRAM, *_OPTIONS, f"--user-data-dir={profile}", "about:blank"]
    process = subprocess.Popen(
        ["bash", "-c", numbers + 'exec "$@"', "browser", *command],
        pass_fds=(theirs, ours),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        env={**os.environ, "HOME": str(profile)},
    )
    os.close(theirs)
    os.close(ours)
    made = Browser(to_browser, from_browser)
    try:
        made.begin()
        yield made
        made.close()
        process.wait()
    finally:
        process.kill()
        process.wait()
