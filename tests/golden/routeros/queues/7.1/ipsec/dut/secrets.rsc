# queues, dut, profile ipsec: RouterOS 7.1, after lab.rsc
/ip ipsec identity
add peer=site auth-method=pre-shared-key secret=golden my-id=fqdn:left.lab.example remote-id="user-fqdn:noc@right.lab.example"
