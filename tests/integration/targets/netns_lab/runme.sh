#!/usr/bin/env bash
# Real namespaces, real FRR: builds labs with the prefixes tia and tib on this machine and removes them. Needs root.
set -eu
cd "$(dirname "$0")"
[ "$(id -u)" = 0 ] || { echo "skipped: network namespaces need root"; exit 0; }
# From a checkout; ansible-test sets this itself.
: "${ANSIBLE_COLLECTIONS_PATH:=$PWD/../../../../.ansible/collections}"
export ANSIBLE_COLLECTIONS_PATH
trap 'ansible-playbook -i inventory.yml clean.yml >/dev/null || true' EXIT

ansible-playbook -i inventory.yml lab.yml "$@"
ansible-playbook -i inventory.yml connection.yml "$@"
ANSIBLE_PIPELINING=true ansible-playbook -i inventory.yml connection.yml "$@"
ansible-playbook -i inventory.yml bad_input.yml "$@"
./killed_run.sh "$@"
