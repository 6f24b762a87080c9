# Copyright: routerlab.bench contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""What is generated is up to date; the page's example is sound; the JSON Schema fits the labs and refuses what is none."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path
from typing import Any, Iterator

import jsonschema
import lab_data
import pytest
import yaml

from ansible_collections.routerlab.bench.plugins.plugin_utils._lab_check_values import FORMATS, RANGES, REQUIRED
from ansible_collections.routerlab.bench.plugins.plugin_utils._lab_checks import check_lab
from ansible_collections.routerlab.bench.plugins.plugin_utils._lab_json_schema import lab_json_schema, table_key
from ansible_collections.routerlab.bench.plugins.plugin_utils._lab_schema import lab_spec

ROOT = lab_data.ROOT
LABS = [*sorted(lab_data.LABS.glob("*.yml")), *sorted((ROOT / "inventories").glob("*/group_vars/all/lab.yml"))]
KNOWN = {"type", "required", "description", "default", "choices", "elements", "options", "no_log"}


def options(spec: dict[str, Any], path: str = "") -> Iterator[tuple[str, dict[str, Any]]]:
    """Every option of the schema with its path."""
    for name, option in spec.items():
        here = f"{path}.{name}" if path else name
        yield here, option
        yield from options(option.get("options") or {}, here)


def test_nothing_that_is_generated_has_drifted() -> None:
    done = subprocess.run([sys.executable, str(ROOT / "scripts/generate"), "--check"], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


def test_every_option_says_what_it_is() -> None:
    odd = [path for path, option in options(lab_spec()) if set(option) - KNOWN or not str(option.get("description")).endswith(".")]
    assert odd == []


def test_the_tables_of_values_speak_of_options_that_exist() -> None:
    known = {table_key(path) for path, _option in options(lab_spec())}
    assert {*RANGES, *FORMATS, *REQUIRED} - known == set()


def test_every_number_has_a_range() -> None:
    free = {table_key(path) for path, option in options(lab_spec()) if option["type"] == "int" and "choices" not in option} - set(RANGES)
    assert free == set()


def test_secrets_are_marked_for_ansible() -> None:
    marked = {path.rsplit(".", 1)[-1] for path, option in options(lab_spec()) if option.get("no_log")}
    unmarked = {path.rsplit(".", 1)[-1] for path, option in options(lab_spec()) if not option.get("no_log")}
    assert marked == {"community", "private_key", "secret"}
    assert not marked & unmarked


def test_the_example_of_the_page_is_sound() -> None:
    text = (ROOT / "docs/model.md").read_text(encoding="utf-8")
    lab = yaml.safe_load(re.findall(r"```yaml\n(lab:.*?)```", text, re.DOTALL)[0])["lab"]
    platforms = {"vyos": lab_data.stand_in(), "routeros": lab_data.stand_in()}
    assert check_lab(lab, platforms) == []


@pytest.mark.parametrize("path", LABS, ids=lambda path: str(path.relative_to(ROOT)))
def test_the_json_schema_fits_the_labs(path: Path) -> None:
    jsonschema.Draft202012Validator(lab_json_schema()).validate({"lab": lab_data.read_lab(path)})


@pytest.mark.parametrize(
    "change",
    [
        {"titel": "x"},
        {"name": 5},
        {"networks": [{"name": "x", "vlan": 4095}]},
        {"networks": [{"vlan": 5}]},
        {"common": {"firewall": {"mode": "open"}}},
        {"common": {"ospf": {"enabled": "yes"}}},
        {"common": {"dhcp": {"pools": {"name": "x"}}}},
        {"routers": [{"name": "x", "version": 12}]},
        {"profiles": [{"name": "x", "changes": {"tuning": {"queues": 0}}}]},
    ],
)
def test_the_json_schema_refuses(change: dict[str, Any]) -> None:
    validator = jsonschema.Draft202012Validator(lab_json_schema())
    with pytest.raises(jsonschema.ValidationError):
        validator.validate({"lab": {**lab_data.named_lab("small"), **change}})


def test_the_json_schema_lets_jinja_and_null_be() -> None:
    change = {"networks": "{{ them }}", "common": {"ospf": {"enabled": "{{ x }}", "area": None}, "firewall": {"mode": "{{ mode }}"}, "tuning": None}}
    jsonschema.Draft202012Validator(lab_json_schema()).validate({"lab": {**lab_data.named_lab("small"), **change}})


def test_the_published_schema_is_valid_itself() -> None:
    jsonschema.Draft202012Validator.check_schema(json.loads((ROOT / "docs/schema/lab.schema.json").read_text()))
