# Copyright: routerlab.bench contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

from __future__ import annotations

DOCUMENTATION = r"""
module: router_config
short_description: Put a rendered configuration on a router
version_added: 0.1.0
author:
  - routerlab.bench contributors (@routerlab)
description:
  - Reads a folder that M(routerlab.bench.render) wrote, and nothing else, and makes the router's configuration equal to it.
  - Reads what the router has and plans a diff; C(changed) comes from this plan. In check mode it stops here.
  - A router whose version is not the one of the lab is refused, and so is a plan that would cut the management access, by the drivers that work from
    the controller. They put a plan into force provisionally where the platform can, look at the router over a new connection, and only then make it
    last; otherwise they lead back to the old configuration and say what is in force. docs/drivers.md has the whole course.
  - With driver V(ssh), every candidate file is then checked by the program that will read it (C(vtysh -C), C(kea-dhcp4 -t), C(dhcpd -t), C(nft -c),
    C(ifup --no-act), C(sshd -t)). One that is refused stops the deployment before anything is changed, with the program's own words.
  - Replaced files are kept on the router and on the controller. New ones are put in place by renaming, and only what changed is reloaded, without
    dropping sessions. Daemons that are no longer wanted are stopped, daemons that should run and do not are started.
  - In the end everything is read again. When a step fails, the old files are put back and brought into force, and the message names the step,
    its command and its words.
extends_documentation_fragment:
  - routerlab.bench.attributes
  - routerlab.bench.attributes.posix
attributes:
  check_mode:
    support: full
    details: Stops after the plan; candidates are not checked by their programs then, as that would write to the router.
  diff_mode:
    support: full
    details: Shows what changes in every file that holds no secret.
  platform:
    support: full
  idempotent:
    support: full
    details: A second run changes nothing and reloads nothing.
options:
  build:
    description: The folder of one router and profile, seen from where C(ansible-playbook) was started.
    type: path
    required: true
  driver:
    description:
      - How the configuration reaches the router. V(ssh) is for systems that are configured by files and daemons and have a Python, over whatever
        connection the host has. All others work from the controller.
      - What the folder's C(manifest.json) says unless given. A name that no driver has is answered with the names that there are.
    type: str
  backup:
    description:
      - Folder on the controller that keeps what was replaced, in a sub-folder with the time as its name, readable by its owner only.
      - C(backup/) and the host's name unless given. Without a backup nothing is changed.
    type: path
  install:
    description: Whether to install the packages that the configuration needs first, with apt. Otherwise a missing program is named and nothing is done.
    type: bool
    default: false
  bundle:
    description: The folder's contents. The controller's part of this module fills it in.
    type: str
"""

EXAMPLES = r"""
- name: Put a profile on the routers
  hosts: routers
  gather_facts: false
  tasks:
    - name: Deploy the profile with NAT
      routerlab.bench.router_config:
        build: "build/lab/profiles/nat/{{ inventory_hostname }}"
        backup: "backup/{{ inventory_hostname }}"
"""

RETURN = r"""
plan:
  description: What differs, a line for each file and each step.
  returned: success
  type: list
  elements: str
  sample: ["/etc/frr/frr.conf: change", "frr: reload"]
steps:
  description: What was done, and how long it took.
  returned: when something was changed
  type: list
  elements: dict
  sample: [{step: frr, action: reload, seconds: 0.61}]
backup:
  description: Folder on the router that keeps the replaced files.
  returned: with driver V(ssh), when files were replaced
  type: str
  sample: /var/lib/routerlab/backups/20260102T030405Z
backup_folder:
  description: Folder on the controller that keeps what was replaced; M(routerlab.bench.router_restore) puts it back.
  returned: when something was changed
  type: str
  sample: backup/dut/20260102T030405Z
installed:
  description: Whether packages were installed.
  returned: with O(install)
  type: bool
  sample: false
config_hash:
  description: Sum over the names and bytes of all files of the configuration.
  returned: success
  type: str
  sample: 4f1c7bb6f7a8f3d5e1d9a5f2b87ce6bfb0b7c1a94f0ba0f0a4fa9d70bb3bb1e2
rolled_back:
  description: Whether the old configuration is in force again after a failure.
  returned: when a step failed
  type: bool
  sample: true
"""

import json

from ansible.module_utils.basic import AnsibleModule

from ansible_collections.routerlab.bench.plugins.module_utils._drivers._driver import DriverError
from ansible_collections.routerlab.bench.plugins.module_utils._drivers.ssh import SshDriver


def main() -> None:
    """Plan; then, unless in check mode, apply."""
    module = AnsibleModule(
        argument_spec={
            "build": {"type": "path", "required": True},
            "driver": {"type": "str"},
            "backup": {"type": "path"},
            "install": {"type": "bool", "default": False},
            # holds the text of every file, those with secrets too
            "bundle": {"type": "str", "no_log": True},
        },
        supports_check_mode=True,
    )
    if module.params["bundle"] is None:
        module.fail_json(msg="This module needs its action plugin: call it as routerlab.bench.router_config.")
    bundle = json.loads(module.params["bundle"])
    driver = SshDriver(bundle, module.params)
    result = {"changed": False, "config_hash": bundle["manifest"]["config_hash"]}
    try:
        plan = driver.plan()
        result.update(changed=plan.changed, plan=plan.summary, diff=plan.diff)
        if plan.changed and not module.check_mode:
            result.update(driver.apply(plan))
    except DriverError as error:
        module.fail_json(msg=str(error), **{**result, "changed": False, **error.details})
    module.exit_json(**result)


if __name__ == "__main__":
    main()
