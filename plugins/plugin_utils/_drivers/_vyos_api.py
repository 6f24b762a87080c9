# Copyright: routerlab.bench contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""The HTTPS API of VyOS: its endpoints, and what the answers mean.

Words and behaviour are those of vyos-1x, src/services/vyos-http-api-server (1.3, 1.4, 1.5) and
src/services/api/rest (from October 2024 on), and of its pull request 4533 (commit-confirm).
"""

from __future__ import annotations

import html
import json
import re
from typing import Any, Callable, Sequence

from ansible_collections.routerlab.bench.plugins.module_utils._drivers._driver import DriverError
from ansible_collections.routerlab.bench.plugins.plugin_utils._drivers._device import Device
from ansible_collections.routerlab.bench.plugins.plugin_utils._drivers._driver import LoginRefused
from ansible_collections.routerlab.bench.plugins.plugin_utils._drivers._https import Https
from ansible_collections.routerlab.bench.plugins.plugin_utils._vyos_config import Path

PORT = 443
LOCKED = "Configuration system temporarily locked"
PENDING = "Another confirm is pending"
NO_CONFIRM = "No confirm pending"
INITIALIZED = "Initialized commit-confirm"
# Said of a command, before anything is committed; what was set until then is thrown away.
REFUSED = re.compile(r"\b(?:Set|Delete) failed|is not valid|does not exist|Malformed command|[Vv]alidation (?:error|failed)", re.MULTILINE)
COMMIT_FAILED = re.compile(r"[Cc]ommit failed|Failed to generate committed config|^\s*\[\[.*\]\] failed", re.MULTILINE)
WARNING = re.compile(r"^.*(?:\bwarning\b|\bdeprecated\b).*$", re.IGNORECASE | re.MULTILINE)
# No operation of the API. It is refused once its turn has come, and a commit has its turn until it is done.
WAIT = "routerlab-wait"


class Refused(DriverError):
    """The API answered, and not with success; the text is the device's own words."""

    def __init__(self, status: int, words: str) -> None:
        super().__init__(words)
        self.status = status


class Api:
    """One device's API."""

    def __init__(self, device: Device, note: Callable[[str], None]) -> None:
        key = device.text("router_api_key") or device.password
        if not key:
            raise LoginRefused("there is no key: set router_api_key (on the device: set service https api keys id NAME key KEY).")
        self.key = key
        self._https = Https(device, PORT)
        self._note = note

    @property
    def session(self) -> Any:
        return self._https.session

    def _ask(self, endpoint: str, body: dict[str, Any], timeout: float = 60.0) -> Any:
        what = f"{endpoint} {body.get('op', '')}".strip()
        data = json.dumps({**body, "key": self.key}).encode()
        reply = self._https.post(endpoint, data, "application/json", timeout, what=what)
        if reply.status == 401:
            raise LoginRefused("the device refuses this API key.")
        try:
            answer = json.loads(reply.text())
        except ValueError:
            answer = None
        if not isinstance(answer, dict) or "success" not in answer:
            raise Refused(reply.status, f"{what} was answered with HTTP {reply.status}: {_plain(reply.text()) or 'no words'}")
        if not answer["success"]:
            raise Refused(reply.status, html.unescape(str(answer.get("error") or "")).strip() or f"HTTP {reply.status} without words")
        return answer.get("data")

    def configuration(self) -> str:
        """The active configuration in its curly form."""
        return str(self._ask("/retrieve", {"op": "showConfig", "path": [], "configFormat": "raw"}, 120.0))

    def show(self, words: str, timeout: float = 60.0) -> str:
        """A `show` command of operational mode."""
        return str(self._ask("/show", {"op": "show", "path": words.split()}, timeout) or "")

    def configure(self, commands: Sequence[tuple[str, Path]], timeout: float, minutes: int = 0) -> str:
        """All commands in one commit; to be confirmed, where the device knows that. Returns its words."""
        listed = [{"op": verb, "path": list(path)} for verb, path in commands]
        words = str(self._ask("/configure", {"commands": listed, **({"confirm_time": minutes} if minutes else {})}, timeout) or "")
        for line in WARNING.findall(words):
            self._note(f"the device says: {line.strip()}")
        return words

    def confirm(self) -> str:
        return str(self._ask("/configure", {"op": "confirm"}) or "")

    def save(self) -> str:
        return str(self._ask("/config-file", {"op": "save"}, 120.0) or "")

    def wait(self, timeout: float) -> None:
        """Until no request changes the configuration any more: one that lost its connection may still be under way."""
        try:
            self._ask("/configure", {"commands": [{"op": WAIT, "path": ["system"]}]}, timeout)
        except Refused as error:
            if error.status not in (400, 422):
                raise


def _plain(text: str) -> str:
    """A page of a web server without its tags."""
    return " ".join(re.sub(r"<[^>]*>", " ", text).split())[:300]
