# plain_loopback, r3: RouterOS 6
/system identity
set name=r3
/system clock
set time-zone-autodetect=no time-zone-name=UTC
/ip dns
set servers=10.1.10.53
/system ntp client
set enabled=yes primary-ntp=10.1.10.123 server-dns-names=ntp.lab.example
/interface ethernet
set [ find default-name=ether1 ] disable-running-check=no comment=BACKBONE
/ip address
add address=10.1.10.2/24 interface=ether1
/interface ethernet
set [ find default-name=ether2 ] disable-running-check=no comment=A
/ip address
add address=172.16.5.254/24 interface=ether2
/interface ethernet
set [ find default-name=ether3 ] disable-running-check=no comment=B
/ip address
add address=172.16.6.254/24 interface=ether3
/interface bridge
add name=router_id protocol-mode=none
/ip address
add address=172.16.255.3/32 interface=router_id
/ip pool
add name=dhcp_A ranges=172.16.5.1-172.16.5.10
/ip dhcp-server
add name=dhcp_A interface=ether2 address-pool=dhcp_A lease-time=10m authoritative=yes disabled=no
/ip dhcp-server network
add address=172.16.5.0/24 gateway=172.16.5.254 dns-none=yes
/ip pool
add name=dhcp_B ranges=172.16.6.1-172.16.6.10
/ip dhcp-server
add name=dhcp_B interface=ether3 address-pool=dhcp_B lease-time=10m authoritative=yes disabled=no
/ip dhcp-server network
add address=172.16.6.0/24 gateway=172.16.6.254 dns-none=yes
/routing ospf instance
set [ find default=yes ] router-id=172.16.255.3 distribute-default=never redistribute-connected=no redistribute-static=no
/routing ospf area
add name=area9 area-id=0.0.0.9 instance=default
/routing ospf network
add area=area9 network=10.1.10.0/24
add area=area9 network=172.16.5.0/24
add area=area9 network=172.16.6.0/24
add area=area9 network=172.16.255.3/32
/ip service
set ssh port=22 disabled=no
/snmp
set enabled=yes contact="noc@lab.example" location="Rack 3, shelf #2"
