# Copyright: routerlab.bench contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""How the checks reach a host: the same connection as the play's, worked out from the host's variables. Pure."""

from __future__ import annotations

from typing import Any, Mapping

NETNS, SSH, LOCAL = "netns", "ssh", "local"
KINDS = {
    "routerlab.bench.netns": NETNS,
    "ssh": SSH,
    "ansible.builtin.ssh": SSH,
    "smart": SSH,
    "paramiko": SSH,
    "paramiko_ssh": SSH,
    "ansible.builtin.paramiko_ssh": SSH,
    "local": LOCAL,
    "ansible.builtin.local": LOCAL,
}
DEFAULT_PYTHON = "python3"
Spec = dict[str, Any]


def connection_spec(name: str, hostvars: Mapping[str, Any] | None, defaults: Mapping[str, Any]) -> Spec:
    """The connection of one host: ``kind`` and what it needs, or ``kind`` None and ``why``.

    ``defaults`` are the play's connection, user, key and so on, for what the host's variables do not say.
    """
    if hostvars is None:
        return {"name": name, "kind": None, "why": f"{name} is in the lab and not in the inventory"}
    connection = str(hostvars.get("ansible_connection") or defaults.get("connection") or "ssh")
    kind = KINDS.get(connection)
    spec: Spec = {"name": name, "kind": kind, "python": _python(hostvars), **_become(hostvars, defaults)}
    if kind is None:
        spec["why"] = f"ansible_connection {connection} gives no shell that the checks could use (they can use {', '.join(sorted(KINDS))})"
    elif kind == NETNS:
        spec["netns"] = str(hostvars.get("ansible_netns_name") or name)
        spec["runtime_dir"] = hostvars.get("ansible_netns_runtime_dir")
    elif kind == SSH:
        spec.update(_ssh(name, hostvars, defaults))
    return spec


def _python(hostvars: Mapping[str, Any]) -> str:
    """The host's Python where the inventory names one; 'auto' and its kind name none."""
    found = str(hostvars.get("ansible_python_interpreter") or "")
    return found if found.startswith("/") else DEFAULT_PYTHON


def _truth(value: Any) -> bool:
    return str(value).strip().lower() in ("1", "true", "yes", "on", "y", "t")


def _become(hostvars: Mapping[str, Any], defaults: Mapping[str, Any]) -> Spec:
    """sudo is the one way to become root that the checks know."""
    wanted = hostvars.get("ansible_become")
    if not _truth(defaults.get("become") if wanted is None else wanted):
        return {"sudo": False, "sudo_user": None, "sudo_password": None}
    user = hostvars.get("ansible_become_user") or defaults.get("become_user") or "root"
    password = hostvars.get("ansible_become_password") or hostvars.get("ansible_become_pass") or defaults.get("become_password")
    return {"sudo": True, "sudo_user": str(user), "sudo_password": None if password is None else str(password)}


def _ssh(name: str, hostvars: Mapping[str, Any], defaults: Mapping[str, Any]) -> Spec:
    def first(*keys: str) -> Any:
        return next((hostvars[key] for key in keys if hostvars.get(key) not in (None, "")), None)

    extra = [str(value) for value in (first("ansible_ssh_common_args"), first("ansible_ssh_extra_args"), defaults.get("ssh_args")) if value]
    checking = first("ansible_ssh_host_key_checking", "ansible_host_key_checking")
    if not _truth(defaults.get("host_key_checking", True) if checking is None else checking):
        extra.append("-o StrictHostKeyChecking=no -o UserKnownHostsFile=/dev/null -o LogLevel=ERROR")
    port = first("ansible_port", "ansible_ssh_port") or defaults.get("port")
    password = first("ansible_password", "ansible_ssh_password", "ansible_ssh_pass") or defaults.get("password")
    return {
        "host": str(first("ansible_host", "ansible_ssh_host") or name),
        "port": None if port is None else str(port),
        "user": first("ansible_user", "ansible_ssh_user") or defaults.get("user"),
        "key": first("ansible_private_key_file", "ansible_ssh_private_key_file") or defaults.get("key"),
        "password": None if password is None else str(password),
        "extra": " ".join(extra),
    }
