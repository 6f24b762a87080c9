interfaces {
    ethernet eth0 {
        address 10.1.10.3/24
        description BACKBONE
    }
    ethernet eth1 {
        address 172.16.1.254/24
        description A
    }
    ethernet eth3 {
        address 172.16.2.254/24
        description B
    }
    loopback lo {
        address 172.16.255.1/32
    }
}
protocols {
    ospf {
        area 0.0.0.9 {
            network 10.1.10.0/24
            network 172.16.1.0/24
            network 172.16.2.0/24
            network 172.16.255.1/32
        }
        parameters {
            router-id 172.16.255.1
        }
    }
}
service {
    dhcp-server {
        shared-network-name a {
            authoritative
            subnet 172.16.1.0/24 {
                default-router 172.16.1.254
                domain-name a.lab.example
                lease 600
                range 0 {
                    start 172.16.1.1
                    stop 172.16.1.10
                }
            }
        }
        shared-network-name b {
            authoritative
            subnet 172.16.2.0/24 {
                default-router 172.16.2.254
                lease 1230
                range 0 {
                    start 172.16.2.1
                    stop 172.16.2.10
                }
                static-mapping printer {
                    ip-address 172.16.2.99
                    mac-address 52:54:00:12:34:56
                }
            }
        }
    }
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
    host-name r1
    name-server 10.1.10.53
    time-zone UTC
}

// Warning: Do not remove the following line.
// vyos-config-version: "bgp@5:broadcast-relay@1:cluster@2:config-management@1:conntrack@5:conntrack-sync@2:container@2:dhcp-relay@2:dhcp-server@8:dhcpv6-server@1:dns-dynamic@4:dns-forwarding@4:firewall@15:flow-accounting@1:https@6:ids@1:interfaces@32:ipoe-server@3:ipsec@13:isis@3:l2tp@9:lldp@2:mdns@1:monitoring@1:nat@8:nat66@3:ntp@3:openconnect@3:ospf@2:pim@1:policy@8:pppoe-server@10:pptp@5:qos@2:quagga@11:reverse-proxy@1:rip@1:rpki@2:salt@1:snmp@3:ssh@2:sstp@6:system@27:vrf@3:vrrp@4:vyos-accel-ppp@2:wanloadbalance@3:webproxy@2"
// Release version: 1.4
