# Copyright: routerlab.bench contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Labs and platforms for tests of the lab model. The platforms are stand-ins: no room of the collection is needed."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import jinja2
import yaml

from ansible_collections.routerlab.bench.plugins.plugin_utils._features import FEATURES
from ansible_collections.routerlab.bench.plugins.plugin_utils._lab_source import plain_lab

ROOT = Path(__file__).resolve().parents[3]
LABS = ROOT / "tests/unit/plugin_utils/lab_cases/labs"


def stand_in(**more: Any) -> dict[str, Any]:
    """A platform that can do everything and knows every version, unless ``more`` says otherwise."""
    names = {"tagged": "{port}.{vlan}", "untagged": "{port}", "max_length": 15}
    return {"dialects": [{"name": "any", "versions": ["*"]}], "features": dict.fromkeys(FEATURES, True), "interface_names": names, **more}


PLATFORMS = {
    "linux": stand_in(dialects=[{"name": "12", "versions": ["12", "12.*"]}, {"name": "13", "versions": ["13"]}], dhcp_backend="kea"),
    "limited": stand_in(
        dialects=[{"name": "1", "versions": ["1.*"], "features": {"ospf": True}}, {"name": "2", "versions": ["2.*"]}],
        device_classes=["big", "small"],
        features={**dict.fromkeys(FEATURES, False), "plain_ports": True, "ssh": True, "wireguard": "its kernel has no WireGuard."},
    ),
}


ABLE = {
    name: stand_in(device_classes=["chr", "routerboard", "erx", "x86", "dsa", "swconfig"])
    for name in ("vyos", "edgeos", "debian", "routeros", "pfsense", "opnsense", "openwrt", "junos", "sixwind", "sophos", "untangle")
}
"""Stand-ins for all rooms of the write-ups, whether they exist or not."""


def read_lab(path: Path) -> dict[str, Any]:
    """The lab of a file, without templating."""
    return yaml.safe_load(path.read_text(encoding="utf-8"))["lab"]


def named_lab(name: str) -> dict[str, Any]:
    """One of the labs that test cases start from."""
    return read_lab(LABS / f"{name}.yml")


def seed_lab(name: str) -> dict[str, Any]:
    """The lab of a write-up, with the variables beside it put in."""
    variables: dict[str, Any] = {}
    for path in sorted((ROOT / "inventories" / name / "group_vars/all").glob("*.yml")):
        variables.update(yaml.safe_load(path.read_text(encoding="utf-8")))
    environment = jinja2.Environment(undefined=jinja2.StrictUndefined, keep_trailing_newline=True)
    lab, problems = plain_lab(variables["lab"], lambda text: environment.from_string(text).render(variables))
    assert problems == []
    return lab


def lab_of(count: int, profiles: int = 0) -> dict[str, Any]:
    """A sound lab of many routers on one backbone, each with two LANs on a trunk, and profiles that change each of them."""
    networks: list[dict[str, Any]] = [{"name": "backbone", "subnet": "10.0.0.0/16"}]
    routers = []
    for index in range(count):
        high, low = divmod(index, 250)
        lans = {"lan": f"10.{100 + high}.{low}", "lan2": f"10.{120 + high}.{low}"}
        networks += [{"name": f"r{index}-{name}", "subnet": f"{net}.0/24", "vlan": vlan} for vlan, (name, net) in enumerate(lans.items(), 100)]
        interfaces = [{"name": "wan", "network": "backbone", "address": f"10.0.{high + 1}.{low + 1}/16"}]
        interfaces += [
            {"name": name, "network": f"r{index}-{name}", "port": "trunk", "tagged": True, "address": f"{net}.1/24"} for name, net in lans.items()
        ]
        pools = [{"name": name, "start": f"{net}.10", "stop": f"{net}.200", "dns": ["10.53.53.53"]} for name, net in lans.items()]
        loopbacks = [{"name": "lo", "address": f"10.140.{high}.{low}/32"}]
        own = {"interfaces": interfaces, "loopbacks": loopbacks, "dhcp": {"enabled": True, "pools": pools}}
        routers.append({"name": f"r{index}", "platform": "linux", "version": "12", **own})
    common = {
        "ports": [{"name": "wan", "native": "eth0"}, {"name": "trunk", "native": "eth1"}],
        "ospf": {"enabled": True, "interfaces": [{"name": "wan"}, {"name": "lo", "passive": True}], "redistribute": [{"name": "connected"}]},
    }
    return {"name": "many", "networks": networks, "common": common, "routers": routers, "profiles": [_profile(n) for n in range(profiles)]}


def _profile(number: int) -> dict[str, Any]:
    rules = [{"name": "lans", "interface": "wan", "source": "10.0.0.0/8"}]
    changes = {"tuning": {"queues": number + 1}, "nat": {"enabled": bool(number % 2), "rules": rules}}
    return {"name": f"p{number}", "changes": changes}
