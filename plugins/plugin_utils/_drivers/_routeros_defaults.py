# Copyright: routerlab.bench contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""What an item of a menu of RouterOS holds beside what was given: arguments that can be set, and their defaults.

A menu, then its arguments: ``name=default``, ``name!`` for one that is not there unless it is set, ``name`` alone for one whose
default differs from router to router. What a router answers with and nobody can set (counters, states) is not here. Of 7 after
community.routeros' table of the API, of 6 (``routing ospf network`` and ``interface``) after published exports. Where a menu
is named with a number in front, this is that major version's.
"""

from __future__ import annotations

import functools

Path = tuple[str, ...]

_MATCHERS = """
 address-list! address-list-timeout! connection-bytes! connection-limit! connection-mark! connection-rate! connection-state!
 connection-nat-state! connection-type! content! dscp! dst-address! dst-address-list! dst-address-type! dst-limit! dst-port! fragment!
 hotspot! icmp-options! in-bridge-port! in-bridge-port-list! in-interface! in-interface-list! ingress-priority!
 ipsec-policy! ipv4-options! jump-target! layer7-protocol! limit! nth! out-bridge-port! out-bridge-port-list! out-interface!
 out-interface-list! p2p! packet-mark! packet-size! per-connection-classifier! port! priority! protocol! psd! random! realm!
 reject-with! routing-mark! src-address! src-address-list! src-address-type! src-mac-address! src-port! tcp-flags! tcp-mss! time!
 tls-host! to-addresses! to-ports! randomise-ports! same-not-by-dst! ttl! new-connection-mark! new-dscp! new-mss! new-packet-mark!
 new-priority! new-routing-mark! new-ttl! route-dst! sniff-id! sniff-target! sniff-target-port! passthrough=yes
 chain action=accept comment! disabled=no log=no log-prefix=
"""

DEFAULTS = f"""
/interface bridge
 name comment! disabled=no mtu=auto arp=enabled protocol-mode=rstp vlan-filtering=no admin-mac= auto-mac=yes
/interface bridge port
 bridge interface comment! disabled=no pvid=1 horizon=none
/interface vlan
 name interface vlan-id comment! disabled=no mtu=1500 arp=enabled use-service-tag=no
/interface list
 name comment! include= exclude=
/interface list member
 list interface comment! disabled=no
/interface wireguard
 name listen-port mtu=1420 private-key comment! disabled=no
/interface wireguard peers
 interface public-key allowed-address comment! disabled=no endpoint-address= endpoint-port=0 persistent-keepalive! preshared-key!
/ip address
 address interface comment! disabled=no
/ip dhcp-client
 interface comment! disabled=no add-default-route=yes default-route-distance=1 use-peer-dns=yes use-peer-ntp=yes
/ip pool
 name ranges comment! next-pool!
/ip dhcp-server
 name interface address-pool=static-only authoritative=yes lease-time=10m lease-script= comment! disabled=no use-radius=no relay!
 server-address! delay-threshold! dhcp-option-set! bootp-support! always-broadcast! client-mac-limit!
/ip dhcp-server network
 address gateway= dns-server= dns-none=no domain= comment! netmask! next-server! ntp-server= wins-server= boot-file-name= dhcp-option=
/ip dhcp-server lease
 address mac-address! server comment! disabled=no client-id! address-lists= dhcp-option=
/ip route
 dst-address gateway= distance=1 comment! disabled=no routing-table=main routing-mark! blackhole! type=unicast check-gateway! pref-src!
/ip firewall filter{_MATCHERS}
/ip firewall mangle{_MATCHERS}
/ip firewall nat{_MATCHERS}
/ip ipsec profile
 name dh-group=modp2048,modp1024 enc-algorithm=aes-128,3des hash-algorithm=sha1 lifetime=1d lifebytes! nat-traversal=yes
 dpd-maximum-failures=5 proposal-check=obey prf-algorithm!
/ip ipsec proposal
 name auth-algorithms=sha1 enc-algorithms=aes-256-cbc,aes-192-cbc,aes-128-cbc lifetime=30m pfs-group=modp1024 disabled=no comment!
/ip ipsec peer
 name address! local-address! exchange-mode=main profile=default comment! disabled=no passive! port! send-initial-contact=yes
/ip ipsec identity
 peer auth-method=pre-shared-key secret= my-id! remote-id! comment! disabled=no generate-policy=no certificate! mode-config! notrack-chain!
 match-by! policy-template-group! username! password!
/ip ipsec policy
 peer src-address dst-address proposal=default tunnel=no level=require action=encrypt protocol=all src-port=any dst-port=any comment! disabled=no
 ipsec-protocols=esp
/routing filter rule
 chain rule comment! disabled=no
/routing ospf instance
 name version=2 router-id=main redistribute! out-filter-chain! out-filter-select! in-filter-chain! originate-default! comment! disabled=no
 vrf=main routing-table! domain-id! domain-tag!
/routing ospf area
 name area-id=0.0.0.0 instance comment! disabled=no type=default default-cost! no-summaries! nssa-translator!
/routing ospf interface-template
 area interfaces! networks! type=broadcast cost=1 hello-interval=10s dead-interval=40s passive! priority=128 comment! disabled=no auth!
 auth-id! auth-key! prefix-list! instance-id=0 retransmit-interval=5s transmit-delay=1s
/6 routing ospf instance
 name router-id=0.0.0.0 distribute-default=never redistribute-connected=no redistribute-static=no redistribute-rip=no redistribute-bgp=no
 redistribute-other-ospf=no metric-default=1 metric-connected=20 metric-static=20 disabled=no
/6 routing ospf area
 name area-id=0.0.0.0 instance comment! disabled=no type=default
/6 routing ospf network
 network area comment! disabled=no
/6 routing ospf interface
 interface network-type=broadcast cost=10 hello-interval=10s dead-interval=40s passive=no priority=1 comment! disabled=no
 authentication=none authentication-key= authentication-key-id=1 retransmit-interval=5s transmit-delay=1s
/queue type
 name kind cake-overhead=0 cake-diffserv=diffserv3 cake-nat=no cake-ack-filter=none cake-flowmode=triple-isolate cake-bandwidth!
 fq-codel-limit=10240 fq-codel-flows=1024 fq-codel-target=5ms fq-codel-interval=100ms pfifo-limit=50
/queue tree
 name parent packet-mark= queue=default-small max-limit=0 limit-at=0 bucket-size=0.1 priority=8 burst-limit=0 burst-threshold=0
 burst-time=0s comment! disabled=no
/system ntp client servers
 address comment! disabled=no iburst=yes
"""

UNSET = "!"
"""The default of an argument that is not there unless it is set."""


@functools.lru_cache(maxsize=2)
def defaults(major: str) -> dict[Path, dict[str, str | None]]:
    """By menu: each argument that can be set and its default; `UNSET`, or None where there is no telling."""
    found: dict[Path, dict[str, str | None]] = {}
    menu: dict[str, str | None] = {}
    for line in DEFAULTS.strip().splitlines():
        if line.startswith("/"):
            words = line[1:].split()
            only = words.pop(0) if words[0].isdigit() else None
            menu = {}
            if only in (None, major):
                menu = found[tuple(words)] = {}
            continue
        for item in line.split():
            name, mark, value = item.partition("=")
            menu[name.rstrip(UNSET)] = UNSET if name.endswith(UNSET) else value if mark else None
    return found
