# queues, dut, profile fasttrack: RouterOS 7.1
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
add chain=forward action=jump jump-target=set-OUTSIDE-IN in-interface=ether1 comment="in wan"
add chain=set-OUTSIDE-IN action=accept connection-state=established,related comment="OUTSIDE-IN 10"
add chain=set-OUTSIDE-IN action=accept protocol=ipsec-esp comment="OUTSIDE-IN 20"
add chain=set-OUTSIDE-IN action=reject reject-with=icmp-port-unreachable protocol=icmp icmp-options=11:0-255 comment="OUTSIDE-IN 30"
add chain=set-OUTSIDE-IN action=drop comment="OUTSIDE-IN else"
/ip service
set ssh port=22 disabled=no
