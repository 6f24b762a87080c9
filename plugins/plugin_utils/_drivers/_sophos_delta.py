# Copyright: routerlab.bench contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""From what a Sophos Firewall has to what the lab wants, entity by entity, and back; pure."""

from __future__ import annotations

import copy
import fnmatch
import ipaddress
import xml.etree.ElementTree as ET
from dataclasses import dataclass
from typing import Any, Callable, Collection, Iterable, Mapping, Sequence

from ansible_collections.routerlab.bench.plugins.module_utils._drivers._driver import DriverError
from ansible_collections.routerlab.bench.plugins.plugin_utils._drivers import _sophos_xml as xml
from ansible_collections.routerlab.bench.plugins.plugin_utils._drivers._access import Access, Session
from ansible_collections.routerlab.bench.plugins.plugin_utils._drivers._mask import ASTERISKS
from ansible_collections.routerlab.bench.plugins.plugin_utils._drivers._sophos_xml import Key, key_of

State = dict[Key, ET.Element]
"""In the order of the answer, which is that in which rules are asked."""

# In the order in which they can be made: what is referred to comes first.
ORDER = (
    "IPHost", "Services", "Zone", "LocalServiceACL", "Interface", "VLAN", "UnicastRoute", "DHCPServer", "VPNProfile", "FirewallRule", "SecurityPolicy",
    "NATRule", "SNMPAgentConfiguration", "SNMPCommunity", "VPNIPSecConnection", "DNS", "AdminSettings", "Time",
)  # fmt: skip
# Nothing refers to these, so they go before anything else changes.
FREE = ("NATRule", "FirewallRule", "SecurityPolicy", "DHCPServer", "UnicastRoute", "VPNIPSecConnection")
SECRET = ("PresharedKey", "Password")


@dataclass(frozen=True)
class Op:
    """One request: ``add``, ``update`` or ``remove``, what is sent, and what was there before."""

    verb: str
    key: Key
    new: ET.Element | None
    old: ET.Element | None


@dataclass(frozen=True)
class Work:
    """A plan: what it was made from, its requests, and how to make it again from what is there later."""

    before: State
    ops: list[Op]
    again: Callable[[State], list[Op]]


def tags_of(dialect: str) -> list[str]:
    """The kinds of entities that a dialect has."""
    return [tag for tag in ORDER if tag not in (("FirewallRule", "NATRule") if dialect == "17.5" else ("SecurityPolicy",))]


def wanted_of(texts: Iterable[str]) -> list[ET.Element]:
    """The entities of rendered requests, in their order."""
    return [entity for text in texts for part in ET.fromstring(text.encode()) for entity in part]


def state_of(entities: Iterable[ET.Element]) -> State:
    return {key_of(entity): entity for entity in entities}


def plan_ops(wanted: Sequence[ET.Element], now: State, owned: Sequence[Mapping[str, str]]) -> list[Op]:
    """What leads to the wanted entities."""
    targets = [key_of(entity) for entity in wanted]
    going = [key for key, entity in now.items() if key not in targets and _is_owned(entity, owned)]
    zones = {key[1] for key in going if key[0] == "Zone"}
    going += [key for key, entity in now.items() if key[0] == "VLAN" and key not in targets and entity.findtext("Zone") in zones]
    going.sort(key=lambda key: ORDER.index(key[0]), reverse=True)
    ops = [Op("remove", key, None, now[key]) for key in going if key[0] in FREE]
    moved = misplaced(wanted, [key for key in now if key not in going])
    for entity, key in zip(wanted, targets):
        ops += _towards(entity, key, now.get(key), key in moved)
    return ops + [Op("remove", key, None, now[key]) for key in going if key[0] not in FREE]


def _towards(entity: ET.Element, key: Key, old: ET.Element | None, moved: bool) -> list[Op]:
    if old is None:
        if key[0] in xml.MERGED:
            raise DriverError(f"the device has no {key[0]} {key[1]}".rstrip() + ".")
        return [Op("add", key, entity, None)]
    if not moved and not xml.differences(entity, old):
        return []
    if key[0] == "UnicastRoute":
        return [Op("remove", key, None, old), Op("add", key, entity, None)]
    return [Op("update", key, xml.merged(entity, old), old)]


def _is_owned(entity: ET.Element, owned: Sequence[Mapping[str, str]]) -> bool:
    for item in owned:
        if item["entity"] == entity.tag:
            name, description = key_of(entity)[1], entity.findtext("Description") or ""
            if fnmatch.fnmatchcase(name, item.get("name", "*")) and fnmatch.fnmatchcase(description, item.get("description", "*")):
                return True
    return False


def misplaced(wanted: Sequence[ET.Element], now: Sequence[Key]) -> set[Key]:
    """The rules that have to move: the lab's are the first of their list, in its order."""
    found: set[Key] = set()
    for tag in xml.RULES:
        ours = [key_of(entity) for entity in wanted if entity.tag == tag and entity.findtext("Position") != "Bottom"]
        order = [key for key in now if key[0] == tag]
        for index, key in enumerate(ours):
            if key in order and order.index(key) != index:
                order.remove(key)
                found.add(key)
            if key not in order:
                order.insert(index, key)
    return found


def ops_towards(target: State, now: State, keys: Collection[Key] | None = None) -> list[Op]:
    """What leads back to entities as they were, all of them or those of ``keys``: removed in the reverse order, made again in that of making."""
    chosen = [key for key in [*target, *(key for key in now if key not in target)] if keys is None or key in keys]
    chosen.sort(key=lambda key: ORDER.index(key[0]))
    gone = [Op("remove", key, None, now[key]) for key in chosen if key in now and key not in target]
    gone.sort(key=lambda op: ORDER.index(op.key[0]), reverse=True)
    ops = [op for op in gone if op.key[0] in FREE]
    for key in chosen:
        old, new = now.get(key), target.get(key)
        if new is None or (old is not None and xml.canonical(old) == xml.canonical(new) and not _other_place(key, target, now)):
            continue
        if old is not None and key[0] == "UnicastRoute":
            ops.append(Op("remove", key, None, old))
            old = None
        ops.append(Op("add" if old is None else "update", key, _placed(key, new, target), old))
    return ops + [op for op in gone if op.key[0] not in FREE]


def _other_place(key: Key, target: State, now: State) -> bool:
    """Whether a rule stands behind another one than it did, of those that both know."""
    if key[0] not in xml.RULES:
        return False
    lists = [[other for other in state if other[0] == key[0] and other in target and other in now] for state in (target, now)]
    return lists[0].index(key) != lists[1].index(key)


def _placed(key: Key, entity: ET.Element, target: State) -> ET.Element:
    """A rule with its place said by the rule before it."""
    if key[0] not in xml.RULES:
        return entity
    own = copy.deepcopy(entity)
    order = [other for other in target if other[0] == key[0]]
    for child in list(own):
        if child.tag in ("Position", "After", "Before"):
            own.remove(child)
    at = order.index(key)
    ET.SubElement(own, "Position").text = "After" if at else "Top"
    if at:
        ET.SubElement(ET.SubElement(own, "After"), "Name").text = order[at - 1][1]
    return own


def summary(op: Op) -> str:
    return f"{op.verb} {_title(op.key)}"


def _title(key: Key) -> str:
    return f"{key[0]} {ASTERISKS if key[0] == 'SNMPCommunity' else key[1]}".rstrip()


def diff_lines(ops: Sequence[Op]) -> list[str]:
    """What changes, an element a line."""
    lines: list[str] = []
    for op in ops:
        if op.new is not None and op.old is not None:
            found = [(item.sign, item.path, item.value) for item in xml.differences(op.new, op.old)]
            found = found or [("~", "Position", _place(op.new))]
        else:
            entity, sign = (op.new, "+") if op.new is not None else (op.old, "-")
            found = [(sign, path, text) for path, text, _hidden in xml.leaves(entity) if path not in xml.PLACE] if entity is not None else []
        lines += [f"{sign}{_title(op.key)}: {path} = {_shown(op.key, path, text)}" for sign, path, text in found]
    return lines


def _place(entity: ET.Element) -> str:
    return f"{entity.findtext('Position')} {entity.findtext('After/Name') or ''}".strip()


def _shown(key: Key, path: str, text: str) -> str:
    secret = path.rpartition("/")[2] in SECRET or (key[0] == "SNMPCommunity" and path == "Name")
    return ASTERISKS if secret else text


def secrets_of(entities: Iterable[ET.Element]) -> set[str]:
    found = set()
    for entity in entities:
        found |= {text for path, text, _hidden in xml.leaves(entity) if _shown(key_of(entity), path, text) == ASTERISKS}
    return found


def after(before: State, ops: Sequence[Op]) -> State:
    """The state once all requests were carried out."""
    state = dict(before)
    for op in ops:
        if op.new is None:
            state.pop(op.key, None)
        else:
            state[op.key] = op.new
    return state


def access_of(state: State, session: Session) -> Access:
    """How the management stands: addresses, routes, and whether the zone that we come through lets HTTPS in."""
    addresses: dict[str, list[str]] = {}
    routes: dict[str, str] = {}
    zone = None
    for (tag, name), entity in state.items():
        if tag in ("Interface", "VLAN") and entity.findtext("IPv4Configuration") != "Disable":
            text = entity.findtext("IPAddress") or ""
            cidr = "dhcp" if entity.findtext("IPv4Assignment") == "DHCP" else _cidr(text, entity.findtext("Netmask"))
            addresses[name] = [cidr] if cidr else []
            gateway = entity.findtext("GatewayIP") or entity.findtext("GatewayAddress")
            if gateway:
                routes["0.0.0.0/0"] = gateway
            zone = entity.findtext("NetworkZone") or entity.findtext("Zone") if text == session.server else zone
        if tag == "UnicastRoute":
            routes[_cidr(entity.findtext("DestinationIP") or "", entity.findtext("Netmask"))] = entity.findtext("Gateway") or ""
    ports = None if zone is None else frozenset({session.port} if session.port and _lets_in(state, zone) else ())
    return Access(addresses, frozenset(), ports, routes)


def _lets_in(state: State, zone: str) -> bool:
    entity = state.get(("Zone", zone))
    if entity is not None and entity.findtext("ApplianceAccess/AdminServices/HTTPS") == "Enable":
        return True
    return any(
        key[0] == "LocalServiceACL"
        and (rule.findtext("Action") or "").lower() == "accept"
        and rule.findtext("SourceZone") in ("Any", zone)
        and "HTTPS" in [node.text for node in rule.iterfind("Services/Service")]
        for key, rule in state.items()
    )


def _cidr(address: str, mask: str | None) -> str:
    try:
        return f"{address}/{ipaddress.ip_network(f'0.0.0.0/{mask}').prefixlen}" if address else ""
    except ValueError:
        return address


def interfaces_of(state: State) -> list[dict[str, Any]]:
    """In the shape of router_info; whether a port has a link the API does not tell."""
    found = []
    for (tag, name), entity in state.items():
        if tag in ("Interface", "VLAN"):
            cidr = _cidr(entity.findtext("IPAddress") or "", entity.findtext("Netmask"))
            mtu = entity.findtext("MTU") or ""
            found.append({"name": name, "up": None, "mtu": int(mtu) if mtu.isdigit() else None, "addresses": [cidr] if cidr else [], "offloads": None})
    return found
