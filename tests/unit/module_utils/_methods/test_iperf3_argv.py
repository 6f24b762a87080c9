# Copyright: routerlab.bench contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The command line: only what a version has, and the refusals."""
from __future__ import annotations

from typing import Any, List

import pytest

from ansible_collections.routerlab.bench.plugins.module_utils._methods.iperf3_argv import Trial, plan, problems, trial_of
from ansible_collections.routerlab.bench.plugins.module_utils._methods.iperf3_version import Version, version_class


def version(text: str) -> Version:
    found = Version.parse(text)
    assert found is not None
    return found


def argv(text: str, **options: Any) -> List[str]:
    return plan(Trial(server="192.0.2.2", **options), version(text)).on_port(5201)


@pytest.mark.parametrize("text, numbers, suffix", [
    ("iperf 3.12 (cJSON 1.7.15)\nLinux host", (3, 12, 0), ""),
    ("iperf 3.1.7", (3, 1, 7), ""),
    ("iperf 3.17.1+", (3, 17, 1), "+"),
    ("iperf 3.1b3", (3, 1, 0), "b3"),
    ("iperf 3.13-mt1", (3, 13, 0), "-mt1"),
    ("3.21", (3, 21, 0), ""),
])
def test_version(text: str, numbers: tuple, suffix: str) -> None:
    found = version(text)
    assert (found.numbers, found.suffix) == (numbers, suffix)


NO_VERSIONS = ["", "iperf version 2.1.8 (12 August 2022) pthreads", "bash: iperf3: not found", None, 3.12, "iperf 3." + "9" * 5000]


@pytest.mark.parametrize("text", NO_VERSIONS, ids=lambda text: str(text)[:20])
def test_no_version(text: Any) -> None:
    assert Version.parse(text) is None


def test_order_of_versions() -> None:
    assert version("3.9").at_least(3, 7)
    assert not version("3.9").at_least(3, 10)
    assert version("3.10").at_least(3, 9)
    assert not version("3.2rc1").at_least(3, 2)
    assert version("3.17.1+").at_least(3, 17, 1)


@pytest.mark.parametrize("text, tcp, udp", [
    ("3.1.7", "v < 3.5", "v < 3.5"),
    ("3.5", "3.5 <= v < 3.11", "3.5 <= v < 3.11"),
    ("3.10.1", "3.5 <= v < 3.11", "3.5 <= v < 3.11"),
    ("3.12", "3.11 <= v < 3.16", "3.11 <= v < 3.16"),
    ("3.16", "v >= 3.16", "3.16 <= v < 3.21"),
    ("3.21", "v >= 3.16", "v >= 3.21"),
])
def test_class(text: str, tcp: str, udp: str) -> None:
    assert version_class(version(text)) == tcp
    assert version_class(version(text), "udp") == udp


def test_the_usual_command() -> None:
    words = argv("3.16", streams=2, duration=30, omit=3, congestion="cubic")
    assert " ".join(words) == (
        "iperf3 -c 192.0.2.2 -4 -p 5201 -t 30 -O 3 -i 1 -J -P 2 -C cubic --connect-timeout 3000 --get-server-output"
    )


def test_warm_up_is_ours_before_3_14() -> None:
    planned = plan(Trial(server="192.0.2.2", duration=30, omit=3), version("3.12"))
    assert " ".join(planned.argv[6:12]) == "-t 33 -O 0 -i 1"
    assert (planned.expected.warmup, planned.expected.duration) == (3.0, 30.0)
    assert plan(Trial(server="192.0.2.2", duration=30, omit=3), version("3.14")).expected.warmup == 0.0
    assert plan(Trial(server="192.0.2.2", duration=30), version("3.12")).expected.warmup == 0.0


def test_warm_up_without_the_servers_report() -> None:
    planned = plan(Trial(server="192.0.2.2", duration=30, omit=3, server_output=False), version("3.12"))
    assert " ".join(planned.argv[6:10]) == "-t 30 -O 3"
    assert [flag["code"] for flag in planned.flags] == ["OMIT_STATISTICS_OLD"]
    assert plan(Trial(server="192.0.2.2", omit=3, server_output=False, reverse=True), version("3.12")).expected.warmup == 3.0


def test_options_a_version_does_not_have() -> None:
    assert "--connect-timeout" not in argv("3.1.7")
    assert "--connect-timeout" in argv("3.2")
    assert "--get-server-output" not in argv("3.1", protocol="udp", bitrate="1M")
    assert "--get-server-output" in argv("3.1")
    assert "--get-server-output" not in argv("3.17.1+", streams=4)
    assert "--get-server-output" in argv("3.17.1+")
    assert "--get-server-output" in argv("3.17.1", streams=4)
    assert "-l" in argv("3.1.4", protocol="udp", bitrate="1M")
    assert "-l" not in argv("3.12", protocol="udp", bitrate="1M")


def test_bidir_needs_3_7() -> None:
    planned = plan(Trial(server="192.0.2.2", bidir=True), version("3.6"))
    assert [item["code"] for item in planned.reasons] == ["BIDIR_UNSUPPORTED_VERSION"]
    assert not plan(Trial(server="192.0.2.2", bidir=True), version("3.7")).reasons


def test_everything_else() -> None:
    words = " ".join(argv("3.12", protocol="udp", bitrate="0", length=484, reverse=True, bind="192.0.2.1", cport=4000, congestion="cubic"))
    assert "-u -b 0 -l 484 -R -B 192.0.2.1 --cport 4000" in words
    assert "-C" not in words
    assert "-6" in plan(Trial(server="2001:db8::2"), version("3.12")).argv
    assert "-M 536" in " ".join(argv("3.12", mss=536))


@pytest.mark.parametrize("options, said", [
    ({"protocol": "udp"}, ["bitrate", "1 Mbit/s"]),
    ({"mss": 64}, ["mss: 64", "88", "protocol=udp with length=36"]),
    ({"mss": 9217}, ["mss: 9217", "9216"]),
    ({"mss": 500, "protocol": "udp", "bitrate": "1M"}, ["mss: 500", "tcp only"]),
    ({"reverse": True, "bidir": True}, ["reverse, bidir"]),
    ({"duration": 0}, ["duration: 0"]),
    ({"streams": -1}, ["streams: -1"]),
    ({"ports": []}, ["ports"]),
    ({"ports": [0, 70000]}, ["ports: 0", "ports: 70000"]),
    ({"retries": -1}, ["retries: -1"]),
    ({"omit": -1}, ["omit: -1"]),
])
def test_refusals(options: dict, said: List[str]) -> None:
    found = "; ".join(problems(Trial(server="192.0.2.2", **options), version("3.12")))
    for words in said:
        assert words in found


def test_all_refusals_at_once() -> None:
    assert len(problems(Trial(server="192.0.2.2", mss=64, reverse=True, bidir=True, duration=0), version("3.0.11"))) == 4


def test_mss_of_3_21() -> None:
    assert problems(Trial(server="192.0.2.2", mss=9217), version("3.21")) == []


def test_limit_in_time() -> None:
    assert Trial(server="x", duration=10, omit=3).limit_seconds == 28
    assert Trial(server="x", duration=10, outer_timeout=12).limit_seconds == 12


def test_parameters_of_a_module() -> None:
    trial = trial_of({"server": "x", "streams": 4, "length": None, "executable": "iperf3"})
    assert (trial.streams, trial.length, trial.retries) == (4, None, 1)
