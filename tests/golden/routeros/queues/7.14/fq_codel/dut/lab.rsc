# queues, dut, profile fq_codel: RouterOS 7.14
/system identity
set name=dut
/system clock
set time-zone-autodetect=no time-zone-name=UTC
/interface ethernet
set [ find default-name=ether1 ] disable-running-check=no comment=WAN
/ip address
add address=192.0.2.2/30 interface=ether1
/interface ethernet
set [ find default-name=ether2 ] disable-running-check=no comment=LAN
/ip address
add address=192.168.1.1/24 interface=ether2
/queue type
add name=sqm0 kind=fq-codel
/queue tree
add name=sqm0-up parent=ether1 packet-mark=no-mark queue=sqm0 max-limit=20000000 bucket-size=0.01
/ip firewall mangle
add chain=prerouting action=mark-packet in-interface=ether1 new-packet-mark=sqm0-down passthrough=no comment=sqm0
/queue tree
add name=sqm0-down parent=global packet-mark=sqm0-down queue=sqm0 max-limit=100000000 bucket-size=0.01
/ip service
set ssh port=22 disabled=no
