#!/usr/bin/env python
# Copyright: routerlab.bench contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""How long 100 routers take to render, by the pure call and by the playbook, with peak memory.

  tests/benchmarks/render_100.py [number of routers] [room, or "all"]

Every router has the default lab's sections and its four profiles; all are checked and rendered. With "all" the
routers are spread over all rooms and all their versions; what a platform cannot carry is left out of its routers.
"""

from __future__ import annotations

import os
import re
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

import yaml

ROOT = Path(__file__).resolve().parents[2]
subprocess.run([str(ROOT / "scripts/link_collection")], check=True)
sys.path.insert(0, str(ROOT / ".ansible/collections"))

from ansible_collections.routerlab.bench.plugins.plugin_utils._lab_checks import require_lab
from ansible_collections.routerlab.bench.plugins.plugin_utils._lab_errors import LabError
from ansible_collections.routerlab.bench.plugins.plugin_utils._platforms import platforms
from ansible_collections.routerlab.bench.plugins.plugin_utils._render import RenderError, profiles_of, render_lab

LIMITS = {"one": {"base": 0.5, "playbook": 5.0, "memory": 200.0}, "all": {"base": 1.5, "playbook": 8.0, "memory": 200.0}}
PORTS = {"routeros": "ether{n}", "junos": "ge-0/0/{n}", "pfsense": "vtnet{n}", "opnsense": "vtnet{n}", "sixwind": "pci-b{n}s0", "sophos": "Port{n}"}
CLASSES = {"routeros": "chr", "junos": "srx", "openwrt": "x86"}


def lab_of(count: int, kinds: list[dict[str, Any]]) -> dict[str, Any]:
    """The default lab with many routers, each with networks of its own; the kinds of router take turns."""
    lab = yaml.safe_load((ROOT / "inventories/lab/group_vars/all/lab.yml").read_text(encoding="utf-8"))["lab"]
    model = lab["routers"][0]
    lab.update(networks=[], routers=[], endpoints=[], name="many")
    for name in ("interfaces", "dhcp"):
        lab["common"].pop(name)
    for number in range(count):
        nets = {"wan": f"10.{number}.0", "lan": f"10.{number}.1", "lan2": f"10.{number}.2"}
        lab["networks"] += [{"name": f"{name}_{number}", "subnet": f"{net}.0/24"} for name, net in nets.items()]
        interfaces = [{"name": name, "port": name, "network": f"{name}_{number}", "address": f"{net}.1/24"} for name, net in nets.items()]
        pools = [{"name": name, "start": f"{nets[name]}.100", "stop": f"{nets[name]}.200", "dns": ["10.53.53.53"]} for name in ("lan", "lan2")]
        own = {"name": f"r{number}", "interfaces": interfaces, "dhcp": {"enabled": True, "pools": pools}}
        lab["routers"].append({**model, **own, **kinds[number % len(kinds)]})
    return lab


def kinds_of(room: str) -> list[dict[str, Any]]:
    """Platform, version and ports of the routers; one kind for a room, all versions by turns for all rooms."""
    chosen = [(room, platforms()[room]["dialects"][0])] if room != "all" else []
    if room == "all":
        dialects = {name: platform["dialects"] for name, platform in platforms().items()}
        chosen = [(name, found[turn]) for turn in range(max(map(len, dialects.values()))) for name, found in dialects.items() if turn < len(found)]
    return [fitted(name, re.sub(r"\*", "1", re.sub(r"\[(.).*?\]", r"\1", dialect["versions"][0]))) for name, dialect in chosen]


def fitted(room: str, version: str) -> dict[str, Any]:
    """A kind of router with as much of the default lab as its platform carries: found out by asking the check and the room."""
    form = PORTS.get(room, "eth{n}")
    kind: dict[str, Any] = {"platform": room, "version": version, "device_class": CLASSES.get(room), "unconfirmed": room == "sixwind"}
    kind["ports"] = [{"name": name, "native": form.format(n=number)} for number, name in enumerate(("wan", "lan", "lan2"), start=1)]
    plain = {"enabled": True, "interfaces": [{"name": "wan", "network_type": "broadcast", "hello": 10, "dead": 40}]}
    bare = {**plain, "redistribute": [{"name": "connected", "enabled": False}]}
    for ospf in ({}, plain, bare, {"enabled": False}):
        lab = lab_of(1, [{**kind, "ospf": ospf, "profiles": []}])
        if carries(lab, None):
            names = [item["name"] for item in lab["profiles"]]
            every = lab_of(1, [{**kind, "ospf": ospf}])
            return {**kind, "ospf": ospf, "profiles": [name for name in names if carries(every, name)]}
    raise SystemExit(f"{room} {version}: carries nothing of the default lab")


def carries(lab: dict[str, Any], profile: str | None) -> bool:
    """Whether the lab's only router can be rendered with a profile."""
    one = {**lab, "profiles": [item for item in lab["profiles"] if item["name"] == profile]}
    try:
        require_lab(one, platforms())
        render_lab(one, "r0", profile, platforms())
    except (LabError, RenderError):
        return False
    return True


def pure(lab: dict[str, Any], every_profile: bool) -> float:
    """Seconds of the pure call, with warm templates as any process has them after its first router."""
    names = [router["name"] for router in lab["routers"]]
    for name in {router["platform"]: router["name"] for router in lab["routers"]}.values():
        render_lab(lab, name, None, platforms())
    begin = time.perf_counter()
    for name in names:
        for profile in [None, *(profiles_of(lab, name) if every_profile else [])]:
            render_lab(lab, name, profile, platforms())
    return time.perf_counter() - begin


def checked(lab: dict[str, Any]) -> float:
    begin = time.perf_counter()
    require_lab(lab, platforms())
    return time.perf_counter() - begin


def playbook(lab: dict[str, Any]) -> tuple[float, float, float, int]:
    """Seconds, seconds of CPU and peak memory (MB) of playbooks/render.yml, and how many files it wrote."""
    with tempfile.TemporaryDirectory() as folder:
        inventory = Path(folder) / "inventory"
        (inventory / "group_vars" / "all").mkdir(parents=True)
        hosts = {router["name"]: None for router in lab["routers"]}
        (inventory / "hosts.yml").write_text(yaml.safe_dump({"routers": {"hosts": hosts}}), encoding="utf-8")
        (inventory / "group_vars" / "all" / "lab.yml").write_text(yaml.safe_dump({"lab": lab}), encoding="utf-8")
        command = ["ansible-playbook", "playbooks/render.yml", "-i", str(inventory), "-e", f"router_build_dir={folder}/build"]
        path = f"{Path(sys.executable).parent}:{os.environ['PATH']}"
        begin = time.perf_counter()
        done = subprocess.run(command, cwd=ROOT, env={**os.environ, "PATH": path}, capture_output=True, text=True, check=False)
        seconds = time.perf_counter() - begin
        if done.returncode != 0:
            sys.exit(done.stdout[-3000:] + done.stderr[-3000:])
        used = resource.getrusage(resource.RUSAGE_CHILDREN)
        files = sum(1 for path in Path(folder, "build").rglob("*") if path.is_file())
        return seconds, used.ru_utime + used.ru_stime, used.ru_maxrss / 1024, files


def main() -> int:
    """Measure, print, and fail when a limit is passed."""
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 100
    room = sys.argv[2] if len(sys.argv) > 2 else "debian"
    limits = LIMITS["all" if room == "all" else "one"]
    lab = lab_of(count, kinds_of(room))
    if room == "all":
        print(f"{len(platforms())} rooms, {len({(item['platform'], item['version']) for item in lab['routers']})} versions")
    check, base, everything = checked(lab), pure(lab, False), pure(lab, True)
    seconds, cpu, memory, files = playbook(lab)
    own = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(f"{count} routers, pure call:  {base:.3f} s base description, {everything:.3f} s with every profile, check {check:.3f} s, peak {own:.0f} MB")
    words = f"{seconds:.2f} s ({cpu:.2f} s of CPU on {os.cpu_count()} cores, load {os.getloadavg()[0]:.1f}) for {files} files"
    print(f"{count} routers, playbook:   {words} (check, base and every profile), peak of one process {memory:.0f} MB")
    good = base <= limits["base"] and seconds <= limits["playbook"] and max(memory, own) <= limits["memory"]
    print("within the limits" if good or count != 100 else f"over a limit: {limits}")
    return 0 if good or count != 100 else 1


if __name__ == "__main__":
    sys.exit(main())
