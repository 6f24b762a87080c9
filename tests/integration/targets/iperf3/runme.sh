#!/usr/bin/env bash
# Real traffic between two network namespaces of its own (prefix tii): 400 Mbit/s one way, 100 Mbit/s back. Needs root.
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

remove() {
    for name in tii-c tii-s; do
        ip netns pids "$name" 2> /dev/null | xargs -r kill -9 || true
        state=/run/routerlab-iperf3-0-net-$(stat -Lc %i "/run/netns/$name" 2> /dev/null || true)
        rm -rf "$state"
        ip netns del "$name" 2> /dev/null || true
    done
    rm -rf /run/tii-other
}
trap remove EXIT
remove

ip netns add tii-c
ip netns add tii-s
ip link add tii-c0 netns tii-c type veth peer name tii-s0 netns tii-s
ip -n tii-c address add 192.0.2.1/24 dev tii-c0
ip -n tii-s address add 192.0.2.2/24 dev tii-s0
for end in c s; do
    ip -n tii-$end link set lo up
    ip -n tii-$end link set tii-${end}0 up
    ip netns exec tii-$end ethtool -K tii-${end}0 tso off gso off gro off tx off > /dev/null
done
ip netns exec tii-c tc qdisc add dev tii-c0 root tbf rate 400mbit burst 128kb latency 20ms
ip netns exec tii-s tc qdisc add dev tii-s0 root tbf rate 100mbit burst 64kb latency 20ms

ansible-playbook -i inventory.yml trials.yml "$@"
ansible-playbook -i inventory.yml failures.yml "$@"

left=$(ip netns pids tii-c; ip netns pids tii-s)
[ -z "$left" ] || { echo "these processes were left behind: $left"; exit 1; }
