interfaces {
    ethernet eth0 {
        address 192.0.2.2/30
        description WAN
    }
    ethernet eth1 {
        address 192.168.2.1/24
        description "Street <2> & Co"
        vif 10 {
            address 192.168.1.1/24
            description LAN
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
        interface eth0 {
            cost 20
            dead-interval 20
            hello-interval 5
            network point-to-point
        }
        interface eth1 {
            cost 7
            passive {
            }
        }
        interface eth1.10 {
            network non-broadcast
            passive {
            }
        }
        interface lo {
            passive {
            }
        }
        parameters {
            router-id 172.16.255.9
        }
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
                lease 600
                option {
                    default-router 192.168.1.1
                }
                range 0 {
                    start 192.168.1.10
                    stop 192.168.1.20
                }
                subnet-id 10
            }
        }
        shared-network-name lan2 {
            authoritative
            subnet 192.168.2.0/24 {
                lease 600
                option {
                    default-router 192.168.2.1
                }
                range 0 {
                    start 192.168.2.10
                    stop 192.168.2.20
                }
                static-mapping printer {
                    ip-address 192.168.2.9
                    mac 52:54:00:12:34:56
                }
                subnet-id 3232236032
            }
        }
    }
    ntp {
        server 192.0.2.123 {
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
    time-zone UTC
}

// Warning: Do not remove the following line.
// vyos-config-version: "bgp@5:broadcast-relay@1:cluster@2:config-management@1:conntrack-sync@2:conntrack@5:container@2:dhcp-relay@2:dhcp-server@11:dhcpv6-server@6:dns-dynamic@4:dns-forwarding@4:firewall@18:flow-accounting@1:https@7:ids@1:interfaces@33:ipoe-server@4:ipsec@13:isis@3:l2tp@9:lldp@2:mdns@1:monitoring@1:nat66@3:nat@8:ntp@3:openconnect@3:openvpn@4:ospf@2:pim@1:policy@8:pppoe-server@11:pptp@5:qos@2:quagga@11:reverse-proxy@2:rip@1:rpki@2:salt@1:snmp@3:ssh@2:sstp@6:system@27:vrf@3:vrrp@4:vyos-accel-ppp@2:wanloadbalance@3:webproxy@2"
// Release version: rolling
