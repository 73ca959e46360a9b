"""Configuration: what is wrong is named before any work."""

from __future__ import annotations

import shlex
from pathlib import Path

import pytest
from toy_helpers import CONF, compose

from engines.contract.job import job_identity, job_words
from pipeline.config import AddressCluster, LocalCluster, SerialCluster, composing
from storage.errors import UserError


def test_types_come_from_dataclasses() -> None:
    config = compose("job=toy_sweep", "job.items=7", "job.limits.steps_count=99", "cluster=local")
    assert type(config.job).__name__ == "ToySweepJob"
    assert (config.job.items, config.job.limits.steps_count) == (7, 99)  # type: ignore[attr-defined]
    assert config.cluster == LocalCluster(cpus=None)
    assert compose("job=toy_sweep").cluster == SerialCluster()
    assert compose("job=toy_sweep", "cluster=address", "cluster.address=h:1").cluster == AddressCluster(
        address="h:1"
    )


@pytest.mark.parametrize(
    ("words", "field", "part"),
    [
        (["job=toy_sweep", "job.itms=3"], "job.itms", "did you mean job.items?"),
        (["job=toy_sweep", "job.items=many"], "job.items", "many"),
        (["job=toy_sweep", "job.items=3.5"], "job.items", "3.5"),
        (["job=toy_sweep", "job.items=null"], "job.items", "must have a value"),
        (["job=toy_sweep", "job.items=0"], "job.items", "at least 1"),
        (["job=toy_sweep", "job.limits.steps=3"], "job.limits.steps", "did you mean job.limits.steps_count?"),
        (["job=toy_sweep", "items=3"], "items", "did you mean job.items?"),
        (["job=toy_sweep", "job.steps_count=3"], "job.steps_count", "did you mean job.limits.steps_count?"),
        (["job=toy_sweep", "job.zzzzzz=3"], "job.zzzzzz", "there is no field 'zzzzzz' of job"),
        (["job=toy_sweep", "cluster=cloud"], "cluster", "there are: address, local, serial"),
        (["job=toy_sweep", "cluster=local", "cluster.cpu=2"], "cluster.cpu", "did you mean cluster.cpus?"),
        (["job=toy_sweep", "paths.result=x"], "paths.result", "did you mean paths.results?"),
        (["job=toy_sweep", "job.limits.memory_bytes=x"], "job.limits.memory_bytes", "Integer"),
        (["job=toy_sweep", "+job.more=1"], "job.more", "only set"),
        (["job=toy_sweep", "~job.items"], "job.items", "only set"),
        (["job=toy_sweep", "cluster=lokal"], "cluster", "did you mean local"),
        (["job=toy_sweep", "cluster.cpus=2"], "cluster.cpus", "cpus"),
        (["job=toy_sweep", "cluster=local", "cluster.cpus=0"], "cluster.cpus", "at least 1"),
        (["job=toy_sweep", "cluster=address"], "cluster.address", "missing"),
        (["job=toy_sweep", "clster=local"], "clster", "did you mean cluster?"),
        (["job=toy_sweep", "nonsense"], "nonsense", "key=value"),
        (["job=toy_sweep", "job.items=1,2"], "job.items", "add -m"),
        (["job=toy_swep"], "job", "there is no job 'toy_swep'; did you mean toy_sweep?"),
        (["cluster=local"], "job", "which one"),
        (["job=toy_sweep", "job.limits.memory_bytes=-1"], "job.limits.memory_bytes", "at least 1024"),
        (["job=toy_sweep", "job.limits.memory_bytes=0"], "job.limits.memory_bytes", "at least 1024"),
        (["job=toy_sweep", "job.limits.retries_count=-1"], "job.limits.retries_count", "at least 0"),
        (["job=toy_sweep", "job.name=toy_table"], "job.name", "does not fit"),
        (["job=toy_sweep", "++job.items=3"], "job.items", "only set"),
        (["job=toy_sweep", "++job.more=3"], "job.more", "only set"),
        (["job=toy_sweep", "hydra.run.dir=/x"], "hydra.run.dir", "not used"),
        (["job=toy_sweep", "paths.results="], "paths.results", "empty"),
        (["job=toy_sweep", "paths.tables=' '"], "paths.tables", "empty"),
        (["job=toy_sweep", "paths.scratch=foo://x"], "paths.scratch", "is none of s3"),
        (["job=toy_sweep", "cluster.kind=local"], "cluster.kind", "does not fit"),
        (["job=toy_sweep", "cluster=null"], "cluster", "the name of one"),
        (["job=toy_sweep", "cluster=[serial,local]"], "cluster", "the name of one"),
        (["job=null"], "job", "the name of one"),
        (["job=toy_sweep", "=3"], "=3", "key=value"),
        *(
            (["job=toy_sweep", "cluster=address", f"cluster.address={address}"], "cluster.address", "neither")
            for address in ("''", "head", "head:", "':1'", "head:-1", "head:65536", "head:x", "'head:１'")
        ),
    ],
)
def test_what_is_wrong_is_named(words: list[str], field: str, part: str) -> None:
    with pytest.raises(UserError) as caught:
        compose(*words)
    assert caught.value.field == field
    assert part in caught.value.message
    assert "\n" not in str(caught.value)


def test_series() -> None:
    with composing(CONF) as composer:
        series = composer.expand(["job=toy_sweep", "job.seed=range(1,3)", "job.items=5,6"])
        values = [(c.job.seed, c.job.items) for c in map(composer.compose, series)]  # type: ignore[attr-defined]
        assert values == [(1, 5), (1, 6), (2, 5), (2, 6)]
        assert composer.expand(["job=toy_sweep,toy_table"]) == [["job=toy_sweep"], ["job=toy_table"]]
        with pytest.raises(UserError, match=r"job\.items: this kind of series"):
            composer.expand(["job.items=interval(1,2)"])


def test_own_job_extends_one_of_ours(tmp_path: Path) -> None:
    (tmp_path / "job").mkdir()
    own = tmp_path / "job" / "mine.yaml"
    own.write_text("# mine\ndefaults: [schema/toy_sweep@_here_, _self_]\nname: toy_sweep\nitems: 3\n")
    with composing(tmp_path) as composer:
        assert composer.compose(["job=mine"]).job.items == 3  # type: ignore[attr-defined]
        own.write_text(own.read_text() + "itms: 3\n")
        with pytest.raises(UserError, match=r"job/mine\.yaml: job\.itms: .* did you mean job\.items\?"):
            composer.compose(["job=mine"])
        own.write_text("a: [\n")
        with pytest.raises(UserError, match="mine"):
            composer.compose(["job=mine"])
    with pytest.raises(UserError, match="config-dir"), composing(tmp_path / "none"):
        pass


@pytest.mark.parametrize(
    ("text", "words", "told"),
    [
        (
            "defaults: [fewer@_here_, _self_]\nitms: 3\n",
            [],
            r"job/mine\.yaml: job\.itms: .*; did you mean job\.items\?",
        ),
        ("defaults: [fewer, _self_]\nitems: 0\n", [], r"job/mine\.yaml: job\.items: must be at least 1"),
        ("defaults: [fewer, _self_]\n", ["job.itms=3"], r"^job\.itms: "),
        ("defaults: [fewer, _self_]\n", ["cluster.cpu=3"], r"^cluster\.cpu: "),
        (
            "defaults: [fever, _self_]\n",
            [],
            r"job/mine\.yaml: job: there is no job 'fever'; did you mean fewer\?",
        ),
        ("items: 3\n", [], r"job/mine\.yaml: job: the file extends no job"),
        (
            "defaults: [fewer, _self_]\n",
            ["mine"],
            r"^mine: is not of the form key=value .*did you mean job=mine\?",
        ),
    ],
)
def test_a_mistake_in_an_own_job_file_names_the_file(
    tmp_path: Path, text: str, words: list[str], told: str
) -> None:
    (tmp_path / "job").mkdir()
    base = "defaults: [schema/toy_sweep@_here_, _self_]\nname: toy_sweep\nitems: 3\n"
    (tmp_path / "job" / "fewer.yaml").write_text(base)
    (tmp_path / "job" / "mine.yaml").write_text(text)
    with composing(tmp_path) as composer, pytest.raises(UserError, match=told) as caught:
        composer.compose(["job=mine", *words])
    assert "\n" not in str(caught.value)


def test_paths_follow_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    from pipeline.roots import roots, scratch

    assert roots()["tables"] == Path("results")
    monkeypatch.setenv("YAMAFUDA_RESULTS", "/r")
    paths = compose("job=toy_sweep").paths
    assert (paths.results, paths.tables, paths.scratch) == ("/r", "/r", "/r/.scratch")
    assert roots() == {name: Path(getattr(paths, name)) for name in ("results", "tables")}
    assert scratch() == Path("/r/.scratch")
    monkeypatch.setenv("YAMAFUDA_TABLES", "/t")
    assert compose("job=toy_sweep").paths.tables == "/t"
    assert roots()["tables"] == Path("/t")


@pytest.mark.parametrize(
    "name", ["daifugo_tournament", "klondike_million", "superpuzz_full", "tricks_table_14"]
)
def test_a_job_is_made_again_by_the_words_that_tell_it(name: str) -> None:
    job = compose(f"job={name}").job
    told = compose(*shlex.split(job_words(job)))
    # By its kind and not by its file, of which it may have other limits.
    assert job_identity(told.job) == job_identity(job)
