# routing, dut, profile default_only: RouterOS 7.1
/system identity
set name=dut
/system clock
set time-zone-autodetect=no time-zone-name=UTC
/system ntp client
set enabled=yes
/system ntp client servers
add address=192.0.2.123
add address=ntp.lab.example
add address=192.0.2.124
/interface ethernet
set [ find default-name=ether1 ] disable-running-check=no comment=WAN
/ip address
add address=192.0.2.2/30 interface=ether1
/interface ethernet
set [ find default-name=ether2 ] disable-running-check=no comment="Stra\C3\9Fe <2> & Co"
/interface vlan
add interface=ether2 name=LAN vlan-id=10
/ip address
add address=192.168.1.1/24 interface=LAN
add address=192.168.2.1/24 interface=ether2
/interface bridge
add name=lo protocol-mode=none
/ip address
add address=172.16.255.1/32 interface=lo
/interface bridge
add name=more protocol-mode=none
/ip address
add address=172.16.255.2/32 interface=more
/ip route
add dst-address=0.0.0.0/0 gateway=192.0.2.1 comment=default-wan
add dst-address=10.0.0.0/8 gateway=192.168.2.2 distance=20 comment=lab
add dst-address=172.16.0.0/12 blackhole distance=254 comment=nowhere
/routing ospf instance
add name=default version=2 router-id=172.16.255.9 originate-default=always disabled=no
/routing ospf area
add name=backbone area-id=0.0.0.0 instance=default disabled=no
/routing ospf interface-template
add area=backbone networks=192.0.2.0/30 type=ptp cost=20 hello-interval=5s dead-interval=20s disabled=no
add area=backbone networks=192.168.2.0/24 type=broadcast cost=7 passive disabled=no
add area=backbone networks=172.16.255.1/32 type=broadcast passive disabled=no
/routing ospf area
add name=area1 area-id=0.0.0.1 instance=default disabled=no
/routing ospf interface-template
add area=area1 networks=192.168.1.0/24 type=nbma passive disabled=no
/ip service
set ssh port=2222 disabled=no
/snmp
set enabled=yes
