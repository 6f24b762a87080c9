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
        rule 10 {
            description lan
            outbound-interface {
                name eth0
            }
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

// Warning: Do not remove the following line.
// vyos-config-version: "bgp@5:broadcast-relay@1:cluster@2:config-management@1:conntrack-sync@2:conntrack@5:container@2:dhcp-relay@2:dhcp-server@11:dhcpv6-server@6:dns-dynamic@4:dns-forwarding@4:firewall@18:flow-accounting@1:https@7:ids@1:interfaces@33:ipoe-server@4:ipsec@13:isis@3:l2tp@9:lldp@2:mdns@1:monitoring@1:nat66@3:nat@8:ntp@3:openconnect@3:openvpn@4:ospf@2:pim@1:policy@8:pppoe-server@11:pptp@5:qos@2:quagga@11:reverse-proxy@2:rip@1:rpki@2:salt@1:snmp@3:ssh@2:sstp@6:system@27:vrf@3:vrrp@4:vyos-accel-ppp@2:wanloadbalance@3:webproxy@2"
// Release version: rolling
