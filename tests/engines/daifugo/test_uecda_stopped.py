"""A server that was stopped goes on with the games that are not over, when its players connect again."""

from __future__ import annotations

import contextlib
import json
import subprocess
import sys
import threading
import time
from pathlib import Path
from typing import Any

import pytest
from test_uecda_job import free_port, rows_of, run_of

from engines import _native
from engines.contract.job import UnitContext
from engines.daifugo.uecda.kept import Kept
from engines.daifugo.uecda.sweep import DaifugoUecda
from pipeline.config import composing
from storage.errors import DamagedFileError
from storage.layout import RunLayout

pytestmark = pytest.mark.usefixtures("workspace")

PLAYERS = ["rule", "ann", "random", "rule", "rule"]
SAME = ("game", "match", "player", "seat", "rank", "points", "turns_count")


def guest(port: int) -> _native.DaifugoUecdaGuest:
    """Plays as ``rule``, which throws no dice, so that it does not matter which game it takes for the first."""
    until = time.monotonic() + 60
    while True:
        try:
            return _native.DaifugoUecdaGuest(
                "127.0.0.1", port, "ann", _native.DaifugoPlayer("rule"), seed=1, first=0, patience_s=60.0
            )
        except ConnectionError:
            assert time.monotonic() < until
            time.sleep(0.05)


def play_all(port: int, played: list[int]) -> None:
    client = guest(port)
    with contextlib.suppress(ConnectionError):
        while not client.is_over:
            client.play()
            played.append(1)


def expected(games: int, rank_period: int) -> list[dict[str, Any]]:
    """The same games without a network."""
    names = ["rule" if name == "ann" else name for name in PLAYERS]
    _, run = run_of(
        "daifugo_tournament",
        f"players=[{','.join(names)}]",
        f"games={games}",
        f"rank_period={rank_period}",
        "records=true",
    )
    return rows_of(run)


def assert_same(rows: list[dict[str, Any]], others: list[dict[str, Any]]) -> None:
    for row, other in zip(rows, others, strict=True):
        assert [row[name] for name in SAME] == [other[name] for name in SAME]
        if row["record"] is not None:
            assert row["record"].partition("\n")[2] == other["record"].partition("\n")[2]


def test_games_that_are_over_are_not_played_again(tmp_path: Path) -> None:
    port = free_port()
    words = [
        f"players=[{','.join(PLAYERS)}]",
        "connections=[ann]",
        "games=12",
        "rank_period=4",
        f"port={port}",
    ]
    with composing(None) as composer:
        job = composer.compose(["job=daifugo_uecda", *(f"job.{word}" for word in words)]).job

    def run(most: int) -> tuple[Any, int]:
        """Rows, or None if it was stopped after ``most`` games or more; games that the client played."""
        done, played = [0], list[int]()

        def progress(count: int) -> None:
            done[0] += count
            if most <= done[0] < 12:
                raise KeyboardInterrupt

        ctx = UnitContext(RunLayout(tmp_path), tmp_path, tmp_path, "x", progress=progress)
        client = threading.Thread(target=play_all, args=(port, played))
        client.start()
        rows = None
        with contextlib.suppress(KeyboardInterrupt):
            rows = DaifugoUecda(job).run(list(range(12)), ctx)
        client.join(60)
        assert not client.is_alive()
        return rows, len(played)

    assert run(2) == (None, 3)
    kept = Kept(tmp_path / "kept")
    assert (kept.games_count, len(kept.batches)) == (3, 1)
    # It is stopped within the second match, whose ranks are known.
    assert run(5) == (None, 3)
    rows, played = run(12)
    assert played == 6
    assert_same(rows.to_pylist(), expected(12, 4))
    # All games are there, but not the file of the unit: nobody needs to connect.
    again = DaifugoUecda(job).run(list(range(12)), UnitContext(RunLayout(tmp_path), tmp_path, tmp_path, "x"))
    assert again.to_pylist() == rows.to_pylist()
    (tmp_path / "kept" / "games-0.parquet").write_bytes(b"PAR1")
    with pytest.raises(DamagedFileError, match=r"games-0.parquet: cannot be read"):
        Kept(tmp_path / "kept")


def test_the_same_command_goes_on_with_a_server_that_was_killed() -> None:
    port = free_port()
    words = [
        "serve-uecda",
        "rule",
        ":ann",
        "random",
        "rule",
        "rule",
        "--port",
        str(port),
        "--games",
        "12",
        "--json",
    ]
    command = [sys.executable, "-m", "pipeline", *words]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL) as server:
        client = guest(port)
        while not list(Path().rglob("kept/games-*.parquet")):
            client.play()
            time.sleep(0.2)
            assert not client.is_over
        server.kill()
    del client
    played: list[int] = []
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as server:
        play_all(port, played)
        out, told = server.communicate(timeout=60)
    assert "goes on with daifugo_uecda-" in told
    assert "which was stopped" in told
    assert 0 < len(played) < 12
    run = Path(json.loads(out)["run"])
    assert_same(rows_of(run), expected(12, 100))
    assert not (run / "kept").exists()
    # It is done: the next one is another meeting.
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as server:
        play_all(port, played)
        out, told = server.communicate(timeout=60)
    assert "goes on" not in told
    assert Path(json.loads(out)["run"]) != run
