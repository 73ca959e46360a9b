"""What others say of the files that the search with the pile open writes."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import dratify
from calculation_open_decks import rows
from pysat.formula import CNF
from pysat.solvers import Solver

from engines.calculation.rules import Move

SOLVER = "glucose4"


def can_be_satisfied(cnf: Path) -> bool:
    """Whether a formula can be satisfied, by a solver of others."""
    with Solver(SOLVER, bootstrap_with=CNF(from_file=str(cnf))) as solver:
        return bool(solver.solve())


def is_proved(cnf: Path, proof: Path) -> bool:
    """Whether a proof shows that a formula cannot be satisfied, by a checker of others (in Python: for small ones)."""
    found = dratify.check_proof(dratify.parse_dimacs(cnf.read_text()), proof.read_text())
    return bool(found.ok and found.reached_empty)


def bases(cnf: Path) -> dict[str, int]:
    """Of each kind of variables, the number that its legend begins with."""
    legend = [line for line in cnf.read_text().splitlines() if line.startswith("c ") and " = " in line]
    return {line.split("(")[0][2:]: int(line.split(" = ")[1].split()[0]) for line in legend}


def satisfied_by_game(cnf: Path, deck: Sequence[int], stacks: int, moves: Sequence[Move]) -> bool:
    """Whether a won game satisfies the formula of its deck, with values that are told by the game alone.

    Cards go where the game has them go and wait on its stacks, which are numbered as they are first used; but each is
    played as soon as that is possible.
    """
    base, clauses = bases(cnf), CNF(from_file=str(cnf)).clauses
    true = _true_variables(base, deck, stacks, moves)
    return all(any((abs(literal) in true) == (literal > 0) for literal in clause) for clause in clauses)


def _true_variables(
    base: dict[str, int], deck: Sequence[int], stacks: int, moves: Sequence[Move]
) -> set[int]:
    """The variables that hold in a won game."""
    cards, ranks = len(deck), len(deck) // 4
    targets, stack_of = _settled(deck, stacks, moves)
    places = [row.index(deck[card]) for card in range(cards) for row in [rows(ranks)[targets[card]]]]
    heights, piles = [0] * 4, [[] for _ in range(stacks)]
    numbers: dict[int, int] = {}
    waits: dict[int, int] = {}
    played: dict[int, int] = {}
    """Cards in the order in which they are played, each with its step."""
    true: set[int] = set()
    for step in range(cards):
        if places[step] == heights[targets[step]]:
            heights[targets[step]] += 1
            played[step] = step
        else:
            waits[step] = numbers.setdefault(stack_of[step], len(numbers))
            true |= {_pair(base["covers"], lower, step) for lower in piles[waits[step]]}
            piles[waits[step]].append(step)
        while ready := [pile for pile in piles if pile and places[pile[-1]] == heights[targets[pile[-1]]]]:
            card = ready[0].pop()
            heights[targets[card]] += 1
            played[card] = step
        for foundation in range(4):
            slots = range(ranks * foundation, ranks * foundation + heights[foundation])
            true |= {base["filled"] + cards * slot + step for slot in slots if step + 1 < cards}
    assert len(played) == cards
    true |= {base["goes"] + 4 * card + targets[card] for card in range(cards)}
    true |= {base["waits"] + stacks * card + stack for card, stack in waits.items()}
    true |= {base["gone"] + cards * card + step for card in played for step in range(played[card], cards - 1)}
    order = list(played)
    pairs = [(first, other) for at, first in enumerate(order) for other in order[at + 1 :] if first < other]
    return true | {_pair(base["before"], first, other) for first, other in pairs}


def _settled(
    deck: Sequence[int], stacks: int, moves: Sequence[Move]
) -> tuple[dict[int, int], dict[int, int]]:
    """To which foundation each card goes, and on which stack it waits if it does."""
    piles: list[list[int]] = [[] for _ in range(stacks)]
    targets: dict[int, int] = {}
    stack_of: dict[int, int] = {}
    drawn = iter(range(len(deck)))
    for source, target in moves:
        card = next(drawn) if source == 255 else piles[source].pop()
        if target < 4:
            targets[card] = target
        else:
            stack_of[card] = target - 4
            piles[target - 4].append(card)
    return targets, stack_of


def _pair(base: int, earlier: int, later: int) -> int:
    return base + later * (later - 1) // 2 + earlier
