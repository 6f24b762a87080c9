# shaper_tunnels, dut, profile flow_offload: RouterOS 7.14
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
add chain=srcnat action=masquerade out-interface=ether1 src-address=192.168.1.0/24 comment="nat lan"
/ip settings
set allow-fast-path=yes
/ip firewall filter
add chain=forward action=fasttrack-connection connection-state=established,related comment=fasttrack
/ip service
set ssh port=22 disabled=no
