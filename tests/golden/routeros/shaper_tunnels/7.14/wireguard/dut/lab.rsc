# shaper_tunnels, dut, profile wireguard: RouterOS 7.14
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
/interface wireguard
add name=wg0 listen-port=51820 mtu=1420
/interface wireguard peers
add interface=wg0 public-key="xTIBA5rboUvnH4htodjb6e697QjLERt1NAB4mZqp8Dg=" allowed-address=10.99.0.0/24,10.98.0.0/16 endpoint-address=198.51.100.7 endpoint-port=51821 persistent-keepalive=25s comment=server
add interface=wg0 public-key="TrMvSoP4jYQlY6RIzBgbssQqY3vxI2Pi+y71lOWWXX0=" allowed-address=10.97.0.7/32 comment=roaming
/ip address
add address=10.99.0.1/24 interface=wg0
/ip route
add dst-address=10.98.0.0/16 gateway=wg0 comment=wg0
add dst-address=10.97.0.7/32 gateway=wg0 comment=wg0
/ip pool
add name=dhcp_LAN ranges=192.168.1.100-192.168.1.249
/ip dhcp-server
add name=dhcp_LAN interface=ether2 address-pool=dhcp_LAN lease-time=12h authoritative=yes disabled=no
/ip dhcp-server network
add address=192.168.1.0/24 gateway=192.168.1.1 dns-server=192.168.1.1
/ip route
add dst-address=0.0.0.0/0 gateway=192.0.2.1 comment=default-wan
/ip firewall nat
add chain=srcnat action=masquerade out-interface=ether1 src-address=192.168.1.0/24 comment="nat lan"
/queue type
add name=sqm0 kind=cake cake-overhead=22 cake-diffserv=besteffort cake-nat=yes
/queue tree
add name=sqm0-up parent=ether1 packet-mark=no-mark queue=sqm0 max-limit=920000000 bucket-size=0.01
/ip firewall mangle
add chain=prerouting action=mark-packet in-interface=ether1 new-packet-mark=sqm0-down passthrough=no comment=sqm0
/queue tree
add name=sqm0-down parent=global packet-mark=sqm0-down queue=sqm0 max-limit=920000000 bucket-size=0.01
/queue type
add name=sqm1 kind=cake cake-overhead=82 cake-diffserv=besteffort cake-nat=yes
/queue tree
add name=sqm1-up parent=wg0 packet-mark=no-mark queue=sqm1 max-limit=50000000 bucket-size=0.01
/ip firewall mangle
add chain=prerouting action=mark-packet in-interface=wg0 new-packet-mark=sqm1-down passthrough=no comment=sqm1
/queue tree
add name=sqm1-down parent=global packet-mark=sqm1-down queue=sqm1 max-limit=50000000 bucket-size=0.01
/ip service
set ssh port=22 disabled=no
