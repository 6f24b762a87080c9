#!/usr/bin/env bash
# Prints what the host looks like: links, addresses, routes, rules, firewall, every setting below net., and the router daemons' files.
# Counters and clocks that move by themselves are left out.
set -eu
export LC_ALL=C PATH=$PATH:/usr/sbin:/sbin
section() { printf '== %s\n' "$1"; }

section links; ip -d link | grep -v '^ *RX\|^ *TX'
section addresses; ip -o address | sed -E 's/valid_lft [^ ]+ preferred_lft [^ ]+//g'
section routes; ip route show table all; ip -6 route show table all | sed -E 's/expires [^ ]+//'
section rules; ip rule; ip -6 rule
section firewall; nft list ruleset
section sysctls
sysctl -a --pattern '^net\.' 2>/dev/null | grep -vE 'nf_conntrack_count|\.neigh\..*gc_|sockets|inet_peer|netdev_rss_key|tcp_fastopen_key|stable_secret'
# Where a lab could leave a mount; /tmp, /mnt and /home belong to others. /run/netns holds the names of all namespaces.
section mounts; cut -d' ' -f5- /proc/self/mountinfo | grep -E '^(/|/(dev|etc|proc|run|sys|usr|var)(/[^ ]*)?) ' | grep -v '^/run/netns' || true
section host; hostname
section files
for folder in /etc/frr /etc/kea /etc/dhcp /etc/network /etc/netns /etc/default /etc/ssh /etc/sysctl.d /var/lib/dhcp /var/lib/kea /var/lib/frr \
  /var/lib/ifupdown2 /var/lib/routerlab/backups /var/log/frr /var/log/kea /var/tmp/network /run/frr /run/kea /run/network; do
  [ -e "$folder" ] || { echo "$folder is not there"; continue; }
  find "$folder" -printf '%p %y %m %u %g %s %l\n' | sort
  find "$folder" -type f -print0 | sort -z | xargs -0 -r sha256sum
done
sha256sum /etc/hosts /etc/hostname /etc/resolv.conf /etc/passwd /etc/nftables.conf /etc/sysctl.conf 2>/dev/null || true
