# Copyright: routerlab.bench contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""The menus and arguments of RouterOS 6 and 7 that this project uses; ``_routeros_schema`` reads this table.

A menu; below it the verb and the arguments that tell one item from another; below that the arguments. ``*`` must be there, ``!`` takes
no value, ``+`` is a list with commas. ``[6]`` and ``[7]`` are in that major version only. What is not here is refused, although the
router may know it: an argument that came or went within a major version is left out on purpose.
"""

from __future__ import annotations

ROUTEROS_PATHS = """
/interface bridge
  add name
    name* {text}
    protocol-mode none|rstp
    mtu 68-65535
    comment {text}
/interface bridge port
  add interface
    bridge* {text}
    interface* {text}
/interface ethernet
  set default-name
    disable-running-check yes|no
    mtu 68-65535
    comment {text}
    name {text}
/interface vlan
  add name
    name* {text}
    interface* {text}
    vlan-id* 1-4094
    mtu 68-65535
    comment {text}
/interface list
  add name
    name* {text}
/interface list member
  add interface list
    interface* {text}
    list* {text}
/interface wireguard [7]
  add name
    name* {text}
    listen-port* 1-65535
    mtu 68-65535
  set name
    private-key* {key}
/interface wireguard peers [7]
  add interface public-key
    interface* {text}
    public-key* {key}
    allowed-address* {prefix}+
    endpoint-address {ip}
    endpoint-port 1-65535
    persistent-keepalive {time}
    comment {text}
/ip address
  add address interface
    address* {cidr}
    interface* {text}
    network {ip}
/ip dhcp-client
  add interface
    interface* {text}
    add-default-route yes|no
    use-peer-dns yes|no
    use-peer-ntp yes|no
    disabled yes|no
/ip pool
  add name
    name* {text}
    ranges* {ip}-{ip}
/ip dhcp-server
  add name
    name* {text}
    interface* {text}
    address-pool* {text}
    lease-time {time}
    authoritative yes|no
    disabled yes|no
/ip dhcp-server network
  add address
    address* {prefix}
    gateway {ip}
    dns-server {ip}+
    dns-none yes|no
    domain {text}
/ip dhcp-server lease
  add server address
    address* {ip}
    mac-address* {mac}
    server* {text}
    comment {text}
/ip dns
  set
    servers {ip}+
/ip route
  add dst-address gateway
    dst-address* {prefix}
    gateway {text}
    distance 1-255
    type blackhole [6]
    blackhole ! [7]
    comment {text}
/ip settings
  set
    allow-fast-path yes|no
/ip service
  set name
    port 1-65535
    address {prefix}+
    disabled yes|no
/ip firewall connection tracking
  set
    enabled yes|no|auto
/ip firewall filter
  add chain comment
    chain* {chain}
    action* accept|drop|reject|return|jump|fasttrack-connection
    jump-target {chain}
    reject-with icmp-port-unreachable
    connection-state established|related|new|invalid|untracked+
    protocol {protocol}
    icmp-options {icmp}
    src-address {prefix}
    dst-address {prefix}
    src-port {ports}
    dst-port {ports}
    in-interface {text}
    out-interface {text}
    in-interface-list {text}
    out-interface-list {text}
    ipsec-policy in,ipsec|out,ipsec
    log yes|no
    log-prefix {text}
    comment* {text}
/ip firewall mangle
  add chain comment
    chain* prerouting
    action* mark-packet
    in-interface* {text}
    new-packet-mark* {text}
    passthrough yes|no
    comment* {text}
/ip firewall nat
  add chain comment
    chain* srcnat
    action* masquerade|accept
    out-interface* {text}
    src-address {prefix}
    dst-address {prefix}
    comment* {text}
/ip ipsec profile
  add name
    name* {text}
    dh-group* {group}
    enc-algorithm* aes-128|aes-256
    hash-algorithm* sha1|sha256|sha512
    lifetime {time}
/ip ipsec proposal
  add name
    name* {text}
    auth-algorithms* sha1|sha256|sha512
    enc-algorithms* aes-128-cbc|aes-256-cbc
    lifetime {time}
    pfs-group* {group}
/ip ipsec peer
  add name
    name* {text}
    address* {cidr}
    local-address {ip}
    exchange-mode* main|ike2
    profile* {text}
/ip ipsec identity
  add peer
    peer* {text}
    auth-method* pre-shared-key
    secret* {secret}
    my-id {id}
    remote-id {id}
/ip ipsec policy
  add src-address dst-address
    src-address* {prefix}
    dst-address* {prefix}
    peer* {text}
    proposal* {text}
    tunnel* yes
    level unique
/routing filter rule [7]
  add chain rule
    chain* {text}
    rule* {text}
    disabled yes|no
/routing ospf instance [6]
  set default
    router-id {ip}
    redistribute-connected no|as-type-1|as-type-2
    redistribute-static no|as-type-1|as-type-2
    metric-connected 0-16777215
    metric-static 0-16777215
    distribute-default never|always-as-type-1|always-as-type-2|if-installed-as-type-1|if-installed-as-type-2
/routing ospf instance [7]
  add name
    name* {text}
    version* 2
    router-id {ip}
    redistribute connected|static+
    out-filter-chain {text}
    originate-default never|always|if-installed
    disabled yes|no
/routing ospf area
  add name
    name* {text}
    area-id* {ip}
    instance* {text}
    disabled yes|no [7]
/routing ospf network [6]
  add network
    network* {prefix}
    area* {text}
/routing ospf interface [6]
  add interface
    interface* {text}
    network-type broadcast|point-to-point|nbma|ptmp
    cost 1-65535
    hello-interval {time}
    dead-interval {time}
    passive yes|no
/routing ospf interface-template [7]
  add area interfaces networks
    area* {text}
    interfaces {text}
    networks {prefix}
    type broadcast|ptp|ptmp|nbma
    cost 1-65535
    hello-interval {time}
    dead-interval {time}
    passive !
    disabled yes|no
/queue type [7]
  add name
    name* {text}
    kind* cake|fq-codel
    cake-overhead -64-256
    cake-diffserv besteffort|diffserv3
    cake-nat yes|no
/queue tree [7]
  add name
    name* {text}
    parent* {text}
    packet-mark* {text}
    queue* {text}
    max-limit* {number}
    bucket-size 0.01
/snmp
  set
    enabled yes|no
    contact {text}
    location {text}
/snmp community
  set default
    name* {text}
    addresses {prefix}+
    read-access yes|no
    write-access yes|no
/system clock
  set
    time-zone-autodetect yes|no
    time-zone-name {text}
/system identity
  set
    name* {text}
/system ntp client
  set
    enabled* yes|no
    primary-ntp {ip} [6]
    secondary-ntp {ip} [6]
    server-dns-names {host}+ [6]
/system ntp client servers [7]
  add address
    address* {host}
"""
