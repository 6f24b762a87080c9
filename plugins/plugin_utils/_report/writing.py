# Copyright: routerlab.bench contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The files of a report, the most needed first: a full disk costs charts, never tables."""

from __future__ import annotations

from pathlib import Path

from ansible_collections.routerlab.bench.plugins.module_utils._record import now
from ansible_collections.routerlab.bench.plugins.plugin_utils._run_folder import ERROR_FILE, RunFolderError, write_atomic

CHARTS = "charts"


class Writer:
    """Writes what can be written and remembers what cannot."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.files: list[str] = []
        self.errors: list[str] = []
        self.changed = False

    def write(self, name: str, content: str | bytes) -> bool:
        """One file, whole or not at all; what is the same already stays untouched. Of one that fails no earlier version is left: it would be of other data."""
        path, data = self.folder / name, content.encode("utf-8") if isinstance(content, str) else content
        try:
            if not path.is_file() or path.read_bytes() != data:
                write_atomic(path, data)
                self.changed = True
        except (RunFolderError, OSError) as exc:
            self.errors.append(str(exc))
            self._remove(path)
            return False
        if name not in self.files:
            self.files.append(name)
        return True

    def _remove(self, path: Path) -> None:
        try:
            path.unlink()
        except OSError:
            return  # there is none, or the disk takes no change at all, which the error says
        self.changed = True
        self.files = [name for name in self.files if self.folder / name != path]

    def remove_old_charts(self) -> None:
        """Charts of an earlier build that this one has not made."""
        for old in (self.folder / CHARTS).glob("*"):
            if old.suffix in (".png", ".svg") and f"{CHARTS}/{old.name}" not in self.files:
                self._remove(old)

    def complain(self) -> None:
        """Keep the errors beside the tables; where even that fails, say so with the rest."""
        if not self.errors:
            return
        try:
            with (self.folder / ERROR_FILE).open("a", encoding="utf-8") as stream:
                stream.write(f"{now()}\n" + "".join(f"{error}\n" for error in self.errors) + "\n")
        except OSError as exc:
            self.errors.append(f"{self.folder / ERROR_FILE} cannot be written either: {exc.strerror}")
