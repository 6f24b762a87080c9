#!/usr/bin/env bash
# Rendering: one step per router, no connection, check and diff mode, all files or none. Needs no root.
set -eu
cd "$(dirname "$0")"
# From a checkout; ansible-test sets this itself.
: "${ANSIBLE_COLLECTIONS_PATH:=$PWD/../../../../.ansible/collections}"
export ANSIBLE_COLLECTIONS_PATH
work=$(mktemp -d "${TMPDIR:-/tmp}/routerlab-render-test.XXXXXX")
trap 'rm -rf "$work"' EXIT

ansible-playbook -i inventory.yml -e "work=$work" render.yml "$@"
ansible-playbook -i inventory.yml -e "work=$work" same_bytes.yml "$@"
# the playbook, with --check and --diff, from the outside
run() { ansible-playbook -i inventory.yml -e "router_build_dir=$work/outside" routerlab.bench.render "$@"; }
run --check --diff > "$work/check.log"
grep -q '^+frr defaults traditional' "$work/check.log"
grep -q 'r1 .*changed=1 .*failed=0' "$work/check.log"
test ! -e "$work/outside"
run > "$work/first.log"
grep -q 'r1 .*changed=1 ' "$work/first.log"
run --diff > "$work/second.log"
grep -q 'r1 .*changed=0 ' "$work/second.log"
if grep -rn 'a-secret-word' "$work"/*.log; then echo "a secret in the output"; exit 1; fi
grep -q 'a-secret-word' "$work/outside/render_test/r1/snmpd.conf"
test "$(stat -c %a "$work/outside/render_test/r1/snmpd.conf")" = 600
# nothing is written when the lab has an error, and all of it is said at once
if run -e '{"lan_address": "10.9.9.1/24", "router_build_dir": "'"$work"'/wrong"}' > "$work/wrong.log" 2>&1; then echo "a wrong lab was rendered"; exit 1; fi
grep -q 'OUTSIDE_NETWORK' "$work/wrong.log"
test ! -e "$work/wrong"
