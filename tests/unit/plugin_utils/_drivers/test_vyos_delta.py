# Copyright: routerlab.bench contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""From every rendered configuration of VyOS and EdgeOS to every other one of the same router: pure, with all golden files."""
from __future__ import annotations

import itertools
import subprocess
from pathlib import Path
from typing import Iterator

import pytest

from ansible_collections.routerlab.bench.plugins.plugin_utils._drivers import _vyos_delta as deltas
from ansible_collections.routerlab.bench.plugins.plugin_utils._platforms import platforms
from ansible_collections.routerlab.bench.plugins.plugin_utils._vyos_config import Path as Words
from ansible_collections.routerlab.bench.plugins.plugin_utils._vyos_config import parse_commands, unique
from ansible_collections.routerlab.bench.plugins.plugin_utils._vyos_schema import schema

ROOT = Path(__file__).resolve().parents[4]
THEIRS = parse_commands(
    "set interfaces ethernet eth7 address 192.0.2.1/24\nset interfaces ethernet eth0 hw-id 52:54:00:00:00:01\nset interfaces ethernet eth0 vif 4000 mtu 1400\n"
    "set system login user vyos authentication encrypted-password x\nset protocols bgp 65000 neighbor 10.1.1.1 remote-as 65001\n"
)


def _cases() -> Iterator[tuple[str, str, Path]]:
    """Platform, dialect, and the folder that holds the profiles of one lab."""
    for platform in ("vyos", "edgeos"):
        for folder in sorted((ROOT / "tests/golden" / platform).glob("*/*")):
            if any(folder.glob("*/*/config.set")):
                yield platform, folder.name, folder


def _profiles(folder: Path) -> dict[str, list[Words]]:
    """What each profile renders for each router, by router and profile."""
    found: dict[str, list[Words]] = {}
    for path in sorted(folder.glob("*/*/config.set")):
        secret = path.with_name("secrets.set")
        text = path.read_text(encoding="utf-8") + (secret.read_text(encoding="utf-8") if secret.exists() else "")
        found[f"{path.parent.name}/{path.parent.parent.name}"] = unique(parse_commands(text))
    return found


def _on_another_vlan(path: Words, wanted: list[Words]) -> bool:
    """A VLAN interface that the profile does not have cannot be told from somebody else's, and stays (docs/drivers.md)."""
    return path[0] == "interfaces" and path[3:4] == ("vif",) and path[:5] not in {other[:5] for other in wanted}


@pytest.mark.parametrize(("platform", "dialect", "folder"), [pytest.param(*case, id="-".join([case[0], case[1], case[2].parent.name])) for case in _cases()])
def test_nothing_of_the_last_profile_stays(platform: str, dialect: str, folder: Path) -> None:
    root = schema(platform, dialect)
    prefixes = [tuple(item.split()) for item in platforms()[platform]["owned"]]
    profiles = _profiles(folder)
    for first, second in itertools.product(profiles, repeat=2):
        if first.split("/")[0] != second.split("/")[0]:
            continue
        running = unique([*THEIRS, *profiles[first]])
        wanted = profiles[second]
        change = deltas.delta(running, wanted, deltas.owned_paths(running, wanted, prefixes, root), root)
        # a bare node (`interfaces loopback lo`) is also there when something stands in it
        after = set(unique(change.after() | set(wanted)))
        left = {path for path in after - set(THEIRS) - set(wanted) if not _on_another_vlan(path, wanted)}
        assert not left and after >= {*THEIRS, *wanted}, (first, second, change.commands())
        assert change.empty or first != second
        held = [path for path in running if any(path[: len(cut)] == cut for cut in change.deletes)]
        assert set(held) <= set(change.gone), "what is deleted takes nothing else along"


def test_the_script_is_a_script(tmp_path: Path) -> None:
    """A real bash runs it; values come through as they are, and the first line that is refused ends it."""
    for verb in ("set", "delete"):
        stub = tmp_path / f"my_{verb}"
        log = f'printf "%s|" {verb} "$@" >>{tmp_path}/log; echo >>{tmp_path}/log'
        stub.write_text(f'#!/bin/bash\n{log}\ncase "$*" in *bad*) echo "Set failed"; exit 1 ;; esac\n')
        stub.chmod(0o755)
    odd = ("interfaces", "ethernet", "eth0", "description", "it's $HOME `id` \"x\" \\ & é")
    text = deltas.script([("delete", ("a", "b")), ("set", odd), ("set", ("bad", "line")), ("set", ("never",))])
    environment = {"vyatta_sbindir": str(tmp_path), "PATH": "/usr/bin:/bin"}
    done = subprocess.run(["bash", "-s"], input=text, capture_output=True, text=True, check=False, env=environment)
    assert done.stdout == "routerlab-refused 3\nSet failed\n" and done.returncode == 1
    assert (tmp_path / "log").read_text() == "delete|a|b|\nset|" + "|".join(odd) + "|\nset|bad|line|\n"
