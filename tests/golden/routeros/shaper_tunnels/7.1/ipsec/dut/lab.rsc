# shaper_tunnels, dut, profile ipsec: RouterOS 7.1
/system identity
set name=dut
/system clock
set time-zone-autodetect=no time-zone-name=UTC
/ip dns
set servers=192.0.2.53
/interface ethernet
set [ find default-name=ether1 ] disable-running-check=no comment=WAN
/ip address
add address=192.0.2.2/30 interface=ether1
/interface ethernet
set [ find default-name=ether2 ] disable-running-check=no comment=LAN
/ip address
add address=192.168.1.1/24 interface=ether2
/ip pool
add name=dhcp_LAN ranges=192.168.1.100-192.168.1.249
/ip dhcp-server
add name=dhcp_LAN interface=ether2 address-pool=dhcp_LAN lease-time=12h authoritative=yes disabled=no
/ip dhcp-server network
add address=192.168.1.0/24 gateway=192.168.1.1 dns-server=192.168.1.1
/ip route
add dst-address=0.0.0.0/0 gateway=192.0.2.1 comment=default-wan
/ip firewall nat
add chain=srcnat action=accept out-interface=ether1 src-address=192.168.1.0/24 dst-address=10.98.0.0/16 comment="ipsec 1"
add chain=srcnat action=masquerade out-interface=ether1 src-address=192.168.1.0/24 comment="nat lan"
/ip ipsec profile
add name=site dh-group=modp2048 enc-algorithm=aes-128 hash-algorithm=sha1 lifetime=8h
/ip ipsec proposal
add name=site auth-algorithms=sha1 enc-algorithms=aes-128-cbc lifetime=1h pfs-group=modp2048
/ip ipsec peer
add name=site address=198.51.100.7/32 local-address=192.0.2.2 exchange-mode=ike2 profile=site
/ip ipsec policy
add src-address=192.168.1.0/24 dst-address=10.98.0.0/16 peer=site proposal=site tunnel=yes level=unique
/ip service
set ssh port=22 disabled=no
