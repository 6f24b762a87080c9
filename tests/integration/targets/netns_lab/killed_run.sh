#!/usr/bin/env bash
# kill -9 of the whole play at different moments of a build; the next build must make the lab whole, and removal must remove all of it.
set -eu
cd "$(dirname "$0")"
play() { ansible-playbook -i inventory.yml "$@"; }
# A process and everything below it.
tree() { ps -eo pid=,ppid= | awk -v top="$1" '{ parent[$1] = $2 } END { for (p in parent) { q = p; while (q && q != top) q = parent[q]; if (q == top) print p } }'; }
inside() { nsenter -n -t "$(cut -d' ' -f1 "/run/routerlab/tia/$1.pid")" "${@:2}"; }
inside_files() { nsenter -m -t "$(cut -d' ' -f1 "/run/routerlab/tia/$1.pid")" "${@:2}"; }

# What to wait for before the kill: from the first process of the lab to the last thing that is started in it.
moments=(
  "pgrep -f ^routerlab-holder:tia:"
  "test -e /run/routerlab/tia/dut.pid"
  "test -e /run/netns/tia-dut"
  "test -e /run/netns/tia-wan"
  "inside lan ip link show eth0"
  "inside lan ip -4 route show default"
  "inside_files dut test -e /run/frr/zebra.pid"
)

for moment in "${moments[@]}"; do
  play clean.yml >/dev/null
  ansible-playbook -i inventory.yml build.yml >/dev/null 2>&1 &
  pid=$!
  until eval "$moment" >/dev/null 2>&1 || ! kill -0 "$pid" 2>/dev/null; do :; done
  mapfile -t victims < <(tree "$pid")
  kill -9 "${victims[@]}" 2>/dev/null || true
  wait "$pid" 2>/dev/null || true
  names=$(find /run/netns -name 'tia-*' | wc -l)
  holders=$(pgrep -fc '^routerlab-holder:tia:' || true)
  play build.yml --check --diff >/tmp/tia-left.txt
  left=$(grep -c '^+' /tmp/tia-left.txt || true)
  echo "killed at '$moment': ${#victims[@]} processes killed, $names names and $holders holders left, $left facts missing"
  rm -f /tmp/tia-left.txt
  play build.yml >/dev/null
  play build.yml --check >/tmp/tia-check.txt
  grep -q 'changed=0' /tmp/tia-check.txt || { echo "the lab was not whole after a build that was killed at '$moment'"; exit 1; }
  rm -f /tmp/tia-check.txt
  inside lan ping -c 1 -W 2 10.250.250.11 >/dev/null
done
play clean.yml >/dev/null
if find /run/netns -name 'tia-*' | grep . || pgrep -f '^routerlab-holder:tia:' || [ -e /run/routerlab/tia ]; then
  echo "something of the lab is left"
  exit 1
fi
