#!/usr/bin/env bash
# Copyright: routerlab.bench contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
# Real plays with the callback; then what came out is compared. Uses the ansible-playbook and python that come first in PATH.
set -euo pipefail
cd "$(dirname "$0")"
exec python check.py
