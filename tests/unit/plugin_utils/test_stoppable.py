# Copyright: routerlab.bench contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""A long action ends with its play, with real processes."""
from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from ansible_collections.routerlab.bench.plugins.plugin_utils._stoppable import Stopped, stoppable

COLLECTIONS = Path(__file__).resolve().parents[3] / ".ansible" / "collections"
# a worker with a session of its own, that writes a line at each step and one when it puts things back
WORKER = """
import os, sys, time
sys.path.insert(0, sys.argv[1])
from ansible_collections.routerlab.bench.plugins.plugin_utils._stoppable import Stopped, stoppable
if os.fork() == 0:
    os.setsid()
    try:
        with stoppable() as check:
            try:
                for step in range(200):
                    check()
                    print(os.getpid(), flush=True)
                    time.sleep(0.05)
            finally:
                print("put back", flush=True)
    except Stopped:
        os._exit(1)
time.sleep(60)
"""


def worker() -> subprocess.Popen[str]:
    return subprocess.Popen([sys.executable, "-c", WORKER, str(COLLECTIONS)], stdout=subprocess.PIPE, text=True)


def test_it_ends_when_the_play_is_killed() -> None:
    with worker() as play:
        assert play.stdout and int(play.stdout.readline()) > 0
        play.kill()
        said = play.stdout.read()  # until the worker is gone, too
    assert said.splitlines()[-1] == "put back"


@pytest.mark.parametrize("signum", [signal.SIGTERM, signal.SIGINT])
def test_it_ends_when_it_is_told_to(signum: int) -> None:
    with worker() as play:
        assert play.stdout
        own = int(play.stdout.readline())
        os.kill(own, signum)
        for line in play.stdout:
            if line.strip() == "put back":
                break
        play.kill()


def test_the_signal_is_as_before_afterwards() -> None:
    before = signal.getsignal(signal.SIGTERM)
    with stoppable() as check:
        check()
        with pytest.raises(Stopped):
            os.kill(os.getpid(), signal.SIGTERM)
            time.sleep(1)
    assert signal.getsignal(signal.SIGTERM) is before
