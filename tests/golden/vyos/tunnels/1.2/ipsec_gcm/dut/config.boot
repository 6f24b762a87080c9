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
            lifetime 1200
            mode tunnel
            pfs dh-group19
            proposal 1 {
                encryption aes256gcm128
                hash sha256
            }
        }
        ike-group site {
            key-exchange ikev1
            lifetime 3600
            proposal 1 {
                dh-group 19
                encryption aes256gcm128
                hash sha256
            }
        }
        ipsec-interfaces {
            interface eth0
        }
        site-to-site {
            peer 198.51.100.7 {
                authentication {
                    id @left.lab.example
                    mode pre-shared-secret
                    pre-shared-secret golden
                    remote-id @right.lab.example
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
/* === vyatta-config-version: "broadcast-relay@1:cluster@1:config-management@1:conntrack-sync@1:conntrack@1:dhcp-relay@2:dhcp-server@5:dns-forwarding@1:firewall@5:ipsec@5:l2tp@1:mdns@1:nat@4:ntp@1:pppoe-server@2:pptp@1:qos@1:quagga@7:snmp@1:ssh@1:system@10:vrrp@2:wanloadbalance@3:webgui@1:webproxy@1:zone-policy@1" === */
/* Release version: 1.2 */
