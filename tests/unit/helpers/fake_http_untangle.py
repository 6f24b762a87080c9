# Copyright: routerlab.bench contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""A firewall that plays the administration page of Untangle: POST /auth/login, then JSON-RPC on /admin/JSON-RPC.

Modelled on Untangle's sources, release-14.2 to ngfw-release-17.5: web/auth/index.py (a right login is redirected with a cookie, a wrong one gets the form
with HTTP 200), the patch of jabsorb (system.getNonce, 595 `Invalid security nonce`, 490 with the words of an exception), UtJsonRpcServlet (managers are
references with an objectID), NetworkManagerImpl (what is checked before it saves, with its words; saved first, sync-settings after that, nothing taken
back when that fails; a failed save is logged and not told), SystemManagerImpl (SnmpSettings within SystemSettings; a time zone is its name), an object that
stands in two places is written once with a fixup. It fills defaults in as Java does. A restart forgets sessions and keeps what was saved.

sync-settings is played by one check: the lists of an interface must be there (KeyError).
"""
from __future__ import annotations

import copy
import ipaddress
import json
import secrets
import urllib.parse
from typing import Any, Mapping

from fake_http import Answer, FakeHttp, json_answer

NETWORK = "com.untangle.uvm.network."
LISTS = ("v4Aliases", "v6Aliases", "vrrpAliases")
SNMP = {
    "javaClass": "com.untangle.uvm.SnmpSettings", "enabled": False, "port": 161, "communityString": "Alt_Geheim_3", "sendTraps": False,
    "v3Enabled": False, "v3Required": False,
}  # fmt: skip
MANAGERS = {"networkManager": 1, "systemManager": 2, "appManager": 3, "adminManager": 4}
APPS = {"ipsec-vpn": 9}
NUMBERS = {"14": 7, "16": 8, "17.0": 9, "17.1": 10, "17.4": 11, "17.5": 12}


class Thrown(Exception):
    """An exception of Java."""


def many(items: list[Any]) -> dict[str, Any]:
    return {"javaClass": "java.util.LinkedList", "list": items}


def interface(number: int, **own: Any) -> dict[str, Any]:
    device = f"eth{number - 1}"
    common = {"javaClass": f"{NETWORK}InterfaceSettings", "interfaceId": number, "physicalDev": device, "systemDev": device, "symbolicDev": device}
    common.update(isWan=False, isVlanInterface=False, configType="ADDRESSED", v4ConfigType="STATIC", v6ConfigType="DISABLED", supportedConfigTypes=None)
    return {**common, **{key: many([]) for key in (*LISTS, "dhcpOptions")}, "dhcpEnabled": False, **own}


def device(number: int) -> dict[str, Any]:
    return {"javaClass": f"{NETWORK}DeviceSettings", "deviceName": f"eth{number}", "duplex": "AUTO"}


def fresh(number: int) -> dict[str, Any]:
    """What the setup wizard leaves behind."""
    rule = {"javaClass": f"{NETWORK}FilterRule", "ruleId": 1, "enabled": True, "ipv6Enabled": True, "blocked": True, "description": "Block All"}
    rule["conditions"] = many([])
    return {
        "javaClass": f"{NETWORK}NetworkSettings", "version": number, "hostName": "untangle", "domainName": "example.com", "httpPort": 80, "httpsPort": 443,
        "interfaces": many([
            interface(1, name="External", isWan=True, v4ConfigType="AUTO", v4NatEgressTraffic=True),
            interface(2, name="Internal", v4StaticAddress="192.168.2.1", v4StaticPrefix=24, dhcpEnabled=True),
            *(interface(n, name=f"Interface {n}", configType="DISABLED") for n in (3, 4, 5)),
            interface(8, name="Management", v4StaticAddress="127.0.0.1", v4StaticPrefix=8),
        ]),
        "virtualInterfaces": many([]), "accessRules": many([rule]), "devices": many([device(number) for number in (0, 1, 2, 3, 4, 7)]),
        **{key: many([]) for key in ("filterRules", "natRules", "bypassRules", "portForwardRules", "staticRoutes", "staticDhcpEntries")},
        "dhcpAuthoritative": True, "blockInvalidPackets": True, "qosSettings": None, "dynamicRoutingSettings": None,
        "dnsmasqOptions": "theirs",
    }  # fmt: skip


class FakeHttpUntangle(FakeHttp):
    """One firewall."""

    def __init__(self, dialect: str = "14", version: str = "14.2.2") -> None:
        super().__init__()
        self.version, self.users = version, {"admin": "admin-Pass_1"}
        self.network = fresh(NUMBERS[dialect])
        self.system: dict[str, Any] = {"javaClass": "com.untangle.uvm.SystemSettings", "snmpSettings": dict(SNMP), "autoUpgrade": True}
        self.zone = "Etc/UTC"
        ipsec = {"javaClass": "com.untangle.app.ipsec_vpn.IpsecVpnSettings", "tunnels": many([]), "networks": many([]), "bypassflag": False}
        self.apps = {"ipsec-vpn": ipsec}
        self.force: dict[str, Any] = copy.deepcopy(self.network)
        """What is in force, which is not what is saved when sync-settings failed."""
        self.disk_full = False
        self.sync_fails = 0
        self.sessions: dict[str, str] = {}

    def restart(self, seconds: float = 0.3) -> None:
        self.sessions.clear()
        self.away(seconds)

    def state(self) -> str:
        return json.dumps([self.network, self.force, self.system, self.zone, self.apps], sort_keys=True)

    def label(self, path: str, body: bytes) -> str:
        return "login" if path.startswith("/auth/login") else str(json.loads(body)["method"]).rpartition(".")[2]

    def answer(self, path: str, headers: Mapping[str, str], body: bytes) -> Answer:
        if path.startswith("/auth/login"):
            return self._login(urllib.parse.parse_qs(body.decode()))
        cookie = (headers.get("Cookie") or "").partition("=")[2]
        if path != "/admin/JSON-RPC" or cookie not in self.sessions:
            return 302, {"Location": "/auth/login?url=/admin&realm=Administrator"}, b""
        request = json.loads(body)
        if request["method"] == "system.getNonce":
            return json_answer({"id": request["id"], "result": self.sessions[cookie]})
        if request.get("nonce") != self.sessions[cookie]:
            return json_answer({"id": request["id"], "error": {"code": 595, "msg": "Invalid security nonce"}})
        try:
            result = copy.deepcopy(self._call(request["method"], copy.deepcopy(request["params"])))
        except Thrown as thrown:
            return json_answer({"id": request["id"], "error": {"code": 490, "msg": str(thrown), "trace": "java.lang.RuntimeException\n\tat ..."}})
        return json_answer({"id": request["id"], "result": result, **self._fixups(result)})

    def _login(self, form: Mapping[str, list[str]]) -> Answer:
        if self.users.get((form.get("username") or [""])[0]) != (form.get("password") or [""])[0]:
            return 200, {"Content-Type": "text/html"}, b"<html>Error: Username and Password do not match</html>"
        cookie = secrets.token_hex(8)
        self.sessions[cookie] = secrets.token_hex(8)
        return 302, {"Location": "/admin", "Set-Cookie": f"pysid={cookie}; path=/; secure"}, b""

    @staticmethod
    def _fixups(result: Any) -> dict[str, Any]:
        """The empty list of an interface's aliases is one object in Java, written once."""
        items = result.get("interfaces", {}).get("list", []) if isinstance(result, dict) else []
        if len(items) < 2 or items[0].get("v4Aliases") != items[1].get("v4Aliases"):
            return {}
        items[1]["v4Aliases"] = None
        return {"fixups": [[["interfaces", "list", 1, "v4Aliases"], ["interfaces", "list", 0, "v4Aliases"]]]}

    def _call(self, method: str, params: list[Any]) -> Any:
        owner, _mark, name = method.rpartition(".")
        if owner == "UvmContext" and name in MANAGERS:
            return {"JSONRPCType": "CallableReference", "javaClass": name, "objectID": MANAGERS[name]}
        if owner == "UvmContext" and name == "getFullVersion":
            return self.version
        manager = {f".obj#{number}": known for known, number in {**MANAGERS, **APPS}.items()}.get(owner)
        door = getattr(self, f"_{(manager or 'nobody').replace('-', '_')}_{name}", None)
        if door is None:
            raise Thrown(f"method {method} not found")
        return door(*params)

    def _appManager_app(self, name: str) -> Any:
        return {"JSONRPCType": "CallableReference", "javaClass": name, "objectID": APPS[name]} if name in self.apps else None

    def _adminManager_getKernelVersion(self) -> str:
        return "4.19.0-11-untangle-amd64"

    def _networkManager_getNetworkSettings(self) -> Any:
        return self.network

    def _networkManager_getInterfaceStatus(self) -> Any:
        items = self.force["interfaces"]["list"]
        names = {"interfaceId": "interfaceId", "v4Address": "v4StaticAddress", "v4PrefixLength": "v4StaticPrefix"}
        return many([{name: item.get(own) for name, own in names.items()} for item in items])

    def _networkManager_getDeviceStatus(self) -> Any:
        return many([{"deviceName": "eth0", "connected": "CONNECTED", "mbit": 1000}, {"deviceName": "eth1", "connected": "DISCONNECTED"}])

    def _networkManager_setNetworkSettings(self, new: dict[str, Any]) -> None:
        self._check(new)
        for item in new["interfaces"]["list"]:
            item.setdefault("supportedConfigTypes", None)
            item.setdefault("v6StaticPrefixLength", 64 if item["configType"] == "ADDRESSED" else None)
        if self.disk_full:
            return
        self.network = new
        if self.sync_fails:
            self.sync_fails -= 1
            raise Thrown("Failed to sync settings: sync-settings exited with 1")
        for item in new["interfaces"]["list"]:
            missing = [key for key in LISTS if not isinstance(item.get(key), dict)]
            if missing:
                raise Thrown(f"Failed to sync settings: KeyError: {missing[0]!r}")
        self.force = copy.deepcopy(new)

    @staticmethod
    def _check(new: dict[str, Any]) -> None:
        items = new["interfaces"]["list"]
        if any(item.get("v4ConfigType") is None for item in items):
            raise Thrown("Missing V4 Config Type")
        if not any(item["isWan"] and item["configType"] != "DISABLED" for item in items):
            raise Thrown("Must have at least one configured WAN interface.")
        nets: dict[Any, str] = {}
        for item in items:
            if item["configType"] == "ADDRESSED" and item["v4ConfigType"] == "STATIC" and item.get("v4StaticAddress"):
                net = ipaddress.ip_network(f"{item['v4StaticAddress']}/{item['v4StaticPrefix']}", strict=False)
                if net in nets:
                    raise Thrown(f"{nets[net]} & {item['name']} address conflict. {net.network_address} = {net.network_address}")
                nets[net] = item["name"]

    def _systemManager_getSettings(self) -> Any:
        return self.system

    def _systemManager_setSettings(self, new: dict[str, Any]) -> None:
        new["snmpSettings"].setdefault("sysContact", "MYCONTACT")
        self.system = new if not self.disk_full else self.system

    def _systemManager_getTimeZone(self) -> str:
        return self.zone

    def _systemManager_setTimeZone(self, zone: str) -> None:
        self.zone = zone

    def _ipsec_vpn_getSettings(self) -> Any:
        return self.apps["ipsec-vpn"]

    def _ipsec_vpn_setSettings(self, new: dict[str, Any]) -> None:
        self.apps["ipsec-vpn"] = new
