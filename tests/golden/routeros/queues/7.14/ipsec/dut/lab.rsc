# queues, dut, profile ipsec: RouterOS 7.14
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
add chain=forward action=accept ipsec-policy=in,ipsec comment="ipsec in"
add chain=forward action=accept ipsec-policy=out,ipsec comment="ipsec out"
add chain=forward action=fasttrack-connection connection-state=established,related comment=fasttrack
/ip ipsec profile
add name=site dh-group=ecp256 enc-algorithm=aes-256 hash-algorithm=sha256 lifetime=1h
/ip ipsec proposal
add name=site auth-algorithms=sha256 enc-algorithms=aes-256-cbc lifetime=20m pfs-group=ecp256
/ip ipsec peer
add name=site address=198.51.100.7/32 local-address=192.0.2.2 exchange-mode=main profile=site
/ip ipsec policy
add src-address=192.168.1.0/24 dst-address=10.98.0.0/16 peer=site proposal=site tunnel=yes level=unique
add src-address=192.168.1.0/24 dst-address=10.99.0.0/16 peer=site proposal=site tunnel=yes level=unique
/ip service
set ssh port=22 disabled=no
