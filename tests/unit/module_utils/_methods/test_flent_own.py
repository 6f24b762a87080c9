# Copyright: routerlab.bench contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""flent's tests without netperf: the same grid, the same file, and flent opens it."""

from __future__ import annotations

import gzip
import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ansible_collections.routerlab.bench.plugins.module_utils._methods.flent_ask import Ask
from ansible_collections.routerlab.bench.plugins.module_utils._methods.flent_design import design_of, groups, known
from ansible_collections.routerlab.bench.plugins.module_utils._methods.flent_file import read, written
from ansible_collections.routerlab.bench.plugins.module_utils._methods.flent_series import Made, of_iperf3, of_irtt, of_ping
from ansible_collections.routerlab.bench.plugins.module_utils._methods.flent_summary import summary, text_rows
from ansible_collections.routerlab.bench.plugins.module_utils._methods.flent_tool import argv_of, classify, why_not
from ansible_collections.routerlab.bench.plugins.module_utils._methods.flent_trial import chosen
from ansible_collections.routerlab.bench.plugins.module_utils._methods.flent_write import About, aligned, document
from ansible_collections.routerlab.bench.plugins.module_utils._methods.iperf3_process import Outcome

ROOT = Path(__file__).parents[4]
FIXTURES = Path(__file__).parents[3] / "fixtures"
FLENT = Path("/usr/share/flent")
CAPTURED = ["tcp_8down", "tcp_8up", "rrul"]


def content(name: str) -> dict[str, Any]:
    return json.loads(gzip.decompress((FIXTURES / "flent" / f"{name}.flent.gz").read_bytes()))


def again(name: str) -> dict[str, Any]:
    """A captured file written once more by this project, of its readings and the tools' own words alone."""
    found = content(name)
    metas = found["metadata"]["SERIES_META"]
    made = [Made(key, raw, metas[key]) for key, raw in found["raw_values"].items() if "COMPUTED_LATE" not in metas[key]]
    length, total = found["metadata"]["LENGTH"], found["metadata"]["TOTAL_LENGTH"]
    return document(design_of(name), made, About("10.9.9.2", length, (total - length) / 2, 0.2, 1796104700.0, "again"))


@pytest.mark.parametrize("name", CAPTURED)
def test_the_grid_is_flents_own(name: str) -> None:
    theirs, ours = content(name), again(name)
    assert ours["x_values"] == pytest.approx(theirs["x_values"]) and set(ours["results"]) == set(theirs["results"])
    for series, grid in theirs["results"].items():
        assert [value is None for value in ours["results"][series]] == [value is None for value in grid], series
        known_values = [pair for pair in zip(ours["results"][series], grid, strict=True) if pair[1] is not None]
        assert [pair[0] for pair in known_values] == pytest.approx([pair[1] for pair in known_values], rel=1e-9), series
    for series, meta in theirs["metadata"]["SERIES_META"].items():
        assert ours["metadata"]["SERIES_META"][series]["MEAN_VALUE"] == pytest.approx(meta["MEAN_VALUE"]), series


@pytest.mark.parametrize("name", CAPTURED)
def test_a_file_written_again_says_the_same(name: str) -> None:
    first, second = summary(read(written(content(name)))), summary(read(written(again(name))))
    assert [row["series"] for row in first] == [row["series"] for row in second]
    for one, other in zip(first, second, strict=True):
        assert other["avg"] == pytest.approx(one["avg"]) and other["median"] == one["median"]


def flent(folder: Path, python: str, *words: str) -> str:
    """flent itself, without its user's settings."""
    environment = dict(os.environ, PYTHONPATH=str(FLENT), MPLBACKEND="Agg", LC_ALL="C", HOME=str(folder))
    done = subprocess.run([python, "-m", "flent", *words], capture_output=True, text=True, env=environment, cwd=folder, check=False, timeout=120)
    assert done.returncode == 0 and "ERROR" not in done.stderr, done.stderr
    return done.stdout


needs_flent = pytest.mark.skipif(not (FLENT / "flent").is_dir(), reason="flent is not installed (Debian package flent)")


@needs_flent
@pytest.mark.parametrize("name", ["own_tcp_8down", "own_rrul"])
def test_flent_opens_and_sums_up_what_was_written_here(name: str, tmp_path: Path) -> None:
    path = FIXTURES / "flent" / f"{name}.flent.gz"
    printed = {row["series"]: row for row in text_rows(flent(tmp_path, "/usr/bin/python3", "-f", "summary", str(path)))}
    ours = {row["series"]: row for row in summary(read(path.read_bytes()), numpy=False)}
    assert set(printed) == set(ours)
    assert all(f"{row['avg']:.2f}" == f"{printed[series]['avg']:.2f}" for series, row in ours.items())


@needs_flent
@pytest.mark.parametrize(("name", "plot"), [("own_tcp_8down", "totals"), ("own_rrul", "all_scaled"), ("own_rrul", "ping_cdf")])
def test_flent_plots_what_was_written_here(name: str, plot: str, tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    flent(tmp_path, sys.executable, "-f", "plot", "-p", plot, "-o", "plot.png", str(FIXTURES / "flent" / f"{name}.flent.gz"))
    picture = (tmp_path / "plot.png").read_bytes()
    assert picture.startswith(b"\x89PNG") and len(picture) > 10000


def test_gaps_and_ends_of_a_grid() -> None:
    raw = [{"t": 10.0, "val": 1.0}, {"t": 10.5, "val": 2.0}, {"t": 13.0, "val": 3.0}]
    grid = aligned(raw, 9.0, 0.5, 12)
    assert grid[:4] == [None, None, 1.0, 2.0], "the first reading is not drawn out to the left"
    assert grid[4:8] == pytest.approx([2.2, 2.4, 2.6, 2.8])
    assert grid[8:] == [3.0, None, None, None], "the last one is not repeated"
    far = aligned([{"t": 10.0, "val": 1.0}, {"t": 13.0, "val": 3.0}], 9.5, 0.5, 3)
    assert far == [None, None, pytest.approx(4 / 3)], "five steps to the next reading are near enough, six are not"
    assert aligned([], 0.0, 0.5, 3) == [None] * 3


def test_designs() -> None:
    assert [stream.name for stream in design_of("tcp_2down").streams] == ["TCP download::1", "TCP download::2"]
    assert design_of("tcp_nup", 3).test_parameters == {"upload_streams": 3}
    rrul = design_of("rrul")
    assert len(rrul.streams) == 8 and {stream.tos for stream in rrul.streams} == {0, 0x20, 0xA0, 0xB8} and len(rrul.udp) == 3
    assert [len(group) for group in groups(design_of("tcp_8down"), True)] == [8]
    assert [len(group) for group in groups(design_of("tcp_8down"), False)] == [1] * 8
    assert len(groups(rrul, True)) == 8
    assert [known(test) for test in ("rrul", "tcp_5up", "tcp_upload", "rtt_fair", "tcp_bidirectional", "voip", "ping")] == [True] * 3 + [False] * 4


def test_ping_and_irtt_become_what_flent_makes_of_them() -> None:
    ping = of_ping("Ping (ms) ICMP", (FIXTURES / "latency" / "ping_idle.txt").read_text(), ["ping"])
    assert len(ping.raw) == 30 and ping.raw[0]["seq"] == 1.0 and ping.meta["MEAN_VALUE"] == 0.036
    text = (FIXTURES / "latency" / "irtt_loss.json").read_text()
    irtt = of_irtt("Ping (ms) UDP EF", text, ["irtt"])
    lost = [item for item in irtt.raw if item.get("lost")]
    assert len(irtt.raw) == 40 and len(lost) == 8 and {item["lost_dir"] for item in lost} <= {"up", "down"}
    assert irtt.meta["PACKET_LOSS_RATE"] == 0.2 and irtt.meta["MEAN_VALUE"] == json.loads(text)["stats"]["rtt"]["mean"] / 1e6


def test_every_stream_of_an_iperf3_report() -> None:
    stream_pair = list(design_of("tcp_2up").streams)
    text = (FIXTURES / "iperf3" / "v3_12_tcp.json").read_text()
    made = of_iperf3(stream_pair, text, 1000.0, ["iperf3"])
    report = json.loads(text)
    rates = [item["receiver"]["bits_per_second"] / 1e6 for item in report["end"]["streams"]]
    assert [item.meta["MEAN_VALUE"] for item in made] == pytest.approx(rates)
    assert all(item.raw and all(sample["t"] > 1000 for sample in item.raw) for item in made)


STARTS = ["", "{", '{"intervals": [{"streams": [{}]}]}', '{"round_trips": [1, {}], "stats": 3}', '{"end": {"streams": 1}}']


@given(st.text(max_size=300), st.sampled_from(STARTS))
@settings(deadline=None)
def test_nothing_that_a_tool_prints_makes_it_fail(noise: str, start: str) -> None:
    streams = list(design_of("tcp_1up").streams)
    made = [of_ping("a", start + noise, []), of_irtt("b", start + noise, []), *of_iperf3(streams, start + noise, 0.0, [])]
    file = read(written(document(design_of("tcp_1up"), made, About("h", 1, 0, 0.2, 0.0))))
    assert not file.problems and summary(file) == []


def test_the_command_line_of_flent() -> None:
    words = argv_of("flent", Ask("10.0.0.2", "tcp_nup", bind="10.0.0.1", duration=10, delay=1, streams=3, netperf_port=12000), "D")
    assert words[:5] == ["flent", "tcp_nup", "-r", os.devnull, "-4"] and "-x" not in words
    assert {"upload_streams=3", "tcp_cong_control=cubic", "cc_algos=cubic,cubic,cubic"} <= set(words)
    assert words[words.index("--netperf-control-port") + 1] == "12000"


@pytest.mark.parametrize(("name", "code"), [("no_netperf", "NETPERF_MISSING"), ("unknown_test", "UNKNOWN_TEST"), ("no_host", "NO_DATA")])
def test_what_flent_says_when_it_leaves_no_file(name: str, code: str) -> None:
    text = (FIXTURES / "flent" / f"{name}.stderr").read_text()
    assert [item["code"] for item in classify(Outcome(0, text, "", 1.0))] == [code]


@pytest.mark.parametrize(
    ("outcome", "code"),
    [(Outcome(0, "", "", 1.0, True), "TIMEOUT"), (Outcome(-9, "", "", 1.0), "KILLED"), (Outcome(1, "", "", 1.0), "TOOL_ERROR")],
)
def test_runs_without_words(outcome: Outcome, code: str) -> None:
    assert classify(outcome)[0]["code"] == code


def test_which_tool_is_taken(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "/nonexistent")
    if shutil.which("netperf", path="/usr/bin:/usr/local/bin"):
        pytest.skip("netperf is installed here")
    assert "is not installed" in str(why_not(Ask("127.0.0.1")))
    assert chosen(Ask("127.0.0.1", "rrul"))[0] == "iperf3" and chosen(Ask("127.0.0.1", "rtt_fair"))[0] is None
    assert chosen(Ask("127.0.0.1", "tcp_8up", tool="iperf3")) == ("iperf3", "asked for")
    assert chosen(Ask("127.0.0.1", "tcp_8up", tool="flent"))[0] is None
