# routing, dut, profile default_only: RouterOS 6, after lab.rsc
/snmp community
set [ find default=yes ] name=golden_lab read-access=yes write-access=no
