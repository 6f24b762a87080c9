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
    openvpn vtun0 {
        hash sha256
        local-address 10.96.0.2 {
        }
        mode site-to-site
        openvpn-option "--data-ciphers AES-256-CBC"
        openvpn-option "--data-ciphers-fallback AES-256-CBC"
        protocol udp
        remote-address 10.96.0.1
        remote-host 198.51.100.7
        remote-port 1194
        tls {
            ca-certificate vtun0
            certificate vtun0
            role active
        }
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
pki {
    ca vtun0 {
        certificate MIIBhjCCAS2gAwIBAgIUC8Uexkl4Kfd1CzeXEj+y/ita+KcwCgYIKoZIzj0EAwIwGDEWMBQGA1UEAwwNZ29sZGVuIGxhYiBDQTAgFw0yNjExMzAyMzI4NDVaGA8yMTI2MTEwNjIzMjg0NVowGDEWMBQGA1UEAwwNZ29sZGVuIGxhYiBDQTBZMBMGByqGSM49AgEGCCqGSM49AwEHA0IABJ/FTciV8kag8R0bZvKtCvzv1vgg7f35apdJCgB35RvTSaZJRDXWlkh3UaanxuSQCBBBPIq+utdhZW8vF681/dejUzBRMB0GA1UdDgQWBBSHrST8Zebd04Mj8wBIlh4RVgPl4jAfBgNVHSMEGDAWgBSHrST8Zebd04Mj8wBIlh4RVgPl4jAPBgNVHRMBAf8EBTADAQH/MAoGCCqGSM49BAMCA0cAMEQCIDoSerx4B2wbgCJxPpMT52cZO+z8odB++VS8lCPGgc/iAiA3VGmO4O40QhBQq/nu0b9tfrCUt4hKWRvwySPQs2zDng==
    }
    certificate vtun0 {
        certificate MIIBEDCBtgIBAjAKBggqhkjOPQQDAjAYMRYwFAYDVQQDDA1nb2xkZW4gbGFiIENBMCAXDTI2MTEzMDIzMjg0NVoYDzIxMjYxMTA2MjMyODQ1WjAOMQwwCgYDVQQDDANkdXQwWTATBgcqhkjOPQIBBggqhkjOPQMBBwNCAATRMaRZjL7OMFuHpFWoY8ukMhdctwujgYcVdDTPOl/r+w2doOshNIWmmzigIoAp3B5R/r4tEX76i6UDKgAGY1WiMAoGCCqGSM49BAMCA0kAMEYCIQDct9jgSZKoLb6vnk1kjvev9ghULksob6PUWjr4q9/1vgIhAL+LgAliKJUbooKEYiat6rNtznzzC1YE7D9J0gZIbqvO
        private {
            key MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgudkH0Ewj10xjDac0kRSZHHhYvrEkF9mGP2A7w7hD5MahRANCAATRMaRZjL7OMFuHpFWoY8ukMhdctwujgYcVdDTPOl/r+w2doOshNIWmmzigIoAp3B5R/r4tEX76i6UDKgAGY1Wi
        }
    }
}
protocols {
    static {
        route 0.0.0.0/0 {
            next-hop 192.0.2.1 {
            }
        }
        route 10.98.0.0/16 {
            interface vtun0 {
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
// vyos-config-version: "bgp@5:broadcast-relay@1:cluster@2:config-management@1:conntrack@5:conntrack-sync@2:container@2:dhcp-relay@2:dhcp-server@11:dhcpv6-server@5:dns-dynamic@4:dns-forwarding@4:firewall@16:flow-accounting@1:https@6:ids@1:interfaces@33:ipoe-server@4:ipsec@13:isis@3:l2tp@9:lldp@2:mdns@1:monitoring@1:nat@8:nat66@3:ntp@3:openconnect@3:openvpn@4:ospf@2:pim@1:policy@8:pppoe-server@11:pptp@5:qos@2:quagga@11:reverse-proxy@1:rip@1:rpki@2:salt@1:snmp@3:ssh@2:sstp@6:system@27:vrf@3:vrrp@4:vyos-accel-ppp@2:wanloadbalance@3:webproxy@2"
// Release version: 1.5
