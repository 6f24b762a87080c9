interfaces {
    ethernet eth0 {
        address 192.0.2.2/30
        description WAN
        redirect ifb0
    }
    ethernet eth1 {
        vif 10 {
            address 192.168.1.1/24
            description LAN
        }
        vif 20 {
            address 192.168.2.1/24
            description LAN2
        }
    }
    input ifb0 {
    }
    loopback lo {
    }
}
qos {
    interface eth0 {
        egress SQM0-OUT
    }
    interface ifb0 {
        egress SQM0-IN
    }
    policy {
        cake SQM0-IN {
            bandwidth 100000kbit
        }
        cake SQM0-OUT {
            bandwidth 20000kbit
        }
    }
}
service {
    dhcp-server {
        shared-network-name guests {
            subnet 192.168.2.0/24 {
                lease 600
                option {
                    default-router 192.168.2.254
                    domain-name guests.example
                }
                range 0 {
                    start 192.168.2.10
                    stop 192.168.2.20
                }
                subnet-id 7
            }
        }
        shared-network-name lan {
            subnet 192.168.1.0/24 {
                lease 600
                range 0 {
                    start 192.168.1.10
                    stop 192.168.1.20
                }
                subnet-id 10
            }
        }
    }
}
system {
    host-name dut
    time-zone UTC
}

// Warning: Do not remove the following line.
// vyos-config-version: "bgp@5:broadcast-relay@1:cluster@2:config-management@1:conntrack@5:conntrack-sync@2:container@2:dhcp-relay@2:dhcp-server@11:dhcpv6-server@5:dns-dynamic@4:dns-forwarding@4:firewall@16:flow-accounting@1:https@6:ids@1:interfaces@33:ipoe-server@4:ipsec@13:isis@3:l2tp@9:lldp@2:mdns@1:monitoring@1:nat@8:nat66@3:ntp@3:openconnect@3:openvpn@4:ospf@2:pim@1:policy@8:pppoe-server@11:pptp@5:qos@2:quagga@11:reverse-proxy@1:rip@1:rpki@2:salt@1:snmp@3:ssh@2:sstp@6:system@27:vrf@3:vrrp@4:vyos-accel-ppp@2:wanloadbalance@3:webproxy@2"
// Release version: 1.5
