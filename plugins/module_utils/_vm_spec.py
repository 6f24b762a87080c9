# Copyright: routerlab.bench contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Meaning of a description for `vm_lab`: all mistakes at once, each with its path, the value and what would be valid. Pure."""

from __future__ import annotations

import hashlib
import re
from typing import Any, Iterable

NAME_MAX = 15
MAC = r"^(?:[0-9a-f]{2}:){5}[0-9a-f]{2}\Z"

Lab = dict  # {prefix, switch, images: {...}, machines: [...]} as the module's argument_spec describes it


def check(lab: Lab) -> list[str]:
    """Every mistake in the description, empty if there is none."""
    errors = check_prefix(lab["prefix"])
    names: dict[str, str] = {}
    ports: dict[Any, str] = {}
    for index, machine in enumerate(lab["machines"]):
        where = "machines[%d]" % index
        errors += _once(names, machine["name"], where + ".name", "the name of")
        if not re.match(r"^[a-z][a-z0-9-]{0,%d}\Z" % (NAME_MAX - 1), machine["name"]):
            errors.append("%s.name: '%s' is not usable: 1 to %d lower-case letters, digits and '-'" % (where, machine["name"], NAME_MAX))
        errors += _check_size(lab, machine, where)
        errors += _once(ports, machine["management_port"], where + ".management_port", "the management port of")
    return errors + _check_nics(lab)


def check_prefix(prefix: str) -> list[str]:
    if re.match(r"^[a-z][a-z0-9-]*\Z", prefix) and len(prefix) < NAME_MAX:
        return []
    return ["prefix: '%s' is not usable: lower-case letters, digits and '-', fewer than %d characters" % (prefix, NAME_MAX)]


def _once(seen: dict[Any, str], value: Any, where: str, what: str) -> list[str]:
    if value in seen:
        return ["%s: '%s' is already %s %s" % (where, value, what, seen[value].rsplit(".", 1)[0])]
    seen[value] = where
    return []


def _choices(names: Iterable[str]) -> str:
    return ", ".join(sorted(names)) or "none"


def _check_size(lab: Lab, machine: dict[str, Any], where: str) -> list[str]:
    errors = []
    if machine["image"] not in lab["images"]:
        errors.append("%s.image: there is no image '%s'; images are: %s" % (where, machine["image"], _choices(lab["images"])))
    for key, low, high in (("memory", 128, 65536), ("cpus", 1, 64), ("management_port", 1024, 65535), ("max_seconds", 60, 604800)):
        if not low <= machine[key] <= high:
            errors.append("%s.%s: %d is outside %d … %d" % (where, key, machine[key], low, high))
    return errors


def _check_nics(lab: Lab) -> list[str]:
    errors: list[str] = []
    devices: dict[Any, str] = {}
    macs: dict[Any, str] = {}
    for index, machine in enumerate(lab["machines"]):
        for position, nic in enumerate(machine["nics"]):
            where = "machines[%d].nics[%d]" % (index, position)
            errors += _check_device(nic["tap"], where + ".tap") + _once(devices, nic["tap"], where + ".tap", "a device of")
            if not re.match(MAC, nic["mac"]):
                errors.append("%s.mac: '%s' is not a MAC address in lower case, for example 52:54:00:12:34:56 (quote it in YAML)" % (where, nic["mac"]))
            elif int(nic["mac"][:2], 16) & 1:
                errors.append("%s.mac: '%s' is a group address; its first byte has to be even" % (where, nic["mac"]))
            errors += _once(macs, nic["mac"], where + ".mac", "the address of")
            errors += _check_wires(nic, where, devices)
    return errors


def _check_device(name: str, where: str) -> list[str]:
    if re.match(r"^[A-Za-z0-9_.-]{1,%d}\Z" % NAME_MAX, name) and name not in ("lo", ".", ".."):
        return []
    return ["%s: '%s' is not a usable interface name: 1 to %d letters, digits or any of '_.-', and not 'lo'" % (where, name, NAME_MAX)]


def _check_wires(nic: dict[str, Any], where: str, devices: dict[Any, str]) -> list[str]:
    errors = []
    vlans: dict[Any, str] = {}
    if not nic["wires"]:
        errors.append("%s.wires: a card needs at least one wire" % where)
    for number, wire in enumerate(nic["wires"]):
        here = "%s.wires[%d]" % (where, number)
        vlan = wire.get("vlan")
        errors += _check_device(wire["port"], here + ".port") + _once(devices, wire["port"], here + ".port", "a device of")
        if vlan is not None and not 1 <= vlan <= 4094:
            errors.append("%s.vlan: %d is outside 1 … 4094" % (here, vlan))
        shown = "no tag" if vlan is None else vlan
        errors += _once(vlans, shown, here + ".vlan", "the tag of")
    return errors


def management_mac(prefix: str, machine: str) -> str:
    """A fixed, locally administered address for the management card."""
    digest = hashlib.sha256(("%s/%s" % (prefix, machine)).encode()).digest()
    return ":".join("%02x" % byte for byte in (0x52, 0x54, 0x00, *digest[:3]))


RECIPE: dict[str, Any] = {
    "suite": (str, None), "size": (int, 2048), "append": (str, "root=/dev/vda rw console=ttyS0 net.ifnames=0 quiet"), "mirror": (str, ""),
    "components": (list, ["main"]), "packages": (list, None), "files": (list, []), "enable": (list, []), "disable": (list, []), "mask": (list, []),
}


def check_images(images: dict[str, Any]) -> list[str]:
    """Mistakes in recipes; what a recipe leaves out is filled in."""
    errors = []
    for name, recipe in sorted(images.items()):
        where = "images.%s" % name
        if not re.match(r"^[a-z0-9][a-z0-9_.]*\Z", name):
            errors.append("%s: an image's name has lower-case letters, digits, '_' and '.' only" % where)
        if not isinstance(recipe, dict):
            errors.append("%s: is not a mapping; valid keys: %s" % (where, _choices(RECIPE)))
            continue
        errors += ["%s.%s: there is no such key; valid: %s" % (where, key, _choices(RECIPE)) for key in sorted(set(recipe) - set(RECIPE))]
        for key, (kind, default) in RECIPE.items():
            if recipe.get(key) is None and default is None:
                errors.append("%s.%s: is required and missing" % (where, key))
            elif not isinstance(recipe.setdefault(key, default), kind):
                errors.append("%s.%s: '%s' is not a %s" % (where, key, recipe[key], {str: "text", int: "number", list: "list"}[kind]))
        errors += _check_files(recipe, where)
    return errors


def _check_files(recipe: dict[str, Any], where: str) -> list[str]:
    errors = []
    files = recipe["files"] if isinstance(recipe.get("files"), list) else []
    for index, item in enumerate(files):
        here = "%s.files[%d]" % (where, index)
        if not isinstance(item, dict) or not isinstance(item.get("path"), str) or not isinstance(item.get("content"), str):
            errors.append("%s: needs path and content, and may have a mode" % here)
            continue
        item.setdefault("mode", "0644")
        if not item["path"].startswith("/") or ".." in item["path"].split("/"):
            errors.append("%s.path: '%s' is not an absolute path without '..'" % (here, item["path"]))
        if not re.match(r"^0?[0-7]{3}\Z", str(item["mode"])):
            errors.append("%s.mode: '%s' is not an octal mode, for example \"0644\" (quote it in YAML)" % (here, item["mode"]))
    return errors
