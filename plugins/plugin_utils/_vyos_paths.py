# Copyright: routerlab.bench contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""The commands of VyOS that this project uses, for each version. ``_vyos_schema`` says how the table is read;
what stands in several places is in ``_vyos_path_blocks``.

Held against the definitions of VyOS itself: vyos-1x at crux (with the vyatta-cfg packages), equuleus (likewise),
sagitta, circinus and current, and the migration scripts of later builds.
"""

from __future__ import annotations

from ansible_collections.routerlab.bench.plugins.plugin_utils._vyos_path_blocks import VYOS_BLOCKS

VYOS_ORDER = ("1.2", "1.3", "1.4", "1.5", "rolling")

VYOS_PATHS = (
    r"""
firewall
  all-ping = : enable|disable [-1.3]
  global-options [1.4+]
    all-ping = : enable|disable
  name * : {set_name} [-1.3]
    @rule_set
  ipv4 [1.4+]
    name * : {set_name_1_4}
      @rule_set
    forward
      filter
        default-action = : accept
        rule * : 1-999999
          action = : jump|offload
          jump-target = : {set_name_1_4}
          offload-target = : {set_name_1_4}
          state =+ : established|related
          inbound-interface
            name = : {if}
          outbound-interface
            name = : {if}
    input
      filter
        default-action = : accept
        rule * : 1-999999
          action = : jump
          jump-target = : {set_name_1_4}
          inbound-interface
            name = : {if}
  flowtable * : [A-Za-z0-9][\w.-]* [1.4+]
    interface =+ : {if}
    offload = : software|hardware
  zone * : {zone_name} [1.4+]
    @zone
    interface =+ : {if} [-1.5]
    member [rolling]
      interface =+ : {if}
    intra-zone-filtering
      action = : accept|drop
zone-policy [-1.3]
  zone * : {zone_name}
    @zone
    interface =+ : {if}
interfaces
  ethernet * : {port}
    @interface
    mtu = : 68-9000 [1.2]
    mtu = : 68-16000 [1.3+]
    duplex = : auto|half|full
    speed = : auto|\d+
    smp-affinity = : auto|[0-9a-f,]+ [1.2]
    ring-buffer
      rx = : 80-16384
      tx = : 80-16384
    offload-options [1.2]
      generic-receive = : on|off
      tcp-segmentation = : on|off
    offload [1.3+]
      gro !
      lro !
      rps !
      tso !
      hw-tc-offload ! [1.4+]
    vif * : 1-4094
      @interface
      mtu = : 68-9000 [1.2]
      mtu = : 68-16000 [1.3+]
  ethernet * : (?:eth|lan)\d{1,3} [1.2]
  loopback *? : lo
    address =+ : {cidr}
  input *? : ifb\d{1,3}
    traffic-policy [-1.3]
      out = : {policy}
  wireguard * : wg\d{1,4} [1.4+]
    address =+ : {cidr}
    mtu = : 68-16000
    port = : 1-65535
    private-key = : {key}
    redirect = : ifb\d{1,3}
    peer * : [A-Za-z0-9._-]{1,100}
      public-key = : {key}
      address = : {ip}
      port = : 1-65535
      allowed-ips =+ : {cidr}
      persistent-keepalive = : 1-65535
  openvpn * : vtun\d{1,4} [1.4+]
    mode = : site-to-site
    protocol = : udp|tcp-passive|tcp-active
    local-port = : 1-65535
    remote-port = : 1-65535
    remote-host =+ : {ip}
    local-address *? : {ip}
    remote-address =+ : {ip}
    hash = : sha1|sha256|sha512
    openvpn-option =+ : --data-ciphers(-fallback)? [A-Z0-9-]+
    redirect = : ifb\d{1,3}
    tls
      role = : active|passive
      ca-certificate =+ : {name}
      certificate = : {name}
nat
  source
    rule * : 1-9999
      description = : {text}
      outbound-interface = : {if} [-1.3]
      outbound-interface [1.4+]
        name = : {if}
      exclude !
      source
        address = : {cidr}
      destination
        address = : {cidr}
      translation
        address = : masquerade
pki [1.4+]
  ca * : {name}
    certificate = : {base64}
  certificate * : {name}
    certificate = : {base64}
    private
      key = : {base64}
protocols
  ospf
    parameters
      router-id = : {ip}
    area * : {ip}
      network =+ : {cidr}
    passive-interface =+ : {if}|lo|default [-1.3]
    passive-interface-exclude =+ : {if} [-1.3]
    passive-interface = : default [1.4+]
    interface * : {if}|lo [1.4+]
      area = : {ip}
      passive ?
        disable !
      cost = : 1-65535
      hello-interval = : 1-65535
      dead-interval = : 1-65535
      network = : broadcast|non-broadcast|point-to-multipoint|point-to-point
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
      interface *? : {if} [1.4+]
qos [1.4+]
  policy
    cake * : {policy}
      bandwidth = : {rate}
    shaper * : {policy}
      @shaper
  interface * : {if}
    egress = : {policy}
service
  dhcp-server
    shared-network-name * : {name}
      authoritative !
      subnet * : {cidr}
        default-router = : {ip} [-1.4]
        dns-server =+ : {ip} [1.2]
        name-server =+ : {ip} [1.3 1.4]
        domain-name = : {host} [-1.4]
        option [1.5+]
          default-router = : {ip}
          name-server =+ : {ip}
          domain-name = : {host}
        lease = : {number}
        range * : \d{1,3}|[A-Za-z0-9_-]{1,32}
          start = : {ip}
          stop = : {ip}
        static-mapping * : {host}
          ip-address = : {ip}
          mac-address = : {mac} [-1.4]
          mac = : {mac} [1.5+]
        subnet-id = : 1-4294967295 [1.5+]
  ntp [1.4+]
    server *? : {host}
  snmp
    community * : [A-Za-z0-9_-]{1,100} [1.2]
      @community
    community * : [A-Za-z0-9_!@*#-]{1,100} [1.3+]
      @community
    location = : {text}
    contact = : {text}
  ssh
    port = : 1-65535 [1.2]
    port =+ : 1-65535 [1.3+]
system
  host-name = : [A-Za-z0-9][A-Za-z0-9-]{0,62}
  domain-name = : {host}
  name-server =+ : {ip}
  disable-dhcp-nameservers ! [1.2]
  time-zone = : [A-Za-z0-9+_/-]+
  ntp [-1.3]
    server *? : {host}
  conntrack
    table-size = : 1-50000000
traffic-policy [-1.3]
  shaper * : {policy}
    @shaper
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
    ipsec-interfaces [-1.3]
      interface =+ : {if}
    interface =+ : {if} [1.4+]
    authentication [1.4+]
      psk * : {name}
        id =+ : {text}
        secret = : {secret}
    site-to-site
      peer * : {ip} [-1.3]
        @peer
      peer * : [A-Za-z0-9_-]+ [1.4+]
        @peer
"""
    + VYOS_BLOCKS
)
