#!/usr/bin/env bash
# The drivers over HTTPS in real plays, against devices that play VyOS, Sophos and Untangle on 127.0.0.1. Needs no root.
set -euo pipefail
cd "$(dirname "$0")"
# From a checkout; ansible-test sets this itself.
: "${ANSIBLE_COLLECTIONS_PATH:=$PWD/../../../../.ansible/collections}"
export ANSIBLE_COLLECTIONS_PATH
IFS=: read -ra places <<< "$ANSIBLE_COLLECTIONS_PATH"
for place in "${places[@]}"; do
    [ -d "$place/ansible_collections/routerlab/bench" ] && collection=$place/ansible_collections/routerlab/bench && break
done
python -c 'import cryptography' 2> /dev/null || { echo "skipped: cryptography is not installed"; exit 0; }

work=$(mktemp -d "${TMPDIR:-/tmp}/routerlab-http-test.XXXXXX")
PYTHONPATH=$place python "$collection/tests/unit/helpers/fake_http_start.py" "$work/state" &
devices=$!
trap 'kill "$devices" || true; rm -rf "$work"' EXIT
for _ in $(seq 150); do
    [ -e "$work/state/devices.json" ] && break
    sleep 0.1
done

mkdir -p "$work/inventory/group_vars/all"
cp inventory.yml "$work/inventory/hosts.yml"
cp lab.yml "$work/inventory/group_vars/all/lab.yml"
play() { ansible-playbook -i "$work/inventory" -e "work=$work" -e "router_build_dir=$work/build" -e "router_backup_dir=$work/backup" "$@"; }
look() { # leaves the state of each device in a folder
    touch "$work/state/look"
    while [ -e "$work/state/look" ]; do sleep 0.1; done
    mkdir -p "$work/$1"
    mv "$work"/state/*.state "$work/$1"
}

play routerlab.bench.render
look original
play routerlab.bench.deploy --check --diff "$@" | tee "$work/output"
look checked
diff -r "$work/original" "$work/checked"
play routerlab.bench.deploy --diff "$@" | tee -a "$work/output"
for name in v1 s1 u1; do grep -Eq "^$name .*changed=1 .*failed=0" "$work/output"; done
play info.yml
play routerlab.bench.deploy "$@" | tee "$work/second"
for name in v1 s1 u1; do grep -Eq "^$name .*changed=0 .*failed=0" "$work/second"; done
play routerlab.bench.restore | tee "$work/restored"
for name in v1 s1 u1; do grep -Eq "^$name .*changed=1 .*failed=0" "$work/restored"; done
look back
cmp "$work/original/v1.state" "$work/back/v1.state"
cmp "$work/original/s1.state" "$work/back/s1.state"

# No secret came to the screen or into a file that others can read.
for word in admin-Pass_1 api-Key_1; do
    if grep -q "$word" "$work/output" "$work/second" "$work/restored"; then echo "$word is on the screen"; exit 1; fi
done
test -z "$(find "$work/backup" -type f ! -perm 600)"
