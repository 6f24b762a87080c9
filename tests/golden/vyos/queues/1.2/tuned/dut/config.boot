interfaces {
    ethernet eth0 {
        address 192.0.2.2/30
        description WAN
        ring-buffer {
            rx 4096
            tx 2048
        }
    }
    ethernet eth1 {
        ring-buffer {
            rx 4096
            tx 2048
        }
        vif 10 {
            address 192.168.1.1/24
            description LAN
        }
        vif 20 {
            address 192.168.2.1/24
            description LAN2
        }
    }
    loopback lo {
    }
}
service {
    dhcp-server {
        shared-network-name guests {
            subnet 192.168.2.0/24 {
                default-router 192.168.2.254
                domain-name guests.example
                lease 600
                range 0 {
                    start 192.168.2.10
                    stop 192.168.2.20
                }
            }
        }
        shared-network-name lan {
            subnet 192.168.1.0/24 {
                lease 600
                range 0 {
                    start 192.168.1.10
                    stop 192.168.1.20
                }
            }
        }
    }
}
system {
    conntrack {
        table-size 262144
    }
    host-name dut
    time-zone UTC
}

/* Warning: Do not remove the following line. */
/* === vyatta-config-version: "broadcast-relay@1:cluster@1:config-management@1:conntrack-sync@1:conntrack@1:dhcp-relay@2:dhcp-server@5:dns-forwarding@1:firewall@5:ipsec@5:l2tp@1:mdns@1:nat@4:ntp@1:pppoe-server@2:pptp@1:qos@1:quagga@7:snmp@1:ssh@1:system@10:vrrp@2:wanloadbalance@3:webgui@1:webproxy@1:zone-policy@1" === */
/* Release version: 1.2 */
