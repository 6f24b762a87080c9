# Copyright: routerlab.bench contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""What a wrong description of a namespace lab gets: C(netns_cases/<case>.yml) and the messages in C(<case>.expected).

With UPDATE_EXPECTED=1 the expected files are written anew: read the difference before it is committed.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import netns_data
import pytest
import yaml
from ansible.module_utils.common.arg_spec import ArgumentSpecValidator

from ansible_collections.routerlab.bench.plugins.module_utils._netns_spec import check
from ansible_collections.routerlab.bench.plugins.modules import netns_lab

CASES = sorted((Path(__file__).parent / "netns_cases").glob("*.yml"))


@pytest.mark.parametrize("path", CASES, ids=lambda path: path.stem)
def test_every_mistake_is_named(path: Path) -> None:
    found = check(netns_data.complete(yaml.safe_load(path.read_text(encoding="utf-8"))["lab"]))
    expected = path.with_suffix(".expected")
    if os.environ.get("UPDATE_EXPECTED"):
        expected.write_text("".join(f"{line}\n" for line in found), encoding="utf-8")
    assert found == expected.read_text(encoding="utf-8").splitlines()
    assert found


def test_the_default_lab_has_no_mistake() -> None:
    assert check(netns_data.default_lab()) == []


def test_an_unknown_key_is_refused() -> None:
    result = ArgumentSpecValidator(netns_lab.argument_spec()).validate({"nodes": [{"name": "a", "role": "endpoint", "rotues": []}]})
    assert any("rotues" in message for message in result.error_messages)


def _shape(options: dict[str, Any], below: str) -> dict[str, Any]:
    """The part of an argument specification that decides what is valid."""
    keys = ("type", "elements", "required", "choices")
    shape: dict[str, Any] = {}
    for name, option in options.items():
        shape[name] = {key: option[key] for key in keys if option.get(key)}
        shape[name]["default"] = option.get("default")
        if option.get(below):
            shape[name]["of"] = _shape(option[below], below)
    return shape


def test_documentation_role_and_module_say_the_same() -> None:
    module = _shape(netns_lab.argument_spec(), "options")
    documented = _shape(yaml.safe_load(netns_lab.DOCUMENTATION)["options"], "suboptions")
    assert documented == module
    role = yaml.safe_load((netns_data.ROOT / "roles/netns_lab/meta/argument_specs.yml").read_text(encoding="utf-8"))
    options = role["argument_specs"]["main"]["options"]
    in_role = _shape(options["netns_lab"]["options"], "options")
    assert _shape(options, "options")["netns_lab_state"] == module.pop("state")
    for name in ("prefix", "nodes", "segments"):  # which the role wants, and the module can do without when it removes a lab
        assert in_role[name].pop("required")
        assert in_role[name].pop("default") is None
        module[name].pop("default")
    assert in_role == module


def test_missing_programs_are_named_with_their_package(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(netns_lab, "SBIN", str(tmp_path))  # a folder without any program
    assert netns_lab.missing({"nodes": []}) == [
        "program 'ethtool' is missing: install Debian package ethtool",
        "program 'ip' is missing: install Debian package iproute2",
        "program 'nsenter' is missing: install Debian package util-linux",
    ]
