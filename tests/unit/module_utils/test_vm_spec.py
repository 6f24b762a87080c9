# Copyright: routerlab.bench contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""What a wrong description of virtual machines gets: C(vm_cases/<case>.yml) and the messages in C(<case>.expected).

With UPDATE_EXPECTED=1 the expected files are written anew: read the difference before it is committed.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest
import yaml
from ansible.module_utils.common.arg_spec import ArgumentSpecValidator

from ansible_collections.routerlab.bench.plugins.module_utils._vm_argv import argv_of
from ansible_collections.routerlab.bench.plugins.module_utils._vm_image import located
from ansible_collections.routerlab.bench.plugins.module_utils._vm_process import paths
from ansible_collections.routerlab.bench.plugins.module_utils._vm_spec import check, check_images, management_mac
from ansible_collections.routerlab.bench.plugins.modules import vm_lab

ROOT = Path(__file__).resolve().parents[3]
CASES = sorted((Path(__file__).parent / "vm_cases").glob("*.yml"))


def complete(lab: dict[str, Any]) -> dict[str, Any]:
    """As the module sees it: with all defaults."""
    result = ArgumentSpecValidator(vm_lab.argument_spec()).validate(lab)
    assert not result.error_messages
    return result.validated_parameters


def default_lab() -> dict[str, Any]:
    fabric = yaml.safe_load((ROOT / "inventories/vm/group_vars/all/fabric.yml").read_text(encoding="utf-8"))
    images = yaml.safe_load((ROOT / "roles/vm_lab/defaults/main.yml").read_text(encoding="utf-8"))["vm_lab_images"]
    return complete({"images": images, **fabric["vm_lab"]})


@pytest.mark.parametrize("path", CASES, ids=lambda path: path.stem)
def test_every_mistake_is_named(path: Path) -> None:
    lab = complete(yaml.safe_load(path.read_text(encoding="utf-8"))["lab"])
    found = check(lab) + check_images(lab["images"])
    expected = path.with_suffix(".expected")
    if os.environ.get("UPDATE_EXPECTED"):
        expected.write_text("".join(f"{line}\n" for line in found), encoding="utf-8")
    assert found == expected.read_text(encoding="utf-8").splitlines()
    assert found


def test_the_vm_lab_has_no_mistake() -> None:
    lab = default_lab()
    assert check(lab) + check_images(lab["images"]) == []


def _shape(options: dict[str, Any], below: str) -> dict[str, Any]:
    keys = ("type", "elements", "required", "choices")
    shape: dict[str, Any] = {}
    for name, option in options.items():
        shape[name] = {key: option[key] for key in keys if option.get(key)}
        shape[name]["default"] = option.get("default")
        if option.get(below):
            shape[name]["of"] = _shape(option[below], below)
    return shape


def test_documentation_role_and_module_say_the_same() -> None:
    module = _shape(vm_lab.argument_spec(), "options")
    assert _shape(yaml.safe_load(vm_lab.DOCUMENTATION)["options"], "suboptions") == module
    role = yaml.safe_load((ROOT / "roles/vm_lab/meta/argument_specs.yml").read_text(encoding="utf-8"))
    machines = _shape(role["argument_specs"]["main"]["options"]["vm_lab"]["options"], "options")["machines"]["of"]
    assert machines == module["machines"]["of"]


def test_lab_model_and_wires_have_the_same_tags() -> None:
    lab = yaml.safe_load((ROOT / "inventories/vm/group_vars/all/lab.yml").read_text(encoding="utf-8"))["lab"]
    wires = {wire["port"]: wire.get("vlan") for wire in default_lab()["machines"][0]["nics"][0]["wires"]}
    assert {item["name"]: item["vlan"] for item in lab["networks"] if item.get("vlan")} == wires


def test_the_command_line_of_a_machine() -> None:
    lab = default_lab()
    check_images(lab["images"])
    machine, image = lab["machines"][0], located("/cache", "debian12", lab["images"]["debian12"])
    argv = argv_of("vm", machine, image, paths("vm", "dut"), "tcg")
    text = " ".join(argv)
    assert "hostfwd=tcp:127.0.0.1:2210-:22" in text and "restrict=on" in text
    assert text.index("netdev=management") < text.index("netdev=trunk"), "management is the first card"
    assert "fd={fd:trunk}" in text and "guest_tso4=off" in text and argv[-1] == "-S"
    assert "dut.qcow2,format=qcow2" in text and "snapshot=on" not in text
    clean = " ".join(argv_of("vm", {**machine, "persist": False}, image, paths("vm", "dut"), "kvm"))
    assert "format=raw,snapshot=on" in clean and "-accel kvm -cpu host" in clean and "qcow2" not in clean


def test_management_addresses_are_local_and_stay_the_same() -> None:
    assert management_mac("vm", "dut") == management_mac("vm", "dut") != management_mac("vm2", "dut")
    assert management_mac("vm", "dut").startswith("52:54:00:")
