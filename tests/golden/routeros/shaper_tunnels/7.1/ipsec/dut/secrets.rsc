# shaper_tunnels, dut, profile ipsec: RouterOS 7.1, after lab.rsc
/ip ipsec identity
add peer=site auth-method=pre-shared-key secret="a long \"secret\" with # and a \\ in it"
