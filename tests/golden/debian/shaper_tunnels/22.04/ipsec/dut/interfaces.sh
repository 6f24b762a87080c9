#!/bin/sh
# Written by routerlab.bench for dut of lab shaper_tunnels; the next deployment overwrites what is changed here.
# Makes the interfaces what the lab says, with iproute2 alone: this release has no ifupdown2. May be run at any time.
set -eu
export PATH=/usr/sbin:/usr/bin:/sbin:/bin
made=/run/routerlab/interfaces
mkdir -p /run/routerlab
touch "$made"
: >"$made.new"

vlan() { # device, what it lies on, tag
    echo "created $1" >>"$made.new"
    [ -e "/sys/class/net/$1" ] || ip link add link "$2" name "$1" type vlan id "$3"
}

bridge() { # device, its members
    device=$1
    shift
    echo "created $device" >>"$made.new"
    [ -e "/sys/class/net/$device" ] || ip link add "$device" type bridge forward_delay 0 stp_state 0
    for member in "$@"; do ip link set "$member" master "$device"; done
}

present() { # device; at boot a card may come late
    for _ in 1 2 3 4 5 6 7 8 9 10; do [ ! -e "/sys/class/net/$1" ] || return 0; sleep 0.5; done
    echo "this machine has no device $1" >&2
    exit 1
}

up() { # device, bytes
    grep -qx "created $1" "$made.new" || echo "found $1" >>"$made.new"
    ip link set dev "$1" mtu "$2" up
}

no_dhcp() { # device
    [ ! -e "/run/dhclient.$1.pid" ] || dhclient -x -pf "/run/dhclient.$1.pid" "$1" || :
    rm -f "/run/dhclient.$1.pid"
}

dhcp() { # device
    kill -0 "$(cat "/run/dhclient.$1.pid" 2>/dev/null || echo 0)" 2>/dev/null && [ -e "/run/dhclient.$1.pid" ] && return 0
    dhclient -4 -nw -pf "/run/dhclient.$1.pid" -lf "/var/lib/dhcp/dhclient.$1.leases" "$1"
}

addresses() { # device, its addresses; no others stay
    device=$1
    shift
    no_dhcp "$device"
    for old in $(ip -o -4 address show dev "$device" scope global | awk '{print $4}'); do
        case " $* " in *" $old "*) ;; *) ip address del "$old" dev "$device" ;; esac
    done
    for own in "$@"; do ip address replace "$own" dev "$device"; done
}

addresses lo
present eth0
up eth0 1500
present eth1
up eth1 1500

# WAN
addresses eth0 192.0.2.2/30

# LAN
addresses eth1 192.168.1.1/24

while read -r how device; do
    grep -q " $device\$" "$made.new" && continue
    [ -e "/sys/class/net/$device" ] || continue
    no_dhcp "$device"
    if [ "$how" = created ]; then ip link del "$device"; else ip -4 address flush dev "$device" && ip link set "$device" down nomaster; fi
done <"$made"
mv "$made.new" "$made"
