# Copyright: routerlab.bench contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""JSON-RPC of Untangle's administration page: login form, nonce, objects by reference.

From Untangle's own sources: web/auth/index.py (a login that is right is redirected, one that is
wrong gets the form again), its patch of jabsorb (the nonce, 595), jsonrpc/proxy.py (references,
fixups).
"""

from __future__ import annotations

import json
import re
import urllib.parse
from typing import Any

from ansible_collections.routerlab.bench.plugins.module_utils._drivers._driver import DriverError
from ansible_collections.routerlab.bench.plugins.plugin_utils._drivers._device import Device
from ansible_collections.routerlab.bench.plugins.plugin_utils._drivers._driver import LoginRefused, LostContact
from ansible_collections.routerlab.bench.plugins.plugin_utils._drivers._https import Https

PORT = 443
LOGIN = "/auth/login?url=/admin&realm=Administrator"
PATH = "/admin/JSON-RPC"
BAD_NONCE = 595


class Api:
    """One session of the administration page."""

    def __init__(self, device: Device) -> None:
        if not device.user or not device.password:
            raise LoginRefused("a user and a password are needed: set ansible_user and ansible_password.")
        self._https = Https(device, PORT)
        self._number = 0
        self._objects: dict[str, str] = {}
        form = urllib.parse.urlencode({"fragment": "", "username": device.user, "password": device.password}).encode()
        reply = self._https.post(LOGIN, form, "application/x-www-form-urlencoded", 60.0, what="login")
        if reply.status not in (301, 302, 303) or not self._https.cookies:
            words = "" if reply.status == 200 else f" (HTTP {reply.status}: {_plain(reply.text())})"
            raise LoginRefused(f"the device refuses user {device.user!r} with this password{words}.")
        self._nonce = self._ask("system.getNonce", [], 60.0, "nonce")

    @property
    def session(self) -> Any:
        return self._https.session

    def call(self, method: str, *params: Any, timeout: float = 60.0) -> Any:
        """``networkManager.getNetworkSettings``: a method of an object of Untangle."""
        manager, _mark, name = method.rpartition(".")
        return self._ask(f"{self.reference(manager)}.{name}" if manager else f"UvmContext.{name}", list(params), timeout, method)

    def app(self, name: str, method: str, *params: Any, timeout: float = 60.0) -> Any:
        """A method of an application, which must be installed."""
        if name not in self._objects:
            found = self.call("appManager.app", name)
            if not isinstance(found, dict) or "objectID" not in found:
                raise DriverError(f"the application {name} is not installed; install it on the administration page.")
            self._objects[name] = f".obj#{found['objectID']}"
        return self._ask(f"{self._objects[name]}.{method}", list(params), timeout, f"{name}.{method}")

    def reference(self, manager: str) -> str:
        if manager not in self._objects:
            found = self._ask(f"UvmContext.{manager}", [], 60.0, manager)
            if not isinstance(found, dict) or "objectID" not in found:
                raise DriverError(f"UvmContext.{manager} is no object of this device: {str(found)[:200]}")
            self._objects[manager] = f".obj#{found['objectID']}"
        return self._objects[manager]

    def _ask(self, method: str, params: list[Any], timeout: float, what: str) -> Any:
        self._number += 1
        body = {"id": self._number, "nonce": getattr(self, "_nonce", ""), "method": method, "params": params}
        reply = self._https.post(PATH, json.dumps(body).encode(), "text/plain; charset=UTF-8", timeout, what=what)
        if reply.status in (301, 302, 303, 401, 403):
            raise LostContact(f"the device ended the session at {what} (HTTP {reply.status}).")
        try:
            answer = json.loads(reply.text())
        except ValueError:
            raise DriverError(f"{what} was answered with HTTP {reply.status}, and not in JSON: {_plain(reply.text()) or 'nothing'}") from None
        error = answer.get("error")
        if error:
            if isinstance(error, dict) and error.get("code") == BAD_NONCE:
                raise LostContact(f"the device ended the session at {what}: {error.get('msg')}.")
            raise DriverError(f"{what} was refused: {error.get('msg') if isinstance(error, dict) else error}")
        return _mended(answer.get("result"), answer.get("fixups") or [])


def _mended(result: Any, fixups: list[Any]) -> Any:
    """jabsorb writes an object that stands in several places once, and says where else it belongs."""
    for target, source in fixups:
        place, origin = result, result
        for key in source:
            origin = origin[key]
        for key in target[:-1]:
            place = place[key]
        place[target[-1]] = origin
    return result


def _plain(text: str) -> str:
    return " ".join(re.sub(r"<[^>]*>", " ", text).split())[:300]
