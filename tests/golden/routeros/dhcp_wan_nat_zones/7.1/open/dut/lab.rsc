# dhcp_wan_nat_zones, dut, profile open: RouterOS 7.1
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
/ip service
set ssh port=22 disabled=no
