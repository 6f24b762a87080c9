# shaper_tunnels, dut, profile wireguard: RouterOS 7.14, after lab.rsc
/interface wireguard
set wg0 private-key="iGz1Ep7nKdWGMQqDd7sHQkVKkPVDkRUWRfPhrVHSJ1Q="
