interfaces {
    ethernet eth0 {
        address 10.1.10.3/24
        description BACKBONE
    }
    ethernet eth1 {
        address 172.16.1.254/24
        description A
    }
    ethernet eth3 {
        address 172.16.2.254/24
        description B
    }
    loopback lo {
        address 172.16.255.1/32
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
    }
}
system {
    host-name r1
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
/* === vyatta-config-version: "broadcast-relay@1:cluster@1:config-management@1:conntrack-sync@1:conntrack@1:dhcp-relay@2:dhcp-server@5:dns-forwarding@1:firewall@5:ipsec@5:l2tp@1:mdns@1:nat@4:ntp@1:pppoe-server@2:pptp@1:qos@1:quagga@7:snmp@1:ssh@1:system@10:vrrp@2:wanloadbalance@3:webgui@1:webproxy@1:zone-policy@1" === */
/* Release version: 1.2 */
