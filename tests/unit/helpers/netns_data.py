# Copyright: routerlab.bench contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Descriptions of namespace labs for the tests."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import yaml
from ansible.module_utils.common.arg_spec import ArgumentSpecValidator

from ansible_collections.routerlab.bench.plugins.modules.netns_lab import argument_spec

ROOT = Path(__file__).resolve().parents[3]
DEFAULT_LAB = ROOT / "inventories/lab/group_vars/all/fabric.yml"


def complete(lab: dict[str, Any]) -> dict[str, Any]:
    """A description with every default filled in, by Ansible's own validation."""
    result = ArgumentSpecValidator(argument_spec()).validate(json.loads(json.dumps(lab)))
    assert not result.error_messages, result.error_messages
    return dict(result.validated_parameters)


def default_lab(prefix: str = "lab") -> dict[str, Any]:
    """The lab of inventories/lab, as it is on Debian."""
    lab = yaml.safe_load(DEFAULT_LAB.read_text(encoding="utf-8"))["netns_lab"]
    for node in lab["nodes"]:
        if isinstance(node.get("tools"), str):  # Jinja that asks which distribution this is
            node["tools"] = ["ifupdown2"]
    return complete({**lab, "prefix": prefix})
