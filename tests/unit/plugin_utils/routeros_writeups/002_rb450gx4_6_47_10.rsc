/interface bridge add name=lo
/ip address add address=172.16.5.254/24 interface=ether2
/ip address add address=172.16.6.254/24 interface=ether3
/ip address add address=172.16.255.3/32 interface=lo
/routing ospf instance set 0 router-id=172.16.255.3
/routing ospf area add name=area9 area-id=0.0.0.9
/routing ospf network add area=area9 network=172.16.5.0/24
/routing ospf network add area=area9 network=172.16.6.0/24
/routing ospf network add area=area9 network=10.1.10.0/24
/routing ospf network add area=area9 network=172.16.255.3/32
/ip pool add name=pool0 ranges=172.16.5.1-172.16.5.10
/ip pool add name=pool1 ranges=172.16.6.1-172.16.6.10
/ip dhcp-server add name=dhcp0 interface=ether2 address-pool=pool0 disabled=no
/ip dhcp-server add name=dhcp1 interface=ether3 address-pool=pool1 disabled=no
/ip dhcp-server network add address=172.16.5.0/24 gateway=172.16.5.254 dns-none=yes
/ip dhcp-server network add address=172.16.6.0/24 gateway=172.16.6.254 dns-none=yes
