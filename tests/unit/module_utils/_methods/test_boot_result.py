# Copyright: routerlab.bench contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""From probes to milestones: made-up boots whose moments are known."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from ansible_collections.routerlab.bench.plugins.module_utils._methods.boot_result import gap_before, judged, moments, outage_begins, stable_from

POWER = 100.0
STEP = 0.02


def series(answers: Callable[[float], bool], begin: float = -2.0, end: float = 60.0, step: float = STEP, delay: float = 0.002) -> dict[str, Any]:
    """Probes from C(begin) to C(end) seconds after the power; C(answers) says for each moment whether one sent then is answered."""
    sent = [POWER + begin + number * step for number in range(round((end - begin) / step))]
    return {"sent": sent, "answered": [[number, when + delay] for number, when in enumerate(sent) if answers(when - POWER)]}


def result(**kinds: dict[str, Any]) -> dict[str, Any]:
    return {"series": kinds, "monotonic": POWER + 61, "epoch": 0, "latest": 0}


def test_the_first_steady_second_counts() -> None:
    assert stable_from(series(lambda t: t >= 30), POWER) == pytest.approx(POWER + 30, abs=STEP)


@pytest.mark.parametrize(("early", "why"), [((20.0, 20.5), "half a second"), ((20.0, 20.02), "one answer"), ((20.0, 20.9), "nine tenths")])
def test_a_flapping_start_does_not_count(early: tuple[float, float], why: str) -> None:
    assert stable_from(series(lambda t: early[0] <= t < early[1] or t >= 30), POWER) == pytest.approx(POWER + 30, abs=STEP), why


def test_what_waited_in_a_queue_until_the_router_was_up_does_not_count() -> None:
    """The card's queue holds what was sent since second 10, and all of it is answered at second 30."""
    probes = series(lambda t: t >= 30)
    queued = [[number, POWER + 30] for number, when in enumerate(probes["sent"]) if POWER + 10 <= when < POWER + 28.9]
    probes["answered"] = queued + probes["answered"]
    assert stable_from(probes, POWER) == pytest.approx(POWER + 30, abs=STEP)


def test_one_lost_probe_in_a_second_is_borne() -> None:
    assert stable_from(series(lambda t: t >= 30 and not 30.5 <= t < 30.53), POWER) == pytest.approx(POWER + 30, abs=STEP)


def test_a_second_that_was_not_probed_to_its_end_proves_nothing() -> None:
    assert stable_from(series(lambda t: t >= 59.5), POWER) is None


def test_a_rebooting_router_works_on_for_a_while() -> None:
    one = series(lambda t: t < 8 or t >= 40)
    assert outage_begins(one, POWER) == pytest.approx(POWER + 8, abs=STEP)
    assert moments({"forwarded": one}, POWER) == {"forwarded": pytest.approx(POWER + 40, abs=STEP)}


def test_each_milestone_has_its_own_outage() -> None:
    """The wide one stops forwarding first; its address answers for three more seconds, which is not the new start."""
    found = moments({"forwarded": series(lambda t: t < 5 or t >= 40), "address": series(lambda t: t < 8 or t >= 35)}, POWER)
    assert found == {"forwarded": pytest.approx(POWER + 40, abs=STEP), "address": pytest.approx(POWER + 35, abs=STEP)}


def test_ssh_and_dhcp_count_from_their_answer() -> None:
    slow = series(lambda t: t >= 33, step=0.1, delay=1.5)
    found = moments({"forwarded": series(lambda t: t >= 30), "ssh": slow, "dhcp": slow}, POWER)
    assert found["ssh"] == pytest.approx(POWER + 34.5, abs=0.11) and found["dhcp"] == found["ssh"]


def test_a_good_boot() -> None:
    kinds = {"forwarded": series(lambda t: t >= 30), "address": series(lambda t: t >= 29), "forwarded_ospf": series(lambda t: False)}
    found = judged(result(**kinds), POWER, STEP, 5.0)
    assert found["valid"] and found["reasons"] == [] and found["partial"] is None
    values = {name: item["value"] for name, item in found["metrics"].items()}
    assert values == {"boot_time": pytest.approx(30, abs=STEP), "address_time": pytest.approx(29, abs=STEP), "ospf_time": None,
                      "boot_time_without_bootloader": pytest.approx(25, abs=STEP)}
    assert found["flags"] == [{"code": "MILESTONE_MISSING", "detail": "forwards by a route learned from OSPF: not seen"}]
    assert {item["unit"] for item in found["metrics"].values()} == {"s"}


@pytest.mark.parametrize(("probes", "code"), [
    (series(lambda t: t >= 30, begin=1.0), "PROBED_LATE"),
    (series(lambda t: True), "NO_OUTAGE"),
    (series(lambda t: False), "NO_FORWARDING"),
    (series(lambda t: t % 1.0 < 0.9 and t > 0), "NO_OUTAGE"),
])
def test_a_boot_that_is_none(probes: dict[str, Any], code: str) -> None:
    found = judged(result(forwarded=probes, address=series(lambda t: t >= 29)), POWER, STEP, None)
    assert not found["valid"] and [item["code"] for item in found["reasons"]] == [code]
    assert all(item["value"] is None for item in found["metrics"].values()), "an invalid boot has no numbers"


def test_a_prober_that_was_asleep_is_flagged() -> None:
    probes = series(lambda t: t >= 30)
    kept = [number for number, when in enumerate(probes["sent"]) if not POWER + 29.5 <= when < POWER + 29.99]
    answered = {number for number, _when in probes["answered"]}
    holed = {"sent": [probes["sent"][number] for number in kept],
             "answered": [[index, probes["sent"][number]] for index, number in enumerate(kept) if number in answered]}
    assert gap_before(holed, POWER + 30) == pytest.approx(0.5, abs=0.03)
    assert [item["code"] for item in judged(result(forwarded=holed), POWER, STEP, None)["flags"]] == ["PROBE_GAP"]
