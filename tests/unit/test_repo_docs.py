# Copyright: routerlab.bench contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""What the pages tell people to type exists, links lead somewhere, and the metadata agree with each other."""
from __future__ import annotations

import re
import subprocess
from pathlib import Path

import pytest
import yaml

ROOT = Path(__file__).resolve().parents[2]
SKIPPED = {".ansible", ".venv", ".git", "build", "results", "node_modules"}
PAGES = sorted(path for path in ROOT.rglob("*.md") if not SKIPPED & set(path.relative_to(ROOT).parts) and "golden" not in path.parts)


def name_of(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


def commands(text: str) -> list[str]:
    """The lines of a page's shell blocks, continued lines joined, comments and prompts taken off."""
    blocks = re.findall(r"^```(?:shell|sh|bash|console)\n(.*?)^```", text, re.MULTILINE | re.DOTALL)
    lines = "".join(blocks).replace("\\\n", " ").splitlines()
    return [line for line in (re.sub(r"(?:^[$#]\s+|\s+#\s.*$)", "", line).strip() for line in lines) if line]


def make_targets() -> set[str]:
    return set(re.findall(r"^([a-z][a-z-]*):", (ROOT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE))


def missing_from(command: str) -> list[str]:
    """The parts of a command that name something of ours which does not exist."""
    words = command.split()
    found = []
    if "make" in words[:2]:
        target = words[words.index("make") + 1 :][:1]
        found += [word for word in target if word not in make_targets()]
    for word in words:
        path = word.strip("'\"")
        if re.match(r"(?:\./)?(?:playbooks|inventories|scripts|\.ci|docs|tests|templates|roles|meta)/[^<>$*{]+$", path):
            found += [path] if not (ROOT / path).exists() else []
        playbook = re.fullmatch(r"routerlab\.bench\.([a-z_]+)", path)
        if playbook and words[0] == "ansible-playbook" and not (ROOT / "playbooks" / (playbook.group(1) + ".yml")).exists():
            found.append(path)
    return found


@pytest.mark.parametrize("page", PAGES, ids=name_of)
def test_what_a_page_says_to_type_exists(page: Path) -> None:
    bad = ["%s: %s" % (command, missing_from(command)) for command in commands(page.read_text(encoding="utf-8")) if missing_from(command)]
    assert not bad, "\n".join(bad)


def test_a_command_that_does_not_exist_is_seen() -> None:
    assert commands("```shell\n$ make bench \\\n  ARGS=1   # words\n```\n") == ["make bench    ARGS=1"]
    assert missing_from("sudo make everything") == ["everything"]
    assert missing_from("ansible-playbook playbooks/nothing.yml -i inventories/nowhere") == ["playbooks/nothing.yml", "inventories/nowhere"]
    assert missing_from("ansible-playbook routerlab.bench.nothing") == ["routerlab.bench.nothing"]


@pytest.mark.parametrize("page", PAGES, ids=name_of)
def test_links_lead_somewhere(page: Path) -> None:
    targets = re.findall(r"\]\(([^)#\s]+)(?:#[^)\s]*)?\)", page.read_text(encoding="utf-8"))
    local = [target for target in targets if not re.match(r"[a-z]+:", target)]
    assert not [target for target in local if not (page.parent / target).exists()]


def test_the_readme_names_the_two_commands() -> None:
    typed = commands((ROOT / "README.md").read_text(encoding="utf-8"))
    assert "make bench" in typed
    assert "make test" in typed


def test_make_help_lists_every_target() -> None:
    shown = subprocess.run(["make", "--no-print-directory", "-C", str(ROOT), "help"], capture_output=True, text=True, check=True).stdout
    assert set(re.findall(r"^  make ([a-z-]+)", shown, re.MULTILINE)) == make_targets()


def test_every_stage_of_ci_has_its_script_and_its_sentence() -> None:
    text = (ROOT / ".ci/run").read_text(encoding="utf-8")
    stages = re.search(r"^STAGES=\((.*)\)$", text, re.MULTILINE)
    assert stages
    files = {path.name: path.read_text(encoding="utf-8").splitlines() for path in (ROOT / ".ci/stages").iterdir()}
    assert set(stages.group(1).split()) == set(files)
    assert not [name for name, lines in files.items() if not lines[4].startswith("# ")]


def test_metadata_agree() -> None:
    galaxy = yaml.safe_load((ROOT / "galaxy.yml").read_text(encoding="utf-8"))
    runtime = yaml.safe_load((ROOT / "meta/runtime.yml").read_text(encoding="utf-8"))
    requirements = (ROOT / "requirements.txt").read_text(encoding="utf-8")
    assert galaxy["dependencies"] == {}
    assert galaxy["license"] == ["GPL-3.0-or-later"]
    assert "GNU GENERAL PUBLIC LICENSE" in (ROOT / "LICENSE").read_text(encoding="utf-8")[:200]
    assert "v" + galaxy["version"] in (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    lowest = runtime["requires_ansible"].removesuffix(".0")
    assert "ansible-core%s" % lowest in requirements
    assert (ROOT / "changelogs/fragments" / (galaxy["version"] + ".yml")).exists() or (ROOT / "changelogs/changelog.yaml").exists()


def test_the_execution_environment_names_files_that_exist() -> None:
    environment = yaml.safe_load((ROOT / "meta/execution-environment.yml").read_text(encoding="utf-8"))
    assert all((ROOT / path).is_file() for path in environment["dependencies"].values())
