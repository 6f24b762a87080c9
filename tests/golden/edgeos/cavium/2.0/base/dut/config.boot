interfaces {
    ethernet eth0 {
        address 192.0.2.2/30
        description WAN
        duplex auto
        speed auto
    }
    ethernet eth1 {
        duplex auto
        speed auto
        vif 10 {
            address 192.168.1.1/24
            description LAN
        }
    }
    loopback lo {
    }
}
service {
    dhcp-server {
        disabled false
        shared-network-name lan {
            authoritative enable
            subnet 192.168.1.0/24 {
                default-router 192.168.1.1
                lease 600
                start 192.168.1.10 {
                    stop 192.168.1.20
                }
            }
        }
        use-dnsmasq disable
    }
    nat {
        rule 5010 {
            description lan
            log disable
            outbound-interface eth0
            source {
                address 192.168.1.0/24
            }
            type masquerade
        }
    }
}
system {
    conntrack {
        table-size 32768
    }
    host-name dut
    offload {
        ipv4 {
            forwarding enable
            vlan enable
        }
    }
    time-zone UTC
}

/* Warning: Do not remove the following line. */
/* === vyatta-config-version: "config-management@1:conntrack@1:cron@1:dhcp-relay@1:dhcp-server@4:firewall@5:ipsec@5:nat@3:qos@1:quagga@2:suspend@1:system@5:ubnt-l2tp@1:ubnt-pptp@1:ubnt-udapi-server@1:ubnt-unms@2:ubnt-util@1:vrrp@1:vyatta-netflow@1:webgui@1:webproxy@1:zone-policy@1" === */
/* Release version: 2.0 */
