"""Calculation with the whole pile known: the only way to the Rust search. Every solution is replayed before it is
returned. That there is no solution can be checked by programs of others, with two text files:

- ``.cnf``: the formula that the search decides, in DIMACS form. It can be satisfied if and only if the deck can be won.
  Comments at its head have the deck and the stacks, and the meaning of each variable (``encoding.rs`` says more).
- ``.drat``, of lost decks: the proof that the formula cannot be satisfied, in DRAT form as text (Wetzler, Heule, Hunt,
  "DRAT-trim", SAT 2014). A line is a clause that follows from those before it by unit propagation or, after ``d``, one
  that is used no longer; the last one is the empty clause, ``0``.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np

from engines import _native
from engines.calculation import rules
from engines.calculation.laid import laid_count, laying_moves
from engines.calculation.rules import COPIES, Move
from engines.solitaire.found import Found, found
from engines.solitaire.limits import Bounds
from storage.publish import replace, staged


def search(
    deck: Sequence[int], stacks: int, bounds: Bounds, cnf: Path | None = None, proof: Path | None = None
) -> Found[Move]:
    """Decide a deck: its ranks, from 1, first drawn first, each four times. Its work is counted in dead ends.

    From each dead end, some choices that cannot win together, the search learns a clause. Files ``cnf`` and ``proof``
    are written, if given, in the forms above; the content of ``proof`` is only valid if the deck is lost. ValueError
    names ``deck`` or ``stacks`` (1 to 5); RuntimeError if the core's solution is none; OSError if a file cannot be
    written.
    """
    result = _native.calculation_open(
        np.array(deck, np.uint8),
        stacks=stacks,
        laid=laid_count(deck),
        limits=bounds.native(),
        cnf=cnf,
        proof=proof,
    )
    moves = None
    if result.outcome == "won":
        moves = tuple(Move(*row) for row in result.moves.tolist())
        check_win(deck, stacks, moves)
    return found(result, moves, free_count=0 if moves is None else laid_count(deck))


def search_with_proof(
    deck: Sequence[int], stacks: int, bounds: Bounds, folder: Path, name: str
) -> Found[Move]:
    """As ``search``; then ``folder`` has the files NAME.cnf and, if the deck is lost, NAME.drat, each whole.

    Files of these names that were there before are gone. A full disk becomes DiskFullError.
    """
    cnf, proof = folder / f"{name}.cnf", folder / f"{name}.drat"
    with staged(cnf, folder) as new_cnf, staged(proof, folder) as new_proof:
        answer = search(deck, stacks, bounds, new_cnf, new_proof)
        proof.unlink(missing_ok=True)  # first, so that no proof ever lies beside another deck's formula
        replace(new_cnf, cnf)
        if answer.outcome == "lost":
            replace(new_proof, proof)
    return answer


def check_win(deck: Sequence[int], stacks: int, moves: Sequence[Move]) -> None:
    """RuntimeError unless the referee says that the moves keep to the rules and win."""
    laying = laying_moves(deck)
    if tuple(moves[: len(laying)]) != laying:
        raise RuntimeError("the core's solution does not begin with the cards that lie on the foundations")
    replayed = rules.replay(deck, moves, len(deck) // COPIES, stacks)
    if replayed.problem is not None:
        raise RuntimeError(f"the core's solution is against the rules: {replayed.problem}")
    if replayed.outcome != "won":
        raise RuntimeError("the core's solution does not end in a win")
