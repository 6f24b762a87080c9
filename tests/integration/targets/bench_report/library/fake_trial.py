# Copyright: routerlab.bench contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Test double: hands back a prepared record in the place where a trial would have measured one."""

from __future__ import annotations

import json
import time
from pathlib import Path

from ansible.module_utils.basic import AnsibleModule


def main() -> None:
    module = AnsibleModule(
        argument_spec={
            "run_dir": {"type": "path", "required": True},
            "prepared": {"type": "path", "required": True},
            "id": {"type": "str", "required": True},
            "seconds": {"type": "float", "default": 0},
        }
    )
    time.sleep(module.params["seconds"])
    records = [json.loads(line) for line in Path(module.params["prepared"]).read_text(encoding="utf-8").splitlines()]
    record = next(item for item in records if item["id"] == module.params["id"])
    module.exit_json(changed=False, bench_record={"run_dir": module.params["run_dir"], "record": record})


if __name__ == "__main__":
    main()
