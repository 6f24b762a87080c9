# Copyright: routerlab.bench contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Parts of the table of VyOS that stand in several places of it (``_vyos_paths``)."""

from __future__ import annotations

VYOS_BLOCKS = r"""
@interface
  address =+ : {cidr}|dhcp
  description = : {text}
  redirect = : ifb\d{1,3}
  firewall [-1.3]
    in
      name = : {set_name}
    out
      name = : {set_name}
    local
      name = : {set_name}
  ip [-1.3]
    ospf
      cost = : 1-65535
      hello-interval = : 1-65535
      dead-interval = : 1-65535
      network = : broadcast|non-broadcast|point-to-multipoint|point-to-point
  traffic-policy [-1.3]
    out = : {policy}

@rule_set
  default-action = : drop|reject|accept|return
  description = : {text}
  rule * : 1-9999
    action = : drop|reject|accept [-1.3]
    action = : drop|reject|accept|return [1.4+]
    description = : {text}
    protocol = : tcp|udp|icmp|ospf|esp|ah|gre
    icmp
      type-name = : echo-request|echo-reply|destination-unreachable|time-exceeded
    log = : enable [-1.3]
    log ! [1.4+]
    source
      address = : {cidr}
      port = : {ports}
    destination
      address = : {cidr}
      port = : {ports}
    state [-1.3]
      established = : enable
      invalid = : enable
      new = : enable
      related = : enable
    state =+ : established|invalid|new|related [1.4+]

@zone
  default-action = : drop|reject
  description = : {text}
  local-zone !
  from * : {zone_name}
    firewall
      name = : {set_name} [-1.3]
      name = : {set_name_1_4} [1.4+]

@external
  metric = : 0-16777214
  metric-type = : 1|2

@shaper
  bandwidth = : {rate}
  default
    bandwidth = : {rate}|\d{1,3}%
    queue-type = : fq-codel

@community
  authorization = : ro
  network =+ : {cidr}

@proposal
  encryption = : aes128|aes256|aes128gcm128|aes256gcm128
  hash = : sha1|sha256|sha512

@peer
  authentication
    mode = : pre-shared-secret
    id = : {text} [-1.3]
    local-id = : {text} [1.4+]
    remote-id = : {text}
    pre-shared-secret = : {secret} [-1.3]
  connection-type = : initiate
  default-esp-group = : {name}
  dhcp-interface = : {if}
  ike-group = : {name}
  local-address = : {ip}
  remote-address =+ : {ip} [1.4+]
  tunnel * : {number}
    local
      prefix = : {cidr} [-1.3]
      prefix =+ : {cidr} [1.4+]
    remote
      prefix = : {cidr} [-1.3]
      prefix =+ : {cidr} [1.4+]
"""
