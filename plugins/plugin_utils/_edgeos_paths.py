# Copyright: routerlab.bench contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""The commands of EdgeOS that this project uses. ``_vyos_schema`` says how the table is read.

Ubiquiti publishes no definitions. What comes from Vyatta was held against the vyatta-cfg packages of Vyatta 6.3;
what Ubiquiti added (switch, offload, smart-queue, per-subnet start and stop) against published configurations.
"""

from __future__ import annotations

EDGEOS_ORDER = ("1.10", "2.0")

EDGEOS_PATHS = r"""
firewall
  all-ping = : enable|disable
  name * : {set_name_edgeos}
    default-action = : drop|reject|accept
    description = : {text}
    rule * : 1-9999
      action = : drop|reject|accept
      description = : {text}
      protocol = : tcp|udp|icmp|ospf|esp|ah|gre
      icmp
        type-name = : echo-request|echo-reply|destination-unreachable|time-exceeded
      log = : enable
      source
        address = : {cidr}
        port = : {ports}
      destination
        address = : {cidr}
        port = : {ports}
      state
        established = : enable
        invalid = : enable
        new = : enable
        related = : enable
interfaces
  ethernet * : eth\d{1,2}
    @interface
    duplex = : auto|half|full
    speed = : auto|10|100|1000
    vif * : 1-4094
      @interface
  loopback *? : lo
    address =+ : {cidr}
  switch * : switch\d
    @interface
    switch-port
      interface *? : eth\d{1,2}
        vlan
          vid =+ : 1-4094
      vlan-aware = : enable|disable
    vif * : 1-4094
      @interface
protocols
  ospf
    parameters
      router-id = : {ip}
    area * : {ip}
      network =+ : {cidr}
    passive-interface =+ : {if_edgeos}|lo|default
    passive-interface-exclude =+ : {if_edgeos}
    redistribute
      connected
        @external
      static
        @external
    default-information
      originate ?
        always !
  static
    route * : {cidr}
      next-hop *? : {ip}
        distance = : 1-255
      blackhole ?
        distance = : 1-255
service
  dhcp-server
    disabled = : false
    use-dnsmasq = : enable|disable
    shared-network-name * : {name}
      authoritative = : enable|disable
      subnet * : {cidr}
        default-router = : {ip}
        dns-server =+ : {ip}
        domain-name = : {host}
        lease = : {number}
        start * : {ip}
          stop = : {ip}
        static-mapping * : {host}
          ip-address = : {ip}
          mac-address = : {mac}
  nat
    # 1 to 4999 is for destination rules
    rule * : 5000-9999
      description = : {text}
      type = : masquerade
      outbound-interface = : {if_edgeos}
      exclude !
      log = : disable
      source
        address = : {cidr}
      destination
        address = : {cidr}
  snmp
    community * : [A-Za-z0-9_-]{1,100}
      authorization = : ro
      network =+ : {cidr}
    location = : {text}
    contact = : {text}
  ssh
    port = : 1-65535
    protocol-version = : v2
system
  host-name = : [A-Za-z0-9][A-Za-z0-9-]{0,62}
  domain-name = : {host}
  name-server =+ : {ip}
  time-zone = : [A-Za-z0-9+_/-]+
  ntp
    server *? : {host}
  conntrack
    table-size = : 1-50000000
  offload
    hwnat = : enable|disable
    ipsec = : enable|disable
    ipv4
      forwarding = : enable|disable
      vlan = : enable|disable
traffic-control
  smart-queue * : {policy}
    wan-interface = : {if_edgeos}
    upload
      rate = : {rate}
    download
      rate = : {rate}
vpn
  ipsec
    esp-group * : {name}
      lifetime = : 30-86400
      mode = : tunnel
      pfs = : dh-group\d{1,2}
      proposal * : 1-65535
        @proposal
    ike-group * : {name}
      key-exchange = : ikev1|ikev2
      lifetime = : 30-86400
      proposal * : 1-65535
        dh-group = : 2|5|1[4-6]|19|2[01]
        @proposal
    ipsec-interfaces
      interface =+ : {if_edgeos}
    site-to-site
      peer * : {ip}
        authentication
          mode = : pre-shared-secret
          id = : {text}
          remote-id = : {text}
          pre-shared-secret = : [A-Za-z0-9+&!@#$%^*(),.:_-]+
        connection-type = : initiate
        default-esp-group = : {name}
        dhcp-interface = : {if_edgeos}
        ike-group = : {name}
        local-address = : {ip}
        tunnel * : {number}
          local
            prefix = : {cidr}
          remote
            prefix = : {cidr}
zone-policy
  zone * : {zone_name}
    default-action = : drop|reject
    description = : {text}
    interface =+ : {if_edgeos}
    local-zone !
    from * : {zone_name}
      firewall
        name = : {set_name_edgeos}

@interface
  address =+ : {cidr}|dhcp
  dhcp-options
    name-server = : update|no-update
  description = : {text}
  mtu = : 68-9000
  firewall
    in
      name = : {set_name_edgeos}
    out
      name = : {set_name_edgeos}
    local
      name = : {set_name_edgeos}
  ip
    ospf
      cost = : 1-65535
      hello-interval = : 1-65535
      dead-interval = : 1-65535
      network = : broadcast|non-broadcast|point-to-multipoint|point-to-point

@external
  metric = : 0-16777214
  metric-type = : 1|2

@proposal
  encryption = : aes128|aes256
  hash = : sha1|sha256|sha512
"""
