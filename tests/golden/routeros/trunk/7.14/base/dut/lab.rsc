# trunk, dut: RouterOS 7.14
/system identity
set name=battle
/system clock
set time-zone-autodetect=no time-zone-name=America/Chicago
/ip dns
set servers=10.53.53.53
/interface ethernet
set [ find default-name=ether1 ] disable-running-check=no comment="Port 1 & only, \"the trunk\""
/interface vlan
add interface=ether1 name=WAN vlan-id=500 comment="WAN: to the upstream router"
/ip address
add address=10.253.253.2/30 interface=WAN
/interface vlan
add interface=ether1 name=LAN vlan-id=2222
/ip address
add address=10.222.222.1/24 interface=LAN
/interface vlan
add interface=ether1 name=LAN2 vlan-id=2223
/ip address
add address=10.223.223.1/24 interface=LAN2
/ip pool
add name=dhcp_LAN ranges=10.222.222.10-10.222.222.200
/ip dhcp-server
add name=dhcp_LAN interface=LAN address-pool=dhcp_LAN lease-time=10m authoritative=yes disabled=no
/ip dhcp-server network
add address=10.222.222.0/24 gateway=10.222.222.1 dns-server=10.53.53.53
/ip pool
add name=dhcp_LAN2 ranges=10.223.223.10-10.223.223.200
/ip dhcp-server
add name=dhcp_LAN2 interface=LAN2 address-pool=dhcp_LAN2 lease-time=10m authoritative=yes disabled=no
/ip dhcp-server network
add address=10.223.223.0/24 gateway=10.223.223.1 dns-server=10.53.53.53
/routing filter rule
add chain=ospf-out rule="if (protocol connected) { set ospf-ext-type type2; accept }" disabled=no
/routing ospf instance
add name=default version=2 router-id=10.253.253.2 redistribute=connected out-filter-chain=ospf-out disabled=no
/routing ospf area
add name=backbone area-id=0.0.0.0 instance=default disabled=no
/routing ospf interface-template
add area=backbone networks=10.253.253.0/30 type=broadcast disabled=no
/ip service
set ssh port=22 address=10.0.0.0/8,192.0.2.0/24 disabled=no
