# Copyright: routerlab.bench contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Disk images, built here from a distribution's packages and kept: a changed recipe is another image, an unchanged one is never built twice."""

from __future__ import annotations

import fcntl
import glob
import hashlib
import json
import os
import shutil
import subprocess
import tempfile
from contextlib import contextmanager
from typing import Any, Iterator

from ansible_collections.routerlab.bench.plugins.module_utils._netns_sys import LabError, run

# Raise this number when images are made differently: all are then built anew.
LAYOUT = 1
BUILD_SECONDS = 1800
DISK, KERNEL, INITRD = "disk.img", "vmlinuz", "initrd"
MODULES = "virtio_pci\nvirtio_blk\next4\n"
# Written when the essential packages are there, so that the kernel's package finds it: an initrd of what the machine needs, 5 MB instead of 30.
INITRD_HOOK = ("mkdir -p \"$1/etc/initramfs-tools/conf.d\" && printf 'MODULES=list\\nCOMPRESS=zstd\\n' >\"$1/etc/initramfs-tools/conf.d/routerlab\""
               " && printf '%s' >\"$1/etc/initramfs-tools/modules\"" % MODULES.replace("\n", "\\n"))
SLIM = ["--aptopt=Acquire::Languages \"none\"", "--dpkgopt=path-exclude=/usr/share/man/*", "--dpkgopt=path-exclude=/usr/share/locale/*",
        "--dpkgopt=path-exclude=/usr/share/doc/*", "--dpkgopt=path-include=/usr/share/doc/*/copyright"]

Image = dict  # {id, folder, disk, kernel, initrd, append}


def image_id(name: str, recipe: dict[str, Any]) -> str:
    """Name and hash of what an image is made from."""
    text = json.dumps([LAYOUT, INITRD_HOOK, SLIM, recipe], sort_keys=True, default=str)
    return "%s-%s" % (name, hashlib.sha256(text.encode()).hexdigest()[:12])


def located(cache: str, name: str, recipe: dict[str, Any]) -> Image:
    """Where the image lies, or will lie."""
    identity = image_id(name, recipe)
    folder = os.path.join(cache, identity)
    files = {"disk": DISK, "kernel": KERNEL, "initrd": INITRD}
    return {"id": identity, "folder": folder, "append": recipe["append"], **{key: os.path.join(folder, value) for key, value in files.items()}}


def is_there(image: Image) -> bool:
    return os.path.isdir(image["folder"])


@contextmanager
def locked(cache: str) -> Iterator[None]:
    """One builder at a time; a second one waits and then finds the image."""
    os.makedirs(cache, mode=0o755, exist_ok=True)
    with open(os.path.join(cache, "lock"), "w", encoding="ascii") as handle:
        fcntl.flock(handle, fcntl.LOCK_EX)
        yield


def ensure(cache: str, name: str, recipe: dict[str, Any]) -> bool:
    """Build the image unless it is there; whether it was built. Older images of this name are removed."""
    image = located(cache, name, recipe)
    with locked(cache):
        if is_there(image):
            return False
        for leftover in glob.glob(os.path.join(cache, "new-*")):
            shutil.rmtree(leftover, ignore_errors=True)
        work = tempfile.mkdtemp(prefix="new-", dir=cache)
        try:
            os.chmod(work, 0o755)
            _build(work, recipe)
            os.rename(work, image["folder"])
        except BaseException:
            shutil.rmtree(work, ignore_errors=True)
            raise
        for older in glob.glob(os.path.join(cache, name + "-" + "[0-9a-f]" * 12)):
            if older != image["folder"]:
                shutil.rmtree(older, ignore_errors=True)
    return True


def _build(work: str, recipe: dict[str, Any]) -> None:
    root = os.path.join(work, "root")
    argv = ["mmdebstrap", "--quiet", "--variant=minbase", "--format=directory", "--components=" + ",".join(recipe["components"]),
            "--include=" + ",".join(recipe["packages"]), "--essential-hook=" + INITRD_HOOK, *SLIM, recipe["suite"], root]
    _logged([*argv, recipe["mirror"]] if recipe.get("mirror") else argv, os.path.join(work, "build.log"))
    for item in recipe["files"]:
        _put(root, item)
    for verb in ("enable", "disable", "mask"):
        if recipe[verb]:
            run(["chroot", root, "systemctl", "--quiet", verb, *recipe[verb]])
    for path in glob.glob(os.path.join(root, "etc/ssh/ssh_host_*")):
        os.unlink(path)  # every machine is given its own
    for kind, name in (("vmlinuz-*", KERNEL), ("initrd.img-*", INITRD)):
        found = glob.glob(os.path.join(root, "boot", kind))
        if len(found) != 1:
            raise LabError("the packages of the image bring %d kernels (boot/%s), exactly one is needed: name one of linux-image-…" % (len(found), kind))
        shutil.copyfile(found[0], os.path.join(work, name))
    disk = os.path.join(work, DISK)
    with open(disk, "wb") as handle:
        handle.truncate(recipe["size"] << 20)
    run(["mkfs.ext4", "-q", "-F", "-L", "root", "-d", root, disk], timeout=300)
    shutil.rmtree(root)


def _logged(argv: list[str], log: str) -> None:
    """Run a long program with its words in a file; a failure quotes their end."""
    environment = dict(os.environ, LC_ALL="C", PATH=os.environ.get("PATH", "") + ":/usr/sbin:/sbin")
    with open(log, "wb") as handle:
        try:
            done = subprocess.run(argv, stdin=subprocess.DEVNULL, stdout=handle, stderr=handle, env=environment, timeout=BUILD_SECONDS, check=False)
        except subprocess.TimeoutExpired as error:
            raise LabError("%s did not end within %d s" % (argv[0], BUILD_SECONDS)) from error
    if done.returncode != 0:
        with open(log, encoding="utf-8", errors="replace") as handle:
            raise LabError("%s ended with exit status %d and said at last:\n%s" % (argv[0], done.returncode, handle.read()[-1500:].strip()))


def _put(root: str, item: dict[str, Any]) -> None:
    path = os.path.normpath(os.path.join(root, item["path"].lstrip("/")))
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "w", encoding="utf-8") as handle:
        handle.write(item["content"])
    os.chmod(path, int(item["mode"], 8))
