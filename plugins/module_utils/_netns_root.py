# Copyright: routerlab.bench contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""What a node of the namespace lab sees instead of the host's files: a private copy of /etc, empty state folders, its own /run, /proc and /sys.

Everything here runs inside the new mount namespace, before the node's first process starts. Mounts never travel back to the host.
"""

from __future__ import annotations

import contextlib
import glob
import os
import pwd
import re
import shutil
import stat
import subprocess

from ansible_collections.routerlab.bench.plugins.module_utils._netns_sys import (
    MS_BIND,
    MS_MOVE,
    MS_NODEV,
    MS_NOEXEC,
    MS_NOSUID,
    MS_PRIVATE,
    MS_REC,
    detach,
    mount,
)

# Where the set-up script unpacks Debian's ifupdown2, which cannot be installed beside the host's own network manager.
IFUPDOWN2_CACHE = "/var/cache/routerlab/ifupdown2"
# Optional programs a node can ask for with `tools`.
TOOLS = ("ifupdown2",)

# Router configuration and secrets of the host: a node starts without them.
ETC_EMPTY_DIRS = (
    "dhcp/dhcpd.conf.d", "frr", "iptables", "kea", "netplan", "network", "NetworkManager/system-connections", "openvpn", "ppp/peers",
    "snmp/snmpd.conf.d", "ssl/private", "sudoers.d", "swanctl", "sysctl.d", "systemd/network", "wireguard", "bird", "quagga", "netns",
)
ETC_DROP = (
    "default/frr", "default/isc-dhcp-server", "default/kea*", "dhcp/dhcpd*.conf", "gshadow*", "ipsec.conf", "ipsec.secrets", "resolv.conf",
    "shadow*", "passwd-", "group-", "snmp/snmpd.conf", "snmp/snmptrapd.conf", "ssh/ssh_host_*", "ssh/sshd_config.d/*", "sysctl.conf", "hostname",
)
# The name of PID 1's program is how Ansible and others tell the init system; a plain `sh` would make them guess systemd from /sbin/init.
INIT = "/run/routerlab-init"
# State folders that begin empty: name below /var/lib → owner.
STATE = {
    "dhcp": "root", "frr": "frr", "ifupdown2": "root", "kea": "_kea", "misc": "root", "snmp": "Debian-snmp", "udhcpd": "root",
    "NetworkManager": "root", "openvpn": "root", "strongswan": "root", "chrony": "_chrony", "routerlab": "root",
}
# Folders below /run that a package's start script or systemd would make: name → (owner, mode).
RUNTIME = {
    "ansible": ("root", 0o700), "frr": ("frr", 0o755), "kea": ("_kea", 0o750), "lock": ("root", 0o1777), "lock/kea": ("_kea", 0o750),
    "network": ("root", 0o755), "sshd": ("root", 0o755), "sudo": ("root", 0o711), "dhcpd": ("root", 0o755), "snmpd": ("Debian-snmp", 0o755),
}


def ids(user: str) -> tuple[int, int] | None:
    """uid and gid of a user, None where its package is not installed."""
    try:
        entry = pwd.getpwnam(user)
    except KeyError:
        return None
    return entry.pw_uid, entry.pw_gid


def make_dir(path: str, user: str, mode: int) -> None:
    """A folder with the owner its package gives it; left out where that user does not exist."""
    owner = ids(user)
    if owner is None:
        return
    os.makedirs(path, exist_ok=True)
    os.chown(path, *owner)
    os.chmod(path, mode)


def write(path: str, text: str, mode: int = 0o644) -> None:
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "w", encoding="utf-8") as handle:
        handle.write(text)
    os.chmod(path, mode)


def tmpfs(target: str, mode: int = 0o755) -> None:
    mount("routerlab", target, "tmpfs", MS_NOSUID | MS_NODEV, "mode=%o" % mode)


def mount_points() -> list[tuple[str, str]]:
    """(mount point, file system type) of this mount namespace, innermost last."""
    found = []
    with open("/proc/self/mountinfo", encoding="utf-8", errors="surrogateescape") as handle:
        for line in handle:
            fields = line.split()
            point = re.sub(r"\\([0-7]{3})", lambda match: chr(int(match.group(1), 8)), fields[4])
            found.append((point, fields[fields.index("-") + 1]))
    return found


def let_go_of_the_host() -> None:
    """No mount travels back, and no other namespace is kept alive by a bind mount that this node inherited."""
    mount(None, "/", None, MS_REC | MS_PRIVATE)
    for point, kind in reversed(mount_points()):
        below = point.startswith(("/run/", "/sys/", "/tmp/", "/var/tmp/", "/dev/shm/")) or point == "/sys"
        if kind == "nsfs" or below:
            with contextlib.suppress(OSError):  # hidden below another mount that is already gone
                detach(point)


def find_tool(tool: str) -> str | None:
    """The tree that holds an optional program: the host itself if installed there, else the set-up script's private copy."""
    for tree in ("/", IFUPDOWN2_CACHE):
        if os.path.exists(os.path.join(tree, "usr/share", tool, "__main__.py")):
            return tree
    return None


def compose(target: str, own: tuple[str, ...] = ()) -> None:
    """Replace a folder by an empty one of the same entries, bound from the host, except `own`, which the caller fills."""
    entries = [entry for entry in os.scandir(target) if entry.name not in own]
    host = os.open(target, os.O_RDONLY | os.O_DIRECTORY)
    mode = stat.S_IMODE(os.fstat(host).st_mode)
    tmpfs(target, mode)
    for entry in entries:
        place = os.path.join(target, entry.name)
        source = "/proc/self/fd/%d/%s" % (host, entry.name)
        if entry.is_symlink():
            os.symlink(os.readlink(source), place)
        elif entry.is_dir():
            os.mkdir(place)
            mount(source, place, None, MS_BIND | MS_REC)
        elif entry.is_file():
            write(place, "")
            mount(source, place, None, MS_BIND)
    os.close(host)


def empty_copy(target: str, mode: int) -> None:
    """An empty folder that keeps the sub-folders (owner and mode) of the host's, without their files."""
    folders = [(entry.name, entry.stat(follow_symlinks=False)) for entry in os.scandir(target) if entry.is_dir(follow_symlinks=False)]
    tmpfs(target, mode)
    for name, status in folders:
        place = os.path.join(target, name)
        os.mkdir(place)
        os.chown(place, status.st_uid, status.st_gid)
        os.chmod(place, stat.S_IMODE(status.st_mode))


def clean_etc(etc: str) -> None:
    """Take the host's router configuration and secrets out of a copy of /etc."""
    keep = {"frr": ("daemons", "vtysh.conf", "support_bundle_commands.conf")}
    for name in ETC_EMPTY_DIRS:
        for path in glob.glob(os.path.join(etc, name, "*")):
            if os.path.basename(path) in keep.get(name, ()):
                continue
            if os.path.isdir(path) and not os.path.islink(path):
                shutil.rmtree(path)
            else:
                os.unlink(path)
    for pattern in ETC_DROP:
        for path in glob.glob(os.path.join(etc, pattern)):
            if not os.path.isdir(path) or os.path.islink(path):
                os.unlink(path)


def fresh_etc(etc: str, hostname: str) -> None:
    """What a newly installed machine would have in the places that `clean_etc` emptied."""
    write(etc + "/hostname", hostname + "\n")
    with open(etc + "/hosts", "a", encoding="utf-8") as handle:
        handle.write("\n127.0.1.1 %s\n" % hostname)
    write(etc + "/resolv.conf", "# A node of the namespace lab asks no name server.\n")
    write(etc + "/sysctl.conf", "")
    write(etc + "/network/interfaces", "auto lo\niface lo inet loopback\n")
    for name in ("interfaces.d", "if-pre-up.d", "if-up.d", "if-down.d", "if-post-down.d"):
        os.makedirs(os.path.join(etc, "network", name), exist_ok=True)
    with open(etc + "/passwd", encoding="utf-8") as handle:
        users = [line.split(":")[0] for line in handle if ":" in line]
    # The same accounts without any password, because PAM refuses a sudo or su for a user it cannot find here.
    write(etc + "/shadow", "".join("%s:*:19000:0:99999:7:::\n" % user for user in users), 0o600)
    if os.path.exists(etc + "/nftables.conf"):
        write(etc + "/nftables.conf", "#!/usr/sbin/nft -f\n\nflush ruleset\n", 0o755)
    if os.path.exists("/usr/share/openssh/sshd_config"):
        shutil.copy("/usr/share/openssh/sshd_config", etc + "/ssh/sshd_config")
    daemons = etc + "/frr/daemons"
    if os.path.exists(daemons):
        with open(daemons, encoding="utf-8") as handle:
            text = handle.read()
        text = re.sub(r"(?m)^([a-z0-9]+d)=.*$", r"\1=no", text)
        with open(daemons, "w", encoding="utf-8") as handle:  # keeps owner and mode
            handle.write(text)


def private_etc(hostname: str, ifupdown2: str | None) -> None:
    """A copy of /etc in memory. Built beside and moved into place, so there is no moment without /etc."""
    stage = "/tmp/etc"
    os.mkdir(stage)
    tmpfs(stage)
    subprocess.run(["cp", "-a", "/etc/.", stage], check=False, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    clean_etc(stage)
    fresh_etc(stage, hostname)
    if ifupdown2:
        shutil.copytree(ifupdown2.rstrip("/") + "/etc/network/ifupdown2", stage + "/network/ifupdown2", dirs_exist_ok=True)
    mount(stage, "/etc", None, MS_MOVE)
    os.rmdir(stage)


def private_state() -> None:
    """/var as the packages' installation leaves it, without anything a daemon of the host has written."""
    compose("/var/lib", tuple(STATE))
    for name, user in STATE.items():
        make_dir("/var/lib/" + name, user, 0o755)
    write("/var/lib/dhcp/dhcpd.leases", "")
    empty_copy("/var/log", 0o755)
    tmpfs("/var/tmp", 0o1777)


def private_run() -> None:
    tmpfs("/run")
    os.symlink("/bin/sh", INIT)
    for name, (user, mode) in RUNTIME.items():
        make_dir("/run/" + name, user, mode)
    if os.path.exists("/dev/log") and stat.S_ISSOCK(os.stat("/dev/log").st_mode):
        write("/run/no-syslog", "")
        mount("/run/no-syslog", "/dev/log", None, MS_BIND)


def offer_ifupdown2(tree: str) -> None:
    """Make ifup, ifdown, ifquery and ifreload work as if the package were installed; its code stays as it is."""
    if tree == "/":
        return
    compose("/usr/share", ("ifupdown2",))
    # A copy, because the package makes this file executable only when it is really installed.
    shutil.copytree(tree + "/usr/share/ifupdown2", "/usr/share/ifupdown2", symlinks=True)
    os.chmod("/usr/share/ifupdown2/__main__.py", 0o755)
    for name in ("hooks", "policy.d"):
        os.makedirs("/var/lib/ifupdown2/" + name, exist_ok=True)
    programs = ("ifup", "ifdown", "ifquery", "ifreload")
    compose("/usr/local/sbin", programs)
    for name in programs:
        os.symlink("/usr/share/ifupdown2/ifupdown2", "/usr/local/sbin/" + name)


def build(hostname: str, tools: list[str]) -> None:
    """Everything at once; called by the process that becomes PID 1 of the node."""
    let_go_of_the_host()
    mount("proc", "/proc", "proc", MS_NOSUID | MS_NODEV | MS_NOEXEC)
    mount("sysfs", "/sys", "sysfs", MS_NOSUID | MS_NODEV | MS_NOEXEC)
    tmpfs("/tmp", 0o1777)
    ifupdown2 = find_tool("ifupdown2") if "ifupdown2" in tools else None
    private_etc(hostname, ifupdown2)
    private_run()
    private_state()
    if os.path.isdir("/dev/shm"):
        tmpfs("/dev/shm", 0o1777)
    if ifupdown2:
        offer_ifupdown2(ifupdown2)
