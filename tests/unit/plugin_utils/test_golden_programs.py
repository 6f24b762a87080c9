# Copyright: routerlab.bench contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The golden files of room debian, read by the programs that a router reads them with.

Every file goes through the check that platform.yml gives it, by the driver's own function, in a network namespace of
its own that holds the devices' names. Where a program is missing, the test says so and is skipped.
"""

from __future__ import annotations

import os
import re
import stat
import subprocess
from pathlib import Path
from typing import Any, Iterator

import pytest
from golden_cases import Case, cases

from ansible_collections.routerlab.bench.plugins.module_utils._drivers import _command
from ansible_collections.routerlab.bench.plugins.module_utils._drivers._checks import check_candidate
from ansible_collections.routerlab.bench.plugins.module_utils._drivers._files import FileChange
from ansible_collections.routerlab.bench.plugins.plugin_utils._lab_model import resolve_router
from ansible_collections.routerlab.bench.plugins.plugin_utils._platforms import platforms
from ansible_collections.routerlab.bench.plugins.plugin_utils._render import Artifact, platform_of, render_router

pytestmark = pytest.mark.skipif(os.geteuid() != 0, reason="the programs run in a network namespace of their own, which needs root")

IFUPDOWN2 = Path("/var/cache/routerlab/ifupdown2")
# Debian's ifupdown2 is not installed (it would replace the host's ifupdown): its tree is run where it lies.
IFUP = f"""#!/bin/sh
exec unshare --net --mount sh -c 'mount -t tmpfs none /etc/network && cp -r {IFUPDOWN2}/etc/network/. /etc/network/ && mkdir -p /run/network &&
exec /usr/bin/python3 -c "import sys; tree = \\"{IFUPDOWN2}/usr/share/ifupdown2\\"; sys.path.insert(0, tree); sys.argv[0] = \\"ifup\\"
exec(compile(open(tree + \\"/__main__.py\\").read(), \\"ifup\\", \\"exec\\"))" "$@"' ifup "$@"
"""
WORDS = re.compile(r"\b(vtysh|kea-dhcp4|dhcpd|nft|sshd|ifup|openvpn|wg-quick|bash|sh|test)\b")


def _files() -> Iterator[Any]:
    """Every different file that has a check, once."""
    seen = set()
    for case, lab in cases("debian"):
        model = resolve_router(lab, case.router, case.profile, platforms())
        for artifact in render_router(model, platform_of(model, platforms())):
            key = (artifact.name, artifact.text, artifact.deploy.get("check"))
            if artifact.deploy.get("check") and key not in seen:
                seen.add(key)
                yield pytest.param(case, artifact, [item["native"] for item in model["interfaces"]], id=f"{case.name}/{artifact.file}")


def _run_check(artifact: Artifact, text: str, interfaces: list[str], folder: Path) -> str | None:
    candidate = folder / artifact.file
    candidate.write_text(text)
    spec = dict(artifact.deploy)
    if artifact.name == "nftables":
        # rules are checked against a kernel; the host's own tables are none of our business
        spec["check"], spec["check_in"] = spec["check"], "interfaces"
    change = FileChange(artifact.name, artifact.path or "", None, None, text.encode(), 0o644, 0, 0, artifact.secret, spec)
    return check_candidate(change, str(candidate), interfaces)


@pytest.fixture()
def programs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Makes ifup runnable, and gives the folder for candidates."""
    wrapper = tmp_path / "bin" / "ifup"
    wrapper.parent.mkdir()
    wrapper.write_text(IFUP)
    wrapper.chmod(0o755)
    monkeypatch.setattr(_command, "SEARCH", f"{wrapper.parent}:{_command.SEARCH}")
    return tmp_path


def _needs(artifact: Artifact) -> None:
    for word in WORDS.findall(artifact.deploy["check"]):
        if _command.find(word) is None:
            pytest.skip(f"{word} is not installed")
    if artifact.name == "interfaces" and not IFUPDOWN2.is_dir():
        pytest.skip(f"there is no {IFUPDOWN2}; scripts/setup puts it there")
    if "flowtable" in artifact.text and not _has_flowtables():
        pytest.skip("this kernel has no nf_flow_table")


def _has_flowtables() -> bool:
    rules = "table inet t { flowtable f { hook ingress priority 0; devices = { lo }; } }"
    return subprocess.run(["unshare", "--net", "nft", "-c", rules], capture_output=True, check=False).returncode == 0


FILES = list(_files())


@pytest.mark.parametrize(("case", "artifact", "interfaces"), FILES)
def test_its_own_program_reads_it(case: Case, artifact: Artifact, interfaces: list[str], programs: Path) -> None:
    _needs(artifact)
    assert _run_check(artifact, artifact.text, interfaces, programs) is None


SPOILT = {
    "interfaces": ("mtu 1500", "mtu 15000"),
    "nftables": ("masquerade", "masqerade"),
    "frr": ("router-id", "router-ix"),
    "kea": ('"valid-lifetime": 600', '"valid-lifetime": "long"'),
    "isc": ("range ", "rang "),
    "sshd": ("Port", "Prt"),
    "timezone": ("/", "/No"),
    "frr_daemons": ('"', "'"),
    "shaper": ("done", "don"),
    "tuning": ("}", ""),
    "openvpn-tun0": ("auth ", "auht "),
    "wireguard-wg0": ("AllowedIPs", "AlowedIPs"),
}


@pytest.mark.parametrize("name", sorted(SPOILT))
def test_its_own_program_refuses_a_spoilt_one(name: str, programs: Path) -> None:
    old, new = SPOILT[name]
    fitting = [param.values for param in FILES if param.values[1].name == name and old in param.values[1].text and "flowtable" not in param.values[1].text]
    assert fitting, f"no golden file {name} holds {old!r}"
    _case, artifact, interfaces = fitting[0]
    _needs(artifact)
    words = _run_check(artifact, artifact.text.replace(old, new, 1), interfaces, programs)
    assert words is not None
    assert "is refused by its own program" in words
    assert stat.S_ISDIR(os.stat(programs).st_mode)
