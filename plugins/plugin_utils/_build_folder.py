# Copyright: routerlab.bench contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""The folder of one rendered router: its files and ``manifest.json``.

A folder is planned first, then written: every file is staged before the first one is put
in place, and the manifest comes last, so a folder whose files do not fit its manifest is
one that was not written to the end. Deployment reads nothing but this folder.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Iterable, Mapping, Sequence

from ansible_collections.routerlab.bench.plugins.plugin_utils._lab_errors import choices
from ansible_collections.routerlab.bench.plugins.plugin_utils._lab_model import Model
from ansible_collections.routerlab.bench.plugins.plugin_utils._platforms import Platform
from ansible_collections.routerlab.bench.plugins.plugin_utils._render import RENDER_KEYS, Artifact, RenderError, hide, wanted

SCHEMA = "routerlab.bench/build/1"
MANIFEST = "manifest.json"
_STAGED = ".new"


class BuildError(ValueError):
    """A build folder that cannot be written or cannot be trusted."""


@dataclass(frozen=True)
class Change:
    """One file that differs; None stands for a file that is not there."""

    file: str
    before: str | None
    after: str | None
    secret: bool
    mode: int = 0o644


def folder_of(dest: str | Path, lab: str, profile: str | None, router: str) -> Path:
    """Where a router's files lie."""
    base = Path(dest) / lab
    return base / "profiles" / profile / router if profile else base / router


def config_hash(artifacts: Iterable[Artifact]) -> str:
    """One value for a whole configuration: file names and bytes."""
    digest = hashlib.sha256()
    for artifact in artifacts:
        data = artifact.text.encode()
        digest.update(b"%s\0%d\0%s" % (artifact.file.encode(), len(data), data))
    return digest.hexdigest()


def manifest_of(model: Model, platform: Platform, artifacts: Sequence[Artifact]) -> dict[str, Any]:
    """What the folder holds and how it is put on the router. Holds no secret."""
    steps = _steps(model, platform)
    return {
        "schema": SCHEMA,
        "lab": model["lab"]["name"],
        "router": model["name"],
        "profile": model["profile"],
        "platform": model["platform"],
        "version": model["version"],
        "dialect": model["dialect"],
        "driver": platform["driver"],
        "device_type": platform.get("device_type"),
        "device_class": model["device_class"],
        "owned": platform.get("owned") or [],
        "config_hash": config_hash(artifacts),
        "interfaces": [item["native"] for item in model["interfaces"]],
        "links": _links(model),
        "management": model["management"],
        "artifacts": [_entry(artifact) for artifact in artifacts],
        "absent": _absent(model, platform),
        "steps": steps,
        "packages": sorted({name for step in steps if step["name"] in {item.deploy.get("step") for item in artifacts} for name in step.get("packages") or []}),
    }


def _steps(model: Model, platform: Platform) -> list[dict[str, Any]]:
    """The platform's steps, with what some of them need ``also`` for this router."""
    steps = []
    for spec in platform.get("steps") or []:
        step = {key: value for key, value in spec.items() if key != "also"}
        for flag, more in (spec.get("also") or {}).items():
            if model["flags"][flag]:
                step.update({key: [*(step.get(key) or []), *value] for key, value in more.items()})
        steps.append(step)
    return steps


def _links(model: Model) -> list[dict[str, Any]]:
    """Devices with the addresses and the MTU that they have to have; None where the router does not decide."""
    loopbacks = [item["cidr"] for item in model["loopbacks"]]
    links: list[dict[str, Any]] = [{"name": "lo", "mtu": None, "addresses": loopbacks}] if loopbacks else []
    for item in model["interfaces"]:
        addresses = None if item["dhcp"] else [item["cidr"]] if item["cidr"] else []
        links.append({"name": item["native"], "mtu": item["mtu"], "addresses": addresses})
    return links


def _entry(artifact: Artifact) -> dict[str, Any]:
    own = {key: getattr(artifact, key) for key in ("name", "file", "path", "mode", "owner", "group", "secret")}
    return {**own, "sha256": hashlib.sha256(artifact.text.encode()).hexdigest(), **artifact.deploy}


def _absent(model: Model, platform: Platform) -> list[dict[str, Any]]:
    """What the platform has files for and this router does not: a driver takes such files away."""
    absent = []
    for spec in platform["artifacts"]:
        if spec.get("path") and ("each" in spec or not wanted(spec, model)):
            own = {key: value for key, value in spec.items() if key not in RENDER_KEYS}
            glob = {key: spec[key].replace("{name}", "*") for key in ("name", "path")}
            absent.append({**own, **glob})
    return absent


def plan_folder(folder: Path, artifacts: Sequence[Artifact], manifest: Mapping[str, Any]) -> list[Change]:
    """What writing these artifacts would change. The manifest, when it differs, is the last."""
    names = [artifact.file for artifact in artifacts]
    for name in names:
        if names.count(name) > 1 or name == MANIFEST or "/" in name or name.startswith("."):
            raise RenderError(f"{manifest['router']}: {name!r} cannot be an artifact's file name, or two artifacts have it")
    changes = []
    for artifact in artifacts:
        mode = 0o600 if artifact.secret else 0o644
        changes.append(Change(artifact.file, _read(folder / artifact.file), artifact.text, artifact.secret, mode))
    for name in _old_files(folder):
        if name not in names and (folder / name).exists():
            changes.append(Change(name, _read(folder / name), None, _was_secret(folder / name)))
    changes.append(Change(MANIFEST, _read(folder / MANIFEST), _manifest_text(manifest), False))
    return [change for change in changes if change.before != change.after or _mode_differs(folder, change)]


def _manifest_text(manifest: Mapping[str, Any]) -> str:
    """JSON with a line for each key and each item of a list (the encoder that indents is ten times slower)."""
    lines = []
    for key, value in manifest.items():
        text = json.dumps(value, ensure_ascii=False)
        if isinstance(value, list) and value:
            text = "[\n  " + ",\n  ".join(json.dumps(item, ensure_ascii=False) for item in value) + "\n ]"
        lines.append(f" {json.dumps(key)}: {text}")
    return "{\n" + ",\n".join(lines) + "\n}\n"


def write_folder(folder: Path, changes: Sequence[Change]) -> None:
    """Carry a plan out: all of it, or, when a file cannot be written, nothing."""
    staged: list[tuple[Path, Path]] = []
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for change in changes:
            if change.after is not None:
                target = folder / change.file
                temporary = target.with_name(f".{change.file}{_STAGED}")
                staged.append((temporary, target))
                _stage(temporary, change)
    except OSError as error:
        for temporary, _target in staged:
            with contextlib.suppress(OSError):
                temporary.unlink()
        raise BuildError(f"{error.filename or folder}: {error.strerror}; nothing was written") from error
    for change in changes:
        if change.after is None:
            (folder / change.file).unlink()
    for temporary, target in staged:
        temporary.replace(target)


def _stage(path: Path, change: Change) -> None:
    handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_NOFOLLOW, 0o600)
    with os.fdopen(handle, "w", encoding="utf-8", newline="") as stream:
        stream.write(change.after or "")
        os.fchmod(stream.fileno(), change.mode)


def _read(path: Path) -> str | None:
    try:
        return path.read_bytes().decode("utf-8", errors="replace")
    except FileNotFoundError:
        return None
    except OSError as error:
        raise BuildError(f"{path}: {error.strerror}") from error


def _mode_differs(folder: Path, change: Change) -> bool:
    path = folder / change.file
    return change.after is not None and path.exists() and path.stat().st_mode & 0o777 != change.mode


def _was_secret(path: Path) -> bool:
    return path.stat().st_mode & 0o077 == 0


def _old_files(folder: Path) -> list[str]:
    """The files that an earlier rendering wrote here, by its manifest; other files are not ours."""
    try:
        old = json.loads((folder / MANIFEST).read_text(encoding="utf-8"))
        names = [item["file"] for item in old["artifacts"]]
    except (OSError, ValueError, KeyError, TypeError):
        return []
    return [name for name in names if isinstance(name, str) and "/" not in name and name not in ("", ".", "..", MANIFEST)]


def diff_of(folder: Path, changes: Sequence[Change], secrets: Sequence[str]) -> list[dict[str, str]]:
    """The changes as Ansible shows them with --diff, without any secret."""
    shown = []
    for change in changes:
        name = str(folder / change.file)
        if change.file == MANIFEST:
            continue
        entry = {
            "before_header": name if change.before is not None else f"{name} (not there)",
            "after_header": name if change.after is not None else f"{name} (removed)",
        }
        for key, text in (("before", change.before), ("after", change.after)):
            entry[key] = hide(text or "", secrets) if not change.secret else ("" if text is None else f"(secret, {key} the change)\n")
        shown.append(entry)
    return shown


def _why_empty(folder: Path) -> str:
    """For a folder without a manifest: the profiles that were rendered for this router, when it is that of another one."""
    profile, profiles = folder.parent.name, folder.parent.parent
    known = sorted(path.parent.parent.name for path in profiles.glob(f"*/{folder.name}/{MANIFEST}")) if profiles.name == "profiles" else []
    if known:
        return f"router_profile: {folder.name} has no profile {profile}; valid: {choices(known, profile)}. ({folder} holds no {MANIFEST})"
    return f"{folder}: nothing was rendered here (there is no {MANIFEST}); run playbooks/render.yml first"


def read_folder(folder: Path) -> tuple[dict[str, Any], dict[str, str]]:
    """The manifest of a folder and the text of its files, after checking that they belong together."""
    try:
        manifest = json.loads((folder / MANIFEST).read_text(encoding="utf-8"))
    except FileNotFoundError:
        raise BuildError(_why_empty(folder)) from None
    except ValueError as error:
        raise BuildError(f"{folder / MANIFEST}: not JSON: {error}") from None
    if not isinstance(manifest, dict) or manifest.get("schema") != SCHEMA:
        raise BuildError(f"{folder / MANIFEST}: not a manifest of this version ({SCHEMA}); render again")
    texts = {}
    for item in manifest["artifacts"]:
        path = folder / item["file"]
        text = _read(path)
        if text is None or hashlib.sha256(text.encode()).hexdigest() != item["sha256"]:
            what = "is missing" if text is None else "is not what was rendered"
            raise BuildError(f"{path}: this file {what} ({MANIFEST} has another sum); render again")
        texts[item["name"]] = text
    return manifest, texts
