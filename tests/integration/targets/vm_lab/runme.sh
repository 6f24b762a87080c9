#!/usr/bin/env bash
# A router in a real machine: built, deployed over SSH, tags seen on its trunk, booted, measured, and killed in the middle of a trial. Needs root and QEMU.
set -eu
cd "$(dirname "$0")"
[ "$(id -u)" = 0 ] || { echo "skipped: virtual machines with taps need root"; exit 0; }
[ "$(uname -m)" = x86_64 ] || { echo "skipped: the images are for x86_64"; exit 0; }
PATH="$PATH:/usr/sbin:/sbin"
for program in ip tc nft vtysh udhcpc nsenter qemu-system-x86_64 qemu-img mmdebstrap mkfs.ext4 ssh-keygen tcpdump iperf3; do
    command -v "$program" > /dev/null || { echo "skipped: $program is not installed"; exit 0; }
done
python3 -c 'import pytest, testinfra' || { echo "skipped: the controller has no pytest-testinfra"; exit 0; }
# From a checkout; ansible-test sets this itself.
: "${ANSIBLE_COLLECTIONS_PATH:=$PWD/../../../../.ansible/collections}"
export ANSIBLE_COLLECTIONS_PATH
IFS=: read -ra places <<< "$ANSIBLE_COLLECTIONS_PATH"
for place in "${places[@]}"; do
    [ -d "$place/ansible_collections/routerlab/bench" ] && collection=$place/ansible_collections/routerlab/bench && break
done

work=$(mktemp -d "${TMPDIR:-/tmp}/routerlab-vm-test.XXXXXX")
cp -r "$collection/inventories/vm" "$work/inventory"
prefix=v$(($$ % 10000))  # two runs at once do not meet
sed -i "s/^  prefix: vm$/  prefix: $prefix/; s/management_port: 2210/management_port: $((20000 + $$ % 10000))/" "$work/inventory/group_vars/all/fabric.yml"
[ "$(grep -c "^  prefix: $prefix$" "$work/inventory/group_vars/all/fabric.yml")" = 2 ]

play() {
    ansible-playbook -i "$work/inventory" -e "work=$work" -e "prefix=$prefix" -e "router_build_dir=$work/build" -e "router_backup_dir=$work/backup" \
        -e "bench_results_dir=$work/results" "$@"
}
remove() {
    play routerlab.bench.vm_lab -e vm_lab_state=absent > /dev/null || true
    rm -rf "$work"
}
trap remove EXIT

play routerlab.bench.vm_lab "$@"
play deploy.yml "$@"
play wires.yml "$@"

# One boot and one trial, on the machine that stands; afterwards the gate is proven once more on what has booted.
play routerlab.bench.bench -e "bench_suite=$PWD/boot.yml" -e '{"bench_profiles": ["routing"]}' -e bench_keep_lab=true "$@"
play booted.yml "$@"

# QEMU is killed in the middle of a trial: the record says so, the run ends by itself and fails, and nothing is left.
./kill_in_trial "$prefix" "$work/results" &
status=0
play routerlab.bench.bench -e "bench_suite=$PWD/long.yml" -e '{"bench_profiles": ["routing", "firewall_zone"]}' "$@" || status=$?
wait
[ "$status" != 0 ] || { echo "a run whose router died must not pass"; exit 1; }
play killed.yml "$@"
