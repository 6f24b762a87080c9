# Copyright: routerlab.bench contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""A lab as a topology of containerlab: nodes, wires, an inventory, and the lab with the ports that the images have."""

from __future__ import annotations

import copy
from typing import Any, Mapping, NamedTuple

from ansible_collections.routerlab.bench.plugins.plugin_utils._clab_wires import L2, SWITCH, Port, lay
from ansible_collections.routerlab.bench.plugins.plugin_utils._lab_errors import LabError, Problem, choices
from ansible_collections.routerlab.bench.plugins.plugin_utils._lab_model import Model, resolve_router
from ansible_collections.routerlab.bench.plugins.plugin_utils._platforms import Platform
from ansible_collections.routerlab.bench.plugins.plugin_utils._render import platform_of, render_router

Lab = dict[str, Any]

LINUX = {"kind": "linux", "ports": "eth{n}", "first": 1}
IMAGES = {"endpoint": "nicolaka/netshoot:latest", "switch": "nicolaka/netshoot:latest", "neighbour": "quay.io/frrouting/frr:8.4.4"}
NEIGHBOUR = {"platform": "debian", "version": "12"}
"""Routers that somebody else configures run FRR here, in the form that room debian writes."""
DAEMONS = "zebra=yes\nospfd=yes\nvtysh_enable=yes\nzebra_options=\"  -A 127.0.0.1 -s 90000000\"\nospfd_options=\"  -A 127.0.0.1\"\n"


class Topology(NamedTuple):
    """What is written: the topology, the inventory, the lab, and files that nodes mount, by path."""

    topology: dict[str, Any]
    inventory: dict[str, Any]
    lab: Lab
    files: dict[str, str]


def topology_of(lab: Mapping[str, Any], platforms: Mapping[str, Platform], images: Mapping[str, str], routers: list[str] | None = None) -> Topology:
    """The topology of a checked lab.

    ``images`` are container images by node or platform (or C(endpoint), C(switch), C(neighbour)); ``routers`` chooses among
    routers that stand in for one another: the first of each slot unless given. Raises LabError with all problems.
    """
    chosen = _chosen(lab, routers)
    own: Lab = copy.deepcopy(dict(lab))
    own["routers"] = [item for item in own["routers"] if item["name"] in chosen]
    return _topology(own, platforms, images)


def _topology(lab: Lab, platforms: Mapping[str, Platform], images: Mapping[str, str]) -> Topology:
    kinds, problems = _kinds(lab, platforms)
    if problems:
        raise LabError(problems)
    for item in lab["routers"]:
        _rename_ports(item, resolve_router(lab, item["name"], None, platforms), kinds[item["name"]])
    models = {item["name"]: resolve_router(lab, item["name"], None, platforms) for item in lab["routers"]}
    wires = lay([*_router_ports(models, kinds), *_endpoint_ports(lab, models)], {item["name"]: item["vlan"] for item in lab["networks"] if item.get("vlan")})
    nodes: dict[str, Any] = {}
    files: dict[str, str] = {}
    for name, model in models.items():
        nodes[name] = _router_node(model, kinds[name], images, files, lab, platforms)
    for endpoint in lab["endpoints"]:
        nodes[endpoint["name"]] = _endpoint_node(endpoint, lab, models, images)
    if wires.commands:
        nodes[SWITCH] = {"kind": "linux", "image": _image(images, SWITCH, "switch"), "exec": wires.commands}
    links = [{"endpoints": list(ends), "mtu": mtu} for ends, mtu in wires.links]
    return Topology({"name": lab["name"], "topology": {"nodes": nodes, "links": links}}, _inventory(lab, kinds), lab, files)


def _rename_ports(router: dict[str, Any], model: Model, kind: dict[str, Any]) -> None:
    """Ports get the names that the image gives them; ``kind["wire"]`` says what each is called in the topology."""
    kind["wire"] = {}
    described = {port["name"]: port for port in router.setdefault("ports", [])}
    for number, used in enumerate(model["ports"], start=kind["first"]):
        port = described.get(used["name"])
        if port is None:
            port = {"name": used["name"]}
            router["ports"].append(port)
        port["native"] = kind["ports"].format(n=number)
        kind["wire"][port["native"]] = kind.get("wires", kind["ports"]).format(n=number)


def _chosen(lab: Mapping[str, Any], wanted: list[str] | None) -> list[str]:
    """Routers that take part: those asked for, else the first of each slot. Neighbours always do."""
    known = {item["name"]: item for item in lab["routers"]}
    problems = [Problem("routers", name, "the lab has no router of this name", choices(known, name), "UNDEFINED") for name in wanted or [] if name not in known]
    if problems:
        raise LabError(problems)
    found: list[str] = []
    slots: dict[str, str] = {}
    for name, item in known.items():
        if item.get("managed") is False:
            found.append(name)
        elif wanted is None or name in wanted:
            taken = slots.setdefault(item.get("slot") or name, name)
            if taken == name:
                found.append(name)
            elif wanted is not None:
                problems.append(Problem("routers", name, f"stands in for {taken}: both have the same addresses", "one router of a slot"))
    if problems:
        raise LabError(problems)
    return found


def _kinds(lab: Lab, platforms: Mapping[str, Platform]) -> tuple[dict[str, dict[str, Any]], list[Problem]]:
    """What containerlab calls each router, from its room's platform.yml."""
    kinds: dict[str, dict[str, Any]] = {}
    problems = []
    able = [name for name, platform in platforms.items() if platform.get("containerlab")]
    for item in lab["routers"]:
        path = f"lab.routers[{item['name']}]"
        if item.get("managed") is False:
            kinds[item["name"]] = {**LINUX, "neighbour": True}
            continue
        data = platforms[item["platform"]].get("containerlab")
        if not data:
            problems.append(Problem(f"{path}.platform", item["platform"], "containerlab has no kind for this platform", choices(able, item["platform"])))
            continue
        kind = data.get("device_classes", {}).get(item.get("device_class"), data)
        if "kind" not in kind:
            problems.append(Problem(f"{path}.device_class", item.get("device_class"), "containerlab has no kind for it", ", ".join(data["device_classes"])))
            continue
        kinds[item["name"]] = {**data, **kind}
        for interface in [*(lab.get("common") or {}).get("interfaces", []), *item.get("interfaces", [])]:
            if interface.get("native"):
                problems.append(
                    Problem(f"{path}.interfaces[{interface['name']}].native", interface["native"], "ports get the names of the image here", "no native name")
                )
    return kinds, problems


def _router_ports(models: Mapping[str, Model], kinds: Mapping[str, Mapping[str, Any]]) -> list[Port]:
    found = []
    for name, model in models.items():
        networks = {item["name"]: item["network"] for item in model["interfaces"]}
        for port in model["ports"]:
            members = [item["network"] for item in model["interfaces"] if item["port"] == port["name"] and item["tagged"]]
            untagged = networks[port["untagged"]] if port["untagged"] else None
            if members or untagged:
                found.append(Port(name, kinds[name]["wire"][port["native"]], untagged, tuple(members), port["mtu"]))
    return found


def _endpoint_ports(lab: Lab, models: Mapping[str, Model]) -> list[Port]:
    sizes = {item["name"]: item.get("mtu") or 1500 for item in lab["networks"]}
    found = []
    for item in lab["endpoints"]:
        network = item.get("network") or item["name"]
        found.append(Port(item["name"], "eth1", network, (), sizes[network]))
        if item.get("l2_address"):
            found.append(Port(item["name"], L2, f"{L2} segment", (), 1500))
    return found


def _router_node(
    model: Model, kind: Mapping[str, Any], images: Mapping[str, str], files: dict[str, str], lab: Lab, platforms: Mapping[str, Platform]
) -> dict[str, Any]:
    name = model["name"]
    if not kind.get("neighbour"):
        return {"kind": kind["kind"], "image": _image(images, name, model["platform"], kind["image"].format(version=model["version"]))}
    files[f"{name}/frr.conf"] = _neighbour_frr(lab, name, platforms)
    files[f"{name}/daemons"] = DAEMONS
    addresses = [f"ip address replace {item['cidr']} dev {item['native']}" for item in model["interfaces"] if item["address"]]
    binds = [f"{name}/daemons:/etc/frr/daemons", f"{name}/frr.conf:/etc/frr/frr.conf"]
    return {
        "kind": "linux",
        "image": _image(images, name, "neighbour"),
        "binds": binds,
        "sysctls": {"net.ipv4.ip_forward": 1},
        "exec": [f"ip link set {item['native']} up" for item in model["interfaces"]] + addresses,
    }


def _neighbour_frr(lab: Lab, name: str, platforms: Mapping[str, Platform]) -> str:
    """frr.conf of a neighbour, as room debian would write it."""
    own = copy.deepcopy(lab)
    next(item for item in own["routers"] if item["name"] == name).update(NEIGHBOUR, managed=True)
    model = resolve_router(own, name, None, platforms)
    return next((item.text for item in render_router(model, platform_of(model, platforms)) if item.name == "frr"), "")


def _endpoint_node(endpoint: Mapping[str, Any], lab: Lab, models: Mapping[str, Model], images: Mapping[str, str]) -> dict[str, Any]:
    """A traffic host: its address, and routes to the lab by the router of its network; the default route stays containerlab's."""
    network = endpoint.get("network") or endpoint["name"]
    commands = ["ip link set eth1 up"]
    if endpoint.get("address"):
        commands.append(f"ip address replace {endpoint['address']} dev eth1")
    gateway = _gateway(network, models)
    for item in lab["networks"]:
        if gateway and item["name"] != network and item.get("subnet"):
            commands.append(f"ip route replace {item['subnet']} via {gateway}")
    if endpoint.get("l2_address"):
        commands += [f"ip link set {L2} up", f"ip address replace {endpoint['l2_address']} dev {L2}"]
    return {"kind": "linux", "image": _image(images, endpoint["name"], "endpoint"), "exec": commands}


def _gateway(network: str, models: Mapping[str, Model]) -> str | None:
    """The address of the router of a network; of the one under test where there are several."""
    ordered = sorted(models.values(), key=lambda model: not model["managed"])
    return next((item["address"] for model in ordered for item in model["interfaces"] if item["network"] == network and item["address"]), None)


def _image(images: Mapping[str, str], node: str, role: str, default: str | None = None) -> str:
    return images.get(node) or images.get(role) or default or IMAGES[role]


def _inventory(lab: Lab, kinds: Mapping[str, Mapping[str, Any]]) -> dict[str, Any]:
    """How Ansible reaches the nodes: routers by their management address, traffic hosts by their network namespace."""
    container = {item: f"clab-{lab['name']}-{item}" for item in [*kinds, *(endpoint["name"] for endpoint in lab["endpoints"])]}
    routers = {name: _reach(kind, container[name]) for name, kind in kinds.items() if not kind.get("neighbour")}
    hosts = {item["name"]: {"ansible_netns_name": container[item["name"]]} for item in lab["endpoints"]}
    common = {"ansible_connection": "routerlab.bench.netns", "endpoint_install": False}
    return {"all": {"children": {"routers": {"hosts": routers}, "endpoints": {"hosts": hosts, "vars": common}}, "vars": {"bench_tier": "container"}}}


def _reach(kind: Mapping[str, Any], container: str) -> dict[str, Any]:
    if kind["kind"] == "linux":
        return {"ansible_connection": "community.docker.docker", "ansible_host": container}
    return {"ansible_host": container, "ansible_user": kind["user"]}
