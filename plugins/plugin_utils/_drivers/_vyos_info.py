# Copyright: routerlab.bench contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""What VyOS and EdgeOS tell of themselves."""

from __future__ import annotations

import re
from typing import Any, Mapping

from ansible_collections.routerlab.bench.plugins.plugin_utils._drivers._shell import decode
from ansible_collections.routerlab.bench.plugins.plugin_utils._drivers._vyos_terminal import Terminal


def versions_of(text: str, saved: bytes) -> list[str]:
    """The release of ``show version``, and the component numbers of the saved configuration's last lines."""
    release = re.search(r"^\s*Version:\s+(?:VyOS\s+)?(\S+)", text, re.MULTILINE)
    footer = re.search(r'(?:vyos|vyatta)-config-version:\s*"([^"]+)"', decode(saved))
    return [match[1] for match in (release, footer) if match]


def info_of(terminal: Terminal, manifest: Mapping[str, Any]) -> dict[str, Any]:
    return {}
