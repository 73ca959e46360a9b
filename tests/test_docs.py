"""Pages and pictures that are made are those that would be made now; links lead somewhere."""

from __future__ import annotations

import re
import sys
import tomllib

import pytest
from documents import PAGES, ROOT

sys.path.insert(0, str(ROOT / "docs"))
sys.path.insert(0, str(ROOT / "tests" / "bench"))

import bench_runs
import check_speed
import make_data
import make_picture
import make_text

from engines.contract.game import Game
from engines.contract.registry import games

OURS = [each for each in games() if type(each).__module__.startswith("engines.")]


def test_the_columns_of_all_data_are_told_as_they_are() -> None:
    """After a change: make docs."""
    assert make_data.PAGE.read_text() == make_data.page()


def test_grammars_are_those_of_the_docstrings() -> None:
    """After a change: make docs."""
    assert make_text.PAGE.read_text() == make_text.page()


def test_the_picture_shows_what_is_recorded() -> None:
    """After a change: make docs."""
    assert f"<desc>{make_picture.described()}</desc>" in make_picture.PICTURE.read_text()


@pytest.mark.parametrize("figure", check_speed.figures(), ids=lambda each: each.what)
def test_speeds_are_those_of_a_bench(figure: check_speed.Figure) -> None:
    """Whether they hold: make check-speed."""
    file, *options = figure.bench.split()
    bench = (ROOT / "tests" / "bench" / file).read_text()
    runs = [figure.row[name] for name in figure.row if name == "run"]
    assert all(f'"{name}"' in bench for name in (figure.key, *figure.row, *runs))
    assert {option.removeprefix("--") for option in options} <= set(bench_runs.PARTS)
    assert figure.holds(figure.low)
    assert not figure.holds(2 * figure.high)


def test_all_speeds_are_checked() -> None:
    header, *rows = [line for line in check_speed.PAGE.read_text().splitlines() if line.startswith("| ")]
    assert header.startswith("| what | measured |")
    assert len(rows) == len(check_speed.figures())


@pytest.mark.parametrize("page", PAGES)
def test_what_pages_link_to_is_there(page: str) -> None:
    for target, heading in re.findall(r"\]\(([^)#:]*)(?:#([^)]*))?\)", PAGES[page]):
        path = (ROOT / page).parent / target if target else ROOT / page
        assert path.exists(), target
        if heading:
            assert heading in headings(path.read_text()), f"{target}#{heading}"


def headings(page: str) -> set[str]:
    """Names that links to headings have."""
    return {
        re.sub(r"\]\([^)]*\)|[^\w -]", "", title).strip().lower().replace(" ", "-")
        for title in re.findall(r"^#+ (.*)$", page, re.MULTILINE)
    }


@pytest.mark.parametrize("game", OURS, ids=lambda each: each.name)
def test_a_game_is_called_the_same_everywhere(game: Game) -> None:
    page = f"docs/games/{game.name}.md"
    assert (ROOT / page).read_text().splitlines()[0] == f"# {game.heading}"
    assert f"| [{game.heading}]({page}) |" in (ROOT / "README.md").read_text()


def test_a_release_has_one_version() -> None:
    """That of pyproject.toml."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["version"]
    crate = tomllib.loads((ROOT / "engines" / "native" / "Cargo.toml").read_text())["package"]["version"]
    (cited,) = re.findall(r"^version: (.*)$", (ROOT / "CITATION.cff").read_text(), re.MULTILINE)
    newest, *_ = re.findall(r"^## (\S+)", PAGES["CHANGELOG.md"], re.MULTILINE)
    (wheel,) = re.findall(r"dist/yamafuda-(.*?)-cp311", PAGES["README.md"])
    assert [crate, cited, newest, wheel] == 4 * [project]
