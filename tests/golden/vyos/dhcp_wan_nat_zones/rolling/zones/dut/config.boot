firewall {
    ipv4 {
        name INSIDE-OUT {
            default-action accept
            description "What the LANs may not send"
            rule 5 {
                action reject
                description "no mail; no X (why?)"
                destination {
                    address 192.0.2.0/24
                    port 25,6000-6010
                }
                log
                protocol tcp
                source {
                    address 10.223.223.0/24
                }
            }
            rule 7 {
                action drop
                protocol udp
                source {
                    port 68
                }
            }
        }
        name LAN-LOCAL {
            default-action accept
        }
        name LAN-WAN {
            default-action accept
            rule 10 {
                action drop
                state invalid
            }
        }
        name LOCAL-LAN {
            default-action accept
        }
        name LOCAL-WAN {
            default-action accept
        }
        name OUTSIDE-IN {
            default-action drop
            rule 10 {
                action accept
                state established
                state related
            }
        }
        name OUTSIDE-LOCAL {
            default-action drop
            rule 10 {
                action accept
                state established
                state related
            }
            rule 20 {
                action accept
                icmp {
                    type-name echo-request
                }
                protocol icmp
                state new
            }
            rule 31 {
                action accept
                destination {
                    port 22
                }
                protocol tcp
                state new
            }
        }
        name WAN-LAN {
            default-action drop
            rule 10 {
                action accept
                state established
                state related
            }
        }
        name WAN-LOCAL {
            default-action drop
            rule 10 {
                action accept
                state established
                state related
            }
            rule 20 {
                action accept
                icmp {
                    type-name echo-request
                }
                protocol icmp
                state new
            }
            rule 31 {
                action accept
                destination {
                    port 22
                }
                protocol tcp
                state new
            }
        }
    }
    zone LAN {
        default-action drop
        from LOCAL {
            firewall {
                name LOCAL-LAN
            }
        }
        from WAN {
            firewall {
                name WAN-LAN
            }
        }
        member {
            interface eth1.2222
            interface eth1.2223
        }
    }
    zone LOCAL {
        default-action drop
        from LAN {
            firewall {
                name LAN-LOCAL
            }
        }
        from WAN {
            firewall {
                name WAN-LOCAL
            }
        }
        local-zone
    }
    zone WAN {
        default-action drop
        from LAN {
            firewall {
                name LAN-WAN
            }
        }
        from LOCAL {
            firewall {
                name LOCAL-WAN
            }
        }
        member {
            interface eth0
        }
    }
}
interfaces {
    ethernet eth0 {
        address dhcp
        description WAN
    }
    ethernet eth1 {
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
nat {
    source {
        rule 10 {
            description lans
            outbound-interface {
                name eth0
            }
            source {
                address 10.0.0.0/8
            }
            translation {
                address masquerade
            }
        }
    }
}
service {
    dhcp-server {
        shared-network-name lan {
            authoritative
            subnet 10.222.222.0/24 {
                lease 1200
                option {
                    default-router 10.222.222.1
                    name-server 10.53.53.53
                }
                range 0 {
                    start 10.222.222.10
                    stop 10.222.222.100
                }
                subnet-id 2222
            }
        }
        shared-network-name lan2 {
            authoritative
            subnet 10.223.223.0/24 {
                lease 1200
                option {
                    default-router 10.223.223.1
                    name-server 10.53.53.53
                }
                range 0 {
                    start 10.223.223.10
                    stop 10.223.223.100
                }
                subnet-id 2223
            }
        }
    }
    ssh {
        port 22
    }
}
system {
    host-name dut
    name-server 10.53.53.53
    time-zone UTC
}

// Warning: Do not remove the following line.
// vyos-config-version: "bgp@5:broadcast-relay@1:cluster@2:config-management@1:conntrack-sync@2:conntrack@5:container@2:dhcp-relay@2:dhcp-server@11:dhcpv6-server@6:dns-dynamic@4:dns-forwarding@4:firewall@18:flow-accounting@1:https@7:ids@1:interfaces@33:ipoe-server@4:ipsec@13:isis@3:l2tp@9:lldp@2:mdns@1:monitoring@1:nat66@3:nat@8:ntp@3:openconnect@3:openvpn@4:ospf@2:pim@1:policy@8:pppoe-server@11:pptp@5:qos@2:quagga@11:reverse-proxy@2:rip@1:rpki@2:salt@1:snmp@3:ssh@2:sstp@6:system@27:vrf@3:vrrp@4:vyos-accel-ppp@2:wanloadbalance@3:webproxy@2"
// Release version: rolling
