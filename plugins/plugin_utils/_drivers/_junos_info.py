# Copyright: routerlab.bench contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""What Junos tells of itself."""

from __future__ import annotations

from typing import Any, Mapping

from ansible_collections.routerlab.bench.plugins.plugin_utils._drivers._junos_netconf import Netconf


def version_of(session: Netconf) -> list[str]:
    """The release, ``21.4R3.15``."""
    text = (session.rpc("get_system_information").findtext(".//os-version") or "").strip()
    return [text] if text else []


def info_of(session: Netconf, manifest: Mapping[str, Any]) -> dict[str, Any]:
    """The state in the shape of router_info."""
    versions = version_of(session)
    return {"platform": manifest["platform"], "version": versions[0] if versions else None}
