# Copyright: routerlab.bench contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Which way the layers may look. Read from the imports in the source; nothing is executed."""
from __future__ import annotations

import ast
import sys
from pathlib import Path
from typing import Collection, Iterator, NamedTuple

import pytest

ROOT = Path(__file__).resolve().parents[2]
COLLECTION = "ansible_collections.routerlab.bench."


class Import(NamedTuple):
    """One imported module, by its full name (the collection's own start at ``plugins.``)."""

    name: str
    line: int
    guarded: bool


def _absolute(node: ast.ImportFrom, module: str) -> str:
    """The full name of what a ``from x import y`` reads from."""
    if not node.level:
        return node.module or ""
    base = module.split(".")[: -node.level]
    return ".".join([*base, node.module] if node.module else base)


def _names(node: ast.AST, module: str) -> Iterator[str]:
    if isinstance(node, ast.Import):
        for alias in node.names:
            yield alias.name
    elif isinstance(node, ast.ImportFrom):
        origin = _absolute(node, module)
        for alias in node.names:
            yield "%s.%s" % (origin, alias.name)


def _is_type_checking(node: ast.AST) -> bool:
    return isinstance(node, ast.If) and "TYPE_CHECKING" in ast.dump(node.test)


def imports(source: str, module: str = "plugins.x.y") -> list[Import]:
    """Every import of a file, wherever in the file it stands; guarded = inside ``try`` or a function."""
    found: list[Import] = []

    def walk(node: ast.AST, guarded: bool) -> None:
        for child in ast.iter_child_nodes(node):
            if _is_type_checking(child):
                continue
            for name in _names(child, module):
                short = name[len(COLLECTION):] if name.startswith(COLLECTION) else name
                found.append(Import(short, getattr(child, "lineno", 0), guarded))
            walk(child, guarded or isinstance(child, (ast.Try, ast.FunctionDef, ast.AsyncFunctionDef)))

    walk(ast.parse(source), False)
    return found


def _module_name(path: Path) -> str:
    return ".".join(path.relative_to(ROOT).with_suffix("").parts)


def _tree(folder: str) -> dict[str, list[Import]]:
    return {
        str(path.relative_to(ROOT)): imports(path.read_text(encoding="utf-8"), _module_name(path))
        for path in sorted((ROOT / folder).rglob("*.py"))
    }


def _offenders(folder: str, forbidden: list[str], allowed: Collection[str] = ()) -> list[str]:
    """Files below a folder that import a forbidden name; a name may be given with its prefix only."""
    return [
        "%s:%d imports %s" % (path, item.line, item.name)
        for path, items in _tree(folder).items()
        for item in items
        if any(item.name.startswith(name) for name in forbidden) and not any(item.name.startswith(name) for name in allowed)
    ]


# folder: the names that it must not import, and the exceptions to that
RULES = [
    pytest.param(
        "plugins/module_utils/_methods",
        ["plugins.module_utils._drivers", "plugins.module_utils._power", "plugins.plugin_utils"],
        set(),
        id="methods-know-no-driver",
    ),
    pytest.param(
        "plugins/module_utils/_power",
        ["plugins.module_utils._methods", "plugins.module_utils._record", "plugins.module_utils._drivers", "plugins.plugin_utils"],
        set(),
        id="who-holds-the-plug-knows-no-metric",
    ),
    pytest.param(
        "plugins/module_utils/_drivers",
        ["plugins.module_utils._methods", "plugins.module_utils._record", "plugins.plugin_utils"],
        set(),
        id="drivers-know-no-method-and-no-metric",
    ),
    pytest.param(
        "plugins/plugin_utils/_drivers",
        ["plugins.module_utils._methods", "plugins.module_utils._record", "plugins.plugin_utils._report", "plugins.plugin_utils._gate"],
        set(),
        id="drivers-on-the-controller-neither",
    ),
    pytest.param(
        "plugins/plugin_utils/_report",
        ["plugins.", "ansible."],
        {"plugins.plugin_utils._report", "plugins.plugin_utils._stats", "plugins.plugin_utils._run_folder", "plugins.module_utils._record"},
        id="the-report-knows-only-the-record",
    ),
    pytest.param(
        "plugins/module_utils",
        ["plugins.plugin_utils", "plugins.modules", "plugins.action"],
        set(),
        id="what-runs-on-targets-stays-there",
    ),
    pytest.param("plugins/module_utils", ["ansible."], {"ansible.module_utils"}, id="targets-have-no-controller"),
    pytest.param(
        "plugins/modules",
        ["ansible.", "plugins."],
        {"ansible.module_utils", "plugins.module_utils"},
        id="modules-ship-only-module-utils",
    ),
    pytest.param(
        "plugins/plugin_utils",
        ["plugins.action", "plugins.callback", "plugins.filter", "plugins.modules"],
        set(),
        id="utilities-know-no-door",
    ),
]


@pytest.mark.parametrize(("folder", "forbidden", "allowed"), RULES)
def test_no_layer_looks_the_wrong_way(folder: str, forbidden: list[str], allowed: set[str]) -> None:
    offenders = _offenders(folder, forbidden, allowed)
    assert not offenders, "\n".join(offenders)


def test_matplotlib_is_imported_in_one_file() -> None:
    files = sorted({path for path, items in _tree("plugins").items() for item in items if item.name.split(".")[0] == "matplotlib"})
    assert len(files) == 1, files


@pytest.mark.parametrize("folder", ["plugins/modules", "plugins/module_utils"])
def test_targets_need_no_third_party_package(folder: str) -> None:
    own = set(sys.stdlib_module_names) | {"ansible", "plugins", "__future__"}
    offenders = [
        "%s:%d imports %s without a guard" % (path, item.line, item.name)
        for path, items in _tree(folder).items()
        for item in items
        if item.name.split(".")[0] not in own and not item.guarded
    ]
    assert not offenders, "\n".join(offenders)


def _cycle(graph: dict[str, set[str]]) -> list[str]:
    """One cycle of a graph, or nothing."""
    done: set[str] = set()

    def visit(node: str, trail: list[str]) -> list[str]:
        if node in trail:
            return [*trail[trail.index(node):], node]
        if node in done:
            return []
        for target in sorted(graph.get(node, ())):
            found = visit(target, [*trail, node])
            if found:
                return found
        done.add(node)
        return []

    for start in sorted(graph):
        found = visit(start, [])
        if found:
            return found
    return []


def _graph(tree: dict[str, list[Import]]) -> dict[str, set[str]]:
    """Which of our files imports which; ``from package import name`` may name a module or something in it."""
    modules = {path[: -len(".py")].replace("/", ".") for path in tree}
    graph: dict[str, set[str]] = {}
    for path, items in tree.items():
        targets = {item.name for item in items} | {item.name.rpartition(".")[0] for item in items}
        graph[path[: -len(".py")].replace("/", ".")] = targets & modules
    return graph


def test_no_import_goes_in_a_circle() -> None:
    assert not _cycle(_graph(_tree("plugins")))


class TestTheReaderItself:
    """The rules are only as good as what they see."""

    @pytest.mark.parametrize(
        ("source", "name"),
        [
            ("import matplotlib.pyplot as plt", "matplotlib.pyplot"),
            ("def f():\n    from matplotlib import pyplot", "matplotlib.pyplot"),
            ("from %splugins.module_utils._drivers.ssh import run" % COLLECTION, "plugins.module_utils._drivers.ssh.run"),
            ("from %splugins.module_utils import _drivers" % COLLECTION, "plugins.module_utils._drivers"),
            ("from ..module_utils import _drivers", "plugins.module_utils._drivers"),
        ],
    )
    def test_every_way_to_import_is_seen(self, source: str, name: str) -> None:
        assert [item.name for item in imports(source, "plugins.plugin_utils.y")] == [name]

    def test_a_guard_is_seen(self) -> None:
        found = imports("import a\ntry:\n    import b\nexcept ImportError:\n    pass\nif TYPE_CHECKING:\n    import c\n")
        assert [(item.name, item.guarded) for item in found] == [("a", False), ("b", True)]

    def test_a_circle_is_seen(self) -> None:
        assert _cycle({"a": {"b"}, "b": {"c"}, "c": {"b"}}) == ["b", "c", "b"]
        assert _cycle({"a": {"b", "c"}, "b": {"c"}, "c": set()}) == []
