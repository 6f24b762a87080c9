#!/usr/bin/env bash
# Copyright: routerlab.bench contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
# Round trips, flent's tests and the same without flent through a router of its own (prefix trl) that passes 40 Mbit/s and queues up to 30 ms. Needs root.
set -eu
cd "$(dirname "$0")"
[ "$(id -u)" = 0 ] || { echo "skipped: network namespaces need root"; exit 0; }
PATH="$PATH:/usr/sbin:/sbin"
for program in ip tc iperf3 irtt ping; do
    command -v "$program" > /dev/null || { echo "skipped: $program is not installed"; exit 0; }
done
# From a checkout; ansible-test sets this itself.
: "${ANSIBLE_COLLECTIONS_PATH:=$PWD/../../../../.ansible/collections}"
export ANSIBLE_COLLECTIONS_PATH

OUTPUT=$(mktemp -d)
export OUTPUT

remove() {
    for name in trl-c trl-r trl-s; do
        ip netns pids "$name" 2> /dev/null | xargs -r kill -9 || true
        inode=$(stat -Lc %i "/run/netns/$name" 2> /dev/null || true)
        [ -z "$inode" ] || rm -rf /run/routerlab-*-0-net-"$inode"
        ip netns del "$name" 2> /dev/null || true
    done
    rm -rf "$OUTPUT"
}
trap remove EXIT
remove
mkdir -p "$OUTPUT"

for name in trl-c trl-r trl-s; do
    ip netns add "$name"
    ip -n "$name" link set lo up
done
ip link add trl-c0 netns trl-c type veth peer name trl-r0 netns trl-r
ip link add trl-s0 netns trl-s type veth peer name trl-r1 netns trl-r
ip -n trl-c address add 192.0.2.2/25 dev trl-c0
ip -n trl-r address add 192.0.2.1/25 dev trl-r0
ip -n trl-r address add 192.0.2.129/25 dev trl-r1
ip -n trl-s address add 192.0.2.130/25 dev trl-s0
ip -n trl-c link set trl-c0 up
ip -n trl-r link set trl-r0 up
ip -n trl-r link set trl-r1 up
ip -n trl-s link set trl-s0 up
ip -n trl-c route add default via 192.0.2.1
ip -n trl-s route add default via 192.0.2.129
ip netns exec trl-r sh -c 'echo 1 > /proc/sys/net/ipv4/ip_forward'
for port in trl-r0 trl-r1; do
    ip netns exec trl-r tc qdisc add dev "$port" root tbf rate 40mbit burst 32kb latency 30ms
done

for book in [a-z]*_*.yml; do
    ansible-playbook -i inventory.yml "$book" "$@"
done

left=$(ip netns pids trl-c; ip netns pids trl-r; ip netns pids trl-s)
[ -z "$left" ] || { echo "these processes were left behind: $left"; exit 1; }
