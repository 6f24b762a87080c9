#!/usr/bin/env bash
# The gate over a real router: passes for every profile, and each class of breakage is caught by the right check. Builds a lab with the prefix tig. Needs root.
set -eu
cd "$(dirname "$0")"
[ "$(id -u)" = 0 ] || { echo "skipped: network namespaces need root"; exit 0; }
PATH="$PATH:/usr/sbin:/sbin"
for program in ip nft vtysh kea-dhcp4 udhcpc sshd nsenter; do
    command -v "$program" > /dev/null || [ -x "/usr/lib/frr/$program" ] || { echo "skipped: $program is not installed"; exit 0; }
done
python3 -c 'import pytest, testinfra' || { echo "skipped: the controller has no pytest-testinfra"; exit 0; }
# From a checkout; ansible-test sets this itself.
: "${ANSIBLE_COLLECTIONS_PATH:=$PWD/../../../../.ansible/collections}"
export ANSIBLE_COLLECTIONS_PATH
IFS=: read -ra places <<< "$ANSIBLE_COLLECTIONS_PATH"
for place in "${places[@]}"; do
    [ -d "$place/ansible_collections/routerlab/bench" ] && collection=$place/ansible_collections/routerlab/bench && break
done

work=$(mktemp -d "${TMPDIR:-/tmp}/routerlab-gate-test.XXXXXX")
cp -r "$collection/inventories/lab" "$work/inventory"
sed -i 's/^  prefix: lab$/  prefix: tig/' "$work/inventory/group_vars/all/fabric.yml"
grep -q '^  prefix: tig$' "$work/inventory/group_vars/all/fabric.yml"

play() { ansible-playbook -i "$work/inventory" -e "work=$work" "$@"; }
remove() {
    play routerlab.bench.netns_lab -e netns_lab_state=absent > /dev/null || true
    rm -rf "$work"
}
trap remove EXIT

# What a killed run left is not repaired but removed: a daemon of its router would listen on interfaces that are gone.
play routerlab.bench.netns_lab -e netns_lab_state=absent > /dev/null
play routerlab.bench.netns_lab "$@"
play profiles.yml "$@"
play breakages.yml "$@"
play other_views.yml "$@"
