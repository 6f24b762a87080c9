# Copyright: routerlab.bench contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""The filters of configurations in XML, and those of what pfSense makes of their texts."""

from __future__ import annotations

import re
from typing import Any, Callable

from ansible_collections.routerlab.bench.plugins.plugin_utils._quote import SHOWN, QuoteError, one_line

_BAD = re.compile("[\ufffe\uffff]")
_MACRO = re.compile(r"[A-Za-z0-9_]+")


def _refuse(language: str, text: str, what: str) -> QuoteError:
    return QuoteError(f"{text[:SHOWN]!r} cannot be written in {language}: {what}")


def _checked(text: Any) -> str:
    """The text, if XML can hold it; pfSense and OPNsense lose blanks at the ends."""
    own = one_line("XML", str(text))
    if _BAD.search(own):
        raise _refuse("XML", own, "it holds a character that XML has not")
    if own != own.strip():
        raise _refuse("XML", own, "blanks at its ends would be lost")
    return own


def xml(text: Any) -> str:
    """The content of an element."""
    return _checked(text).replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


def pfsense_cdata(text: Any) -> str:
    """The content of an element as pfSense writes its own texts: in CDATA, and in it the entities of HTML, which pfSense resolves after it has
    read the XML. So nothing can close the CDATA, either."""
    return "<![CDATA[" + xml(text).replace('"', "&quot;") + "]]>"


def pfsense_macro(text: Any) -> str:
    """An interface's description, which pfSense makes a macro of pf."""
    if not _MACRO.fullmatch(str(text)):
        raise _refuse("pfSense", str(text), "an interface's name becomes a macro of pf: letters, digits and _ only")
    return str(text)


def pf_label(text: Any) -> str:
    """A rule's description, which pfSense makes a label of pf, in quotes and without escapes."""
    if "\\" in str(text):
        raise _refuse("pfSense", str(text), "a rule's description becomes a label of pf, which cannot hold a backslash")
    return str(text)


def bsnmpd(text: Any) -> str:
    """A text that pfSense puts between quotes in the configuration of bsnmpd."""
    for mark in ('"', "\\", "$"):
        if mark in str(text):
            raise _refuse("pfSense", str(text), f"it goes into the configuration of bsnmpd as it is, where {mark} has a meaning")
    return str(text)


QUOTES: dict[str, Callable[..., str]] = {
    "bsnmpd": bsnmpd,
    "pf_label": pf_label,
    "pfsense_cdata": pfsense_cdata,
    "pfsense_macro": pfsense_macro,
    "xml": xml,
}
