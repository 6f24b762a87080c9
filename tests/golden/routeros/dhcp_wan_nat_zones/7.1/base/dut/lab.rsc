# dhcp_wan_nat_zones, dut: RouterOS 7.1
/system identity
set name=dut
/system clock
set time-zone-autodetect=no time-zone-name=UTC
/ip dns
set servers=10.53.53.53
/interface ethernet
set [ find default-name=ether1 ] disable-running-check=no comment=WAN
/ip dhcp-client
add interface=ether1 add-default-route=yes use-peer-dns=no use-peer-ntp=no disabled=no
/interface ethernet
set [ find default-name=ether2 ] disable-running-check=no
/interface vlan
add interface=ether2 name=LAN vlan-id=2222
/ip address
add address=10.222.222.1/24 interface=LAN
/interface vlan
add interface=ether2 name=LAN2 vlan-id=2223
/ip address
add address=10.223.223.1/24 interface=LAN2
/ip pool
add name=dhcp_LAN ranges=10.222.222.10-10.222.222.100
/ip dhcp-server
add name=dhcp_LAN interface=LAN address-pool=dhcp_LAN lease-time=20m authoritative=yes disabled=no
/ip dhcp-server network
add address=10.222.222.0/24 gateway=10.222.222.1 dns-server=10.53.53.53
/ip pool
add name=dhcp_LAN2 ranges=10.223.223.10-10.223.223.100
/ip dhcp-server
add name=dhcp_LAN2 interface=LAN2 address-pool=dhcp_LAN2 lease-time=20m authoritative=yes disabled=no
/ip dhcp-server network
add address=10.223.223.0/24 gateway=10.223.223.1 dns-server=10.53.53.53
/ip firewall nat
add chain=srcnat action=masquerade out-interface=ether1 src-address=10.0.0.0/8 comment="nat lans"
/ip firewall filter
add chain=forward action=jump jump-target=set-OUTSIDE-IN in-interface=ether1 comment="in wan"
add chain=forward action=jump jump-target=set-INSIDE-OUT out-interface=ether1 comment="out wan"
add chain=input action=jump jump-target=set-OUTSIDE-LOCAL in-interface=ether1 comment="local wan"
add chain=set-OUTSIDE-IN action=return connection-state=established,related comment="OUTSIDE-IN 10"
add chain=set-OUTSIDE-IN action=drop comment="OUTSIDE-IN else"
add chain=set-OUTSIDE-LOCAL action=return connection-state=established,related comment="OUTSIDE-LOCAL 10"
add chain=set-OUTSIDE-LOCAL action=return connection-state=new protocol=icmp icmp-options=8:0-255 comment="OUTSIDE-LOCAL 20"
add chain=set-OUTSIDE-LOCAL action=return connection-state=new protocol=tcp dst-port=22 comment="OUTSIDE-LOCAL 31"
add chain=set-OUTSIDE-LOCAL action=drop comment="OUTSIDE-LOCAL else"
add chain=set-INSIDE-OUT action=reject reject-with=icmp-port-unreachable protocol=tcp src-address=10.223.223.0/24 dst-address=192.0.2.0/24 dst-port=25,6000-6010 log=yes log-prefix=INSIDE-OUT-5 comment="INSIDE-OUT 5: no mail; no X (why\3F)"
add chain=set-INSIDE-OUT action=drop protocol=udp src-port=68 comment="INSIDE-OUT 7"
add chain=set-INSIDE-OUT action=return comment="INSIDE-OUT else: What the LANs may not send"
/ip service
set ssh port=22 disabled=no
