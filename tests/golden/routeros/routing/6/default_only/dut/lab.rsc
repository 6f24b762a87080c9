# routing, dut, profile default_only: RouterOS 6
/system identity
set name=dut
/system clock
set time-zone-autodetect=no time-zone-name=UTC
/system ntp client
set enabled=yes primary-ntp=192.0.2.123 secondary-ntp=192.0.2.124 server-dns-names=ntp.lab.example
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
add dst-address=172.16.0.0/12 type=blackhole distance=254 comment=nowhere
/routing ospf instance
set [ find default=yes ] router-id=172.16.255.9 distribute-default=always-as-type-2 redistribute-connected=no redistribute-static=no
/routing ospf network
add area=backbone network=192.0.2.0/30
add area=backbone network=192.168.2.0/24
add area=backbone network=172.16.255.1/32
/routing ospf area
add name=area1 area-id=0.0.0.1 instance=default
/routing ospf network
add area=area1 network=192.168.1.0/24
/routing ospf interface
add interface=ether1 network-type=point-to-point cost=20 hello-interval=5s dead-interval=20s
add interface=LAN network-type=nbma passive=yes
add interface=ether2 network-type=broadcast cost=7 passive=yes
add interface=lo network-type=broadcast passive=yes
/ip service
set ssh port=2222 disabled=no
/snmp
set enabled=yes
