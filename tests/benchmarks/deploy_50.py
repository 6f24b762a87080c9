#!/usr/bin/env python
# Copyright: routerlab.bench contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""How long 50 VyOS routers take to deploy in one run with 25 forks, with memory; the routers are played by one process on this machine.

  tests/benchmarks/deploy_50.py [number of routers] [forks]

Three runs: check mode, the first deployment, a second one that changes nothing. Every router has the default lab's sections.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path
from typing import Any

import yaml

ROOT = Path(__file__).resolve().parents[2]
FAKE = ROOT / "tests/unit/helpers/fake_vyos.py"


def lab_of(count: int) -> dict[str, Any]:
    """The default lab with many VyOS routers, each with networks of its own."""
    lab = yaml.safe_load((ROOT / "inventories/lab/group_vars/all/lab.yml").read_text(encoding="utf-8"))["lab"]
    lab.update(networks=[], routers=[], endpoints=[], name="many", profiles=[])
    for name in ("interfaces", "dhcp"):
        lab["common"].pop(name)
    for number in range(1, count + 1):
        nets = {"wan": f"10.{number}.0", "lan": f"10.{number}.1", "lan2": f"10.{number}.2"}
        lab["networks"] += [{"name": f"{name}_{number}", "subnet": f"{net}.0/24"} for name, net in nets.items()]
        own: dict[str, Any] = {"name": f"r{number}", "platform": "vyos", "version": "1.4.2", "management": {"interfaces": ["eth7"]}}
        own["ports"] = [{"name": name, "native": f"eth{index}"} for index, name in enumerate(nets)]
        own["interfaces"] = [{"name": name, "port": name, "network": f"{name}_{number}", "address": f"{net}.1/24"} for name, net in nets.items()]
        pools = [{"name": name, "start": f"{nets[name]}.100", "stop": f"{nets[name]}.200", "dns": ["10.53.53.53"]} for name in ("lan", "lan2")]
        lab["routers"].append({**own, "dhcp": {"enabled": True, "pools": pools}})
    return lab


def wait_for(path: Path, process: subprocess.Popen[bytes]) -> Any:
    for _attempt in range(600):
        if path.exists():
            return json.loads(path.read_text(encoding="utf-8"))
        if process.poll() is not None:
            raise SystemExit("the routers did not start")
        time.sleep(0.1)
    raise SystemExit("the routers did not start in time")


def memory_of(top: int) -> float:
    """Proportional memory of a process and everything below it, in MB: what forks share counts once."""
    children: dict[int, list[int]] = {}
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                children.setdefault(int((entry / "stat").read_text().rpartition(")")[2].split()[1]), []).append(int(entry.name))
            except OSError:
                continue
    total, todo = 0, [top]
    while todo:
        pid = todo.pop()
        todo += children.get(pid, [])
        try:
            found = re.search(r"^Pss:\s+(\d+)", Path(f"/proc/{pid}/smaps_rollup").read_text(encoding="ascii"), re.MULTILINE)
            total += int(found[1]) if found else 0
        except OSError:
            continue
    return total / 1024


def run(command: list[str], environment: dict[str, str]) -> tuple[float, float, str]:
    """Seconds, peak memory and output of one ansible-playbook."""
    begin, peak = time.perf_counter(), 0.0
    with subprocess.Popen(command, cwd=ROOT, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT) as process:
        watching = threading.Event()

        def watch() -> None:
            nonlocal peak
            while not watching.wait(0.5):
                peak = max(peak, memory_of(process.pid))

        threading.Thread(target=watch, daemon=True).start()
        output = process.communicate()[0].decode(errors="replace")
        watching.set()
    if process.returncode:
        print(output[-6000:])
        raise SystemExit(f"{' '.join(command)}: {process.returncode}")
    return time.perf_counter() - begin, peak, output


def main() -> None:
    arguments = [int(argument) for argument in sys.argv[1:3]]
    count, forks = [*arguments, *(50, 25)[len(arguments) :]]
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        fake = subprocess.Popen([sys.executable, str(FAKE), "--state", str(folder / "state"), "--count", str(count)])
        try:
            routers = wait_for(folder / "state/routers.json", fake)
            measure(folder, routers, count, forks)
        finally:
            fake.terminate()
            fake.wait()


def measure(folder: Path, routers: list[dict[str, Any]], count: int, forks: int) -> None:
    inventory = folder / "inventory"
    (inventory / "group_vars/all").mkdir(parents=True)
    hosts = {item["name"]: {"ansible_port": item["port"], "ansible_password": item["password"]} for item in routers}
    common = {"ansible_host": "127.0.0.1", "ansible_user": "vyos", "router_known_hosts": str(folder / "state/known_hosts")}
    (inventory / "hosts.yml").write_text(yaml.safe_dump({"routers": {"hosts": hosts, "vars": common}}), encoding="utf-8")
    (inventory / "group_vars/all/lab.yml").write_text(yaml.safe_dump({"lab": lab_of(count)}), encoding="utf-8")
    options = ["-i", str(inventory), "-e", f"router_build_dir={folder}/build", "-e", f"router_backup_dir={folder}/backup", "-f", str(forks)]
    environment = {**os.environ, "PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}"}
    run(["ansible-playbook", "playbooks/render.yml", *options], environment)
    deploy = ["ansible-playbook", "playbooks/deploy.yml", *options, "-e", "render=false"]
    for title, more, changed in (("check mode", ["--check"], count), ("first deployment", [], count), ("second deployment", [], 0)):
        seconds, peak, output = run([*deploy, *more], environment)
        found = len(re.findall(r"^r\d+ +: .*changed=1 .*unreachable=0 .*failed=0 ", output, re.MULTILINE))
        logins = output.count("lost")
        print(f"{title}: {count} routers, {forks} forks: {seconds:.1f} s, {seconds / count * 1000:.0f} ms a router, peak {peak:.0f} MB", flush=True)
        if found != changed or logins:
            print(output[-4000:])
            raise SystemExit(f"{found} routers changed, {changed} expected; {logins} connections lost")


if __name__ == "__main__":
    main()
