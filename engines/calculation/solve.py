"""The command ``yamafuda solve calculation``. What takes time to import is imported when the command runs."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from engines.calculation.options import (
    FILE_BYTES,
    Alike,
    Eager,
    Edges,
    ExactCards,
    Exponent,
    Keep,
    LookAhead,
    Misfits,
    Recast,
    Ties,
    Value,
    player_options,
)
from engines.contract.game import example
from engines.solitaire.limits import Bounds, bounds_of_options
from engines.text.textfile import read_text
from storage.errors import UserError

if TYPE_CHECKING:
    from engines.calculation.player import Options, Played

OF_OPEN = ("time_s", "memory_bytes", "proof")
"""Options that go with ``--open`` alone."""
OF_BOTH = ("file", "stacks", "see_pile", "moves", "as_json")


@example(
    "Example: yamafuda solve calculation decks.txt --stacks 3 --keep 200 --look-ahead 1. A deck is a line "
    "of 52 cards as they are drawn, like 7 or S7, each rank four times; with fewer ranks, A to 8 for example, the "
    "game is a smaller one. Printed is the board after each turn: what the foundations wait for, and the stacks, "
    "with the foundation that each card is meant for."
)
def solve(
    context: typer.Context,
    file: Annotated[Path, typer.Argument(metavar="DECKFILE", help="Decks; - is standard input.")],
    stacks: Annotated[int, typer.Option(help="Number of stacks.")] = 3,
    keep: Keep = 200,
    look_ahead: LookAhead = 0,
    value: Value = "norm",
    exponent: Exponent = 2.0,
    alike: Alike = "once",
    recast: Recast = "drawn",
    edges: Edges = "own",
    exact_cards: ExactCards = 12,
    ties: Ties = "foundation",
    misfits: Misfits = "exchange",
    eager: Eager = False,
    see_pile: Annotated[
        bool,
        typer.Option(
            "--open", help="With the whole pile known: a solution, or that there is none; without a table."
        ),
    ] = False,
    time_s: Annotated[
        float | None, typer.Option(help="With --open: limit for each deck, in seconds of processor time.")
    ] = None,
    memory_bytes: Annotated[int, typer.Option(help="With --open: limit for each deck, in bytes.")] = 2 << 30,
    proof: Annotated[
        Path | None,
        typer.Option(
            metavar="FOLDER",
            help="With --open: write deal-N.cnf for each deck, a formula (DIMACS) that can be satisfied if and only if "
            "the deck can be won; and deal-N.drat for each lost deck, the proof (DRAT as text) that it cannot.",
        ),
    ] = None,
    moves: Annotated[bool, typer.Option("--moves", help="Print the moves alone, on one line.")] = False,
    tables: Annotated[
        Path, typer.Option(help="Folder of table runs.", envvar=["YAMAFUDA_TABLES", "YAMAFUDA_RESULTS"])
    ] = Path("results"),
    as_json: Annotated[bool, typer.Option("--json", help="One JSON object a deck and line.")] = False,
) -> None:
    """Play decks of Calculation without looking at the pile, by a table of the stack game; or with --open.

    The table for two boards of one card less than there are ranks must be there: job=stackgame_table. Every game was
    replayed by the referee.
    """
    from engines.calculation.core import open_player
    from engines.calculation.text import ranks_of, read_decks

    given = [
        name
        for name in context.params
        if (source := context.get_parameter_source(name)) is not None and source.name == "COMMANDLINE"
    ]
    for name in given:
        flag = "--" + name.replace("_", "-")
        if see_pile and name not in OF_OPEN and name not in OF_BOTH:
            raise UserError(flag, "is for a pile that is not seen; it does not go with --open")
        if not see_pile and name in OF_OPEN:
            raise UserError(flag, "goes with --open")
    decks = read_decks(read_text(file, FILE_BYTES), str(file))
    if not decks:
        raise UserError(str(file), "there is no deck in it")
    if see_pile:
        _solve_open(decks, stacks, bounds_of_options(time_s, None, memory_bytes), proof, moves, as_json)
        return
    players = {
        ranks: open_player(
            player_options(
                ranks=ranks,
                stacks=stacks,
                keep=keep,
                look_ahead=look_ahead,
                value=value,
                exponent=exponent,
                alike=alike,
                recast=recast,
                edges=edges,
                exact_cards=exact_cards,
                ties=ties,
                misfits=misfits,
                eager=eager,
            ),
            tables,
        )
        for ranks in sorted(set(map(ranks_of, decks)))
    }
    for number, deck in enumerate(decks, start=1):
        player = players[ranks_of(deck)]
        (played,) = player.play([deck], assignments=not moves)
        if as_json:
            print(json.dumps(_values(deck, played)), flush=True)
        else:
            text = _text(number, deck, played, player.options, moves)
            print(("\n" if number > 1 and not moves else "") + text, flush=True)


def _solve_open(
    decks: Sequence[Sequence[int]],
    stacks: int,
    bounds: Bounds,
    proof: Path | None,
    moves: bool,
    as_json: bool,
) -> None:
    from engines.calculation.open import STACKS_MAX, search, search_with_proof
    from engines.calculation.record import format_game, format_moves
    from engines.calculation.text import format_deck, ranks_of

    if not 1 <= stacks <= STACKS_MAX:
        raise UserError("--stacks", f"must be 1 to {STACKS_MAX}; got {stacks}")
    for number, deck in enumerate(decks, start=1):
        if proof is None:
            found = search(deck, stacks, bounds)
        else:
            found = search_with_proof(deck, stacks, bounds, proof, f"deal-{number}")
        if as_json:
            values = {
                "outcome": found.outcome,
                "deck": format_deck(deck),
                "limit": found.limit,
                "states_count": found.states_count,
                "peak_bytes": found.peak_bytes,
                "elapsed_s": found.elapsed_s,
                "moves": None if found.moves is None else format_moves(deck, found.moves),
            }
            print(json.dumps(values), flush=True)
            continue
        limit = f" (limit: {found.limit})" if found.limit else ""
        print(
            f"deck {number}: {found.outcome}{limit}, {found.states_count} dead ends, {found.elapsed_s:.2f} s"
        )
        if found.moves is not None:
            game = (
                format_moves(deck, found.moves)
                if moves
                else format_game(deck, found.moves, ranks_of(deck), stacks)
            )
            print(game, flush=True)


def _values(deck: Sequence[int], played: Played) -> dict[str, Any]:
    from engines.calculation.record import format_moves
    from engines.calculation.text import format_deck

    return {
        "outcome": played.outcome,
        "deck": format_deck(deck),
        "left_count": played.left_count,
        "draws_count": played.draws_count,
        "evaluations_count": played.evaluations_count,
        "lookups_count": played.lookups_count,
        "missing_count": played.missing_count,
        "elapsed_s": played.elapsed_s,
        "moves": format_moves(deck, played.moves),
        "assignments": played.assignments,
    }


def _text(number: int, deck: Sequence[int], played: Played, options: Options, moves: bool) -> str:
    """As ``yamafuda check`` reads it too."""
    from engines.calculation.record import format_game, format_moves

    parts = [
        played.outcome,
        f"{played.draws_count} draws",
        f"{played.left_count} cards left",
        f"{played.evaluations_count} evaluations",
        f"{played.elapsed_s:.2f} s",
    ]
    head = f"deck {number}: {', '.join(parts)}"
    if moves:
        return f"{head}\n{format_moves(deck, played.moves)}"
    return f"{head}\n{format_game(deck, played.moves, options.ranks, options.stacks, played.assignments)}"
