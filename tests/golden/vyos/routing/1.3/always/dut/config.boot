interfaces {
    ethernet eth0 {
        address 192.0.2.2/30
        description WAN
        ip {
            ospf {
                cost 20
                dead-interval 20
                hello-interval 5
                network point-to-point
            }
        }
    }
    ethernet eth1 {
        address 192.168.2.1/24
        description "Street <2> & Co"
        ip {
            ospf {
                cost 7
            }
        }
        vif 10 {
            address 192.168.1.1/24
            description LAN
            ip {
                ospf {
                    network non-broadcast
                }
            }
        }
    }
    loopback lo {
        address 172.16.255.1/32
        address 172.16.255.2/32
    }
}
protocols {
    ospf {
        area 0.0.0.0 {
            network 192.0.2.0/30
            network 192.168.2.0/24
            network 172.16.255.1/32
        }
        area 0.0.0.1 {
            network 192.168.1.0/24
        }
        default-information {
            originate {
                always
            }
        }
        parameters {
            router-id 172.16.255.9
        }
        passive-interface eth1.10
        passive-interface eth1
        passive-interface lo
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
        route 10.0.0.0/8 {
            next-hop 192.168.2.2 {
                distance 20
            }
        }
        route 172.16.0.0/12 {
            blackhole {
                distance 254
            }
        }
    }
}
service {
    dhcp-server {
        shared-network-name lan {
            authoritative
            subnet 192.168.1.0/24 {
                default-router 192.168.1.1
                lease 600
                range 0 {
                    start 192.168.1.10
                    stop 192.168.1.20
                }
            }
        }
        shared-network-name lan2 {
            authoritative
            subnet 192.168.2.0/24 {
                default-router 192.168.2.1
                lease 600
                range 0 {
                    start 192.168.2.10
                    stop 192.168.2.20
                }
                static-mapping printer {
                    ip-address 192.168.2.9
                    mac-address 52:54:00:12:34:56
                }
            }
        }
    }
    snmp {
        community golden_lab {
            authorization ro
        }
    }
    ssh {
        port 2222
    }
}
system {
    host-name dut
    ntp {
        server 192.0.2.123 {
        }
    }
    time-zone UTC
}

// Warning: Do not remove the following line.
// vyos-config-version: "broadcast-relay@1:cluster@1:config-management@1:conntrack@3:conntrack-sync@2:dhcp-relay@2:dhcp-server@6:dhcpv6-server@1:dns-forwarding@3:firewall@5:https@2:interfaces@22:ipoe-server@1:ipsec@5:isis@1:l2tp@3:lldp@1:mdns@1:nat@5:ntp@1:pppoe-server@5:pptp@2:qos@1:quagga@8:rpki@1:salt@1:snmp@2:ssh@2:sstp@3:system@21:vrrp@2:vyos-accel-ppp@2:wanloadbalance@3:webproxy@2:zone-policy@1"
// Release version: 1.3
