interfaces {
    ethernet eth0 {
        address 192.0.2.2/30
        description WAN
    }
    ethernet eth1 {
        address 192.168.1.1/24
        description LAN
    }
    loopback lo {
    }
}
nat {
    source {
        rule 1 {
            description site
            destination {
                address 10.98.0.0/16
            }
            exclude
            outbound-interface eth0
            source {
                address 192.168.1.0/24
            }
        }
        rule 2 {
            description site
            destination {
                address 10.99.0.0/16
            }
            exclude
            outbound-interface eth0
            source {
                address 192.168.1.0/24
            }
        }
        rule 10 {
            description lan
            outbound-interface eth0
            source {
                address 192.168.1.0/24
            }
            translation {
                address masquerade
            }
        }
    }
}
protocols {
    static {
        route 0.0.0.0/0 {
            next-hop 192.0.2.1 {
            }
        }
    }
}
service {
    ssh {
        port 22
    }
}
system {
    host-name dut
    name-server 192.0.2.53
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
                    pre-shared-secret "a long (secret) with # and & in it"
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
                tunnel 2 {
                    local {
                        prefix 192.168.1.0/24
                    }
                    remote {
                        prefix 10.99.0.0/16
                    }
                }
            }
        }
    }
}

/* Warning: Do not remove the following line. */
/* === vyatta-config-version: "broadcast-relay@1:cluster@1:config-management@1:conntrack-sync@1:conntrack@1:dhcp-relay@2:dhcp-server@5:dns-forwarding@1:firewall@5:ipsec@5:l2tp@1:mdns@1:nat@4:ntp@1:pppoe-server@2:pptp@1:qos@1:quagga@7:snmp@1:ssh@1:system@10:vrrp@2:wanloadbalance@3:webgui@1:webproxy@1:zone-policy@1" === */
/* Release version: 1.2 */
