#!/usr/bin/env bash
# Driver librouteros in real plays, against a router that plays RouterOS over api-ssl on 127.0.0.1. Needs no root.
set -euo pipefail
cd "$(dirname "$0")"
# From a checkout; ansible-test sets this itself.
: "${ANSIBLE_COLLECTIONS_PATH:=$PWD/../../../../.ansible/collections}"
export ANSIBLE_COLLECTIONS_PATH
IFS=: read -ra places <<< "$ANSIBLE_COLLECTIONS_PATH"
for place in "${places[@]}"; do
    [ -d "$place/ansible_collections/routerlab/bench" ] && collection=$place/ansible_collections/routerlab/bench && break
done
python -c 'import librouteros, cryptography' 2> /dev/null || { echo "skipped: librouteros is not installed"; exit 0; }

work=$(mktemp -d "${TMPDIR:-/tmp}/routerlab-routeros-test.XXXXXX")
mkdir "$work/state"
PYTHONPATH=$place python "$collection/tests/unit/helpers/fake_routeros.py" --state "$work/state" --tls &
router=$!
trap 'kill "$router" || true; rm -rf "$work"' EXIT
for _ in $(seq 100); do
    [ -s "$work/state/router.json" ] && break
    sleep 0.1
done

play() { ansible-playbook -i inventory.yml -e "work=$work" -e "@$work/state/router.json" "$@"; }
play routerlab.bench.render -e "router_build_dir=$work/build"
play deploy.yml --diff "$@" | tee "$work/output"

# Back to the first backup, and nothing left to do after that.
first=$(find "$work/backup/r1" -mindepth 1 -maxdepth 1 -type d | sort | head -n 1)
play routerlab.bench.restore -e "router_backup_dir=$work/backup" -e "router_backup=${first##*/}" | tee "$work/restored"
grep -q 'changed=1' "$work/restored"
python -c "import json, sys; sys.exit(json.load(open('$work/first.json')) != json.load(open('$work/state/configuration.json')))"
play routerlab.bench.restore -e "router_backup_dir=$work/backup" -e "router_backup=${first##*/}" | tee "$work/restored"
grep -q 'changed=0' "$work/restored"

# No secret came to the screen or into a file that others can read.
for word in ros-Pass_1 Geheime_Gemeinde; do
    if grep -q "$word" "$work/output" "$work/restored"; then echo "$word is on the screen"; exit 1; fi
done
test -z "$(find "$work/backup" -type f ! -perm 600)"
test -z "$(find "$work/backup" -type d ! -perm 700)"
