# Copyright: routerlab.bench contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""From ``router_model`` to the files of a router, by a bare Jinja environment.

Pure: reads the room's templates, writes nothing, knows no Ansible. The context is the
model and nothing else, ``{"m": model}``; an artifact that stands for each of several
things (``each: tunnels.wireguard``) finds its own one in ``m.item``.
"""

from __future__ import annotations

import functools
import traceback
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Iterable, Iterator, Mapping

import jinja2

from ansible_collections.routerlab.bench.plugins.plugin_utils._lab_merge import router_profiles
from ansible_collections.routerlab.bench.plugins.plugin_utils._lab_model import Model, find_named, resolve_router
from ansible_collections.routerlab.bench.plugins.plugin_utils._platforms import Platform, find_dialect
from ansible_collections.routerlab.bench.plugins.plugin_utils._quote import SHOWN, QuoteError, all_quotes

RENDER_KEYS = ("name", "template", "file", "path", "mode", "owner", "group", "secret", "when", "each", "dialects")
ASTERISKS = "********"
LOGIC_FILTERS = ("d", "default", "random", "shuffle")


class RenderError(ValueError):
    """A router that cannot be rendered; says which artifact and why."""


@dataclass(frozen=True)
class Artifact:
    """One rendered file, and what a driver has to know about it."""

    name: str
    file: str
    path: str | None
    mode: str
    owner: str
    group: str
    secret: bool
    text: str
    deploy: Mapping[str, Any] = field(default_factory=dict)


class _Templates(jinja2.FileSystemLoader):
    """A room's templates, some of them replaced in one dialect."""

    def __init__(self, path: str, replaced: Mapping[str, str]) -> None:
        super().__init__(path)
        self.replaced = replaced

    def get_source(self, environment: jinja2.Environment, template: str) -> Any:
        return super().get_source(environment, self.replaced.get(template, template))


_compiled: list[jinja2.BytecodeCache] = []


def keep_compiled(folder: str) -> None:
    """Let the processes of one run share compiled templates through a private folder."""
    _compiled[:] = [jinja2.FileSystemBytecodeCache(folder)]
    environment.cache_clear()


@functools.lru_cache(maxsize=64)
def environment(path: str, replaced: tuple[tuple[str, str], ...] = ()) -> jinja2.Environment:
    """The environment of one room in one dialect, made once in a process."""
    env = jinja2.Environment(
        loader=_Templates(path, dict(replaced)),
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
        autoescape=False,
        auto_reload=False,
        bytecode_cache=_compiled[0] if _compiled else None,
        cache_size=-1,
    )
    env.globals.clear()
    for name in LOGIC_FILTERS:
        env.filters.pop(name, None)
    env.filters.update(all_quotes())
    return env


def render_router(model: Model, platform: Platform) -> list[Artifact]:
    """Every artifact of a router, in the order in which they are deployed."""
    artifacts = []
    env = _environment_of(model, platform)
    for spec in platform["artifacts"]:
        if not wanted(spec, model):
            continue
        for item in _items(spec, model):
            artifacts.append(_render(env, spec, model, item))
    return artifacts


def render_lab(lab: Mapping[str, Any], router: str, profile: str | None, platforms: Mapping[str, Platform]) -> list[Artifact]:
    """The artifacts of one router of a checked lab, under a profile or under none."""
    model = resolve_router(lab, router, profile, platforms)
    return render_router(model, platform_of(model, platforms))


def profiles_of(lab: Mapping[str, Any], router: str) -> list[str]:
    """The names of the profiles that a router takes part in."""
    own = find_named(lab["routers"], router)
    if own is None:
        raise RenderError(f"the lab has no router {router!r}; it has {', '.join(item['name'] for item in lab['routers']) or 'none'}")
    return [profile["name"] for profile in router_profiles(lab, own)]


def part_of(lab: Mapping[str, Any], router: str) -> dict[str, Any]:
    """The part of a lab that one router's configuration is made of, also of a lab whose values are still Jinja.

    A hundred routers do not each read a hundred: other routers, endpoints and the networks of others are left out.
    """
    routers = [item for item in lab["routers"] if item.get("name") == router]
    kept = {key: value for key, value in lab.items() if key not in ("routers", "endpoints", "networks")}
    sections = [lab.get("common"), *routers, *(profile.get("changes") for profile in lab.get("profiles") or [])]
    named = {str(item.get(key)) for section in sections for item in (section or {}).get("interfaces") or [] for key in ("name", "network")}
    jinja = any("{" in name for name in named)
    networks = [item for item in lab.get("networks") or [] if jinja or str(item.get("name")) in named or "{" in str(item.get("name"))]
    return {**kept, "networks": networks, "routers": routers}


def platform_of(model: Model, platforms: Mapping[str, Platform]) -> Platform:
    """The descriptor of a model's platform; an unknown one, or an unknown version, is refused."""
    name = model["platform"]
    if not model["managed"]:
        raise RenderError(f"{model['name']} is not managed (managed: false): nothing is rendered for it")
    if name not in platforms:
        raise RenderError(f"{model['name']}: there is no platform {name!r}; there are {', '.join(sorted(platforms))}")
    if model["dialect"] is None:
        raise RenderError(f"{model['name']}: {name} does not know version {model['version']!r}")
    return platforms[name]


def wanted(spec: Mapping[str, Any], model: Model) -> bool:
    """Whether an artifact is written for this router: in its dialect, and with what it uses."""
    if "dialects" in spec and model["dialect"] not in spec["dialects"]:
        return False
    when = spec.get("when")
    if when is None:
        return True
    if when not in model["flags"]:
        raise RenderError(f"platform.yml of {model['platform']}: artifact {spec['name']} asks for the flag {when!r}, which the model does not have")
    return bool(model["flags"][when])


def _environment_of(model: Model, platform: Platform) -> jinja2.Environment:
    dialect = find_dialect(platform, model["version"]) or {}
    return environment(platform["templates_path"], tuple(sorted((dialect.get("templates") or {}).items())))


def _items(spec: Mapping[str, Any], model: Model) -> Iterator[Mapping[str, Any] | None]:
    """Nothing but one None for a plain artifact; for one with ``each``, the things that it stands for."""
    if "each" not in spec:
        yield None
        return
    found: Any = model
    for key in spec["each"].split("."):
        found = found[key]
    yield from found


def _render(env: jinja2.Environment, spec: Mapping[str, Any], model: Model, item: Mapping[str, Any] | None) -> Artifact:
    context = model if item is None else {**model, "item": item}
    fill = functools.partial(_fill, item=item)
    try:
        text = env.get_template(spec["template"]).render(m=context)
    except QuoteError as error:
        reason = hide(str(error), _spellings(model["secrets"]))
        raise RenderError(f"{model['name']}: {fill(spec['name'])} ({spec['file']}): {reason}") from error
    except jinja2.TemplateError as error:
        raise RenderError(f"{model['name']}: {fill(spec['name'])}: template {_place(error, spec['template'])}: {error}") from error
    return Artifact(
        name=fill(spec["name"]),
        file=fill(spec["file"]),
        path=fill(spec.get("path")),
        mode=spec.get("mode", "0644"),
        owner=spec.get("owner", "root"),
        group=spec.get("group", "root"),
        secret=bool(spec.get("secret", False)),
        text=text,
        deploy={key: fill(value) for key, value in spec.items() if key not in RENDER_KEYS},
    )


def _fill(value: Any, item: Mapping[str, Any] | None) -> Any:
    """Put the name of an ``each`` artifact's own thing into a text of platform.yml."""
    return value.replace("{name}", item["name"]) if item is not None and isinstance(value, str) else value


def hide(text: str, secrets: Iterable[str]) -> str:
    """A text with asterisks in place of every secret."""
    for secret in secrets:
        text = text.replace(secret, ASTERISKS)
    return text


def _spellings(secrets: Iterable[str]) -> list[str]:
    """Secrets as the message of a QuoteError may have them: as they are, between quotes, shortened."""
    found = {form for secret in secrets for text in (secret, secret[:SHOWN]) for form in (text, repr(text)[1:-1])}
    # what holds nothing but blanks tells nobody anything, and stands between all words
    return sorted((form for form in found if form.strip()), key=len, reverse=True)


def _place(error: Exception, template: str) -> str:
    """The template and line in which an error arose; it may lie in an included template."""
    frames = [frame for frame in traceback.extract_tb(error.__traceback__) if frame.filename.endswith(".j2")]
    if frames:
        return f"{Path(frames[-1].filename).name} line {frames[-1].lineno}"
    line = getattr(error, "lineno", None)
    return f"{getattr(error, 'name', None) or template} line {line}" if line else template
