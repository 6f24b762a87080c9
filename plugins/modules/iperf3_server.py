#!/usr/bin/python
# Copyright: routerlab.bench contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The iperf3 servers of a traffic host."""

from __future__ import annotations

DOCUMENTATION = r"""
module: iperf3_server
short_description: Start and stop the iperf3 servers of a traffic host
version_added: 0.1.0
author:
  - routerlab.bench contributors (@routerlab)
description:
  - Starts one small supervisor that keeps a server on every port of a pool. Every test gets a fresh server process, a test that never ends is cut off,
    and after O(max_seconds) everything ends by itself, so that a play that was killed leaves nothing behind for ever.
  - The task returns when all ports are listened on, and holds no pipe of it.
  - Started again with the same parameters, it only renews the time that is left.
options:
  state:
    description: Whether the servers shall run.
    type: str
    choices: [started, stopped]
    default: started
  port:
    description: First port of the pool.
    type: int
    default: 5201
  count:
    description: Number of ports; one for every client that runs at the same time, and one more so that a trial need not wait for the server before.
    type: int
    default: 2
  bind:
    description: Address to listen on. The default is all of them.
    type: str
  max_seconds:
    description: Seconds after which supervisor and servers end by themselves.
    type: float
    default: 3600.0
  test_max_seconds:
    description: Seconds after which a single test is taken for dead and its server replaced.
    type: float
    default: 300.0
  state_dir:
    description:
      - Folder for the supervisor's state. The default is a folder of this user and this network namespace below C(/run), or below the temporary
        folder where C(/run) cannot be written.
    type: path
  executable:
    description: The iperf3 to use.
    type: str
    default: iperf3
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
  - module: routerlab.bench.iperf3
"""

EXAMPLES = r"""
- name: Two servers, for at most half an hour
  routerlab.bench.iperf3_server:
    port: 5201
    count: 2
    max_seconds: 1800
  register: servers

- name: No servers
  routerlab.bench.iperf3_server:
    state: stopped
"""

RETURN = r"""
ports:
  description: The ports of the pool.
  returned: when O(state=started)
  type: list
  elements: int
  sample: [5201, 5202]
version:
  description: Version of iperf3.
  returned: when O(state=started)
  type: str
  sample: "3.12"
state_dir:
  description: Where the supervisor keeps its state.
  returned: always
  type: str
"""

from pathlib import Path

from ansible.module_utils.basic import AnsibleModule

from ansible_collections.routerlab.bench.plugins.module_utils._methods.iperf3_pool import Pool, PoolError, default_folder, has_something_to_stop, start, stop
from ansible_collections.routerlab.bench.plugins.module_utils._methods.iperf3_program import installed


def _start(module: AnsibleModule, folder: Path) -> None:
    given = module.params
    program, version, trouble = installed(given["executable"])
    if trouble or version is None:
        module.fail_json(msg=trouble)
    ports = list(range(given["port"], given["port"] + given["count"]))
    if not ports or ports[0] < 1 or ports[-1] > 65535:
        module.fail_json(msg="port, count: %d and %d make ports outside of 1 to 65535, or none" % (given["port"], given["count"]))
    pool = Pool(program, ports, given["bind"], given["max_seconds"], given["test_max_seconds"])
    changed = start(folder, pool, dry=module.check_mode)
    module.exit_json(changed=changed, ports=ports, version=str(version), state_dir=str(folder))


def main() -> None:
    """The door: parameters in, servers running or gone."""
    module = AnsibleModule(
        argument_spec={
            "state": {"type": "str", "choices": ["started", "stopped"], "default": "started"},
            "port": {"type": "int", "default": 5201},
            "count": {"type": "int", "default": 2},
            "bind": {"type": "str"},
            "max_seconds": {"type": "float", "default": 3600.0},
            "test_max_seconds": {"type": "float", "default": 300.0},
            "state_dir": {"type": "path"},
            "executable": {"type": "str", "default": "iperf3"},
        },
        supports_check_mode=True,
    )
    folder = Path(module.params["state_dir"]) if module.params["state_dir"] else default_folder()
    try:
        if module.params["state"] == "started":
            _start(module, folder)
        changed = has_something_to_stop(folder) if module.check_mode else stop(folder)
    except (PoolError, OSError) as error:
        module.fail_json(msg=str(error))
    module.exit_json(changed=changed, state_dir=str(folder))


if __name__ == "__main__":
    main()
