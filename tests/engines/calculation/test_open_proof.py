"""The formula and the proof that the search with the pile open writes, against solvers and checkers of others."""

from __future__ import annotations

import random
from pathlib import Path

import numpy as np
import pytest
from calculation_open_decks import can_be_won, replay, shuffled, won_game
from calculation_open_files import can_be_satisfied, is_proved, satisfied_by_game
from command_helpers import Run

from engines import _native
from engines.calculation.core import random_deck
from engines.calculation.open import search, search_with_proof
from engines.calculation.rules import Move
from engines.calculation.text import format_deck
from engines.solitaire.found import Found
from engines.solitaire.limits import Bounds

LOST = [rank for rank in (2, 3, 4, 1) for _ in range(4)]


def found(deck: list[int], stacks: int, folder: Path) -> Found[Move]:
    """After the files are checked: names, the same answer as without them, what others say."""
    answer = search_with_proof(deck, stacks, Bounds(), folder, "deck")
    plain = search(deck, stacks, Bounds())
    assert (answer.outcome, answer.effort_count, answer.moves) == (
        plain.outcome,
        plain.effort_count,
        plain.moves,
    )
    cnf, proof = folder / "deck.cnf", folder / "deck.drat"
    lost = answer.outcome == "lost"
    assert sorted(folder.iterdir()) == ([cnf, proof] if lost else [cnf])
    assert can_be_satisfied(cnf) is not lost
    if lost:
        assert proof.read_text().endswith("\n0\n") or proof.read_text() == "0\n"
    return answer


@pytest.mark.parametrize(
    ("ranks", "stacks", "late_count", "decks_count"),
    [(4, 1, 0, 15), (4, 1, 12, 15), (4, 2, 8, 10), (4, 3, 8, 2), (5, 1, 8, 8)],
)
def test_small_decks(tmp_path: Path, ranks: int, stacks: int, late_count: int, decks_count: int) -> None:
    chance = random.Random(1000 * ranks + 100 * stacks + late_count)
    for _ in range(decks_count):
        deck = shuffled(chance, ranks, late_count)
        won = can_be_won(deck, stacks)
        assert (found(deck, stacks, tmp_path).outcome == "won") is won, (deck, stacks)
        assert won or is_proved(tmp_path / "deck.cnf", tmp_path / "deck.drat"), (deck, stacks)


def test_a_whole_deck_is_lost_with_one_stack(tmp_path: Path) -> None:
    assert found(list(random_deck(2, 0, 13)), 1, tmp_path).outcome == "lost"
    assert is_proved(tmp_path / "deck.cnf", tmp_path / "deck.drat")


def test_whole_decks_with_two_stacks(tmp_path: Path) -> None:
    outcomes = [found(list(random_deck(1, number, 13)), 2, tmp_path).outcome for number in (8, 9)]
    assert outcomes == ["won", "lost"]


def test_a_proof_that_drops_clauses(tmp_path: Path) -> None:
    deck = [rank for rank in (2, 3, 4, 5, 6, 1) for _ in range(4)]
    assert found(deck, 4, tmp_path).outcome == "lost"
    assert any(line.startswith("d ") for line in (tmp_path / "deck.drat").read_text().splitlines())
    assert is_proved(tmp_path / "deck.cnf", tmp_path / "deck.drat")


@pytest.mark.parametrize("stacks", [1, 2, 3, 5])
@pytest.mark.parametrize("ranks", [4, 6, 13])
def test_games_that_were_won_satisfy_the_formula(tmp_path: Path, ranks: int, stacks: int) -> None:
    chance = random.Random(10 * ranks + stacks)
    for directness in (0.2, 0.5, 0.8):
        deck, moves = won_game(chance, ranks, stacks, directness)
        assert replay(deck, stacks, moves)
        answer = search_with_proof(deck, stacks, Bounds(), tmp_path, "deck")
        assert answer.moves is not None
        for game in (moves, answer.moves):
            assert satisfied_by_game(tmp_path / "deck.cnf", deck, stacks, game)


def test_a_proof_of_another_deck_is_none(tmp_path: Path) -> None:
    search_with_proof(LOST, 2, Bounds(), tmp_path, "lost")
    search_with_proof([1, 2, 3, 4] * 4, 2, Bounds(), tmp_path, "won")
    assert is_proved(tmp_path / "lost.cnf", tmp_path / "lost.drat")
    assert not is_proved(tmp_path / "won.cnf", tmp_path / "lost.drat")
    lines = (tmp_path / "lost.drat").read_text().splitlines()
    (tmp_path / "lost.drat").write_text("\n".join(lines[len(lines) // 2 :]))
    assert not is_proved(tmp_path / "lost.cnf", tmp_path / "lost.drat")


def test_the_option_proof(yamafuda: Run, workspace: Path) -> None:
    won = [1, 2, 3, 4] * 4
    Path("decks").write_text(f"{format_deck(won)}\n{format_deck(LOST)}\n")
    words = ["solve", "calculation", "decks", "--stacks", "2"]
    status, out, _ = yamafuda(*words, "--proof", "made/here")
    assert status == 0
    heads = [line.split(",")[0] for line in out.splitlines() if line.startswith("deal")]
    assert heads == ["deal 1: won", "deal 2: lost"]
    folder = workspace / "made" / "here"
    assert sorted(path.name for path in folder.iterdir()) == ["deal-1.cnf", "deal-2.cnf", "deal-2.drat"]
    assert is_proved(folder / "deal-2.cnf", folder / "deal-2.drat")
    assert "c deck 2 2 2 2 3 3 3 3 4 4 4 4 1 1 1 1\n" in (folder / "deal-2.cnf").read_text()
    Path("decks").write_text(f"{format_deck(LOST)}\n{format_deck(won)}\n")
    assert yamafuda(*words, "--proof", "made/here")[0] == 0
    assert sorted(path.name for path in folder.iterdir()) == ["deal-1.cnf", "deal-1.drat", "deal-2.cnf"]
    status, _, err = yamafuda(*words, "--proof", "decks")
    assert (status, "decks" in err, err.count("\n")) == (2, True, 1)


def test_an_undecided_deck_has_no_proof(tmp_path: Path) -> None:
    answer = search_with_proof(random_deck(1, 9, 13), 2, Bounds(states_count=1000), tmp_path, "deck")
    assert answer.outcome == "undecided"
    assert [path.name for path in tmp_path.iterdir()] == ["deck.cnf"]


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="a file that is always full is asked for")
@pytest.mark.parametrize("name", ["cnf", "proof"])
def test_a_full_disk(name: str) -> None:
    deck = np.array(random_deck(1, 9, 13), np.uint8)
    with pytest.raises(OSError, match="No space left"):
        _native.calculation_open(deck, stacks=2, **{name: "/dev/full"})
