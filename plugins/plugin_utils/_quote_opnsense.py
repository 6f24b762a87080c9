# Copyright: routerlab.bench contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""The filters of OPNsense's config.xml: texts as its models take them, and names of things that refer to one another."""

from __future__ import annotations

import base64
import hashlib
import html
import re
from typing import Any, Callable

from ansible_collections.routerlab.bench.plugins.plugin_utils._quote import SHOWN, QuoteError, pem, snmpd
from ansible_collections.routerlab.bench.plugins.plugin_utils._quote_xml import xml

OURS = "726c6162"
"""What every uuid and every refid of this project begins with."""

_NAME = re.compile(r"[A-Za-z0-9_]{1,255}")
_PEER = re.compile(r"[A-Za-z0-9._-]{1,64}")
_WIREGUARD_OLD = re.compile(r"[A-Za-z0-9]{1,32}")
_IDENTITY = re.compile(r"[A-Za-z0-9@.:_-]*")
_VLAN = re.compile(r"vlan0[0-9.]{1,10}")
_OLD_VLAN = re.compile(r"[a-z0-9]+_vlan[0-9]{1,4}")


def _refuse(text: str, what: str) -> QuoteError:
    return QuoteError(f"{text[:SHOWN]!r} cannot be written for OPNsense: {what}")


def opnsense_text(text: Any) -> str:
    """A description: 1 to 255 characters on one line. OPNsense up to 22.1 resolves entities of HTML after it has read the XML."""
    own = str(text)
    if len(own) > 255:
        raise _refuse(own, "a description has at most 255 characters")
    if html.unescape(own) != own:
        raise _refuse(own, "it holds an entity of HTML, which some releases resolve and others do not")
    return xml(own)


def opnsense_secret(text: Any) -> str:
    """A secret, kept as it is."""
    own = str(text)
    if html.unescape(own) != own:
        raise QuoteError("a secret cannot be written for OPNsense: it holds an entity of HTML, which some releases resolve and others do not")
    return xml(own)


def opnsense_name(text: Any) -> str:
    """An interface's description, which becomes a name in the filter."""
    if not _NAME.fullmatch(str(text)):
        raise _refuse(str(text), "an interface's name has letters, digits and _ only")
    return str(text)


def opnsense_peer(text: Any) -> str:
    """The name of a WireGuard instance or peer."""
    if not _PEER.fullmatch(str(text)):
        raise _refuse(str(text), "a name of WireGuard has letters, digits, . _ and - only, at most 64")
    return str(text)


def opnsense_peer_old(text: Any) -> str:
    """The name of a WireGuard instance or peer until 22.7."""
    if not _WIREGUARD_OLD.fullmatch(str(text)):
        raise _refuse(str(text), "until 22.7 a name of WireGuard has letters and digits only, at most 32")
    return str(text)


def opnsense_identity(text: Any) -> str:
    """Who an end of an IPsec tunnel says that it is."""
    if not _IDENTITY.fullmatch(str(text)):
        raise _refuse(str(text), "an identity of IPsec has letters, digits, @ . : _ and - only")
    return str(text)


def opnsense_vlan(text: Any) -> str:
    """The name of a VLAN device from 22.7 on."""
    if not (_VLAN.fullmatch(str(text)) or _OLD_VLAN.fullmatch(str(text))) or len(str(text)) > 15:
        raise _refuse(str(text), "a VLAN is called vlan0 and digits or points behind it (vlan0.20), or igb0_vlan20 as in older releases, at most 15 characters")
    return str(text)


def opnsense_word(text: Any) -> str:
    """One word of snmpd.conf."""
    own = snmpd(str(text))
    if re.search(r"[\s\"'#\\]", own):
        raise _refuse(own, "a community is one word of snmpd.conf, without quotes, # and \\")
    return own


def opnsense_uuid(text: Any) -> str:
    """A uuid that comes from what the thing is, so that it is the same each time; its beginning says that it is ours."""
    digest = hashlib.sha256(str(text).encode()).hexdigest()
    return f"{OURS}-{digest[:4]}-4{digest[4:7]}-8{digest[7:10]}-{digest[10:22]}"


def opnsense_refid(text: Any) -> str:
    """What certificates are known by: 13 hexadecimal digits."""
    return OURS + hashlib.sha256(str(text).encode()).hexdigest()[:5]


def opnsense_pem(text: Any) -> str:
    """A certificate or key: its PEM block once more in base64."""
    return base64.b64encode((pem(str(text)) + "\n").encode()).decode()


QUOTES: dict[str, Callable[..., str]] = {
    "opnsense_identity": opnsense_identity,
    "opnsense_name": opnsense_name,
    "opnsense_peer": opnsense_peer,
    "opnsense_peer_old": opnsense_peer_old,
    "opnsense_pem": opnsense_pem,
    "opnsense_refid": opnsense_refid,
    "opnsense_secret": opnsense_secret,
    "opnsense_text": opnsense_text,
    "opnsense_uuid": opnsense_uuid,
    "opnsense_vlan": opnsense_vlan,
    "opnsense_word": opnsense_word,
}
