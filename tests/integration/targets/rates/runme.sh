#!/usr/bin/env bash
# Copyright: routerlab.bench contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
# Searches for packet rates through a router of its own (prefix trr) that passes 40 Mbit/s. Needs root.
set -eu
cd "$(dirname "$0")"
[ "$(id -u)" = 0 ] || { echo "skipped: network namespaces need root"; exit 0; }
for program in ip tc iperf3 ethtool; do
    command -v "$program" > /dev/null || PATH="$PATH:/usr/sbin:/sbin"
    command -v "$program" > /dev/null || { echo "skipped: $program is not installed"; exit 0; }
done
# From a checkout; ansible-test sets this itself.
: "${ANSIBLE_COLLECTIONS_PATH:=$PWD/../../../../.ansible/collections}"
export ANSIBLE_COLLECTIONS_PATH
OUTPUT=$(mktemp -d)
export OUTPUT

remove() {
    for name in trr-c trr-r trr-s; do
        ip netns pids "$name" 2> /dev/null | xargs -r kill -9 || true
        state=/run/routerlab-iperf3-0-net-$(stat -Lc %i "/run/netns/$name" 2> /dev/null || true)
        rm -rf "$state"
        ip netns del "$name" 2> /dev/null || true
    done
    rm -rf "$OUTPUT"
}
trap remove EXIT
remove
mkdir -p "$OUTPUT"

for name in trr-c trr-r trr-s; do
    ip netns add "$name"
    ip -n "$name" link set lo up
done
ip link add trr-c0 netns trr-c type veth peer name trr-r0 netns trr-r
ip link add trr-s0 netns trr-s type veth peer name trr-r1 netns trr-r
ip -n trr-c address add 192.0.2.2/25 dev trr-c0
ip -n trr-r address add 192.0.2.1/25 dev trr-r0
ip -n trr-r address add 192.0.2.129/25 dev trr-r1
ip -n trr-s address add 192.0.2.130/25 dev trr-s0
ip -n trr-c link set trr-c0 up
ip -n trr-r link set trr-r0 up
ip -n trr-r link set trr-r1 up
ip -n trr-s link set trr-s0 up
ip -n trr-c route add default via 192.0.2.1
ip -n trr-s route add default via 192.0.2.129
ip netns exec trr-r sh -c 'echo 1 > /proc/sys/net/ipv4/ip_forward'
ip netns exec trr-r tc qdisc add dev trr-r1 root tbf rate 40mbit burst 16kb latency 5ms

ansible-playbook -i inventory.yml rates.yml "$@"

left=$(ip netns pids trr-c; ip netns pids trr-r; ip netns pids trr-s)
[ -z "$left" ] || { echo "these processes were left behind: $left"; exit 1; }
