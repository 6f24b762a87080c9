# board, dut: RouterOS 7.14
/system identity
set name=dut
/system clock
set time-zone-autodetect=no time-zone-name=UTC
/interface ethernet
set [ find default-name=ether1 ] comment=WAN
/ip address
add address=192.0.2.2/30 interface=ether1
/interface bridge
add name=bridge1 protocol-mode=none comment="both LANs"
/interface bridge port
add bridge=bridge1 interface=ether2
add bridge=bridge1 interface=ether3
/interface vlan
add interface=bridge1 name=LAN vlan-id=10 comment="guests; #1 \\ \$5 \"why\3F\""
/ip address
add address=192.168.1.1/24 interface=LAN
add address=192.168.2.1/24 interface=bridge1
/ip pool
add name=dhcp_LAN ranges=192.168.1.10-192.168.1.20
/ip dhcp-server
add name=dhcp_LAN interface=LAN address-pool=dhcp_LAN lease-time=10m authoritative=no disabled=no
/ip dhcp-server network
add address=192.168.1.0/24 dns-none=yes
/ip pool
add name=dhcp_GUESTS ranges=192.168.2.10-192.168.2.20
/ip dhcp-server
add name=dhcp_GUESTS interface=bridge1 address-pool=dhcp_GUESTS lease-time=10m authoritative=no disabled=no
/ip dhcp-server network
add address=192.168.2.0/24 gateway=192.168.2.254 dns-none=yes domain=guests.example
/ip route
add dst-address=0.0.0.0/0 gateway=192.0.2.1 comment=default-wan
/ip service
set ssh disabled=yes
