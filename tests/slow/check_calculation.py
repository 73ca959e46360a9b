"""Calculation with the pile open: what the search says and proves, against solvers and checkers of others.

    python tests/slow/check_calculation.py CHECKER

CHECKER is the program ``rate`` (``make check-calculation`` installs it), which checks the proof of every lost deck.
python-sat decides the formula of every deck. Small decks are decided by trying everything too, some larger ones by a
formula of another kind, and games of 13 ranks that were won must satisfy the formula of their deck.
"""

from __future__ import annotations

import random
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

from calculation_plays import formula_of_plays
from pysat.solvers import Solver

from engines.calculation.core import random_deck
from engines.calculation.open import search_with_proof
from engines.calculation.options import STACKS_MAX
from engines.calculation.rules import Move
from engines.solitaire.limits import Bounds

sys.path.insert(0, str(Path(__file__).parents[1] / "engines" / "calculation"))

from calculation_open_decks import can_be_won, nearly_sorted, shuffled, won_game
from calculation_open_files import can_be_satisfied, satisfied_by_game

SMALL = [
    (4, 1, shuffled, 0, 300),
    (4, 1, shuffled, 12, 600),
    (4, 2, shuffled, 8, 200),
    (4, 2, nearly_sorted, 1, 60),
    (4, 3, nearly_sorted, 1, 40),
    (5, 1, shuffled, 8, 150),
    (5, 2, nearly_sorted, 2, 5),
    (6, 1, shuffled, 12, 40),
]
"""Ranks, stacks, kind of decks, of which degree, how many."""
LARGER = {(7, 1): 6, (8, 1): 3, (13, 1): 1}
"""Ranks, stacks -> decks that the other formula decides."""
WHOLE = {1: 25, 2: 64, 3: 10, 4: 5, 5: 5}
"""Stacks -> random decks of 13 ranks."""
GAMES = 20
"""Won games of 13 ranks for each number of stacks."""


class Check:
    """Decides decks and counts what does not agree."""

    def __init__(self, checker: str, folder: Path) -> None:
        self._checker, self._folder = checker, folder
        self.proofs_count = self.wrong_count = 0

    def is_won(self, deck: list[int], stacks: int) -> bool:
        """What the search says, after its formula and its proof were looked at."""
        won = search_with_proof(deck, stacks, Bounds(), self._folder, "deck").outcome == "won"
        cnf, proof = self._folder / "deck.cnf", self._folder / "deck.drat"
        self.expect(can_be_satisfied(cnf) is won, "python-sat has another answer", deck, stacks)
        if not won:
            words = [self._checker, str(cnf), str(proof)]
            done = subprocess.run(words, capture_output=True, text=True, check=False)
            proved = done.returncode == 0 and "s VERIFIED" in done.stdout.splitlines()
            self.proofs_count += 1
            self.expect(proved, "the proof is refused", deck, stacks)
        return won

    def satisfies(self, deck: list[int], stacks: int, moves: list[Move]) -> None:
        """Whether the deck is won and a won game satisfies its formula."""
        won = self.is_won(deck, stacks) and satisfied_by_game(self._folder / "deck.cnf", deck, stacks, moves)
        self.expect(won, "a won game does not satisfy the formula", deck, stacks)

    def expect(self, holds: bool, problem: str, deck: list[int], stacks: int) -> None:
        """Tell the problem unless something holds."""
        if not holds:
            self.wrong_count += 1
            print(f"{problem}: {stacks} stacks, {deck}", flush=True)


def small(
    check: Check,
    ranks: int,
    stacks: int,
    kind: Callable[[random.Random, int, int], list[int]],
    degree: int,
    decks_count: int,
) -> Iterator[bool]:
    """Which decks are won, and whether trying everything finds the same."""
    chance = random.Random(f"{ranks} {stacks} {degree}")
    for _ in range(decks_count):
        deck = kind(chance, ranks, degree)
        won = check.is_won(deck, stacks)
        check.expect(can_be_won(deck, stacks) is won, "trying everything has another answer", deck, stacks)
        yield won


def larger(check: Check, ranks: int, stacks: int, decks_count: int) -> Iterator[bool]:
    """Which decks are won, and whether the other formula says so."""
    for number in range(decks_count):
        deck = list(random_deck(5, number, ranks))
        won = check.is_won(deck, stacks)
        with Solver("glucose4", bootstrap_with=formula_of_plays(deck, stacks)) as solver:
            check.expect(solver.solve() is won, "the formula of plays has another answer", deck, stacks)
        yield won


def whole(check: Check, stacks: int, decks_count: int) -> Iterator[bool]:
    """Which random decks of 13 ranks are won."""
    for number in range(decks_count):
        yield check.is_won(list(random_deck(3, number, 13)), stacks)


def games(check: Check, stacks: int) -> Iterator[bool]:
    """Decks of games that were won, each of which must satisfy the formula."""
    chance = random.Random(stacks)
    for number in range(GAMES):
        deck, moves = won_game(chance, 13, stacks, 0.1 + 0.8 * number / GAMES)
        check.satisfies(deck, stacks, moves)
        yield True


def told(name: str, outcomes: Iterable[bool]) -> None:
    """Print how many are won and lost."""
    begin_s = time.monotonic()
    counts = Counter(outcomes)
    print(f"{name}: {counts[True]} won, {counts[False]} lost; {time.monotonic() - begin_s:.0f} s", flush=True)


def main() -> int:
    """Exit status 1 if anything does not agree."""
    with tempfile.TemporaryDirectory() as folder:
        check = Check(sys.argv[1], Path(folder))
        for ranks, stacks, kind, degree, count in SMALL:
            name = f"{ranks} ranks, {stacks} stacks, {kind.__name__} {degree}, trying everything"
            told(name, small(check, ranks, stacks, kind, degree, count))
        for (ranks, stacks), count in LARGER.items():
            told(f"{ranks} ranks, {stacks} stacks, the formula of plays", larger(check, ranks, stacks, count))
        for stacks, count in WHOLE.items():
            told(f"13 ranks, {stacks} stacks", whole(check, stacks, count))
        for stacks in range(1, STACKS_MAX + 1):
            told(f"13 ranks, {stacks} stacks, won games", games(check, stacks))
    print(f"{check.proofs_count} proofs checked; {check.wrong_count} answers or proofs are wrong")
    return min(check.wrong_count, 1)


if __name__ == "__main__":
    sys.exit(main())
