# plain_loopback, r3, profile details: RouterOS 7.1, after lab.rsc
/snmp community
set [ find default=yes ] name=golden-lab addresses=10.1.10.0/24 read-access=yes write-access=no
