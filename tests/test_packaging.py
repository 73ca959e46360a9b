"""What is in the source distribution and in the wheel, and that the one installs from the other."""

from __future__ import annotations

import os
import subprocess
import sys
import tarfile
import venv
import zipfile
from pathlib import Path
from typing import Any

import pytest

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
    "engines/calculation/examples/section-3.2.position",
    "engines/superpuzz/examples/figure-1.deal",
    "engines/superpuzz/examples/figure-2.solution",
    "engines/tricks/examples/section-5.2.deal",
    "pipeline/cli.py",
    "storage/FORMAT.md",
    *(f"{package}/py.typed" for package in ("conf", "engines", "pipeline", "storage")),
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
    tracked = run("git", "ls-files", "conf", "engines", "pipeline", "storage", cwd=ROOT).split()
    with zipfile.ZipFile(wheel) as archive:
        names = set(archive.namelist())
    assert {name for name in tracked if not name.startswith(NATIVE)} <= names


def test_it_installs_and_runs(wheel: Path, tmp_path: Path) -> None:
    """In an environment of its own, which sees the dependencies of this one."""
    place = tmp_path / "env"
    venv.create(place, with_pip=False)
    python = place / "bin" / "python"
    (site,) = place.glob("lib/python*/site-packages")
    run(
        *(sys.executable, "-m", "pip", "--python", str(python), "install"),
        *("--no-deps", "--no-index", "-q", str(wheel)),
        cwd=tmp_path,
    )
    here = next(path for path in sys.path if path.endswith("site-packages"))
    # Added at the end, so that what was installed comes first; pth files are not read there.
    (site / "dependencies.pth").write_text(f"import sys; sys.path.append({here!r})\n")
    assert "query" in run(str(place / "bin" / "yamafuda"), "--help", cwd=tmp_path)
    assert "stackgame_table" in run(str(place / "bin" / "yamafuda"), "jobs", cwd=tmp_path)
    words = ["run", "job=stackgame_table", "job.cards=3", "paths.results=results"]
    folder = run(str(place / "bin" / "yamafuda"), *words, cwd=tmp_path).strip()
    assert Path(folder).is_relative_to(tmp_path)
    imported = run(str(python), "-c", "import engines; print(engines.__file__)", cwd=tmp_path)
    assert Path(imported.strip()).is_relative_to(place)
