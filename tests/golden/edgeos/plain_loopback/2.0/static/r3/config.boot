interfaces {
    ethernet eth0 {
        address 10.1.10.2/24
        description BACKBONE
        duplex auto
        speed auto
    }
    ethernet eth1 {
        address 172.16.5.254/24
        description A
        duplex auto
        speed auto
    }
    ethernet eth2 {
        address 172.16.6.254/24
        description B
        duplex auto
        speed auto
    }
    loopback lo {
        address 172.16.255.3/32
    }
}
protocols {
    static {
        route 0.0.0.0/0 {
            next-hop 10.1.10.1 {
            }
        }
        route 10.9.0.0/16 {
            next-hop 10.1.10.9 {
                distance 20
            }
        }
        route 172.16.0.0/16 {
            blackhole {
            }
        }
    }
}
service {
    snmp {
        community golden-lab {
            authorization ro
            network 10.1.10.0/24
        }
        contact noc@lab.example
        location "Rack 3, shelf #2"
    }
    ssh {
        port 22
        protocol-version v2
    }
}
system {
    host-name r3
    name-server 10.1.10.53
    ntp {
        server 10.1.10.123 {
        }
        server ntp.lab.example {
        }
    }
    time-zone UTC
}

/* Warning: Do not remove the following line. */
/* === vyatta-config-version: "config-management@1:conntrack@1:cron@1:dhcp-relay@1:dhcp-server@4:firewall@5:ipsec@5:nat@3:qos@1:quagga@2:suspend@1:system@5:ubnt-l2tp@1:ubnt-pptp@1:ubnt-udapi-server@1:ubnt-unms@2:ubnt-util@1:vrrp@1:vyatta-netflow@1:webgui@1:webproxy@1:zone-policy@1" === */
/* Release version: 2.0 */
