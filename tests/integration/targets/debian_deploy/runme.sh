#!/usr/bin/env bash
# Room debian on a real router: FRR, Kea, ISC, nftables, ifupdown2 in a namespace lab of its own. Needs root.
set -eu
cd "$(dirname "$0")"
[ "$(id -u)" = 0 ] || { echo "skipped: network namespaces need root"; exit 0; }
PATH="$PATH:/usr/sbin:/sbin"
for program in ip nft vtysh kea-dhcp4 dhcpd udhcpc sshd snmpd nsenter ethtool; do
    command -v "$program" > /dev/null || { echo "skipped: $program is not installed"; exit 0; }
done
[ -d /var/cache/routerlab/ifupdown2/usr/share/ifupdown2 ] || command -v ifreload > /dev/null || { echo "skipped: there is no ifupdown2"; exit 0; }
# From a checkout; ansible-test sets this itself.
: "${ANSIBLE_COLLECTIONS_PATH:=$PWD/../../../../.ansible/collections}"
export ANSIBLE_COLLECTIONS_PATH
IFS=: read -ra places <<< "$ANSIBLE_COLLECTIONS_PATH"
for place in "${places[@]}"; do
    [ -d "$place/ansible_collections/routerlab/bench" ] && collection=$place/ansible_collections/routerlab/bench && break
done

work=$(mktemp -d "${TMPDIR:-/tmp}/routerlab-deploy-test.XXXXXX")
cp -r "$collection/inventories/lab" "$work/inventory"
prefix=t$(($$ % 10000))  # two runs at once do not meet
sed -i "s/^  prefix: lab$/  prefix: $prefix/" "$work/inventory/group_vars/all/fabric.yml"
grep -q "^  prefix: $prefix$" "$work/inventory/group_vars/all/fabric.yml"
# the default lab with more profiles
cat more_profiles.yml >> "$work/inventory/group_vars/all/lab.yml"

play() { ansible-playbook -i "$work/inventory" -e "work=$work" "$@"; }
remove() {
    play routerlab.bench.netns_lab -e netns_lab_state=absent > /dev/null || true
    rm -rf "$work"
}
trap remove EXIT

play routerlab.bench.netns_lab "$@"
play routerlab.bench.render -e "router_build_dir=$work/build" "$@"
play first.yml "$@"
play profiles.yml "$@"
play outside.yml "$@"
play refused.yml "$@"
play restore.yml "$@"
play rooms.yml "$@"
# The dialect without ifupdown2: iproute2 does its work.
sed -i 's/^      version: .*/      version: "24.04"/' "$work/inventory/group_vars/all/lab.yml"
play routerlab.bench.render -e "router_build_dir=$work/build" "$@"
play iproute2.yml "$@"
# And on a node that never had any other.
play routerlab.bench.netns_lab -e "lab_os_release=$collection/tests/fixtures/os_release/ubuntu_24_04" "$@"
play ubuntu.yml "$@"
