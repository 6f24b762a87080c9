# Copyright: routerlab.bench contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The shell scripts that room debian renders, run in a network namespace of their own on cards that are veths."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest
from golden_cases import Case, expected

NEEDED = ("unshare", "ip", "tc", "ethtool")
MISSING = [name for name in NEEDED if shutil.which(name, path=os.environ["PATH"] + ":/usr/sbin:/sbin") is None]
pytestmark = [
    pytest.mark.skipif(os.geteuid() != 0, reason="network namespaces need root"),
    pytest.mark.skipif(bool(MISSING), reason=f"not installed: {MISSING}"),
]

CARDS = "for i in 0 1 3; do ip link add eth$i type veth peer name p$i; ip link set p$i up; done; ip link set lo up"


def script(folder: Path, lab: str, profile: str | None, router: str, file: str, dialect: str = "12") -> Path:
    path = folder / f"{profile}-{file}"
    path.write_bytes(expected(Case("debian", lab, dialect, profile, router))[file])
    return path


def inside(commands: str) -> list[str]:
    """The output of commands in a namespace with three cards, a /run and a /sys of its own."""
    whole = f"mount -t tmpfs none /run; mount -t sysfs none /sys; {CARDS}; export PATH=$PATH:/usr/sbin:/sbin\n{commands}"
    done = subprocess.run(["unshare", "--net", "--mount", "sh", "-euc", whole], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout.splitlines()


@pytest.mark.parametrize(("lab", "profile"), [("shaper_tunnels", None), ("shaper_tunnels", "layered"), ("shaper_tunnels", "openvpn")])
def test_tc_knows_the_words_for_cake(lab: str, profile: str | None, tmp_path: Path) -> None:
    text = script(tmp_path, lab, profile, "dut", "shaper").read_text()
    words = re.findall(r"^    cake \S+ (\d+) (.*)$", text, re.MULTILINE)
    assert words
    for rate, more in words:
        done = subprocess.run(["unshare", "--net", "tc", "qdisc", "add", "dev", "lo", "root", "cake", "bandwidth", f"{rate}kbit", *more.split()],
                              capture_output=True, text=True, check=False)
        # a kernel without cake says so; a word that tc does not know is another error
        assert done.returncode == 0 or "Specified qdisc kind is unknown" in done.stderr, done.stderr


def test_the_shaper_shapes_both_ways_and_goes_away(tmp_path: Path) -> None:
    path = script(tmp_path, "shaper_tunnels", "fq_codel", "dut", "shaper")
    # a kernel without fq_codel still shows the rest
    path.write_text(re.sub(r"fq_codel$", "pfifo", path.read_text(), flags=re.MULTILINE))
    show = "tc qdisc show | grep -v noqueue | cut -d ' ' -f 2,3,4,5"
    shaped = ["htb 1: dev eth0", "ingress ffff: dev eth0", "htb 1: dev shape0"]
    first = f"sh {path} start 2>/dev/null; {show}; sh {path} start eth0 2>/dev/null; {show}"
    lines = inside(f"{first}; sh {path} start nothing; sh {path} stop; echo gone; {show} || :")
    before, _gone, after = "\n".join(lines).partition("\ngone")
    assert [line for line in before.splitlines() if not line.startswith("pfifo")] == shaped * 2
    assert after == ""


def test_tuning_gives_back_what_was_there(tmp_path: Path) -> None:
    off = script(tmp_path, "dhcp_wan_nat_zones", "offload_off", "dut", "tuning")
    off.write_text(re.sub(r"^offload \S+ lro .*\n", "", off.read_text(), flags=re.MULTILINE))  # a veth has no LRO
    on = tmp_path / "on"
    on.write_text(off.read_text().replace(" off\n", " on\n"))
    show = "for i in 0 1; do ethtool -k eth$i | sed -n 's/^\\(tcp-segmentation\\|generic-receive\\)-offload: \\(o[nf]*\\).*/\\2/p'; done | tr '\\n' ' '; echo"
    first = "ethtool -K eth0 tso on gro off; ethtool -K eth1 tso off gro on"
    lines = inside(f"{first}; {show}; sh {off} >&2; {show}; sh {on} >&2; {show}; sh {on} >&2; sh {on} restore >&2; {show}; sh {on} restore; ls /run/routerlab")
    assert [line.split() for line in lines] == [["on", "off", "off", "on"], ["off"] * 4, ["on"] * 4, ["on", "off", "off", "on"], ["tuning.undo.now"]]


def test_a_card_that_cannot_say_what_it_has_is_not_set(tmp_path: Path) -> None:
    path = script(tmp_path, "own", "tuned", "dut", "tuning")
    path.write_text(re.sub(r"enp\ds0", "eth0", path.read_text()))
    lines = inside(f"sh {path} 2>&1 || echo rc $?; cat /run/routerlab/tuning.undo 2>/dev/null | grep -c ring || :; sh {path} restore")
    assert any("does not say what it has now" in line for line in lines) and "rc 1" in lines


def test_interfaces_by_iproute2(tmp_path: Path) -> None:
    path = script(tmp_path, "plain_loopback", None, "r1", "interfaces.sh", dialect="22.04")
    less = tmp_path / "less"
    less.write_text("".join(line for line in path.read_text().splitlines(keepends=True) if "eth3" not in line).replace("lo 172.16.255.1/32", "lo"))
    show = "ip -4 -br address show | grep -v '^p' | sed 's/@[a-z0-9]*//' | awk '{$2=\"\"; print}'; cat /sys/class/net/eth1/mtu; echo ."
    drift = "ip address del 172.16.1.254/24 dev eth1; ip address add 192.0.2.9/24 dev eth1; ip link set eth1 mtu 1400 down"
    lines = inside(f"sh {path}; {show}; {drift}; sh {path}; {show}; sh {less}; {show}; cat /sys/class/net/eth3/operstate")
    states = "\n".join(lines).split("\n.")
    whole = ["lo  127.0.0.1/8 172.16.255.1/32", "eth0  10.1.10.3/24", "eth1  172.16.1.254/24", "eth3  172.16.2.254/24", "1500"]
    assert [line.strip() for line in states[0].split("\n")] == whole
    assert states[1].strip() == states[0].strip()
    assert [line.strip() for line in states[2].strip().split("\n")] == ["lo  127.0.0.1/8", *whole[1:3], "1500"]
    assert states[3].strip() == "down"


def test_a_missing_card_is_named(tmp_path: Path) -> None:
    path = script(tmp_path, "trunk", None, "dut", "interfaces.sh", dialect="22.04")
    path.write_text(path.read_text().replace("eth0", "eth7").replace("sleep 0.5", "sleep 0.01"))
    assert "this machine has no device eth7" in inside(f"sh {path} 2>&1 || :")


def test_a_lease_leaves_the_resolvers_of_the_lab(tmp_path: Path) -> None:
    """dhclient-script defines make_resolv_conf, reads the hooks, and calls it with each lease."""
    hook, resolv = script(tmp_path, "dhcp_wan_nat_zones", None, "dut", "dhclient"), tmp_path / "resolv.conf"
    define, call = f"make_resolv_conf() {{ echo 'nameserver 192.0.2.1' >{resolv}; }}", "make_resolv_conf"
    for commands, written in ((f"{define}; {call}", True), (f"{define}; . {hook}; {call}", False)):
        resolv.unlink(missing_ok=True)
        subprocess.run(["sh", "-euc", commands], check=True)
        assert resolv.exists() == written
