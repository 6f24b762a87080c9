# Copyright: routerlab.bench contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""What a driver on the controller knows of its device: the facts of the inventory, and the play's own connection.

Everything comes from the variables that Ansible has for reaching a host. A vaulted value
arrives here as plain text and leaves only towards the device.
"""

from __future__ import annotations

import os
from dataclasses import dataclass, field
from typing import Any, Callable, Mapping

from ansible_collections.routerlab.bench.plugins.module_utils._drivers._driver import DriverError
from ansible_collections.routerlab.bench.plugins.plugin_utils._drivers._shell import Shell

TRUE = ("1", "true", "yes", "on", "y", "t")
FALSE = ("0", "false", "no", "off", "n", "f")


@dataclass(frozen=True)
class Device:
    """How a device is reached. ``setting`` reads the host's other variables, ``router_*``, when a driver asks for them."""

    name: str
    address: str
    user: str
    port: int | None = None
    password: str | None = field(default=None, repr=False)
    key_file: str | None = None
    check_host_key: bool = True
    setting: Callable[[str], Any] = field(default=lambda name: None, repr=False)
    shell: Shell | None = field(default=None, repr=False)

    def where(self, port: int) -> str:
        """The device as messages name it."""
        address = f"{self.address}:{self.port or port}"
        return address if self.name == self.address else f"{self.name} ({address})"

    def text(self, name: str) -> str | None:
        """A variable that holds text; None when it is not set or empty."""
        value = self.setting(name)
        return str(value) if value not in (None, "") else None

    def path(self, name: str) -> str | None:
        value = self.text(name)
        return os.path.expanduser(value) if value else None

    def flag(self, name: str, default: bool) -> bool:
        """A variable that is true or false."""
        value = self.setting(name)
        return default if value in (None, "") else truth(value, name)

    def number(self, name: str, default: float) -> float:
        """A variable that holds a number of at least 0."""
        value = self.setting(name)
        try:
            number = default if value in (None, "") else float(value)
        except (TypeError, ValueError):
            number = -1.0
        if number < 0:
            raise DriverError(f"{name}: {value!r} is not a number of at least 0")
        return number


def truth(value: Any, name: str) -> bool:
    """What a person may write for true and false in an inventory."""
    word = str(value).strip().lower()
    if word not in TRUE + FALSE:
        raise DriverError(f"{name}: {value!r} is neither true nor false")
    return word in TRUE


def device_of(variables: Mapping[str, Any], template: Callable[[Any], Any], play: Any, connection: Any) -> Device:
    """The device of a task. ``play`` is the task's play context: it knows -u, --ask-pass, --private-key and ansible.cfg."""

    def setting(name: str) -> Any:
        value = variables.get(name)
        return template(value) if isinstance(value, str) else value

    def first(*names: str) -> Any:
        return next((value for value in map(setting, names) if value not in (None, "")), None)

    name = str(variables["inventory_hostname"])
    check = first("ansible_ssh_host_key_checking", "ansible_host_key_checking")
    if check is None:
        check = os.environ.get("ANSIBLE_SSH_HOST_KEY_CHECKING") or os.environ.get("ANSIBLE_HOST_KEY_CHECKING") or _configured_check()
    port = first("ansible_port", "ansible_ssh_port") or play.port
    password = first("ansible_password", "ansible_ssh_pass", "ansible_ssh_password") or play.password
    key_file = first("ansible_private_key_file", "ansible_ssh_private_key_file") or play.private_key_file
    return Device(
        name=name,
        address=str(first("ansible_host", "ansible_ssh_host") or name),
        user=str(first("ansible_user", "ansible_ssh_user") or play.remote_user or ""),
        port=_port(port),
        password=str(password) if password else None,
        key_file=os.path.expanduser(str(key_file)) if key_file else None,
        check_host_key=truth(check, "ansible_host_key_checking"),
        setting=setting,
        shell=Shell(connection),
    )


def _configured_check() -> bool:
    from ansible import constants

    return bool(constants.config.get_config_value("HOST_KEY_CHECKING"))


def _port(value: Any) -> int | None:
    if value in (None, ""):
        return None
    try:
        port = int(value)
    except (TypeError, ValueError):
        port = 0
    if not 0 < port < 65536:
        raise DriverError(f"ansible_port: {value!r} is not a port, 1 to 65535")
    return port
