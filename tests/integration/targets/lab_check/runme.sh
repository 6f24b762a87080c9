#!/usr/bin/env bash
# Copyright: routerlab.bench contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
# The action lab_check seen from outside: sound and wrong labs, Jinja, vaults, and what a person gets to read.
set -euo pipefail
cd "$(dirname "$0")"
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
export ANSIBLE_NOCOLOR=1 ANSIBLE_DEPRECATION_WARNINGS=0

fails() { # the words that must be shown; standard input is not read
  local want
  if ansible-playbook "${play[@]}" >"$tmp/out" 2>&1 </dev/null; then
    cat "$tmp/out"
    echo "this play must fail: ${play[*]}" >&2
    exit 1
  fi
  for want in "$@"; do
    grep -qF -- "$want" "$tmp/out" || { cat "$tmp/out"; echo "not shown: $want" >&2; exit 1; }
  done
}

hides() { # a word that the last play must not have shown
  if grep -qF -- "$1" "$tmp/out"; then
    echo "shown: $1" >&2
    exit 1
  fi
}

# a secret that only the right password opens
echo right >"$tmp/right"
echo other >"$tmp/other"
printf 'vaulted_community: %s\n' "$(ansible-vault encrypt_string --vault-password-file "$tmp/right" kept-in-a-vault | sed '2,$s/^ */  /')" >"$tmp/vault.yml"

ansible-playbook -i sound sound.yml --vault-password-file "$tmp/right" -e "@$tmp/vault.yml"
ansible-playbook -i sound sound.yml --vault-password-file "$tmp/right" -e "@$tmp/vault.yml" --check --diff
ansible-playbook -i wrong wrong.yml --check
ansible-playbook -i jinja jinja.yml

# every error on a line of its own, whatever the way in which results are shown
for format in json yaml; do
  export ANSIBLE_CALLBACK_RESULT_FORMAT=$format
  play=(-i wrong plain.yml)
  fails "The lab has 7 errors:" \
    "  lab.networks[lan].vlan: is written 0100, which YAML reads as the octal number 64. Valid: 100 without the zero in front. [YAML_OCTAL] wrong/group_vars/all/lab.yml:7" \
    "  lab.common.interfaces[wan].address: '192.0.3.1/24': is not in network backbone (router left). Valid: an address of 192.0.2.0/24. [OUTSIDE_NETWORK] wrong/group_vars/all/lab.yml:11" \
    "(did you mean debian?)" "(did you mean rigth?)"
  hides never-shown
done

# a vault that does not open, and no lab at all
play=(-i sound plain.yml --vault-password-file "$tmp/other" -e "@$tmp/vault.yml")
fails "lab.common.system.snmp.community: cannot be worked out"
hides kept-in-a-vault
play=(-i 'localhost,' -c local plain.yml)
fails "lab: this variable is not defined"
