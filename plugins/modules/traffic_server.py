#!/usr/bin/python
# Copyright: routerlab.bench contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""A server of a traffic tool."""

from __future__ import annotations

DOCUMENTATION = r"""
module: traffic_server
short_description: Start and stop the server of a traffic tool (irtt, netserver)
version_added: 0.1.0
author:
  - routerlab.bench contributors (@routerlab)
description:
  - Keeps one server as M(routerlab.bench.iperf3_server) keeps its own - started again when it ends, gone after O(max_seconds), and tied to no task.
  - A server of the same program that runs already, as a package's own service may, is used and left alone.
options:
  program:
    description: The server.
    type: str
    choices: [irtt, netserver]
    required: true
  state:
    description: Whether it shall run.
    type: str
    choices: [started, stopped]
    default: started
  port:
    description: Port; the default is the program's own, 2112 (UDP) of irtt and 12865 (TCP) of netserver.
    type: int
  bind:
    description: Address to listen on. The default is all of them.
    type: str
  max_seconds:
    description: Seconds after which it ends by itself.
    type: float
    default: 3600.0
  optional:
    description: That the program is not installed is no error; RV(installed) says so.
    type: bool
    default: false
  state_dir:
    description: Folder for the supervisor's state. The default is a folder of this user and this network namespace below C(/run).
    type: path
extends_documentation_fragment:
  - routerlab.bench.attributes
  - routerlab.bench.attributes.linux
attributes:
  check_mode:
    support: full
  diff_mode:
    support: none
  platform:
    support: full
  idempotent:
    support: full
seealso:
  - module: routerlab.bench.iperf3_server
"""

EXAMPLES = r"""
- name: An irtt server for half an hour
  routerlab.bench.traffic_server:
    program: irtt
    max_seconds: 1800

- name: No netserver
  routerlab.bench.traffic_server:
    program: netserver
    state: stopped
"""

RETURN = r"""
installed:
  description: Whether the program is there.
  returned: when O(state=started)
  type: bool
port:
  description: Where it listens.
  returned: when O(state=started)
  type: int
  sample: 2112
already:
  description: Who served before and still does, if that is nobody of ours.
  returned: when O(state=started)
  type: str
  sample: netserver (pid 812)
"""

from pathlib import Path

from ansible.module_utils.basic import AnsibleModule

from ansible_collections.routerlab.bench.plugins.module_utils._methods.iperf3_pool import PoolError, default_folder, has_something_to_stop, running, start, stop
from ansible_collections.routerlab.bench.plugins.module_utils._methods.server_programs import PROGRAMS, pool_of, somebody_elses, where
from ansible_collections.routerlab.bench.plugins.module_utils._programs import named


def _start(module: AnsibleModule, folder: Path) -> None:
    given = module.params
    name = given["program"]
    path = where(name)
    if path is None:
        if given["optional"]:
            module.exit_json(changed=False, installed=False, port=None, already=None)
        module.fail_json(msg="%s is not installed on this host" % named(name))
        return
    pool = pool_of(name, path, given["port"], given["bind"], given["max_seconds"])
    already = None if running(folder) else somebody_elses(name, pool)
    changed = start(folder, pool, dry=module.check_mode) if not already else False
    module.exit_json(changed=changed, installed=True, port=pool.ports[0], already=already)


def main() -> None:
    """The door: parameters in, a server running or gone."""
    module = AnsibleModule(
        argument_spec={
            "program": {"type": "str", "choices": sorted(PROGRAMS), "required": True},
            "state": {"type": "str", "choices": ["started", "stopped"], "default": "started"},
            "port": {"type": "int"},
            "bind": {"type": "str"},
            "max_seconds": {"type": "float", "default": 3600.0},
            "optional": {"type": "bool", "default": False},
            "state_dir": {"type": "path"},
        },
        supports_check_mode=True,
    )
    folder = Path(module.params["state_dir"]) if module.params["state_dir"] else default_folder(module.params["program"])
    try:
        if module.params["state"] == "started":
            _start(module, folder)
        changed = has_something_to_stop(folder) if module.check_mode else stop(folder)
    except (PoolError, OSError) as error:
        module.fail_json(msg=str(error))
    module.exit_json(changed=changed)


if __name__ == "__main__":
    main()
