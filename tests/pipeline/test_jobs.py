"""The list of jobs, and what is told of one; names that were meant."""

from __future__ import annotations

import functools
import json
import platform
import re
from importlib import metadata
from pathlib import Path

import pytest
from toy_helpers import Yamafuda

from engines.contract.job import Job
from engines.contract.nearest import did_you_mean, nearest
from engines.contract.registry import games
from pipeline.config import LocalCluster, composing
from pipeline.jobfiles import JobFile, chain, job_files, kind_of
from pipeline.jobhelp import job_help, shown_value
from pipeline.jobs import jobs_by_game
from storage.errors import UserError

JOBS = [name for name in job_files(None) if "toy" not in name]


def test_the_list_is_by_game_and_fits(yamafuda: Yamafuda) -> None:
    lines = yamafuda("jobs", "toy").stdout.splitlines()
    assert lines[0] == "toy: Numbers instead of games"
    assert [" ".join(line.split()) for line in lines[1:5]] == [
        "toy_few The sweep of toys with few items",
        "toy_hands A sweep of toys with several rows each",
        "toy_sweep A sweep of toys",
        "toy_table A table of toys",
    ]
    assert lines[5].strip() == "and: yamafuda solve toy"
    everything = yamafuda("jobs").stdout.splitlines()
    assert max(map(len, everything)) <= 80
    assert [line.rstrip() for line in everything] == everything
    heads = [line.partition(":")[0] for line in everything if line and line[0] != " " and ": " in line]
    assert set(heads) >= {game.name for game in games()}


def test_the_list_as_json(yamafuda: Yamafuda) -> None:
    listed = [json.loads(line) for line in yamafuda("jobs", "--json").stdout.splitlines()]
    assert {"game": "klondike", "job": "klondike_sweep"} in [
        {key: each[key] for key in ("game", "job")} for each in listed
    ]
    assert len({each["job"] for each in listed}) == len(listed) == len(JOBS) + 4
    assert all(each["description"] for each in listed)


def test_files_that_are_of_no_game(tmp_path: Path) -> None:
    (tmp_path / "job").mkdir()
    (tmp_path / "job" / "mine.yaml").write_text(
        "# mine\ndefaults: [klondike_rates@_here_, _self_]\ndeals: 3\n"
    )
    (tmp_path / "job" / "odd.yaml").write_text("a: [\n")
    (tmp_path / "job" / "round.yaml").write_text("defaults: [round@_here_]\n")
    listed = jobs_by_game(tmp_path)
    assert [(each.game, [file.name for file in each.jobs]) for each in listed if each.game is None] == [
        (None, ["odd", "round"])
    ]
    (klondike,) = (each for each in listed if each.game is not None and each.game.name == "klondike")
    assert "mine" in [file.name for file in klondike.jobs]
    files = job_files(tmp_path)
    assert [file.name for file in chain(files, "mine")] == ["klondike_sweep", "klondike_rates", "mine"]
    assert kind_of(files, "mine") == "klondike_sweep"
    assert job_help("mine", tmp_path).fields[0].default == 3


@pytest.mark.parametrize("name", JOBS)
def test_every_job_is_told_and_takes_what_it_is_told_to(name: str) -> None:
    """The defaults, given as words, make the same job."""
    told = job_help(name, None)
    assert told.remarks
    assert told.example.startswith(f"yamafuda run job={name} ")
    words = [
        f"{each.field}={shown_value(each.default, each.none)}"
        for each in told.fields
        if not isinstance(each.default, dict)
    ]
    usual = compose_unchecked(f"job={name}")
    assert compose_unchecked(f"job={name}", *words) == usual
    optional = [each for each in told.fields if each.none]
    job = compose_unchecked(f"job={name}", *(f"{each.field}={each.none}" for each in optional))
    assert all(value_of(job, each.field) is None for each in optional)


@pytest.mark.parametrize("word", ["null", "none", "unlimited", "Null", "NONE"])
def test_words_for_no_value(word: str) -> None:
    fields = ["job.deals", "job.redeals", "job.limits.states", "job.limits.time_s", "job.file"]
    job = compose_unchecked("job=klondike_sweep", *(f"{field}={word}" for field in fields))
    assert [value_of(job, field) for field in fields] == [None] * len(fields)
    with composing(None) as composer:
        words = ["job=tricks_table", "cluster=local", f"cluster.cpus={word}"]
        assert composer.compose(words).cluster == LocalCluster(cpus=None)
        with pytest.raises(UserError, match=r"job\.cards: "):
            composer.compose(["job=tricks_table", f"job.cards={word}"])


def compose_unchecked(*words: str) -> Job:
    with composing(None) as composer:
        return composer.compose_unchecked(list(words)).job


def value_of(job: Job, field: str) -> object:
    """Of a dotted name."""
    return functools.reduce(getattr, field.split(".")[1:], job)


def test_what_is_told_of_a_field() -> None:
    fields = {each.field: each for each in job_help("klondike_rates", None).fields}
    redeals = fields["job.redeals"]
    assert (redeals.least, redeals.most, redeals.none, redeals.default) == (0, 1_000_000, "unlimited", None)
    assert redeals.values == "0 to 1000000, or unlimited"
    assert redeals.meaning == "How often the waste may become the stock again; null: unlimited"
    rule = fields["job.redeal_rule"]
    assert (rule.choices, rule.default) == (["carry", "standard"], "carry")
    assert rule.meaning.startswith("What happens to the last cards of the stock")
    assert fields["job.mode"].meaning.startswith("decide: won or lost; shortest: a solution")
    assert fields["job.deal_texts"].meaning == "Write each deal into its row"
    assert fields["job.draw"].values == "1|3"
    assert fields["job.deals"].default == 20000
    assert fields["job.limits.states"].default is None
    assert fields["job.foundation_back"].values == "true|false"
    assert "job.file_sha256" not in fields
    assert "job.name" not in fields
    assert list(fields)[:3] == ["job.deals", "job.first", "job.seed"]


def test_a_job_is_printed(yamafuda: Yamafuda) -> None:
    shown = yamafuda("jobs", "klondike_rates").stdout
    assert max(map(len, shown.splitlines())) <= 80
    lines = shown.splitlines()
    assert lines[0].startswith("klondike_rates: The share of 20,000 random deals of Klondike")
    place = lines.index("job.redeals=unlimited  (0 to 1000000, or unlimited)")
    assert lines[place + 1].strip() == "How often the waste may become the stock again; null: unlimited"
    assert "Example: yamafuda run job=klondike_rates cluster=local" in shown
    told = json.loads(yamafuda("jobs", "toy_sweep", "--json").stdout)
    assert (told["job"], told["kind"]) == ("toy_sweep", "toy_sweep")
    (items,) = (each for each in told["fields"] if each["field"] == "job.items")
    assert (items["type"], items["default"]) == ("whole number", 20)


def test_words_for_no_value_in_files(tmp_path: Path) -> None:
    (tmp_path / "job").mkdir()
    text = "defaults: [klondike_sweep@_here_, _self_]\nredeals: unlimited\nlimits: {states: none, time_s: None}\n"
    (tmp_path / "job" / "mine.yaml").write_text(text)
    with composing(tmp_path) as composer:
        job = composer.compose(["job=mine"]).job
    assert (job.redeals, job.limits.states, job.limits.time_s) == (None, None, None)  # type: ignore[attr-defined]


def test_a_text_that_must_be_there_may_be_called_none() -> None:
    with composing(None) as composer:
        assert composer.compose(["job=calculation_sweep", "job.recast=none"]).job.recast == "none"  # type: ignore[attr-defined]


def test_comments_are_those_of_their_lines() -> None:
    text = (
        "# What it is for\n#   more\ndefaults: # no\n  - x@_here_\n\na: 1   # one: 'a' # b\nb: '#' # two\nc: x#y\n"
        "d: # three\n  e: [1, 2] # four\n# not a key: 1\nf: {g: 1} # five\n"
    )
    file = JobFile("x", text)
    assert file.remarks == ["What it is for", "  more"]
    assert file.comments == {
        "a": "one: 'a' # b", "b": "two", "c": "", "d": "three", "d.e": "four", "f": "five"
    }  # fmt: skip
    assert file.bases == ["x"]


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ("jobs toy_swep", "job: there is no job 'toy_swep'; did you mean toy_sweep?"),
        ("jobs zzzz", "job: there is no job 'zzzz'; yamafuda jobs lists all"),
        ("jobs klondik", "job: there is no job 'klondik'; did you mean klondike?"),
        ("run job=toy_swep", "job: there is no job 'toy_swep'; did you mean toy_sweep?"),
        ("run job=zzzz", "job: there is no job 'zzzz'; yamafuda jobs lists them"),
        ("statsu", "COMMAND: there is no command 'statsu' here; did you mean status? There are: run, submit, jobs, "),
        ("solve", "solve: names no game; there are: calculation, "),
        ("solve klondik x", "solve: there is no game 'klondik' here; did you mean klondike? There are: "),
        ("run job=toy_sweep cluster=lokal", "cluster: there is no cluster 'lokal'; did you mean local?"),
        ("run job=toy_sweep paths=x", "paths: there is no paths 'x'; there are: default"),
    ],
)  # fmt: skip
def test_names_that_are_unknown(yamafuda: Yamafuda, words: str, message: str) -> None:
    done = yamafuda(*words.split())
    assert (done.returncode, done.stdout, done.stderr.count("\n")) == (2, "", 1)
    assert done.stderr.startswith(f"yamafuda: {message}")


def test_the_nearest_name() -> None:
    names = ["job.columns", "job.limits.states", "job.limits.memory_bytes", "cluster.cpus"]
    for word, found in {
        "job.colums": "job.columns",
        "columns": "job.columns",
        "job.memory_bytes": "job.limits.memory_bytes",
        "cluster.cpu": "cluster.cpus",
        "": None,
        "zzz": None,
    }.items():
        assert nearest(word, names) == found
    assert did_you_mean("zzz", names) == ""
    assert nearest("x", []) is None


def test_versions(yamafuda: Yamafuda) -> None:
    shown = yamafuda("--version")
    assert shown.returncode == 0
    found = re.fullmatch(
        r"yamafuda (\S+) \(Rust core: (dev|release) build\), Python (\S+), Ray (\S+)\n", shown.stdout
    )
    assert found is not None
    assert found.group(1, 3, 4) == (
        metadata.version("yamafuda"), platform.python_version(), metadata.version("ray")
    )  # fmt: skip
