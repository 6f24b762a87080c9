# Copyright: routerlab.bench contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""A long action that ends with its play: what it changed is put back, and it does not go on measuring beside the run that follows.

Ansible's workers lead a session of their own: a play that is killed does not take them along.
"""

from __future__ import annotations

import os
import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any


class Stopped(BaseException):
    """The play is over. No ordinary exception, so that nobody takes it for a failed measurement."""


@contextmanager
def stoppable() -> Iterator[Callable[[], None]]:
    """While it lasts, SIGTERM and SIGINT raise Stopped; gives a function that raises it when the play has died, to be called before every step."""
    parent = os.getppid()

    def check() -> None:
        if os.getppid() != parent:
            raise Stopped("the play has died")

    def stop(_signum: int, _frame: Any) -> None:
        raise Stopped("the play was stopped")

    if threading.current_thread() is not threading.main_thread():
        yield check
        return
    before = {signum: signal.signal(signum, stop) for signum in (signal.SIGTERM, signal.SIGINT)}
    try:
        yield check
    finally:
        for signum, handler in before.items():
            signal.signal(signum, handler)
