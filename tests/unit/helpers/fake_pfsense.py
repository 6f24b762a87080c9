# Copyright: routerlab.bench contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""A router that plays pfSense or OPNsense: config.xml, a PHP that reads it, a reload that takes time, a start that reads it anew.

Modelled on: pfsense/pfsense RELENG_2_4_0 to RELENG_2_7_2: rc.initial (the login shell: `sh -c $1`, unquoted before 2.5), xmlparse.inc (which
elements may be there more than once: the list of `pfsense_check`; names in any case; what it says of others), rc.reload_all, rc.start_packages,
pfSense-rc (empties /tmp, runs /etc/rc.custom_boot_early before it reads config.xml); opnsense/core 19.7 to 26.7.2: opnsense-shell
(csh -c), Core/Config.php (simplexml), rc.reload_all, rc.syshook (early).

What is in force is the file as the last reload or start read it (`running`). It does nothing else with it: no interface changes and no packet
passes. The shell is this machine's (`fake_ssh_box`), with programs of FreeBSD's names.
"""
from __future__ import annotations

from pathlib import Path
from typing import Any

from fake_ssh_box import SshBox
from pfsense_check import LISTS

PHP = '''\
import sys, xml.parsers.expat as expat
LISTS, KIND = {lists!r}, {kind!r}
def fail(words):
    print(words)
    sys.exit(1)
if len(sys.argv) != 4 or sys.argv[1] != "-f":
    fail("this php runs the check of a configuration and nothing else")
script = open(sys.argv[2]).read()
wanted = "parse_xml_config(" if KIND == "pfsense" else "simplexml_load_string("
if wanted not in script or not script.startswith("<?php"):
    fail("PHP Parse error: this is no script that the check consists of")
counts, roots = [{{}}], []
def begin(tag, attributes):
    name = tag.lower()
    if KIND == "pfsense" and name not in LISTS and name in counts[-1]:
        print("PHP Fatal error:  Uncaught Exception: XML error: %s at line %d cannot occur more than once" % (tag.upper(), parser.CurrentLineNumber))
        sys.exit(255)
    counts[-1][name] = 1
    roots.append(name)
    counts.append({{}})
parser = expat.ParserCreate()
parser.StartElementHandler = begin
parser.EndElementHandler = lambda tag: counts.pop()
try:
    parser.Parse(open(sys.argv[3], "rb").read(), True)
except expat.ExpatError as error:
    fail("XML error: %s at line %d" % (expat.ErrorString(error.code), error.lineno))
if KIND == "pfsense" and roots[0] != "pfsense":
    fail("parse_xml_config does not take this file")
'''
RELOAD = """\
echo reload >>ROOT/.log
while [ -e ROOT/.hold ]; do sleep 0.05; done
if [ -e ROOT/.break ]; then cat ROOT/.break; exit 255; fi
cp {config} ROOT/.running
"""
# daemon(8) leaves the session, gives its child the null device, and is done at once
DAEMON = '[ "$1" = -f ] && shift || { echo "daemon: only -f is known here" >&2; exit 1; }\n/usr/bin/setsid "$@" </dev/null >/dev/null 2>&1 &\n'
STATE = {
    "uname": "14.0-CURRENT",
    "pfctl": "Status: Enabled\n\nState Table                          Total             Rate\n  current entries                       12",
    "ifconfig": (
        "vtnet9: flags=8863<UP,BROADCAST,RUNNING,SIMPLEX,MULTICAST> metric 0 mtu 1500\n"
        "\toptions=80028<VLAN_MTU,JUMBO_MTU,LINKSTATE>\n\tether 02:00:00:00:00:09\n\tinet 192.168.9.1 netmask 0xffffff00 broadcast 192.168.9.255"
    ),
    "netstat": "Routing tables\n\nInternet:\nDestination        Gateway            Flags     Netif Expire\n"
    "default            10.253.253.1       UGS    vtnet0.5\n"
    "10.254.254.0/24    10.253.253.1       UG1    vtnet0.5\n192.168.9.0/24     link#9             U        vtnet9",
}


class FakePfsense(SshBox):
    """``running`` is what the router works by; ``config`` is its file."""

    kind = "pfsense"
    config_path = "/cf/conf/config.xml"

    def __init__(self, root: Path, config: bytes, version: str = "2.6.0", patch: str = "0") -> None:
        self.first, self.version, self.patch = config, version, patch
        super().__init__(root)

    def furnish(self) -> None:
        self.write(self.config_path, self.first)
        self.path("/tmp").mkdir(exist_ok=True)
        self.path("/etc").mkdir(exist_ok=True)
        self.program("/bin/sha256", '[ "$1" = -q ] || exit 1\n/usr/bin/sha256sum "$2" | /usr/bin/cut -c 1-64\n')
        self.program("/bin/daemon", DAEMON)
        self.write("/bin/php.py", PHP.format(lists=sorted(LISTS), kind=self.kind))
        self.program("/usr/local/bin/php", 'exec /usr/bin/python3 -S -E ROOT/bin/php.py "$@"\n')
        for name, text in STATE.items():
            self.program(f"/bin/{name}", f"/usr/bin/cat <<'END'\n{text}\nEND\n")
        boot = 'kern.boottime) echo "{ sec = 1700000000, usec = 1 } now";;'
        self.program("/bin/sysctl", f'case "$2" in {boot} hw.ncpu) echo 2;; hw.model) echo QEMU;; *) exit 1;; esac\n')
        self.system()
        self.read_in()

    def system(self) -> None:
        """What is pfSense's alone."""
        self.write("/etc/version", f"{self.version}-RELEASE\n")
        self.write("/etc/version.patch", f"{self.patch}\n")
        self.write("/usr/local/pkg/frr.inc", "<?php")
        self.program("/etc/rc.reload_all", RELOAD.format(config=self.path(self.config_path)))
        self.program("/etc/rc.start_packages", "echo packages >>ROOT/.log\n")

    def login_shell(self, command: str) -> list[str]:
        """`/bin/sh -c $1`: before 2.5 a command falls apart into words."""
        if self.version.startswith("2.4"):
            return [*self.shell, "-c", *command.split()]
        return super().login_shell(command)

    @property
    def config(self) -> bytes:
        return self.path(self.config_path).read_bytes()

    @property
    def running(self) -> bytes:
        return self.path("/.running").read_bytes()

    @property
    def log(self) -> list[str]:
        path = self.path("/.log")
        return path.read_text().split() if path.exists() else []

    def history(self) -> list[bytes]:
        """Old configurations that the router keeps."""
        return [path.read_bytes() for path in sorted((self.path(self.config_path).parent / "backup").glob("config-*.xml"))]

    def read_in(self) -> None:
        self.path("/.running").write_bytes(self.config)

    def hook_path(self) -> Path:
        return self.path("/etc/rc.custom_boot_early")

    def boot(self) -> None:
        if self.hook_path().exists():
            self.run([str(self.path("/bin/sh")), str(self.hook_path())], "")
        self.read_in()

    def left_behind(self) -> list[str]:
        """What a deployment must not leave."""
        conf = self.path(self.config_path).parent
        return [str(path) for path in (conf / "routerlab", self.hook_path()) if path.exists()]

    def edit(self, old: bytes, new: bytes) -> None:
        """Somebody else changes the file, with the interface's own way of saving: the cache is new, too."""
        assert old in self.config, old
        self.path(self.config_path).write_bytes(self.config.replace(old, new, 1))
        self.read_in()

    def hold(self, hold: bool = True) -> None:
        """A reload takes as long as this is on."""
        self.path("/.hold").touch() if hold else self.path("/.hold").unlink()


class FakeOpnsense(FakePfsense):
    """The same, with OPNsense's places."""

    kind = "opnsense"
    config_path = "/conf/config.xml"
    user, password = "root", "opn-Sense_1"

    def system(self) -> None:
        self.program("/bin/opnsense-version", f'[ "$1" = -v ] && echo {self.version}\n')
        self.program("/bin/configctl", 'echo "configctl.$1.$2" >>ROOT/.log\necho OK\n')
        self.program("/usr/local/etc/rc.reload_all", RELOAD.format(config=self.path(self.config_path)))
        for name in ("Quagga", "Netsnmp"):
            self.path(f"/usr/local/opnsense/service/templates/OPNsense/{name}").mkdir(parents=True)
        self.path("/usr/local/etc/rc.syshook.d/early").mkdir(parents=True)

    def login_shell(self, command: str) -> list[str]:
        return SshBox.login_shell(self, command)

    def hook_path(self) -> Path:
        return self.path("/usr/local/etc/rc.syshook.d/early/01-routerlab")


def fake(kind: str, root: Path, config: bytes, **more: Any) -> FakePfsense:
    return (FakeOpnsense if kind == "opnsense" else FakePfsense)(root, config, **more)
