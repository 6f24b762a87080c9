interfaces {
    ethernet eth0 {
        address dhcp
        description WAN
        dhcp-options {
            name-server no-update
        }
        duplex auto
        speed auto
    }
    ethernet eth1 {
        duplex auto
        speed auto
        vif 2222 {
            address 10.222.222.1/24
            description LAN
        }
        vif 2223 {
            address 10.223.223.1/24
            description LAN2
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
            subnet 10.222.222.0/24 {
                default-router 10.222.222.1
                dns-server 10.53.53.53
                lease 1200
                start 10.222.222.10 {
                    stop 10.222.222.100
                }
            }
        }
        shared-network-name lan2 {
            authoritative enable
            subnet 10.223.223.0/24 {
                default-router 10.223.223.1
                dns-server 10.53.53.53
                lease 1200
                start 10.223.223.10 {
                    stop 10.223.223.100
                }
            }
        }
        use-dnsmasq disable
    }
    nat {
        rule 5010 {
            description lans
            log disable
            outbound-interface eth0
            source {
                address 10.0.0.0/8
            }
            type masquerade
        }
    }
    ssh {
        port 22
        protocol-version v2
    }
}
system {
    host-name dut
    name-server 10.53.53.53
    time-zone UTC
}

/* Warning: Do not remove the following line. */
/* === vyatta-config-version: "config-management@1:conntrack@1:cron@1:dhcp-relay@1:dhcp-server@4:firewall@5:ipsec@5:nat@3:qos@1:quagga@2:suspend@1:system@4:ubnt-pptp@1:ubnt-udapi-server@1:ubnt-unms@1:ubnt-util@1:vrrp@1:webgui@1:webproxy@1:zone-policy@1" === */
/* Release version: 1.10 */
