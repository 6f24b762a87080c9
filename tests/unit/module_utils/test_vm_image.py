# Copyright: routerlab.bench contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Which recipe is which image, what a failed build leaves, and what a machine is given."""

from __future__ import annotations

import io
import shutil
import subprocess
import tarfile
from pathlib import Path
from typing import Any

import pytest

from ansible_collections.routerlab.bench.plugins.module_utils import _vm_accel as accel
from ansible_collections.routerlab.bench.plugins.module_utils import _vm_image as image
from ansible_collections.routerlab.bench.plugins.module_utils import _vm_seed as seed
from ansible_collections.routerlab.bench.plugins.module_utils._netns_sys import LabError
from ansible_collections.routerlab.bench.plugins.module_utils._vm_spec import check_images

CACHE = Path("/var/cache/routerlab/vm")


def recipe(**changes: Any) -> dict[str, Any]:
    images = {"x": {"suite": "bookworm", "packages": ["systemd"], **changes}}
    assert check_images(images) == []
    return images["x"]


def test_a_changed_recipe_is_another_image() -> None:
    same = image.image_id("x", recipe())
    assert same == image.image_id("x", recipe())
    others = [recipe(packages=["udev"]), recipe(size=1024), recipe(mask=["a.timer"]), recipe(files=[{"path": "/a", "content": "b"}]), recipe(append="x")]
    assert len({same, *(image.image_id("x", item) for item in others)}) == 6


@pytest.mark.skipif(not shutil.which("mmdebstrap"), reason="mmdebstrap is not installed")
def test_a_failed_build_says_why_and_leaves_nothing(tmp_path: Path) -> None:
    with pytest.raises(LabError, match=r"mmdebstrap ended with exit status \d+ and said at last:\n.+"):
        image.ensure(str(tmp_path), "x", recipe(mirror="copy:///nonexistent"))
    assert [path.name for path in tmp_path.iterdir()] == ["lock"]


def test_what_a_machine_is_given() -> None:
    data = seed.archive({"etc/ssh/key": (0o600, b"secret"), "root/.ssh/authorized_keys": (0o600, b"public")})
    assert len(data) % 512 == 0
    assert data == seed.archive({"root/.ssh/authorized_keys": (0o600, b"public"), "etc/ssh/key": (0o600, b"secret")})
    with tarfile.open(fileobj=io.BytesIO(data)) as tar:
        modes = {member.name: (member.mode, member.uid) for member in tar}
    assert modes["etc/ssh/key"] == (0o600, 0) and modes["root"] == modes["root/.ssh"] == (0o700, 0) and modes["etc"] == (0o755, 0)


@pytest.mark.skipif(not shutil.which("ssh-keygen"), reason="ssh-keygen is not installed")
def test_half_a_key_pair_is_made_anew(tmp_path: Path) -> None:
    path = str(tmp_path / "key")
    first = seed.make_key(path, "a lab", 0)
    assert first.startswith("ssh-ed25519 ") and seed.make_key(path, "a lab", 0) == first
    Path(path).unlink()
    assert seed.make_key(path, "a lab", 0) != first


@pytest.mark.skipif(not shutil.which("cpio"), reason="cpio is not installed")
def test_the_initramfs_can_be_read() -> None:
    listed = subprocess.run(["cpio", "-t", "--quiet"], input=accel.cpio({"init": accel.tiny_init()}), capture_output=True, check=True)
    assert listed.stdout.split() == [b"init"]


def test_an_accelerator_that_is_not_there_is_no_accelerator(tmp_path: Path) -> None:
    if not shutil.which(accel.QEMU):
        pytest.skip("qemu-system-x86_64 is not installed")
    (tmp_path / "kernel").write_bytes(b"no kernel")
    assert accel.reaches_init("xen", str(tmp_path / "kernel"), 10)
    assert accel.choose("tcg", "", str(tmp_path), 1) == {"accel": "tcg", "why": "asked for"}


def test_a_kernel_reaches_its_init() -> None:
    kernels = sorted(CACHE.glob("*/vmlinuz"))
    if not shutil.which(accel.QEMU) or not kernels:
        pytest.skip("no QEMU, or no image of the VM lab whose kernel could be started")
    assert accel.reaches_init(accel.TCG, str(kernels[0]), 60) is None
    late = accel.reaches_init(accel.TCG, str(kernels[0]), 0.05)
    assert late == "a guest kernel did not reach its init within 0.05 s"
