# Copyright: routerlab.bench contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""What tools printed, as the files that are kept of a trial: long texts compressed, bytes as they are."""

from __future__ import annotations

import base64
import gzip
from typing import Dict

# A report longer than this is kept compressed.
PLAIN_BYTES = 20000


def kept(name: str, text: str) -> Dict[str, str]:
    """A text, compressed where that is worth it."""
    if len(text) <= PLAIN_BYTES:
        return {"name": name, "text": text}
    return kept_bytes(name + ".gz", gzip.compress(text.encode("utf-8"), mtime=0))


def kept_bytes(name: str, data: bytes) -> Dict[str, str]:
    """Bytes."""
    return {"name": name, "base64": base64.b64encode(data).decode("ascii")}
