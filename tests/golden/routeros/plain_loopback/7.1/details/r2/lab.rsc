# plain_loopback, r2, profile details: RouterOS 7.1
/system identity
set name=r2
/system clock
set time-zone-autodetect=no time-zone-name=UTC
/ip dns
set servers=10.1.10.53
/system ntp client
set enabled=yes
/system ntp client servers
add address=10.1.10.123
add address=ntp.lab.example
/interface ethernet
set [ find default-name=ether1 ] disable-running-check=no comment=BACKBONE
/ip address
add address=10.1.10.4/24 interface=ether1
/interface ethernet
set [ find default-name=ether2 ] disable-running-check=no comment=A
/ip address
add address=172.16.3.254/24 interface=ether2
/interface ethernet
set [ find default-name=ether3 ] disable-running-check=no comment=B
/ip address
add address=172.16.4.254/24 interface=ether3
/interface bridge
add name=router_id protocol-mode=none
/ip address
add address=172.16.255.2/32 interface=router_id
/ip pool
add name=dhcp_A ranges=172.16.3.1-172.16.3.10
/ip dhcp-server
add name=dhcp_A interface=ether2 address-pool=dhcp_A lease-time=10m authoritative=yes disabled=no
/ip dhcp-server network
add address=172.16.3.0/24 gateway=172.16.3.254 dns-none=yes
/ip pool
add name=dhcp_B ranges=172.16.4.1-172.16.4.10
/ip dhcp-server
add name=dhcp_B interface=ether3 address-pool=dhcp_B lease-time=10m authoritative=yes disabled=no
/ip dhcp-server network
add address=172.16.4.0/24 gateway=172.16.4.254 dns-none=yes
/routing filter rule
add chain=ospf-out rule="if (protocol connected) { set ospf-ext-type type1; set ospf-ext-metric 50; accept }" disabled=no
add chain=ospf-out rule="if (protocol static) { set ospf-ext-type type2; accept }" disabled=no
add chain=ospf-out rule="if (dst == 0.0.0.0/0) { accept }" disabled=no
/routing ospf instance
add name=default version=2 router-id=172.16.255.2 redistribute=connected,static out-filter-chain=ospf-out originate-default=always disabled=no
/routing ospf area
add name=area9 area-id=0.0.0.9 instance=default disabled=no
/routing ospf interface-template
add area=area9 interfaces=ether1 type=ptmp cost=100 hello-interval=5s dead-interval=20s disabled=no
add area=area9 interfaces=ether2 type=broadcast passive disabled=no
add area=area9 interfaces=router_id type=broadcast passive disabled=no
/routing ospf area
add name=area10 area-id=0.0.0.10 instance=default disabled=no
/routing ospf interface-template
add area=area10 interfaces=ether3 type=broadcast passive disabled=no
/ip service
set ssh port=22 disabled=no
/snmp
set enabled=yes contact="noc@lab.example" location="Rack 3, shelf #2"
