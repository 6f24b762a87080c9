# Copyright: routerlab.bench contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Where a session goes to, as the device sees it: through address translation the two sides see different addresses."""

from __future__ import annotations

import ipaddress

from ansible_collections.routerlab.bench.plugins.plugin_utils._drivers._access import Access


def server_of(client: str | None, there: str, access: Access) -> str:
    """The address that we connected to if the device has it, else its own one on the client's network."""
    addresses = [item for items in access.addresses.values() for item in items]
    if any(item.split("/")[0] == there for item in addresses):
        return there
    return next((item.split("/")[0] for item in addresses if client and _holds(item, client)), there)


def _holds(cidr: str, address: str) -> bool:
    try:
        return ipaddress.ip_address(address) in ipaddress.ip_interface(cidr).network
    except ValueError:
        return False
