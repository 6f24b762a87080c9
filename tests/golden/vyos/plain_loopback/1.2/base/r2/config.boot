interfaces {
    ethernet eth0 {
        address 10.1.10.4/24
        description BACKBONE
    }
    ethernet eth1 {
        address 172.16.3.254/24
        description A
    }
    ethernet eth3 {
        address 172.16.4.254/24
        description B
    }
    loopback lo {
        address 172.16.255.2/32
    }
}
protocols {
    ospf {
        area 0.0.0.9 {
            network 10.1.10.0/24
            network 172.16.3.0/24
            network 172.16.4.0/24
            network 172.16.255.2/32
        }
        parameters {
            router-id 172.16.255.2
        }
    }
}
service {
    dhcp-server {
        shared-network-name a {
            authoritative
            subnet 172.16.3.0/24 {
                default-router 172.16.3.254
                lease 600
                range 0 {
                    start 172.16.3.1
                    stop 172.16.3.10
                }
            }
        }
        shared-network-name b {
            authoritative
            subnet 172.16.4.0/24 {
                default-router 172.16.4.254
                lease 600
                range 0 {
                    start 172.16.4.1
                    stop 172.16.4.10
                }
            }
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
    host-name r2
    name-server 10.1.10.53
    ntp {
        server 10.1.10.123 {
        }
        server ntp.lab.example {
        }
    }
    time-zone UTC
}

/* Warning: Do not remove the following line. */
/* === vyatta-config-version: "broadcast-relay@1:cluster@1:config-management@1:conntrack-sync@1:conntrack@1:dhcp-relay@2:dhcp-server@5:dns-forwarding@1:firewall@5:ipsec@5:l2tp@1:mdns@1:nat@4:ntp@1:pppoe-server@2:pptp@1:qos@1:quagga@7:snmp@1:ssh@1:system@10:vrrp@2:wanloadbalance@3:webgui@1:webproxy@1:zone-policy@1" === */
/* Release version: 1.2 */
