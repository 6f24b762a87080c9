firewall {
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
            log enable
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
    name OUTSIDE-IN {
        default-action drop
        rule 10 {
            action accept
            state {
                established enable
                related enable
            }
        }
    }
    name OUTSIDE-LOCAL {
        default-action drop
        rule 10 {
            action accept
            state {
                established enable
                related enable
            }
        }
        rule 20 {
            action accept
            icmp {
                type-name echo-request
            }
            protocol icmp
            state {
                new enable
            }
        }
        rule 31 {
            action accept
            destination {
                port 22
            }
            protocol tcp
            state {
                new enable
            }
        }
    }
}
interfaces {
    ethernet eth0 {
        address dhcp
        description WAN
        firewall {
            in {
                name OUTSIDE-IN
            }
            local {
                name OUTSIDE-LOCAL
            }
            out {
                name INSIDE-OUT
            }
        }
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
            outbound-interface eth0
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
                default-router 10.222.222.1
                lease 1200
                name-server 10.53.53.53
                range 0 {
                    start 10.222.222.10
                    stop 10.222.222.100
                }
            }
        }
        shared-network-name lan2 {
            authoritative
            subnet 10.223.223.0/24 {
                default-router 10.223.223.1
                lease 1200
                name-server 10.53.53.53
                range 0 {
                    start 10.223.223.10
                    stop 10.223.223.100
                }
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
// vyos-config-version: "broadcast-relay@1:cluster@1:config-management@1:conntrack@3:conntrack-sync@2:dhcp-relay@2:dhcp-server@6:dhcpv6-server@1:dns-forwarding@3:firewall@5:https@2:interfaces@22:ipoe-server@1:ipsec@5:isis@1:l2tp@3:lldp@1:mdns@1:nat@5:ntp@1:pppoe-server@5:pptp@2:qos@1:quagga@8:rpki@1:salt@1:snmp@2:ssh@2:sstp@3:system@21:vrrp@2:vyos-accel-ppp@2:wanloadbalance@3:webproxy@2:zone-policy@1"
// Release version: 1.3
