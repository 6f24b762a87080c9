# Copyright: routerlab.bench contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Secrets stay out of messages, diffs and results."""

from __future__ import annotations

import re
from typing import Any, Iterable

ASTERISKS = "********"
SHORTEST = 3
# A word of a configuration whose value is a secret in every platform's language.
SECRET_WORD = re.compile(
    r"""(?ix) (?P<head> \b(?:[\w-]*(?:password|passwd|passphrase|secret|community|psk(?!\s+\S+\s+(?:secret|id)\b))
    |(?:private|preshared|pre-shared|wpa|shared-secret|md5|auth|encryption)-key
    |(?:private|preshared)_key|community-name|key-string) (?:\s*[=:]\s*|\s+))
    (?P<value> "[^"\n]*" | '[^'\n]*' | [^\s;{}]+)"""
)


class Mask:
    """Puts asterisks in place of known values. A value counts where it stands alone, not inside a word or a path."""

    def __init__(self, values: Iterable[str] = ()) -> None:
        self._pattern: re.Pattern[str] | None = None
        self._values: set[str] = set()
        self.add(values)

    def add(self, values: Iterable[str]) -> None:
        self._values |= {value for value in values if len(value) >= SHORTEST}
        ordered = sorted(self._values, key=len, reverse=True)
        alone = "|".join(re.escape(value) for value in ordered)
        self._pattern = re.compile(rf"(?<![\w./-])(?:{alone})(?![\w/-])") if ordered else None

    def text(self, text: str) -> str:
        """A text without the values."""
        return self._pattern.sub(ASTERISKS, text) if self._pattern else text

    def tree(self, value: Any) -> Any:
        """The same for everything in a result."""
        if isinstance(value, str):
            return self.text(value)
        if isinstance(value, dict):
            return {key: self.tree(item) for key, item in value.items()}
        if isinstance(value, (list, tuple)):
            return [self.tree(item) for item in value]
        return value


def hide_by_word(line: str) -> str:
    """A line of configuration without the values of words such as ``password``; for what a device has and nobody rendered."""
    return SECRET_WORD.sub(lambda match: match["head"] + ASTERISKS, line)
