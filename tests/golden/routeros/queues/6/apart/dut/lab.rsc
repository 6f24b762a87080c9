# queues, dut, profile apart: RouterOS 6
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
/interface list
add name=zone-INSIDE
/interface list member
add interface=ether2 list=zone-INSIDE
/ip firewall filter
add chain=forward action=jump jump-target=to-INSIDE out-interface-list=zone-INSIDE comment="to INSIDE"
add chain=to-INSIDE action=drop in-interface-list=zone-INSIDE comment="INSIDE within"
/interface list
add name=zone-OUTSIDE
/interface list member
add interface=ether1 list=zone-OUTSIDE
/ip firewall filter
add chain=forward action=jump jump-target=to-OUTSIDE out-interface-list=zone-OUTSIDE comment="to OUTSIDE"
add chain=to-OUTSIDE action=accept in-interface-list=zone-OUTSIDE comment="OUTSIDE within"
add chain=to-INSIDE action=jump jump-target=set-PASS in-interface-list=zone-OUTSIDE comment="INSIDE from OUTSIDE"
add chain=to-INSIDE action=reject reject-with=icmp-port-unreachable comment="INSIDE else"
add chain=to-OUTSIDE action=drop comment="OUTSIDE else"
add chain=set-PASS action=accept comment="PASS else: everything"
/ip service
set ssh port=22 disabled=no
