interfaces {
    ethernet eth0 {
        address 192.0.2.2/30
        description WAN
        ring-buffer {
            rx 4096
            tx 2048
        }
    }
    ethernet eth1 {
        ring-buffer {
            rx 4096
            tx 2048
        }
        vif 10 {
            address 192.168.1.1/24
            description LAN
        }
        vif 20 {
            address 192.168.2.1/24
            description LAN2
        }
    }
    loopback lo {
    }
}
service {
    dhcp-server {
        shared-network-name guests {
            subnet 192.168.2.0/24 {
                default-router 192.168.2.254
                domain-name guests.example
                lease 600
                range 0 {
                    start 192.168.2.10
                    stop 192.168.2.20
                }
            }
        }
        shared-network-name lan {
            subnet 192.168.1.0/24 {
                lease 600
                range 0 {
                    start 192.168.1.10
                    stop 192.168.1.20
                }
            }
        }
    }
}
system {
    conntrack {
        table-size 262144
    }
    host-name dut
    time-zone UTC
}

// Warning: Do not remove the following line.
// vyos-config-version: "broadcast-relay@1:cluster@1:config-management@1:conntrack@3:conntrack-sync@2:dhcp-relay@2:dhcp-server@6:dhcpv6-server@1:dns-forwarding@3:firewall@5:https@2:interfaces@22:ipoe-server@1:ipsec@5:isis@1:l2tp@3:lldp@1:mdns@1:nat@5:ntp@1:pppoe-server@5:pptp@2:qos@1:quagga@8:rpki@1:salt@1:snmp@2:ssh@2:sstp@3:system@21:vrrp@2:vyos-accel-ppp@2:wanloadbalance@3:webproxy@2:zone-policy@1"
// Release version: 1.3
