# Copyright: routerlab.bench contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""What a lab gives a machine on its first start: who may log in, and the key by which it is known. Handed over as a tar archive on a small disk."""

from __future__ import annotations

import io
import os
import tarfile

from ansible_collections.routerlab.bench.plugins.module_utils._netns_sys import run

SECTOR = 512


def make_key(path: str, comment: str, owner: int) -> str:
    """The public half of a key pair, made unless it is there."""
    if not (os.path.exists(path) and os.path.exists(path + ".pub")):
        for leftover in (path, path + ".pub"):
            if os.path.exists(leftover):
                os.unlink(leftover)
        run(["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-C", comment, "-f", path])
        for name in (path, path + ".pub"):
            os.chown(name, owner, -1)
    with open(path + ".pub", encoding="ascii") as handle:
        return handle.read().strip()


def archive(files: dict[str, tuple[int, bytes]]) -> bytes:
    """The same bytes for the same files: name → (mode, content). Folders are made with it."""
    buffer = io.BytesIO()
    folders = sorted({"/".join(name.split("/")[:depth]) for name in files for depth in range(1, name.count("/") + 1)})
    with tarfile.open(fileobj=buffer, mode="w", format=tarfile.USTAR_FORMAT) as tar:
        for folder in folders:
            member = tarfile.TarInfo(folder)
            member.type, member.mode = tarfile.DIRTYPE, 0o755 if folder.split("/")[0] != "root" else 0o700
            tar.addfile(member)
        for name, (mode, content) in sorted(files.items()):
            member = tarfile.TarInfo(name)
            member.mode, member.size = mode, len(content)
            tar.addfile(member, io.BytesIO(content))
    data = buffer.getvalue()
    return data.ljust(-(-len(data) // SECTOR) * SECTOR, b"\0")


def seed(host_key: str, login_key: str) -> bytes:
    """The archive for one machine, from the path of its own key and the public key that may log in."""
    with open(host_key, "rb") as private, open(host_key + ".pub", "rb") as public:
        return archive({
            "etc/ssh/ssh_host_ed25519_key": (0o600, private.read()),
            "etc/ssh/ssh_host_ed25519_key.pub": (0o644, public.read()),
            "root/.ssh/authorized_keys": (0o600, login_key.encode() + b"\n"),
        })
