"""What is in the source distribution and in the wheel, and that the one installs from the other."""

from __future__ import annotations

import os
import subprocess
import sys
import tarfile
import venv
import zipfile
from collections.abc import Iterable, Iterator
from importlib.metadata import Distribution, distribution
from pathlib import Path
from typing import Any

import pytest
from packaging.requirements import Requirement
from patience import PATIENCE_S

ROOT = Path(__file__).parents[1]
NATIVE = "engines/native/"
SHIPPED = [
    "conf/config.yaml",
    "conf/cluster/serial.yaml",
    "conf/job/daifugo_tournament.yaml",
    "conf/job/klondike_deals.yaml",
    "conf/job/klondike_sweep.yaml",
    "conf/job/stackgame_play.yaml",
    "conf/job/stackgame_table.yaml",
    "conf/job/superpuzz_census.yaml",
    "conf/job/superpuzz_full.yaml",
    "conf/job/superpuzz_sweep.yaml",
    "conf/job/tricks_table.yaml",
    "conf/job/tricks_theorems.yaml",
    "conf/paths/default.yaml",
    "conf/players/daifugo.yaml",
    "engines/TEXT.md",
    "engines/_native.pyi",
    "engines/daifugo/examples/exchange.record",
    "engines/klondike/examples/k00198.deal",
    "engines/klondike/examples/k00198.solution",
    "engines/klondike/queries/hardest-deals.sql",
    "engines/calculation/examples/section-3.2.position",
    "engines/superpuzz/examples/figure-1.deal",
    "engines/superpuzz/examples/figure-2.solution",
    "engines/tricks/examples/section-5.2.deal",
    "pages/static/style.css",
    "pages/templates/base.html",
    "pipeline/cli.py",
    "pipeline/query/examples/runs-side-by-side.sql",
    "storage/FORMAT.md",
    *(f"{package}/py.typed" for package in ("conf", "engines", "pages", "pipeline", "storage", "yamafuda")),
]
TOOL = [str(Path(sys.executable).with_name("maturin"))]


def run(*words: str, cwd: Path, **env: str) -> str:
    """Standard output of a command that must succeed; CalledProcessError shows what it said."""
    done = subprocess.run(words, cwd=cwd, env=os.environ | env, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.fixture(scope="module")
def sdist(tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("sdist")
    run(*TOOL, "sdist", "--out", str(out), cwd=ROOT)
    (found,) = out.glob("yamafuda-*.tar.gz")
    return found


@pytest.fixture(scope="module")
def unpacked(sdist: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The source distribution, unpacked."""
    out = tmp_path_factory.mktemp("source")
    with tarfile.open(sdist) as archive:
        archive.extractall(out, filter="data")
    (found,) = out.iterdir()
    return found


@pytest.fixture(scope="module")
def wheel(unpacked: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Built from the source distribution, where nothing of the repository is at hand."""
    out = tmp_path_factory.mktemp("wheel")
    command = [sys.executable, "-m", "pip", "wheel", "--no-deps", "--no-build-isolation", "--no-index", "-q"]
    # Unoptimised: what is tested is which files are where.
    release: dict[str, Any] = {"CARGO_PROFILE_RELEASE_LTO": "off", "CARGO_PROFILE_RELEASE_OPT_LEVEL": "0"}
    path = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])
    run(
        *command,
        "-w",
        str(out),
        str(unpacked),
        cwd=out,
        PATH=path,
        CARGO_TARGET_DIR=str(out / "target"),
        **release,
    )
    (found,) = out.glob("yamafuda-*.whl")
    return found


def test_the_source_distribution_has_all_sources(unpacked: Path) -> None:
    names = {path.relative_to(unpacked).as_posix() for path in unpacked.rglob("*") if path.is_file()}
    assert {*SHIPPED, "pyproject.toml", "README.md", "LICENSE"} <= names
    crate = {name for name in names if name.startswith(NATIVE)}
    tracked = run("git", "ls-files", NATIVE, cwd=ROOT).split()
    assert {name for name in tracked if "/src/" in name or "Cargo" in name} <= crate
    assert not any("/target/" in name or name.endswith((".so", ".pyc")) for name in names)


def test_the_wheel_has_what_is_needed_to_run(wheel: Path) -> None:
    # For any Python from the lowest one on.
    assert "-cp311-abi3-" in wheel.name
    with zipfile.ZipFile(wheel) as archive:
        names = set(archive.namelist())
    assert {*SHIPPED, "engines/_native.abi3.so"} <= names
    assert not any(name.startswith((NATIVE, "tests/", "docker/")) for name in names)


def test_every_file_of_the_packages_is_in_the_wheel(wheel: Path) -> None:
    tracked = run(
        "git", "ls-files", "conf", "engines", "pages", "pipeline", "storage", "yamafuda", cwd=ROOT
    ).split()
    with zipfile.ZipFile(wheel) as archive:
        names = set(archive.namelist())
    assert {name for name in tracked if not name.startswith(NATIVE)} <= names


def needed(package: str, without: str) -> Iterator[Distribution]:
    """What a package depends on, and what that does, and so on; but for one and what only that needs."""
    seen = {without}
    waiting = [package]
    while waiting:
        for line in distribution(waiting.pop()).requires or []:
            one = Requirement(line)
            if one.name not in seen and (one.marker is None or one.marker.evaluate({"extra": ""})):
                seen.add(one.name)
                waiting.append(one.name)
                yield distribution(one.name)


def place(distributions: Iterable[Distribution], site: Path) -> None:
    """Have an environment find these, by links."""
    for each in distributions:
        for top in {file.parts[0] for file in each.files or []} - {"..", "__pycache__"}:
            if not (site / top).exists():
                (site / top).symlink_to(str(each.locate_file(top)))


class Bare:
    """An environment outside the checkout: the wheel with what it needs, but for Ray; no tests, no tools."""

    def __init__(self, folder: Path, wheel: Path) -> None:
        self.folder = folder
        venv.create(folder / "env", with_pip=False)
        self.python = folder / "env" / "bin" / "python"
        run(
            *(sys.executable, "-m", "pip", "--python", str(self.python), "install"),
            *("--no-deps", "--no-index", "-q", str(wheel)),
            cwd=folder,
        )
        (site,) = (folder / "env").glob("lib/python*/site-packages")
        place(needed("yamafuda", without="ray"), site)

    def run(self, *words: str, status: int = 0) -> subprocess.CompletedProcess[str]:
        """``yamafuda WORDS``, which must end with this status."""
        env = {
            name: value
            for name, value in os.environ.items()
            if not name.startswith(("PYTHON", "YAMAFUDA", "VIRTUAL_ENV"))
        }
        command = [str(self.python.with_name("yamafuda")), *words]
        done = subprocess.run(
            command, cwd=self.folder, env=env, capture_output=True, text=True, check=False, timeout=PATIENCE_S
        )
        assert done.returncode == status, done.stdout + done.stderr
        return done


@pytest.fixture(scope="module")
def bare(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Bare:
    return Bare(tmp_path_factory.mktemp("bare"), wheel)


def test_it_installs_and_runs_where_nothing_else_is(bare: Bare) -> None:
    assert ", no Ray" in bare.run("--version").stdout
    assert "stackgame_table" in bare.run("jobs").stdout
    deal = ROOT / "engines/superpuzz/examples/figure-7.deal"
    assert "won, " in bare.run("solve", "superpuzz", str(deal)).stdout
    folder = bare.run("run", "job=stackgame_table", "job.cards=3").stdout.strip()
    assert Path(folder).is_relative_to(bare.folder)
    asked = "SELECT sum(states_count) FROM stackgame_table"
    assert bare.run("query", asked, "--format", "csv").stdout.split()[1:] == ["65"]
    bare.run("verify", Path(folder).name)
    assert "pip install 'yamafuda[pages]'" in bare.run("serve", status=2).stderr
    imported = run(str(bare.python), "-c", "import engines; print(engines.__file__)", cwd=bare.folder)
    assert Path(imported.strip()).is_relative_to(bare.folder)


@pytest.mark.parametrize(
    "cluster", [["cluster=local"], ["cluster=address", "cluster.address=localhost:6379"]]
)
def test_a_cluster_without_ray_says_what_to_install(bare: Bare, cluster: list[str]) -> None:
    done = bare.run("run", "job=stackgame_table", "job.cards=4", *cluster, status=2)
    (line,) = done.stderr.splitlines()
    assert "pip install 'ray" in line
    assert "cluster=serial" in line
