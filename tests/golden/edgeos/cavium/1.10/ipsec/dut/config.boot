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
        rule 5001 {
            description site
            destination {
                address 10.98.0.0/16
            }
            exclude
            log disable
            outbound-interface eth0
            source {
                address 192.168.1.0/24
            }
            type masquerade
        }
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
vpn {
    ipsec {
        esp-group site {
            lifetime 3600
            mode tunnel
            pfs dh-group14
            proposal 1 {
                encryption aes128
                hash sha1
            }
        }
        ike-group site {
            key-exchange ikev2
            lifetime 28800
            proposal 1 {
                dh-group 14
                encryption aes128
                hash sha1
            }
        }
        ipsec-interfaces {
            interface eth0
        }
        site-to-site {
            peer 198.51.100.7 {
                authentication {
                    id 192.0.2.2
                    mode pre-shared-secret
                    pre-shared-secret golden+secret:1
                    remote-id 198.51.100.7
                }
                connection-type initiate
                default-esp-group site
                ike-group site
                local-address 192.0.2.2
                tunnel 1 {
                    local {
                        prefix 192.168.1.0/24
                    }
                    remote {
                        prefix 10.98.0.0/16
                    }
                }
            }
        }
    }
}

/* Warning: Do not remove the following line. */
/* === vyatta-config-version: "config-management@1:conntrack@1:cron@1:dhcp-relay@1:dhcp-server@4:firewall@5:ipsec@5:nat@3:qos@1:quagga@2:suspend@1:system@4:ubnt-pptp@1:ubnt-udapi-server@1:ubnt-unms@1:ubnt-util@1:vrrp@1:webgui@1:webproxy@1:zone-policy@1" === */
/* Release version: 1.10 */
