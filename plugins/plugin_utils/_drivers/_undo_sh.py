# Copyright: routerlab.bench contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""A way back that the device goes by itself: scripts for FreeBSD's sh that put config.xml back unless somebody confirms.

A folder beside config.xml holds all of it, and its existence locks the device:

    owner             who deploys, for the message of the next one
    old.xml new.xml   the file as it was, and the one to come
    armed.<token>     whoever renames it decides: `confirmed` by the controller, `undoing` by undo.sh
    swapped           new.xml took the place of config.xml; before that there is nothing to undo
    reload.rc .log    how the reload ended

undo.sh waits, and a file that the system runs early at its next start does the same without a wait.
"""

from __future__ import annotations

import shlex
from typing import Any, Mapping

from ansible_collections.routerlab.bench.plugins.plugin_utils._drivers._ssh import writing

LOCKED = 17
STALE = 18
TAKEN = 19
DIGEST = "sha256 -q"

UNDO = """\
#!/bin/sh
# routerlab: puts the old configuration back, unless somebody confirms in time.
cd {folder} || exit 0
sleep "$1"
mv armed.{token} undoing 2>/dev/null || exit 0
if [ -f swapped ] && [ -f old.xml ]; then
  mv old.xml {config} && rm -f {cache}
  {{ {reload}; }} >undo.log 2>&1
fi
rm -f {hook}
cd / && rm -rf {folder}
"""
HOOK = """\
#!/bin/sh
# routerlab: this start came before the confirmation of a deployment; the old configuration goes back.
if cd {folder} 2>/dev/null; then
  if [ ! -f confirmed ] && [ -f swapped ] && [ -f old.xml ]; then
    mv old.xml {config} && rm -f {cache}
  fi
  cd / && rm -rf {folder}
fi
rm -f {hook}
"""
RELOAD = """\
#!/bin/sh
cd {folder} || exit 0
{{ {reload}; }} >reload.log 2>&1
echo $? >reload.rc.new
mv reload.rc.new reload.rc
"""
CHECK = {
    # The parser that config.xml is read with (xmlparse.inc): it dies of an element that may not be there twice, and says -1 otherwise.
    "pfsense": """<?php
$p = xml_parser_create();
if (!xml_parse($p, file_get_contents($argv[1]), true)) {
    echo "XML error: " . xml_error_string(xml_get_error_code($p)) . " at line " . xml_get_current_line_number($p) . "\\n";
    exit(1);
}
require_once("config.inc");
require_once("functions.inc");
if (!is_array(parse_xml_config($argv[1], "pfsense"))) {
    echo "parse_xml_config does not take this file\\n";
    exit(1);
}
""",
    # As OPNsense\\Core\\Config reads it.
    "opnsense": """<?php
libxml_use_internal_errors(true);
if (simplexml_load_string(file_get_contents($argv[1])) === false) {
    foreach (libxml_get_errors() as $e) {
        echo "XML error: " . trim($e->message) . " at line " . $e->line . "\\n";
    }
    exit(1);
}
""",
}


class Folder:
    """The folder of one deployment: what it says, and how it ends."""

    def __init__(self, folder: str, hook: str, token: str) -> None:
        self.folder, self.hook, self.token = folder, hook, token

    def state(self) -> str:
        """One word: what the folder says."""
        at = self.folder
        return (
            f"if [ ! -d {at} ]; then echo none; elif [ -f {at}/undoing ]; then echo undoing; elif [ -f {at}/confirmed ]; then echo confirmed; "
            f"elif [ ! -f {at}/armed.{self.token} ]; then echo other; "
            f"elif [ ! -f {at}/swapped ]; then echo armed; elif [ ! -f {at}/reload.rc ]; then echo reloading; else echo done $(cat {at}/reload.rc); fi"
        )

    def log(self) -> str:
        return f"tail -n 20 {self.folder}/reload.log"

    def confirm(self) -> str:
        at = self.folder
        return f"{{ [ -f {at}/confirmed ] || mv {at}/armed.{self.token} {at}/confirmed; }} && {self.clean()}"

    def clean(self) -> str:
        return f"rm -f {self.hook} && rm -rf {self.folder}"


class Way(Folder):
    """The scripts of one deployment. ``room`` is `config_xml` of platform.yml: paths and commands of the system."""

    def __init__(self, room: Mapping[str, Any], platform: str, token: str) -> None:
        super().__init__(f"{room['folder']}/routerlab", room["hook"], token)
        self._room = room
        self._platform = platform
        names = ("config", "cache", "hook", "reload")
        self._words = {"folder": self.folder, "token": token, **{name: room[name] for name in names}}

    def lock(self, owner: str, needed_kib: int) -> str:
        """Take the folder, keep the old file, start the way back; ends with the sum of the old file."""
        at, hook = self.folder, self._words["hook"]
        return "\n".join(
            [
                "umask 077",
                "prepare() {",
                *self._prepared(owner, needed_kib),
                "}",
                f"if mkdir {at} 2>/dev/null; then",
                # a shell that reads its script from a pipe must not exit before it has said how it ended
                f'prepare || {{ rc=$?; rm -rf {at}; [ "$rc" -eq {TAKEN} ] || rm -f {hook}; (exit "$rc"); }}',
                f"else cat {at}/owner; (exit {LOCKED}); fi",
            ]
        )

    def _prepared(self, owner: str, needed_kib: int) -> list[str]:
        at, hook, place, config = self.folder, self._words["hook"], self._room["folder"], self._words["config"]
        texts = {"undo.sh": UNDO, "hook.sh": HOOK, "reload.sh": RELOAD}
        files = {**{name: text.format(**self._words) for name, text in texts.items()}, "check.php": CHECK[self._platform]}
        return [
            f'free=$(df -Pk {place} | tail -n 1 | {{ read -r _ _ _ kib _; echo "$kib"; }})',
            f'[ "$free" -ge {needed_kib} ] || {{ echo "the disk is full: $free KiB are left in {place}, {needed_kib} are needed" >&2; return 1; }}',
            f"[ ! -e {hook} ] || {{ echo '{hook} exists: something else wants to run at the next start' >&2; return {TAKEN}; }}",
            f"printf '%s\\n' {shlex.quote(owner)} >{at}/owner && cp -p {config} {at}/old.xml && cp -p {at}/old.xml {at}/new.xml || return 1",
            *(f"{writing(f'{at}/{name}', text.encode())} || return 1" for name, text in files.items()),
            f"cp {at}/hook.sh {hook} && chmod 700 {hook} && : >{at}/armed.{self.token} || return 1",
            f"{DIGEST} {at}/old.xml",
        ]

    def start(self, seconds: int) -> str:
        return f"daemon -f /bin/sh {self.folder}/undo.sh {seconds} </dev/null"

    def check(self) -> str:
        return f"/usr/local/bin/php -f {self.folder}/check.php {self.folder}/new.xml </dev/null"

    def swap(self, old_sum: str) -> str:
        """The new file takes the place of the old one, in one rename, and is loaded; the old one goes into the system's own history."""
        at, config, history = self.folder, self._words["config"], self._room["history"]
        return "\n".join(
            [
                "swap() {",
                f'[ "$({DIGEST} {config})" = {old_sum} ] || return {STALE}',
                f'mkdir -p {history} && cp -p {config} "{history}/config-$(date +%s).xml" || return 1',
                f": >{at}/swapped && mv {at}/new.xml {config} && rm -f {self._words['cache']}",
                "}",
                # in one script: a connection that breaks in between must not leave a new file that nobody reads
                f"swap && daemon -f /bin/sh {at}/reload.sh </dev/null",
            ]
        )

    def undo(self) -> str:
        return self.start(0)
