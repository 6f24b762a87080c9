interfaces {
    ethernet eth0 {
        address 10.1.10.2/24
        description BACKBONE
    }
    ethernet eth1 {
        address 172.16.5.254/24
        description A
    }
    ethernet eth3 {
        address 172.16.6.254/24
        description B
    }
    loopback lo {
        address 172.16.255.3/32
    }
}
protocols {
    static {
        route 0.0.0.0/0 {
            next-hop 10.1.10.1 {
            }
        }
        route 10.9.0.0/16 {
            next-hop 10.1.10.9 {
                distance 20
            }
        }
        route 172.16.0.0/16 {
            blackhole {
            }
        }
    }
}
service {
    ntp {
        server 10.1.10.123 {
        }
        server ntp.lab.example {
        }
    }
    snmp {
        community golden-lab {
            authorization ro
            network 10.1.10.0/24
        }
        contact noc@lab.example
        location "Rack 3, shelf #2"
    }
    ssh {
        port 22
    }
}
system {
    host-name r3
    name-server 10.1.10.53
    time-zone UTC
}

// Warning: Do not remove the following line.
// vyos-config-version: "bgp@5:broadcast-relay@1:cluster@2:config-management@1:conntrack@5:conntrack-sync@2:container@2:dhcp-relay@2:dhcp-server@11:dhcpv6-server@5:dns-dynamic@4:dns-forwarding@4:firewall@16:flow-accounting@1:https@6:ids@1:interfaces@33:ipoe-server@4:ipsec@13:isis@3:l2tp@9:lldp@2:mdns@1:monitoring@1:nat@8:nat66@3:ntp@3:openconnect@3:openvpn@4:ospf@2:pim@1:policy@8:pppoe-server@11:pptp@5:qos@2:quagga@11:reverse-proxy@1:rip@1:rpki@2:salt@1:snmp@3:ssh@2:sstp@6:system@27:vrf@3:vrrp@4:vyos-accel-ppp@2:wanloadbalance@3:webproxy@2"
// Release version: 1.5
