# queues, dut, profile upload: RouterOS 7.1
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
/ip settings
set allow-fast-path=yes
/ip firewall filter
add chain=forward action=fasttrack-connection connection-state=established,related comment=fasttrack
/queue type
add name=sqm0 kind=cake cake-overhead=22 cake-diffserv=besteffort cake-nat=no
/queue tree
add name=sqm0-up parent=ether1 packet-mark=no-mark queue=sqm0 max-limit=20000000 bucket-size=0.01
/ip service
set ssh port=22 disabled=no
