interfaces {
    ethernet eth0 {
        description "Port 1 & only, the trunk; #1"
        duplex auto
        speed auto
        vif 500 {
            address 10.253.253.2/30
            description "WAN: to the upstream router"
        }
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
protocols {
    ospf {
        area 0.0.0.0 {
            network 10.253.253.0/30
        }
        parameters {
            router-id 10.253.253.2
        }
        redistribute {
            connected {
                metric-type 2
            }
        }
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
                lease 600
                start 10.222.222.10 {
                    stop 10.222.222.200
                }
            }
        }
        shared-network-name lan2 {
            authoritative enable
            subnet 10.223.223.0/24 {
                default-router 10.223.223.1
                dns-server 10.53.53.53
                lease 600
                start 10.223.223.10 {
                    stop 10.223.223.200
                }
            }
        }
        use-dnsmasq disable
    }
    ssh {
        port 22
        protocol-version v2
    }
}
system {
    domain-name lab.example
    host-name battle
    name-server 10.53.53.53
    time-zone America/Chicago
}

/* Warning: Do not remove the following line. */
/* === vyatta-config-version: "config-management@1:conntrack@1:cron@1:dhcp-relay@1:dhcp-server@4:firewall@5:ipsec@5:nat@3:qos@1:quagga@2:suspend@1:system@4:ubnt-pptp@1:ubnt-udapi-server@1:ubnt-unms@1:ubnt-util@1:vrrp@1:webgui@1:webproxy@1:zone-policy@1" === */
/* Release version: 1.10 */
