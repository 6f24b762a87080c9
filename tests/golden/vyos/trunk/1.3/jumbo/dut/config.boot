interfaces {
    ethernet eth0 {
        description "Port 1 & only, the trunk; #1"
        mtu 9000
        vif 500 {
            address 10.253.253.2/30
            description "WAN: to the upstream router"
            mtu 1500
        }
        vif 2222 {
            address 10.222.222.1/24
            description LAN
            mtu 9000
        }
        vif 2223 {
            address 10.223.223.1/24
            description LAN2
            mtu 9000
        }
    }
    loopback lo {
    }
}
protocols {
    ospf {
        area 0.0.0.0 {
            network 10.253.253.0/30
        }
        parameters {
            router-id 10.253.253.2
        }
        redistribute {
            connected {
                metric-type 2
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
                lease 600
                name-server 10.53.53.53
                range 0 {
                    start 10.222.222.10
                    stop 10.222.222.200
                }
            }
        }
        shared-network-name lan2 {
            authoritative
            subnet 10.223.223.0/24 {
                default-router 10.223.223.1
                lease 600
                name-server 10.53.53.53
                range 0 {
                    start 10.223.223.10
                    stop 10.223.223.200
                }
            }
        }
    }
    ssh {
        port 22
    }
}
system {
    domain-name lab.example
    host-name battle
    name-server 10.53.53.53
    time-zone America/Chicago
}

// Warning: Do not remove the following line.
// vyos-config-version: "broadcast-relay@1:cluster@1:config-management@1:conntrack@3:conntrack-sync@2:dhcp-relay@2:dhcp-server@6:dhcpv6-server@1:dns-forwarding@3:firewall@5:https@2:interfaces@22:ipoe-server@1:ipsec@5:isis@1:l2tp@3:lldp@1:mdns@1:nat@5:ntp@1:pppoe-server@5:pptp@2:qos@1:quagga@8:rpki@1:salt@1:snmp@2:ssh@2:sstp@3:system@21:vrrp@2:vyos-accel-ppp@2:wanloadbalance@3:webproxy@2:zone-policy@1"
// Release version: 1.3
