# Copyright: routerlab.bench contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Starts one of each device that plays an API, until it is killed.

    python tests/unit/helpers/fake_http_start.py FOLDER

writes FOLDER/devices.json (of each: port, certificate), and FOLDER/NAME.state whenever it is asked to by a file FOLDER/look.
"""
from __future__ import annotations

import json
import sys
import time
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parents[2] / ".ansible/collections")]

from fake_http import FakeHttp
from fake_http_sophos import FakeHttpSophos
from fake_http_untangle import FakeHttpUntangle
from fake_http_vyos import FakeHttpVyos
from fake_vyos_state import FACTORY, Box


def main(folder: Path) -> None:
    # We come in over eth7, so no route of the lab is the way back to us.
    box = Box(config=FACTORY.replace("192.0.2.1/24", "127.0.0.1/8"))
    vyos, sophos, untangle = FakeHttpVyos(box), FakeHttpSophos(), FakeHttpUntangle()
    devices: dict[str, FakeHttp] = {"v1": vyos, "s1": sophos, "u1": untangle}
    states = {"v1": vyos.box.boot_text, "s1": sophos.state, "u1": untangle.state}
    facts = {name: {"port": device.port, "certificate": str(device.certificate)} for name, device in devices.items()}
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "new").write_text(json.dumps(facts), encoding="utf-8")
    (folder / "new").rename(folder / "devices.json")
    while True:
        if (folder / "look").exists():
            for name, state in states.items():
                (folder / f"{name}.state").write_text(state(), encoding="utf-8")
            (folder / "look").unlink()
        time.sleep(0.1)


if __name__ == "__main__":
    main(Path(sys.argv[1]))
