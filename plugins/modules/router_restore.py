# Copyright: routerlab.bench contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

from __future__ import annotations

DOCUMENTATION = r"""
module: router_restore
short_description: Put a backup back on a router
version_added: 0.1.0
author:
  - routerlab.bench contributors (@routerlab)
description:
  - Takes a backup that M(routerlab.bench.router_config) wrote before a change, and leads the router back to it.
  - It is a deployment like any other. Its plan is shown with C(--diff), check mode stops after it, the state before it is backed up, too, and the same
    things are refused, so a restore can be undone by another restore.
  - Byte for byte where the platform allows. On Debian, files get their old contents, modes and owners, new files go, and daemons that did not run are
    stopped. On VyOS and EdgeOS the commands and the saved file are the old ones.
extends_documentation_fragment:
  - routerlab.bench.attributes
  - routerlab.bench.attributes.posix
attributes:
  check_mode:
    support: full
  diff_mode:
    support: full
    details: Without any secret.
  platform:
    support: full
  idempotent:
    support: full
    details: When the router is as the backup has it, nothing is changed.
options:
  backup:
    description: The folder on the controller that holds the backups of this router. C(backup/) and the host's name unless given.
    type: path
  time:
    description: Which backup, by the name of its folder; V(latest) is the newest.
    type: str
    default: latest
  bundle:
    description: The backup's contents. The controller's part of this module fills it in.
    type: str
"""

EXAMPLES = r"""
- name: Take the last deployment back
  hosts: routers
  gather_facts: false
  tasks:
    - name: Put the newest backup back
      routerlab.bench.router_restore:
        backup: "backup/{{ inventory_hostname }}"
"""

RETURN = r"""
restored:
  description: The backup that was taken.
  returned: success
  type: str
  sample: backup/dut/20260102T030405Z
plan:
  description: What differs from the backup.
  returned: success
  type: list
  elements: str
  sample: ["/etc/frr/frr.conf: change", "frr: reload"]
backup_folder:
  description: Where the state before the restore is kept.
  returned: when something was changed
  type: str
  sample: backup/dut/20260102T040506Z
"""

import json

from ansible.module_utils.basic import AnsibleModule

from ansible_collections.routerlab.bench.plugins.module_utils._drivers._driver import DriverError
from ansible_collections.routerlab.bench.plugins.module_utils._drivers.ssh import SshDriver


def main() -> None:
    """Plan the way back; then, unless in check mode, go it."""
    module = AnsibleModule(
        argument_spec={
            "backup": {"type": "path"},
            "time": {"type": "str", "default": "latest"},
            # holds the text of every file, those with secrets too
            "bundle": {"type": "str", "no_log": True},
        },
        supports_check_mode=True,
    )
    if module.params["bundle"] is None:
        module.fail_json(msg="This module needs its action plugin: call it as routerlab.bench.router_restore.")
    driver = SshDriver(json.loads(module.params["bundle"]), module.params)
    result: "dict[str, object]" = {"changed": False}
    try:
        plan = driver.plan_restore()
        result.update(changed=plan.changed, plan=plan.summary, diff=plan.diff)
        if plan.changed and not module.check_mode:
            result.update(driver.apply(plan))
    except DriverError as error:
        module.fail_json(msg=str(error), **{**result, "changed": False, **error.details})
    module.exit_json(**result)


if __name__ == "__main__":
    main()
