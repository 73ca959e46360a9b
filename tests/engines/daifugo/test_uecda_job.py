"""``job=daifugo_uecda``, ``serve-uecda`` and ``play-uecda``: runs with folders whose players are programs."""

from __future__ import annotations

import json
import socket
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from command_helpers import Run
from section_helpers import assert_queries_make

from engines.daifugo.record import read_records
from engines.daifugo.replay import replay
from engines.daifugo.uecda.sections import network_sections
from pipeline.config import composing
from pipeline.run import run_job
from pipeline.runners.serial import SerialRunner
from storage.dataset import read_rows
from storage.errors import UserError

pytestmark = pytest.mark.usefixtures("workspace")

OURS = (
    f"ours={sys.executable} -m pipeline play-uecda --host {{host}} --port {{port}} --player rule --name {{name}} "
    "--record games.jsonl"
)
DYING = f"dying={sys.executable} {Path(__file__).with_name('dying_client.py')} {{host}} {{port}}"


def run_of(job: str, *words: str) -> tuple[int, Path]:
    """Exit status and folder of ``job=JOB WORDS``."""
    with composing(None) as composer:
        config = composer.compose([f"job={job}", *(f"job.{word}" for word in words)])
    return run_job(config, SerialRunner())


def rows_of(run: Path) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = read_rows(run).to_pylist()
    return found


def commands(*lines: str) -> str:
    return f"commands={json.dumps(lines)}"


def test_a_program_plays_what_our_player_plays(yamafuda: Run) -> None:
    status, run = run_of(
        "daifugo_uecda",
        commands(OURS),
        "players=[rule,random,ours,rule,rule]",
        "variants=[random]",
        "place=ours",
        "games=6",
        "join_s=30",
    )
    assert status == 0
    _, other = run_of(
        "daifugo_tournament",
        "players=[rule,random,rule,rule,rule]",
        "games=6",
        "records=true",
    )
    rows, expected = rows_of(run), rows_of(other)
    told = [row for row in rows if row["variant"] == 0]
    for row, same in zip(told, expected, strict=True):
        for name in ("game", "seat", "rank", "points", "turns_count", "player"):
            assert row[name] == same[name], name
        if row["record"] is not None:
            assert row["record"].partition("\n")[2] == same["record"].partition("\n")[2]
        ours = row["player"] == 2
        assert row["client"] == ("ours" if ours else None)
        assert (row["fault"], row["refused_count"]) == (None, 0)
        assert row["exit_status"] == (0 if ours else None)
        assert (row["program_s"] is not None) == ours
    # The program's own record, of games that the referee can replay.
    lines = [json.loads(line) for line in Path("games.jsonl").read_text().splitlines()]
    assert [line["points"] for line in lines] == [row["points"] for row in told if row["player"] == 2]
    for line in lines:
        (record,) = read_records(line["record"])
        assert replay(record).problem is None
    summary = json.loads((run / "summary.json").read_text())
    (outside,) = summary["outside"]
    assert (outside["player_name"], outside["faults"], outside["exit_statuses"]) == ("ours", {}, [0])
    assert summary["differences"][0]["name"] == "random"
    status, out, _ = yamafuda("query", "SELECT DISTINCT client FROM daifugo_uecda WHERE client IS NOT NULL")
    assert (status, "ours" in out) == (0, True)
    status, out, _ = yamafuda("report", "daifugo")
    assert status == 0
    assert "ours" in out
    network, differences = network_sections((run,))
    assert_queries_make([network, differences])
    shown = [(row["shown"], row["beside"], row["faults"]) for row in network.rows]
    assert shown[2] == ("ours", "3 rule, random", None)
    assert shown[7] == ("random (2)", "3 rule, random", None)
    assert [row["turn_s"] > 0 for row in network.rows] == [True] * 10
    (row,) = differences.rows
    assert (row["player_name"], row["of"], row["beside"]) == ("random", "ours", "3 rule, random")


@pytest.mark.parametrize("lost", ["turn", "seat"])
def test_a_program_that_dies_is_named(lost: str) -> None:
    status, run = run_of(
        "daifugo_uecda",
        commands(DYING + " 9 3"),
        "players=[rule,rule,rule,dying,rule]",
        "games=5",
        f"lost={lost}",
    )
    assert status == 0
    rows = [row for row in rows_of(run) if row["player"] == 3]
    faults = [row["fault"] for row in rows]
    assert "closed" in faults
    assert faults.count("closed") == 1
    assert {row["exit_status"] for row in rows} == {3}
    assert {row["player_name"] for row in rows} == {"dying"}
    (outside,) = json.loads((run / "summary.json").read_text())["outside"]
    assert outside["faults"] == {"closed": 1}
    (network,) = network_sections((run,))
    assert_queries_make([network])
    assert network.rows[3]["faults"] == "closed 1"


def test_who_does_not_come_fails_its_matches() -> None:
    away = f'away={sys.executable} -c \'import sys; sys.exit("no such " + "{{port}}"[:0] + "luck")\''
    status, run = run_of(
        "daifugo_uecda",
        commands(away),
        "players=[rule,rule,rule,away,rule]",
        "games=2",
        "join_s=1",
        "limits.retries_count=0",
    )
    assert status == 1
    told = "".join(path.read_text() for path in (run / "failed").rglob("*") if path.is_file())
    assert "player 3, away, did not connect within 1 s; the program ended with status 1: no such luck" in told
    with pytest.raises(UserError, match=r"job.commands: gone: /no/such: No such file"):
        run_of(
            "daifugo_uecda", commands("gone=/no/such {port}"), "players=[rule,rule,rule,gone,rule]", "games=2"
        )


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["commands=[them]"], "job.commands: 'them' is not NAME=COMMAND"),
        (['commands=["them=x {port} {nobody}"]'], "job.commands: them: quotes do not close, or braces"),
        (['commands=["them=x"]'], "job.commands: them: must have {port}"),
        (['commands=["rule=x {port}"]'], "job.commands: 'rule' is one of job.kinds already"),
        (['commands=["a=x {port}"]', "connections=[a]"], "job.commands: two players have the same name"),
        (['commands=["a b=x {port}"]'], "job.commands: 'a b': a record holds no such name"),
        (["connections=[ann]"], "job.connections: 'ann' must be in job.players once"),
        (
            ["connections=[ann]", "players=[ann,rule,rule,rule,rule]", "variants=[random]"],
            "job.variants: who connects",
        ),
        (["ranks=shared"], "job.ranks: programs keep their own"),
        (["address=localhost.example"], "job.address: 'localhost.example' is no address"),
        (["players=[rule,rule,rule,rule,nobody]"], "job.players: no player is called 'nobody'"),
        (["lost=game"], "job.lost"),
        (["port=70000"], "job.port: must be 0 to 65535"),
    ],
)
def test_what_is_refused(words: list[str], message: str) -> None:
    with composing(None) as composer, pytest.raises(UserError) as error:
        composer.compose(["job=daifugo_uecda", *(f"job.{word}" for word in words)])
    assert message in str(error.value)


def free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as server:
        port: int = server.getsockname()[1]
        return port


def test_serve_and_play(yamafuda: Run) -> None:
    words = [
        "serve-uecda",
        "rule",
        ":ann",
        "rule",
        "random",
        "rule",
        "--port",
        "0",
        "--games",
        "4",
        "--json",
    ]
    with subprocess.Popen(
        [sys.executable, "-m", "pipeline", *words], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as server:
        assert server.stderr is not None
        # It is told when it is so, and with the port that was free.
        line = next(line for line in server.stderr if "may connect" in line)
        place, _, port = line.strip().rpartition(":")
        assert place == "ann may connect at 127.0.0.1"
        status, out, _ = yamafuda(
            "play-uecda", "--port", port, "--player", "rand_d@20", "--name", "me", "--json"
        )
        told, _ = server.communicate(timeout=60)
    assert status == 0
    played = json.loads(out)
    assert (played["games_count"], played["number"], played["problem"]) == (4, 1, None)
    run = json.loads(told)
    assert run["status"] == 0
    (outside,) = run["result"]["outside"]
    assert outside["clients"] == ["me"]
    rows = [row for row in rows_of(Path(run["run"])) if row["player"] == 1]
    assert sum(row["points"] for row in rows) == played["points"]
    assert {row["player_name"] for row in rows} == {"ann"}
    assert yamafuda("verify", run["run"])[0] == 0


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["serve-uecda", "rule", "rule"], "NAME: 2 players; there are 5"),
        (["serve-uecda", "rule", ":a", ":a", "rule", "rule"], "job.commands: two players have the same name"),
        (["play-uecda", "--port", "1", "--player", "rule"], "--host: 127.0.0.1:1: "),
        (["play-uecda", "--player", "nobody"], "--player: no player is called 'nobody'"),
        (
            ["play-uecda", "--player", "he@9"],
            "--player: 'he' needs a table, which only jobs take; here there are: ",
        ),
        (
            ["serve-uecda", ":a", ":b", ":c", ":d", "he"],
            "NAME: 'he' needs a table, which only jobs take; here",
        ),
        (["serve-uecda", ":a", ":b", ":c", ":d", "nobody"], "NAME: no player is called 'nobody'"),
        (["play-uecda", "--player", "rule", "--name", "\x1b"], "--name: only printable letters"),
        (["play-uecda", "--patience-s", "inf"], "--patience-s"),
        (["play-uecda", "--patience-s", "nan"], "--patience-s"),
        (["play-uecda", "--seed", str(1 << 64)], "--seed"),
        (["play-uecda", "--first", str(1 << 64)], "--first"),
        (["serve-uecda", "--move-s", "inf"], "job.move_s: must be 0.001 to 86400; got inf"),
        (["serve-uecda", "--join-s", "nan"], "job.join_s: must be 0.001 to 86400; got nan"),
    ],
)
def test_commands_refuse(words: list[str], message: str, yamafuda: Run) -> None:
    status, _, err = yamafuda(*words)
    assert status == 2
    assert message in err
    assert "Traceback" not in err
    assert "job.kinds" not in err


def test_no_server_no_record(yamafuda: Run, tmp_path: Path) -> None:
    """What was recorded before stays, and a name of a file that cannot be is told without a server."""
    new, old = tmp_path / "new.jsonl", tmp_path / "old.jsonl"
    old.write_text("{}\n")
    for record in (new, old):
        status, _, err = yamafuda("play-uecda", "--port", str(free_port()), "--record", str(record))
        assert (status, "no server is there yet" in err) == (2, True)
    assert not new.exists()
    assert old.read_text() == "{}\n"
    status, _, err = yamafuda("play-uecda", "--port", str(free_port()), "--record", str(tmp_path))
    assert (status, err) == (2, f"yamafuda: {tmp_path}: Is a directory\n")
