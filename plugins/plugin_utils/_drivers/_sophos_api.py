# Copyright: routerlab.bench contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""The XML API of Sophos Firewall: requests, and what the answers mean.

Every request is a form with one field, carries the login, and is answered with HTTP 200 whatever
became of it: a `Login` with its `status`, then each entity with its `Status`. From the vendor's
published pages, its Python SDK and its Ansible collection.
"""

from __future__ import annotations

import re
import urllib.parse
import xml.etree.ElementTree as ET
from typing import Any, Callable, Sequence

from ansible_collections.routerlab.bench.plugins.module_utils._drivers._driver import DriverError
from ansible_collections.routerlab.bench.plugins.plugin_utils._drivers import _sophos_xml as xml
from ansible_collections.routerlab.bench.plugins.plugin_utils._drivers._device import Device
from ansible_collections.routerlab.bench.plugins.plugin_utils._drivers._driver import LoginRefused
from ansible_collections.routerlab.bench.plugins.plugin_utils._drivers._https import Https

PORT = 4444
PATH = "/webconsole/APIController"
AUTHENTICATED = "authentication successful"
GOOD = range(200, 217)
# Not in the published table, seen in answers to requests that were carried out.
WARNINGS = (217, 222)
NOBODY = {"532": "the API is switched off", "534": "this address may not use the API"}
# The API's number of SFOS 17.5 is that of a 17.2.
RELEASES = {"17.2": "17.5"}


class Api:
    """One firewall's API."""

    def __init__(self, device: Device, note: Callable[[str], None]) -> None:
        if not device.user or not device.password:
            raise LoginRefused("a user and a password are needed: set ansible_user and ansible_password.")
        self._https = Https(device, PORT)
        self._login = (device.user, device.password)
        self._note = note
        self.version: str | None = None

    @property
    def session(self) -> Any:
        return self._https.session

    def _ask(self, inner: str, what: str, timeout: float) -> ET.Element:
        request, login = ET.Element("Request"), ET.Element("Login")
        for tag, text in zip(("Username", "Password"), self._login):
            ET.SubElement(login, tag).text = text
        request.append(login)
        text = ET.tostring(request, encoding="unicode").replace("</Request>", f"{inner}</Request>")
        body = urllib.parse.urlencode({"reqxml": text}).encode()
        reply = self._https.post(PATH, body, "application/x-www-form-urlencoded", timeout, {"Accept": "application/xml"}, what)
        try:
            root = ET.fromstring(reply.body)
        except ET.ParseError:
            page = " ".join(re.sub(r"<[^>]*>", " ", reply.text()).split())[:300]
            raise DriverError(f"{what} was answered with HTTP {reply.status}, and not in XML: {page or 'nothing'}") from None
        self._refuse(root, what)
        self.version = root.get("APIVersion") or self.version
        return root

    def _refuse(self, root: ET.Element, what: str) -> None:
        """What stops a request as a whole."""
        status = root.find("Status")
        if status is not None and status.get("code") not in (None, "200"):
            words = (status.text or "").strip()
            reason = NOBODY.get(status.get("code") or "")
            if reason:
                raise LoginRefused(f"{reason}: {words} (Status {status.get('code')}). Look at Backup & firmware > API on the device.")
            raise DriverError(f"{what} was refused: {words} (Status {status.get('code')}).")
        login = root.find("Login")
        said = (login.findtext("status") or "").strip() if login is not None else ""
        if said.lower() != AUTHENTICATED:
            raise LoginRefused(f"the device refuses user {self._login[0]!r}: {said or 'no words'}.")

    def read(self, tags: Sequence[str], timeout: float) -> list[ET.Element]:
        """All entities of these kinds."""
        root = self._ask("<Get>" + "".join(f"<{tag}></{tag}>" for tag in tags) + "</Get>", "Get", timeout)
        found = []
        for entity in root:
            status = entity.find("Status")
            if entity.tag not in tags or (status is not None and len(entity) == 1 and _is_zero(status)):
                continue
            if status is not None and status.get("code") is not None:
                raise DriverError(f"Get {entity.tag} was refused: {(status.text or '').strip()} (Status {status.get('code')}).")
            found += xml.split(entity)
        return found

    def set(self, operation: str, entity: ET.Element, title: str, timeout: float) -> None:
        """``add`` or ``update`` one entity."""
        root = self._ask(f'<Set operation="{operation}">{xml.text_of(entity)}</Set>', f"{operation} {title}", timeout)
        self._judge(root, entity.tag, f"{operation} {title}")

    def remove(self, entity: ET.Element, title: str, timeout: float) -> None:
        root = self._ask(f"<Remove>{xml.text_of(entity)}</Remove>", f"remove {title}", timeout)
        self._judge(root, entity.tag, f"remove {title}")

    def _judge(self, root: ET.Element, tag: str, what: str) -> None:
        """The entity's own status counts, and there must be one."""
        statuses = [status for entity in root if entity.tag == tag for status in entity.iter("Status") if status.get("code")]
        if not statuses:
            raise DriverError(f"{what} was answered without a status: {' '.join(root.itertext()).strip()[:300] or 'nothing'}")
        params = [node.text or "" for node in root.iter("Params")]
        for status in statuses:
            code, words = int(status.get("code") or 0), " ".join((status.text or "").split())
            if code in WARNINGS:
                self._note(f"{what}: the device says: {words} (Status {code}).")
            elif code not in GOOD:
                where = f" It names {', '.join(params)}." if params else ""
                raise DriverError(f"{what} was refused: {words} (Status {code}).{where}", status=code)


def release_of(number: str | None) -> str | None:
    """``19.5`` of the API's ``1905.1``."""
    match = re.fullmatch(r"(\d\d)(\d\d)(?:\.\d+)?", (number or "").strip())
    if not match:
        return None
    release = f"{int(match[1])}.{int(match[2])}"
    return RELEASES.get(release, release)


def _is_zero(status: ET.Element) -> bool:
    return re.search(r"records Zero", status.text or "", re.IGNORECASE) is not None
