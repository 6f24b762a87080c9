# Copyright: routerlab.bench contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""A router that plays OpenWrt: files, init scripts, `uci`, `fw4 check`, a start that runs /etc/uci-defaults.

Modelled on: openwrt/openwrt base-files (init script `boot`: uci_apply_defaults sources what lies in /etc/uci-defaults and removes what ended well,
before anything that starts at 19 and later; rc.common: enable, disable, enabled, start, stop, restart, reload; `sysupgrade -b -`), libuci's
parser (`uci_check`), firewall4 (a word for a policy that it does not know ends it with a reference error and no ruleset). The shell is busybox's where
this machine has it, with PATH leading to the programs of the box alone (`fake_ssh_box`): there is no python, no SFTP server, no nohup.

What is in force is the copy of its files that a service made when it started or read them again (`running`). No packet passes.
"""
from __future__ import annotations

import shutil
from pathlib import Path

from fake_ssh_box import SshBox

INIT = """\
s=NAME
case "$1" in
enable) : >ROOT/.svc/$s.on ;;
disable) rm -f ROOT/.svc/$s.on ;;
enabled) [ -e ROOT/.svc/$s.on ]; exit ;;
start|restart|reload)
  while [ -e ROOT/.hold ]; do sleep 0.05; done
  echo "$s.$1" >>ROOT/.log
  if [ -e ROOT/.break.$s ]; then cat ROOT/.break.$s; exit 1; fi
  if [ -f ROOT/etc/config/$s ]; then cp ROOT/etc/config/$s ROOT/.svc/$s.read; fi
  : >ROOT/.svc/$s.up ;;
stop) echo "$s.stop" >>ROOT/.log; rm -f ROOT/.svc/$s.up ROOT/.svc/$s.read ;;
*) echo "Syntax: $0 [command]"; exit 1 ;;
esac
"""
UCI = '''\
import re
import sys
sys.path.insert(0, {helpers!r})
from uci_check import parse
arguments = sys.argv[1:]
folder = {root!r} + "/etc/config"
if arguments[:1] == ["-c"]:
    folder, arguments = arguments[1], arguments[2:]
if arguments[:1] != ["show"] or len(arguments) != 2:
    sys.exit("Usage: uci [<options>] <command> [<arguments>]")
# uci_check wants names, libuci does not
text = re.sub(r"(?m)^(config [A-Za-z0-9_-]+)\\s*$", r"\\1 anonymous", open(folder + "/" + arguments[1]).read())
for number in range(1, len(text.splitlines()) + 1):
    try:
        parse("\\n".join(text.splitlines()[:number]))
    except ValueError as error:
        sys.exit("uci: Parse error (invalid command) at line %d, byte 0" % number)
'''
FW4 = """\
if grep -q "'ALLOW'" ROOT/etc/config/firewall; then
  echo "Reference error: left-hand side expression is null" >&2
  exit 1
fi
"""
SERVICES = ("network", "dnsmasq", "firewall", "dropbear", "frr", "openvpn", "swanctl", "snmpd", "sqm", "sysntpd", "sysctl", "system")
ON = ("network", "dnsmasq", "firewall", "dropbear", "sysntpd", "sysctl", "system")


class FakeOpenwrt(SshBox):
    """``files`` are those that a person would look at; ``running`` is what services read."""

    shell = ["/usr/bin/busybox", "sh"] if Path("/usr/bin/busybox").exists() else ["/usr/bin/dash"]
    user, password = "root", "wrt-Pass_1"

    def __init__(self, root: Path, files: dict[str, str], version: str = "22.03.5") -> None:
        self.first, self.version = files, version
        super().__init__(root)
        self.ssh_connection = "192.168.9.9 50000 10.222.222.1 22"

    def furnish(self) -> None:
        for path, text in self.first.items():
            self.write(path, text)
        self.write("/etc/openwrt_release", f"DISTRIB_ID='OpenWrt'\nDISTRIB_RELEASE='{self.version}'\n")
        for folder in ("/.svc", "/tmp", "/etc/uci-defaults", "/etc/frr"):
            self.path(folder).mkdir(parents=True, exist_ok=True)
        self.write("/tmp/dhcp.leases", "1700000000 02:00:00:00:00:05 10.222.222.50 host5 01:02\n1700000000 02:00:00:00:00:06 10.222.222.51 * *\n")
        for name in SERVICES:
            self.program(f"/etc/init.d/{name}", INIT.replace("NAME", name))
            if name in ON:
                self.path(f"/.svc/{name}.on").touch()
        (self.path("/bin") / "wc").symlink_to(shutil.which("wc") or "/usr/bin/wc")
        self.program("/bin/sha256sum", "exec /usr/bin/sha256sum\n".replace("sum\n", 'sum "$@"\n'))
        self.program("/bin/chown", ":\n")
        self.write("/bin/uci.py", UCI.format(helpers=str(Path(__file__).parent), root=str(self.root)))
        self.program("/bin/uci", 'exec /usr/bin/python3 -S -E ROOT/bin/uci.py "$@"\n')
        self.program("/bin/fw4", FW4)
        self.program("/bin/vtysh", '! grep -n bogus "$3" || { echo "line 1: % Unknown command: bogus"; exit 2; }\n')
        self.program("/bin/sysupgrade", '[ "$1 $2" = "-b -" ] || exit 1\n/usr/bin/tar -cf - -C ROOT etc/config | /usr/bin/gzip\n')
        self.start()

    def start(self) -> None:
        """What is enabled reads its file."""
        for path in self.path("/.svc").glob("*.read"):
            path.unlink()
        for name in SERVICES:
            config = self.path(f"/etc/config/{name}")
            if self.path(f"/.svc/{name}.on").exists() and config.exists():
                shutil.copy(config, self.path(f"/.svc/{name}.read"))

    def boot(self) -> None:
        folder = self.path("/etc/uci-defaults")
        for path in sorted(folder.iterdir()):
            if self.run([str(self.path("/bin/sh")), str(path)], "").returncode == 0:
                path.unlink()
        self.start()

    def running(self, name: str) -> bytes | None:
        path = self.path(f"/.svc/{name}.read")
        return path.read_bytes() if path.exists() else None

    def files(self) -> dict[str, bytes]:
        """Everything under /etc that a deployment may touch."""
        found = {}
        for top in ("config", "frr", "sysctl.d", "openvpn", "swanctl"):
            for path in sorted(self.path(f"/etc/{top}").rglob("*")) if self.path(f"/etc/{top}").exists() else []:
                if path.is_file():
                    found[f"/{path.relative_to(self.root)}"] = path.read_bytes()
        return found

    def on(self) -> set[str]:
        return {path.stem for path in self.path("/.svc").glob("*.on")}

    @property
    def log(self) -> list[str]:
        path = self.path("/.log")
        return path.read_text().split() if path.exists() else []

    def left_behind(self) -> list[str]:
        return [str(path) for path in (self.path("/etc/routerlab"), self.path("/etc/uci-defaults/00_routerlab")) if path.exists()]

    def edit(self, path: str, old: str, new: str) -> None:
        """Somebody else, with `uci commit`: comments are gone afterwards."""
        text = self.path(path).read_text()
        assert old in text, (path, old)
        lines = [line for line in text.replace(old, new, 1).splitlines() if not line.startswith("#")]
        self.path(path).write_text("\n".join(lines).strip() + "\n\n")

    def hold(self, hold: bool = True) -> None:
        """Services take as long as this is on."""
        self.path("/.hold").touch() if hold else self.path("/.hold").unlink()
