# Copyright: routerlab.bench contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Whatever a lab holds, the checks answer and never stumble; and a lab without problems always resolves."""

from __future__ import annotations

import copy
import json
from typing import Any

import lab_data
import yaml
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from ansible_collections.routerlab.bench.plugins.plugin_utils._lab_checks import check_lab
from ansible_collections.routerlab.bench.plugins.plugin_utils._lab_merge import merge
from ansible_collections.routerlab.bench.plugins.plugin_utils._lab_model import resolve_router
from ansible_collections.routerlab.bench.plugins.plugin_utils._lab_yaml import scan

LABS = {name: lab_data.named_lab(name) for name in ("small", "full")}
QUICK = settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large])

# words and numbers that mean something somewhere in a lab, so that a change is not always refused at once
WORDS = st.sampled_from(
    [
        "wan", "lan", "lan2", "lo", "wg0", "tun0", "trunk", "backbone", "left", "right", "r1", "r2", "dhcp", "auto", "none", "10", "22",
        "0.0.0.9", "10.1.0.1", "10.1.0.1/24", "10.1.0.0/24", "0.0.0.0/0", "192.0.2.0/31", "192.0.2.2", "10.77.0.0/24", "accept", "drop",
        "zones", "stateful", "ALL", "LOCAL", "WAN", "linux", "limited", "12", "1.1", "eth0", "eth1.10", "a/b",
    ]
)
SCALARS = st.one_of(WORDS, st.text(max_size=6), st.integers(-2, 2**40), st.booleans(), st.none(), st.floats(allow_nan=True), st.dates())
ANYTHING = st.recursive(
    SCALARS,
    lambda inner: st.one_of(
        st.lists(inner, max_size=3),
        st.dictionaries(st.one_of(WORDS, st.sampled_from(["name", "address", "interfaces"]), st.integers(), st.booleans()), inner, max_size=3),
        st.fixed_dictionaries({"name": WORDS}),
    ),
    max_leaves=6,
)


def places(value: Any) -> list[tuple[Any, Any]]:
    """Every (container, key) of a lab."""
    keys: list[Any] = list(value) if isinstance(value, dict) else list(range(len(value))) if isinstance(value, list) else []
    return [(value, key) for key in keys] + [place for key in keys for place in places(value[key])]


@st.composite
def broken_labs(draw: st.DrawFn, change: st.SearchStrategy[Any]) -> dict[str, Any]:
    """A sound lab with a few things replaced, taken out, doubled or put in."""
    lab = copy.deepcopy(LABS[draw(st.sampled_from(sorted(LABS)))])
    for _number in range(draw(st.integers(1, 3))):
        found = places(lab)
        if not found:
            break
        container, key = found[draw(st.integers(0, len(found) - 1))]
        action = draw(st.sampled_from(["replace", "replace", "remove", "twice"]))
        if action == "replace":
            container[key] = draw(change)
        elif action == "remove":
            del container[key]
        elif isinstance(container, list):
            container.append(copy.deepcopy(container[key]))
        else:
            container[draw(WORDS)] = draw(change)
    return lab


def hold(lab: dict[str, Any]) -> None:
    """The promises: an answer in single lines; and when there is none, a model for every router and profile that any program can read."""
    before = repr(lab)
    problems = check_lab(lab, lab_data.PLATFORMS)
    for problem in problems:
        assert str(problem).isprintable() and problem.code and problem.path.startswith("lab")
        assert "hidden-word" not in str(problem)
    if not problems:
        for router in lab["routers"]:
            wanted = router.get("profiles")
            for profile in [None, *(item["name"] for item in lab.get("profiles") or [] if wanted is None or item["name"] in wanted)]:
                model = resolve_router(lab, router["name"], profile, lab_data.PLATFORMS)
                assert json.loads(json.dumps(model, allow_nan=False).encode("utf-8")) == model
    assert repr(lab) == before, "the lab itself is not changed"


@QUICK
@given(broken_labs(ANYTHING))
def test_anything_anywhere(lab: dict[str, Any]) -> None:
    hold(lab)


@QUICK
@given(broken_labs(WORDS))
def test_likely_words_at_wrong_places(lab: dict[str, Any]) -> None:
    hold(lab)


@QUICK
@given(ANYTHING)
def test_anything_at_all(lab: Any) -> None:
    assert isinstance(check_lab(lab, lab_data.PLATFORMS), list)


def test_every_near_miss_resolves() -> None:
    for path in sorted((lab_data.LABS.parent).glob("*.yml")):
        case = yaml.safe_load(path.read_text(encoding="utf-8"))
        if "right" in case and not str(case.get("base")).startswith("seed_"):
            hold(merge(LABS[case["base"]] if case.get("base") else {}, case["right"]))


@QUICK
@given(st.text(max_size=60))
def test_any_text_is_scanned(text: str) -> None:
    scan(text, "x.yml")


@QUICK
@given(broken_labs(ANYTHING))
def test_what_a_loader_writes_in_quotes_is_never_complained_about(lab: dict[str, Any]) -> None:
    text = yaml.safe_dump({"lab": lab}, default_style='"')
    kinds = {problem.code for problem in scan(text, "x.yml").problems}
    assert kinds <= {"YAML_DUPLICATE_KEY"}
