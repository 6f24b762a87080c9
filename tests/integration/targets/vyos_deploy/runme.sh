#!/usr/bin/env bash
# Driver netmiko in real plays, against a router that plays VyOS over SSH on 127.0.0.1. Needs no root.
set -euo pipefail
cd "$(dirname "$0")"
# From a checkout; ansible-test sets this itself.
: "${ANSIBLE_COLLECTIONS_PATH:=$PWD/../../../../.ansible/collections}"
export ANSIBLE_COLLECTIONS_PATH
IFS=: read -ra places <<< "$ANSIBLE_COLLECTIONS_PATH"
for place in "${places[@]}"; do
    [ -d "$place/ansible_collections/routerlab/bench" ] && collection=$place/ansible_collections/routerlab/bench && break
done
python -c 'import netmiko' 2> /dev/null || { echo "skipped: netmiko is not installed"; exit 0; }

work=$(mktemp -d "${TMPDIR:-/tmp}/routerlab-vyos-test.XXXXXX")
PYTHONPATH=$place python "$collection/tests/unit/helpers/fake_vyos.py" --state "$work/state" &
router=$!
trap 'kill "$router" || true; rm -rf "$work"' EXIT
for _ in $(seq 100); do
    [ -e "$work/state/routers.json" ] && break
    sleep 0.1
done

# The password comes out of a vault.
mkdir -p "$work/inventory/group_vars/all"
cp inventory.yml "$work/inventory/hosts.yml"
cp lab.yml "$work/inventory/group_vars/all/lab.yml"
echo "a word for the vault" > "$work/vault_word"
chmod 600 "$work/vault_word"
printf 'vault_password: %s\nvault_community: Geheime_Gemeinde\n' "$(python -c "import json; print(json.load(open('$work/state/routers.json'))[0]['password'])")" \
    > "$work/inventory/group_vars/all/vault.yml"
ansible-vault encrypt --vault-password-file "$work/vault_word" "$work/inventory/group_vars/all/vault.yml"
printf 'router_port: %s\n' "$(python -c "import json; print(json.load(open('$work/state/routers.json'))[0]['port'])")" > "$work/inventory/group_vars/all/port.yml"

play() { ansible-playbook -i "$work/inventory" -e "work=$work" --vault-password-file "$work/vault_word" "$@"; }
play routerlab.bench.render -e "router_build_dir=$work/build"
cp "$work/state/r1.boot" "$work/original.boot"
play deploy.yml --diff "$@" | tee "$work/output"
play faults.yml --diff "$@" | tee -a "$work/output"

# Back to the first backup, and back again: byte for byte.
first=$(find "$work/backup/r1" -mindepth 1 -maxdepth 1 -type d | sort | head -n 1)
play routerlab.bench.restore -e "router_backup_dir=$work/backup" -e "router_backup=${first##*/}" --check --diff | tee -a "$work/output"
if cmp -s "$work/original.boot" "$work/state/r1.boot"; then echo "check mode restored something"; exit 1; fi
play routerlab.bench.restore -e "router_backup_dir=$work/backup" -e "router_backup=${first##*/}" | tee "$work/restored"
grep -q 'changed=1' "$work/restored"
cmp "$work/original.boot" "$work/state/r1.boot"
play routerlab.bench.restore -e "router_backup_dir=$work/backup" -e "router_backup=${first##*/}" | tee "$work/restored"
grep -q 'changed=0' "$work/restored"

# The role alone, in a play that has nothing to do with a bench: twice, the second time without a change.
play alone.yml | tee "$work/alone"
grep -q 'changed=[1-9]' "$work/alone"
grep -q '10.30.0.1/24' "$work/state/r1.boot"
play alone.yml | tee "$work/alone"
grep -q 'changed=0' "$work/alone"

# No secret came to the screen, into a name or into a file that others can read.
for word in vyos-Pass_1 Geheime_Gemeinde; do
    if grep -q "$word" "$work/output" "$work/restored"; then echo "$word is on the screen"; exit 1; fi
    if [ -n "$(find "$work/backup" -name "*$word*")" ]; then echo "$word is in a name"; exit 1; fi
done
test -z "$(find "$work/backup" -type f ! -perm 600)"
test -z "$(find "$work/backup" -type d ! -perm 700)"
