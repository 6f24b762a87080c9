# Copyright: routerlab.bench contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""What the room ``junos`` may say: every statement, its kind, and the shape of its value.

One line of the table is one statement, indented below the statement that holds it:

    name         a container
    name !       a word that may stand alone; it may hold statements, too
    name +       a container that the curly form writes on the line of what it holds, ``family inet { ... }``
    name = kind  one value
    name [] kind several values, ``name [ a b ];`` in the curly form
    name * kind  a list with a key, ``name key { ... }``
    name {} kind a list that Junos shows inside braces, ``name { key; }``

A key may be several words: shapes, and words that stand there as they are.
"""

from __future__ import annotations

import functools
import re
from dataclasses import dataclass, field

TABLE = """
system
  host-name = word
  domain-name = word
  name-server {} ip
  time-zone = word
  ntp
    server * word
  services
    ssh !
    dhcp-local-server
      group * name
        interface * unit
interfaces {} port
  description = text
  vlan-tagging !
  unit * number
    description = text
    vlan-id = number
    family +
      inet !
        dhcp !
        address * prefix
snmp
  location = text
  contact = text
  community * text
    authorization = word
    clients {} prefix
policy-options
  policy-statement * name
    term * name
      from
        protocol = word
        route-filter * prefix exact
      then
        external
          type = number
        metric = number
        accept !
        reject !
routing-options
  router-id = ip
  static
    route * prefix
      next-hop [] ip
      discard !
      preference = number
      qualified-next-hop * ip
        preference = number
protocols
  ospf
    export [] name
    area * ip
      interface * unit
        passive !
        interface-type = word
        metric = number
        hello-interval = number
        dead-interval = number
access
  address-assignment
    pool * name
      family +
        inet
          network = prefix
          range * name
            low = ip
            high = ip
          dhcp-attributes
            maximum-lease-time = number
            domain-name = word
            name-server {} ip
            router {} ip
          host * name
            hardware-address = mac
            ip-address = ip
applications
  application * name
    protocol = word
    icmp-type = number
    source-port = ports
    destination-port = ports
security
  forwarding-options
    family
      inet6
        mode = word
      mpls
        mode = word
  address-book {} name
    address * name prefix
  ike
    proposal * name
      authentication-method = word
      dh-group = word
      authentication-algorithm = word
      encryption-algorithm = word
      lifetime-seconds = number
    policy * name
      mode = word
      proposals [] name
      pre-shared-key +
        ascii-text = text
    gateway * name
      ike-policy = name
      address [] ip
      external-interface = unit
      version = word
  ipsec
    proposal * name
      protocol = word
      authentication-algorithm = word
      encryption-algorithm = word
      lifetime-seconds = number
    policy * name
      perfect-forward-secrecy
        keys = word
      proposals [] name
    vpn * name
      bind-interface = unit
      ike
        gateway = name
        ipsec-policy = name
      traffic-selector * name
        local-ip = prefix
        remote-ip = prefix
      establish-tunnels = word
  nat
    source
      rule-set * name
        from +
          zone [] name
        to +
          interface [] unit
        rule * name
          match
            source-address [] prefix
          then
            source-nat
              interface !
  policies
    from-zone * name to-zone name
      policy * name
        description = text
        match
          source-address [] name
          destination-address [] name
          application [] name
        then
          permit !
          deny !
          reject !
          log
            session-init !
    default-policy
      permit-all !
      deny-all !
  zones
    security-zone * name
      interfaces {} unit
        host-inbound-traffic
          system-services {} word
          protocols {} word
"""

_OCTET = r"(?:25[0-5]|2[0-4]\d|1?\d?\d)"
_IP = rf"(?:{_OCTET}\.){{3}}{_OCTET}"
_PORT = r"(?:ge|xe|et|fe|mge)-\d+/\d+/\d+|(?:ae|reth|lo|st)\d+"
SHAPES = {
    "word": r"[A-Za-z0-9_.:/+-]+",
    "text": r"[\x20-\x7e]+",
    "name": r"[A-Za-z0-9_][A-Za-z0-9_.-]{0,62}",
    "number": r"\d+",
    "ports": r"\d+(?:-\d+)?",
    "ip": _IP,
    "prefix": rf"{_IP}/(?:3[0-2]|[12]?\d)",
    "mac": r"[0-9a-fA-F]{2}(?::[0-9a-fA-F]{2}){5}",
    "port": _PORT,
    "unit": rf"(?:{_PORT})\.\d+",
}


@dataclass
class Node:
    """A statement: its kind, the words of its key or value, what may stand in it."""

    kind: str = "container"
    words: tuple[str, ...] = ()
    children: dict[str, "Node"] = field(default_factory=dict)

    def wrong(self, given: tuple[str, ...]) -> str | None:
        """What is wrong with the words that stand after the statement's name."""
        if len(given) < len(self.words):
            return f"needs {' '.join(self.words)} after it"
        for shape, text in zip(self.words, given):
            if text != shape and (shape not in SHAPES or not re.fullmatch(SHAPES[shape], text)):
                return f"{text!r} is no {shape}"
        return None


KINDS = {"=": "leaf", "[]": "values", "*": "list", "{}": "braces", "!": "flag", "+": "joined"}


@functools.lru_cache(maxsize=1)
def schema() -> Node:
    """The table as a tree."""
    stack = [Node()]
    for line in TABLE.strip("\n").splitlines():
        name, *rest = line.split()
        depth = (len(line) - len(line.lstrip())) // 2
        node = Node(KINDS[rest[0]] if rest else "container", tuple(rest[1:]))
        stack[depth].children[name] = node
        stack[depth + 1 :] = [node]
    return stack[0]
