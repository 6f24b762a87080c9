# Copyright: routerlab.bench contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Rendering: what a template may do, which artifacts there are, how it fails."""

from __future__ import annotations

import functools
from pathlib import Path
from typing import Any

import pytest
import yaml

from ansible_collections.routerlab.bench.plugins.plugin_utils._platforms import platforms
from ansible_collections.routerlab.bench.plugins.plugin_utils._render import (
    RenderError,
    environment,
    keep_compiled,
    part_of,
    platform_of,
    profiles_of,
    render_lab,
    render_router,
)

MODEL: dict[str, Any] = {
    "name": "r1",
    "platform": "x",
    "version": "2.1",
    "dialect": "2",
    "managed": True,
    "flags": {"yes": True, "no": False},
    "secrets": ["hush hush"],
    "system": {"hostname": "r1"},
    "things": {"many": [{"name": "a", "value": 1}, {"name": "b", "value": 2}]},
}


@pytest.fixture()
def room(tmp_path: Path) -> Any:
    """Makes a platform from templates; returns what it renders to."""

    def make(artifacts: list[dict[str, Any]], texts: dict[str, str], **more: Any) -> list[Any]:
        for name, text in texts.items():
            (tmp_path / name).write_text(text)
        environment.cache_clear()
        dialects = [{"name": "2", "versions": ["2.*"], **more}, {"name": "1", "versions": ["1.*"]}]
        return render_router(MODEL, {"templates_path": str(tmp_path), "artifacts": artifacts, "dialects": dialects})

    return make


def one(**more: Any) -> list[dict[str, Any]]:
    return [{"name": "n", "template": "t.j2", "file": "f", "path": "/etc/f", **more}]


def test_an_artifact_is_its_text_and_where_it_goes(room: Any) -> None:
    (artifact,) = room(one(mode="0600", owner="o", group="g", secret=True, check="c", step="s"), {"t.j2": "host {{ m.system.hostname }}\n"})
    assert (artifact.text, artifact.path, artifact.mode, artifact.owner, artifact.group, artifact.secret) == ("host r1\n", "/etc/f", "0600", "o", "g", True)
    assert artifact.deploy == {"check": "c", "step": "s"}


def test_blocks_leave_no_blank_lines(room: Any) -> None:
    (artifact,) = room(one(), {"t.j2": "{% for item in m.things.many %}\n  {% if item.value %}\n{{ item.name }}\n  {% endif %}\n{% endfor %}\n"})
    assert artifact.text == "a\nb\n"


@pytest.mark.parametrize(("wanted", "count"), [("yes", 1), ("no", 0)])
def test_a_flag_decides(room: Any, wanted: str, count: int) -> None:
    assert len(room(one(when=wanted), {"t.j2": ""})) == count


def test_an_unknown_flag_is_an_error(room: Any) -> None:
    with pytest.raises(RenderError, match="asks for the flag 'perhaps'"):
        room(one(when="perhaps"), {"t.j2": ""})


@pytest.mark.parametrize(("names", "count"), [(["1"], 0), (["1", "2"], 1)])
def test_an_artifact_of_some_dialects(room: Any, names: list[str], count: int) -> None:
    assert len(room(one(dialects=names), {"t.j2": ""})) == count


def test_each_thing_has_its_artifact(room: Any) -> None:
    spec = [{"name": "n-{name}", "template": "t.j2", "file": "{name}.conf", "path": "/etc/{name}", "each": "things.many", "instance": "{name}"}]
    found = room(spec, {"t.j2": "{{ m.item.value }}"})
    assert [(item.name, item.file, item.path, item.text, item.deploy) for item in found] == [
        ("n-a", "a.conf", "/etc/a", "1", {"instance": "a"}),
        ("n-b", "b.conf", "/etc/b", "2", {"instance": "b"}),
    ]
    assert "item" not in MODEL


def test_a_dialect_replaces_templates_that_are_included_too(room: Any) -> None:
    templates = {"t.j2": 'A {% include "part.j2" %}', "part.j2": "old", "part_2.j2": "new"}
    assert room(one(), templates)[0].text == "A old"
    assert room(one(), templates, templates={"part.j2": "part_2.j2"})[0].text == "A new"


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("line\n{{ m.system.nothing }}", "r1: n: template t.j2 line 2: 'dict object' has no attribute 'nothing'"),
        ("{{ undefined }}", "'undefined' is undefined"),
        ("{{ m.system.hostname | default('x') }}", "No filter named 'default'"),
        ("{{ range(3) }}", "'range' is undefined"),
        ("{% for x in m.things %}", "line 1: Unexpected end of template"),
        ('{% include "missing.j2" %}', "missing.j2"),
    ],
)
def test_a_template_that_fails_is_named_with_its_line(room: Any, text: str, words: str) -> None:
    with pytest.raises(RenderError) as raised:
        room(one(), {"t.j2": text})
    assert words in str(raised.value)


def test_an_error_in_an_included_template_names_that_one(room: Any) -> None:
    with pytest.raises(RenderError, match=r"template part.j2 line 3"):
        room(one(), {"t.j2": 'A {% include "part.j2" %}', "part.j2": "\n\n{{ m.x.y }}"})


def test_a_text_that_cannot_be_quoted_stops_without_showing_a_secret(room: Any) -> None:
    with pytest.raises(RenderError) as raised:
        room(one(), {"t.j2": "{{ ('a \"b\" hush hush') | nft }}"})
    assert str(raised.value).startswith("r1: n (f): ") and "cannot be written in nftables" in str(raised.value)
    assert "hush" not in str(raised.value)


def test_a_template_may_refuse(room: Any) -> None:
    with pytest.raises(RenderError, match="r1: n .f.: there is no such thing here"):
        room(one(), {"t.j2": "{{ 'there is no such thing here' | refuse }}"})


@functools.lru_cache(maxsize=1)
def default_lab() -> dict[str, Any]:
    path = Path(__file__).resolve().parents[3] / "inventories/lab/group_vars/all/lab.yml"
    lab = yaml.safe_load(path.read_text(encoding="utf-8"))["lab"]
    lab["routers"][0]["version"] = "12"
    return lab


@pytest.mark.parametrize("profile", [None, "routing", "nat", "firewall_stateful", "firewall_zone"])
def test_a_part_of_a_lab_renders_to_the_same(profile: str | None) -> None:
    lab = default_lab()
    part = part_of(lab, "dut")
    assert render_lab(part, "dut", profile, platforms()) == render_lab(lab, "dut", profile, platforms())
    assert [item["name"] for item in part["routers"]] == ["dut"]
    assert "far" not in [item["name"] for item in part["networks"]]


def test_compiled_templates_are_shared_and_give_the_same(tmp_path: Path) -> None:
    lab = default_lab()
    before = render_lab(lab, "dut", "nat", platforms())
    keep_compiled(str(tmp_path))
    try:
        assert render_lab(lab, "dut", "nat", platforms()) == before
        assert list(tmp_path.iterdir())
        environment.cache_clear()
        assert render_lab(lab, "dut", "nat", platforms()) == before
    finally:
        keep_compiled_nowhere()


def keep_compiled_nowhere() -> None:
    from ansible_collections.routerlab.bench.plugins.plugin_utils import _render

    _render._compiled.clear()
    environment.cache_clear()


def test_nothing_is_rendered_for_somebody_elses_router() -> None:
    with pytest.raises(RenderError, match="upstream is not managed"):
        render_lab(default_lab(), "upstream", None, platforms())


def test_unknown_things_are_named() -> None:
    with pytest.raises(RenderError, match="no router 'nobody'; it has dut, upstream"):
        profiles_of(default_lab(), "nobody")
    with pytest.raises(RenderError, match="no platform 'y'; there are x"):
        platform_of({**MODEL, "platform": "y"}, {"x": {}})
    with pytest.raises(RenderError, match="x does not know version '9'"):
        platform_of({**MODEL, "version": "9", "dialect": None}, {"x": {}})


@pytest.mark.parametrize("template", sorted(str(path) for path in (Path(__file__).resolve().parents[3] / "roles").glob("*/templates/*.j2")))
def test_templates_do_no_arithmetic(template: str) -> None:
    import jinja2

    tree = jinja2.Environment().parse(Path(template).read_text(encoding="utf-8"))
    kinds = (jinja2.nodes.Sub, jinja2.nodes.Mul, jinja2.nodes.Div, jinja2.nodes.FloorDiv, jinja2.nodes.Mod, jinja2.nodes.Pow, jinja2.nodes.Neg)
    found = [f"{type(node).__name__} in line {node.lineno}" for kind in kinds for node in tree.find_all(kind)]
    assert not found, "what is computed is computed in the model"
