firewall {
    name LANS-IN {
        default-action accept
        rule 10 {
            action drop
            log enable
            state {
                invalid enable
            }
        }
    }
}
interfaces {
    ethernet eth0 {
        address 192.0.2.2/30
        description WAN
        duplex auto
        ip {
            ospf {
                cost 20
                dead-interval 20
                hello-interval 5
                network point-to-point
            }
        }
        speed auto
    }
    ethernet eth4 {
        address 192.168.3.1/24
        description DMZ
        duplex auto
        speed auto
    }
    loopback lo {
    }
    switch switch0 {
        address 192.168.1.1/24
        description LAN
        firewall {
            in {
                name LANS-IN
            }
            local {
                name LANS-IN
            }
        }
        ip {
            ospf {
                cost 100
            }
        }
        switch-port {
            interface eth1 {
            }
            interface eth2 {
            }
            vlan-aware disable
        }
    }
}
protocols {
    ospf {
        area 0.0.0.9 {
            network 192.0.2.0/30
            network 192.168.1.0/24
        }
        default-information {
            originate {
            }
        }
        parameters {
            router-id 192.0.2.2
        }
        passive-interface switch0
        redistribute {
            connected {
                metric 50
                metric-type 1
            }
            static {
                metric-type 2
            }
        }
    }
    static {
        route 0.0.0.0/0 {
            next-hop 192.0.2.1 {
            }
        }
    }
}
service {
    dhcp-server {
        disabled false
        shared-network-name guests {
            authoritative disable
            subnet 192.168.3.0/24 {
                default-router 192.168.3.1
                domain-name guests.example
                lease 600
                start 192.168.3.10 {
                    stop 192.168.3.20
                }
                static-mapping printer {
                    ip-address 192.168.3.9
                    mac-address 52:54:00:12:34:56
                }
            }
        }
        shared-network-name lan {
            authoritative disable
            subnet 192.168.1.0/24 {
                dns-server 192.0.2.53
                lease 600
                start 192.168.1.10 {
                    stop 192.168.1.20
                }
            }
        }
        use-dnsmasq enable
    }
    nat {
        rule 5010 {
            description lans
            log disable
            outbound-interface eth0
            source {
                address 192.168.0.0/16
            }
            type masquerade
        }
        rule 5020 {
            description rest
            log disable
            outbound-interface eth0
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
    name-server 192.0.2.53
    offload {
        hwnat enable
    }
    time-zone UTC
}

/* Warning: Do not remove the following line. */
/* === vyatta-config-version: "config-management@1:conntrack@1:cron@1:dhcp-relay@1:dhcp-server@4:firewall@5:ipsec@5:nat@3:qos@1:quagga@2:suspend@1:system@5:ubnt-l2tp@1:ubnt-pptp@1:ubnt-udapi-server@1:ubnt-unms@2:ubnt-util@1:vrrp@1:vyatta-netflow@1:webgui@1:webproxy@1:zone-policy@1" === */
/* Release version: 2.0 */
