# Copyright: routerlab.bench contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The words for what modules and actions declare; each says itself how far it goes (C(support), C(details))."""

from __future__ import annotations


class ModuleDocFragment:
    """Descriptions for all, and one variant for each place that a module or action runs in."""

    DOCUMENTATION = r"""
options: {}
attributes:
  check_mode:
    description: Can run in check mode and say what would change without changing it.
  diff_mode:
    description: Shows what changed, or in check mode would change, when in diff mode.
  idempotent:
    description: A second run with the same arguments changes nothing.
"""

    CONTROLLER = r"""
options: {}
attributes:
  platform:
    description: Runs on the controller.
    platforms: posix
"""

    LINUX = r"""
options: {}
attributes:
  platform:
    description: Runs on the task's host.
    platforms: linux
"""

    POSIX = r"""
options: {}
attributes:
  platform:
    description: Runs on the task's host.
    platforms: posix
"""
