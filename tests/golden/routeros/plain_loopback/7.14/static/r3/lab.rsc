# plain_loopback, r3, profile static: RouterOS 7.14
/system identity
set name=r3
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
/ip route
add dst-address=0.0.0.0/0 gateway=10.1.10.1 comment=default-backbone
add dst-address=10.9.0.0/16 gateway=10.1.10.9 distance=20 comment=monitoring
add dst-address=172.16.0.0/16 blackhole comment=nowhere
/ip service
set ssh port=22 disabled=no
/snmp
set enabled=yes contact="noc@lab.example" location="Rack 3, shelf #2"
