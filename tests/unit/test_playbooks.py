# Copyright: routerlab.bench contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Playbooks and roles, run for real, where they must stop: what they say and how they end."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PLAYBOOK = Path(sys.executable).with_name("ansible-playbook")


ENDPOINT = """- hosts: localhost
  connection: local
  gather_facts: false
  vars: {ansible_python_interpreter: '{{ ansible_playbook_python }}'}
  tasks: [{ansible.builtin.include_role: {name: routerlab.bench.endpoint}}]
"""


def play(*words: str) -> tuple[int, str]:
    """Exit status of ansible-playbook, and all that it printed, as one line."""
    environment = {**os.environ, "ANSIBLE_NOCOLOR": "1", "ANSIBLE_FORCE_COLOR": "0", "ANSIBLE_LOCALHOST_WARNING": "0"}
    done = subprocess.run([PLAYBOOK, *words], cwd=ROOT, env=environment, stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False)
    return done.returncode, " ".join((done.stdout + done.stderr).split())


def test_a_traffic_host_names_the_packages_that_it_lacks(tmp_path: Path) -> None:
    book = tmp_path / "book.yml"
    book.write_text(ENDPOINT, encoding="utf-8")
    status, text = play(str(book), "-e", '{"endpoint_programs": ["python3", "swanctl", "xprog"], "endpoint_install": false}')
    assert status == 2
    assert "localhost lacks swanctl (Debian package strongswan-swanctl), xprog." in text


def test_a_program_that_is_only_wanted_is_not_missed(tmp_path: Path) -> None:
    book = tmp_path / "book.yml"
    book.write_text(ENDPOINT, encoding="utf-8")
    wanted = '{"endpoint_programs": ["python3"], "endpoint_wanted": ["xwanted", "netperf"], "endpoint_install": false}'
    assert play(str(book), "-e", wanted)[0] == 0


def test_a_traffic_host_names_the_congestion_controls_that_it_has(tmp_path: Path) -> None:
    book = tmp_path / "book.yml"
    book.write_text(ENDPOINT, encoding="utf-8")
    status, text = play(str(book), "-e", '{"endpoint_programs": [], "endpoint_congestion": ["cubic", "cubicc"]}')
    assert status == 2
    assert "localhost has no congestion control cubicc (No such file or directory; net.ipv4.tcp_available_congestion_control: " in text
    assert "cubic" in text.split("tcp_available_congestion_control: ")[1].split(").")[0].split()


PLAN = ("playbooks/bench.yml", "-i", "inventories/lab", "--check")


def test_a_run_refuses_its_options_before_anything_is_built() -> None:
    status, text = play(*PLAN, "-e", "bench_trails=9", "-e", "bench_on_gate_failure=foo", "-e", "bench_ports=many")
    assert status == 2
    assert "bench_trails: there is no option of this name" in text and "did you mean bench_trials?" in text
    assert "bench_on_gate_failure: 'foo': cannot be used. Valid: measure, skip." in text
    assert "bench_ports: 'many': cannot be used. Valid: a whole number." in text


def test_a_resumed_run_refuses_what_its_plan_does_not_say(tmp_path: Path) -> None:
    suite = tmp_path / "short.yml"
    suite.write_text((ROOT / ".ci/suite.yml").read_text(encoding="utf-8"), encoding="utf-8")
    book = tmp_path / "plan.yml"
    book.write_text((ROOT / "playbooks/bench.yml").read_text(encoding="utf-8").split("- name: Build the namespace lab")[0], encoding="utf-8")
    shutil.copy(ROOT / "playbooks/inventory.yml", tmp_path)
    words = (str(book), "-i", "inventories/lab", "-e", f"bench_results_dir={tmp_path}/results")
    assert play(*words)[0] == 0
    (run,) = (tmp_path / "results").iterdir()
    status, text = play(*words, "-e", f"bench_resume={run}", "-e", "bench_trials=9", "-e", f"bench_suite={suite}", "-e", "bench_seed=1")
    assert status == 2
    assert all(f"{name}:" in text for name in ("bench_suite", "bench_trials", "bench_seed")) and "Valid: quick." in text
    assert play(*words, "-e", f"bench_resume={run}", "-e", "bench_suite=quick")[0] == 0


def test_a_report_without_its_charts_is_a_failure_that_keeps_the_tables(tmp_path: Path) -> None:
    run = Path(shutil.copytree(ROOT / "tests/fixtures/runs/killed", tmp_path / "killed"))
    (run / "charts").write_text("a file where the folder should be", encoding="utf-8")
    status, text = play("playbooks/report.yml", "-e", f"bench_run={run}")
    assert status == 2
    assert "not all of the report could be written: cannot write " in text and "charts/" in text
    assert all((run / name).stat().st_size for name in ("summary.json", "summary.csv", "report.md", "report.html", "report.error.txt"))


@pytest.mark.parametrize("book", ["bench", "deploy", "render", "verify"])
def test_a_mistyped_inventory_is_an_error(book: str) -> None:
    status, text = play(f"playbooks/{book}.yml", "-i", "inventories/labb")
    assert status == 2
    assert f"The inventory {ROOT}/inventories/labb has no host in its group 'routers'. There is no {ROOT}/inventories/labb: is the path after -i right?" in text


def test_an_inventory_without_routers_is_an_error(tmp_path: Path) -> None:
    hosts = tmp_path / "hosts.yml"
    hosts.write_text("all: {hosts: {lan: {}}}\n", encoding="utf-8")
    status, text = play("playbooks/render.yml", "-i", str(hosts))
    assert status == 2
    assert "has no host in its group 'routers'. A lab needs the groups routers and endpoints" in text


def test_a_mistyped_profile_is_answered_with_those_that_there_are(tmp_path: Path) -> None:
    words = ("-i", "inventories/lab", "-e", f"router_build_dir={tmp_path}")
    assert play("playbooks/render.yml", *words)[0] == 0
    status, text = play("playbooks/deploy.yml", *words, "-e", "render=false", "-e", "router_profile=natt", "--check")
    assert status == 2
    assert "router_profile: dut has no profile natt; valid: firewall_stateful, firewall_zone, nat, routing (did you mean nat?)." in text


@pytest.mark.parametrize(
    ("release", "file", "tools"),
    [("debian_13", "interfaces", ["ifupdown2"]), ("ubuntu_22_04", "interfaces.sh", []), ("ubuntu_24_04", "interfaces.sh", [])],
)
def test_the_default_lab_needs_ifupdown2_only_where_there_is_one(release: str, file: str, tools: list[str], tmp_path: Path) -> None:
    """The nodes run this machine's programs: what the router's dialect writes and what its node is given go together."""
    words = ("-i", "inventories/lab", "-e", f"lab_os_release={ROOT}/tests/fixtures/os_release/{release}", "-e", f"router_build_dir={tmp_path}")
    assert play("playbooks/render.yml", *words)[0] == 0
    assert {"interfaces", "interfaces.sh"} & {path.name for path in (tmp_path / "lab/dut").iterdir()} == {file}
    book = tmp_path / "book.yml"
    book.write_text("- hosts: localhost\n  gather_facts: false\n  tasks: [{debug: {msg: 'tools {{ netns_lab.nodes[0].tools }}'}}]\n", encoding="utf-8")
    assert f"tools {tools}" in play(str(book), *words)[1]
