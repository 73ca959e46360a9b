"""The core's player against the literal one, play by play and value by value, and the literal player itself."""

from __future__ import annotations

import random
import re
from dataclasses import replace
from pathlib import Path

import pytest
from calculation_games import random_deck, random_game

from engines import _native
from engines.calculation import estimate, method, playouts, rules
from engines.calculation.core import open_player
from engines.calculation.estimate import Edges
from engines.calculation.method import Kept, LiteralPlayer, all_assignments
from engines.calculation.player import LAST_HOPE, Alike, Misfits, Options, PositionValue, Recast, Ties
from engines.calculation.record import ends_of_turns
from engines.calculation.rules import DRAWN, Position
from engines.stackgame import rules as stackgame

SMALL = Options(ranks=4, stacks=2, keep=10_000, value=PositionValue.max, alike=Alike.all, recast=Recast.none)
VARIANTS = {
    "usual": SMALL,
    "three stacks": replace(SMALL, stacks=3),
    "five ranks": replace(SMALL, ranks=5),
    "look-ahead": replace(SMALL, look_ahead=1),
    "norm": replace(SMALL, value=PositionValue.norm),
    "another norm": replace(SMALL, value=PositionValue.norm, exponent=1.5, stacks=3),
    "alike": replace(SMALL, ranks=5, alike=Alike.once, keep=20),
    "independent": replace(SMALL, value=PositionValue.independent),
    "all edges": replace(SMALL, edges=Edges.all),
    "all edges, five ranks": replace(SMALL, ranks=5, edges=Edges.all),
    "drop": replace(SMALL, misfits=Misfits.drop),
    "ties to stacks": replace(SMALL, ties=Ties.stack),
    "ties to the last": replace(SMALL, ties=Ties.last_stack),
    "eager": replace(SMALL, eager=True),
    "few are kept": replace(SMALL, keep=5),
    "two are kept": replace(SMALL, stacks=3, keep=2),
    "playouts": replace(SMALL, ranks=5, stacks=1, playouts=12, keep=12),
    "playouts, recast": replace(
        SMALL, ranks=5, stacks=1, playouts=12, keep=12, alike=Alike.once, recast=Recast.drawn
    ),
    "recast": replace(SMALL, ranks=5, stacks=1, keep=3, recast=Recast.drawn),
    "recast, two stacks": replace(SMALL, ranks=5, keep=12, recast=Recast.drawn),
    "recast, usual": replace(
        SMALL,
        ranks=5,
        stacks=1,
        keep=3,
        value=PositionValue.norm,
        alike=Alike.once,
        recast=Recast.drawn,
    ),
    "recast, drop": replace(SMALL, ranks=5, stacks=1, keep=3, misfits=Misfits.drop, recast=Recast.drawn),
    "recast, look-ahead": replace(
        SMALL, ranks=5, stacks=1, keep=2, look_ahead=1, value=PositionValue.norm, recast=Recast.drawn
    ),
}
DECKS = {
    "five ranks": 1,
    "all edges, five ranks": 1,
    "look-ahead": 1,
    "another norm": 1,
    "playouts": 8,
    "playouts, recast": 8,
}
"""How many are played of each variant, if not four."""


@pytest.mark.parametrize("name", VARIANTS)
def test_the_core_plays_as_the_literal_player(tables: Path, name: str) -> None:
    options = VARIANTS[name]
    core, literal = open_player(options, tables), LiteralPlayer(options)
    recast_count, tried_count = 0, 0
    plain = LiteralPlayer(replace(options, playouts=0))
    for seed in range(DECKS.get(name, 4)):
        deck = random_deck(options.ranks, seed)
        (played,) = core.play([deck], assignments=True)
        moves = list(played.moves)
        position = rules.start(options.ranks, options.stacks)
        kept: Kept = ()
        for rank, assignment in zip(deck, played.assignments, strict=True):
            kept = kept or literal.assign(position)
            recast_count += literal.recast(position, kept, rank) != kept
            drawn = rules.draw(position, rank)
            best = literal.choose(drawn, kept)
            tried_count += options.playouts > 0 and plain.choose(drawn, kept).moves != best.moves
            is_last = sum(move.source == DRAWN for move in moves) == 1
            turn = [moves.pop(0)]
            while moves and moves[0].source != DRAWN:
                turn.append(moves.pop(0))
            made = turn[:1] if is_last else turn
            way = next(each for each in literal.candidates(drawn, kept) if list(each.moves) == made)
            if options.value != PositionValue.max and not options.playouts:
                # Which of equal ones it is, is for the last digits of the table's values to say.
                assert float(literal.worth(way)) == pytest.approx(float(literal.worth(best)), rel=1e-6)
            else:
                assert way.moves == best.moves
            position, kept = way.position, way.kept
            if is_last:
                assert turn[1:] == literal.finish(way)
            elif kept:
                assert assignment is not None
                ((_, value),) = literal.keep_best(position, [assignment])
                assert float(value) == pytest.approx(float(kept[0][1]), rel=1e-6)
            else:
                assert assignment is None
    assert (recast_count > 0) == (options.recast == Recast.drawn)
    assert (tried_count > 0) == (options.playouts > 0)


def test_playouts_have_the_same_numbers_in_the_core() -> None:
    """Small games hardly show some of them."""
    core = Path(_native.__file__).parent / "native/src/calculation"
    found = {}
    for name in ("playouts.rs", "chance.rs"):
        for constant in re.finditer(r"^const (\w+): .+? = (.+);$", (core / name).read_text(), re.M):
            found[constant[1]] = tuple(map(float, re.findall(r"-?[\d.]+(?:e-\d+)?", constant[2])))
    ours = {
        "KEEP": method.PLAYOUTS_KEEP,
        "DRAWS": method.PLAYOUTS_DRAWS,
        "MOST_TRIED": method.MOST_TRIED,
        "LEAST_PART": float(method.LEAST_PART),
        "WEIGHT": method.WEIGHT,
        "ROUND": method.ROUND,
        "SURE": method.SURE,
        "TRIFLE": method.TRIFLE,
        "EQUAL": method.EQUAL,
        "SEED": playouts.SEED,
        "LEAST_LOG": playouts.LEAST_LOG,
    }
    lists = {"WEIGHTS": playouts.WEIGHTS, "WEIGHTS_MORE": playouts.WEIGHTS_MORE}
    assert found == {name: (value,) for name, value in ours.items()} | lists


def test_where_some_pair_has_no_chance_the_last_hope_stays(tables: Path) -> None:
    options = Options(ranks=5, stacks=2, keep=2)
    position = Position(5, (0, 0, 0, 1), ((2, 3), (3,)))
    literal = LiteralPlayer(options)
    assert [float(value) for _, value in literal.assign(position)] == [float(LAST_HOPE)] * 2
    assert all(estimate.is_open(position, assignment) for assignment, _ in literal.assign(position))
    plays = open_player(options, tables).advise(position)
    assert [(play.value, play.assignment is None) for play in plays if not play.moves] == [(0, False)]


def position_within(ranks: int, stacks: int, seed: int) -> Position:
    """After some turns of a game by chance."""
    deck, moves = random_game(ranks, stacks, seed)
    return random.Random(seed).choice(ends_of_turns(deck, moves, ranks, stacks))


@pytest.mark.parametrize(("ranks", "stacks"), [(4, 2), (4, 3), (5, 2)])
def test_the_core_values_assignments_as_the_literal_player(tables: Path, ranks: int, stacks: int) -> None:
    options = replace(SMALL, ranks=ranks, stacks=stacks)
    core, literal = open_player(options, tables), LiteralPlayer(options)
    compared, open_ones = 0, 0
    for seed in range(100):
        position = position_within(ranks, stacks, seed)
        for assignment in all_assignments(position)[:10]:
            theirs = core.evaluate(position, assignment)
            value = dict(literal.keep_best(position, [assignment])).get(assignment, 0)
            ours = float(value) if value > LAST_HOPE else 0.0
            assert theirs.probability == pytest.approx(ours, rel=1e-6)
            compared, open_ones = compared + 1, open_ones + (ours > 0)
            if ours:
                exact = literal.evaluate(position, assignment)
                assert theirs.singles == pytest.approx(exact.singles, rel=1e-6)
                assert theirs.pairs == pytest.approx(exact.pairs, rel=1e-6)
    assert compared > open_ones > 50


def test_own_edges_give_states_of_the_table() -> None:
    """All of them, but for a foundation's first card on a stack; by all edges some are in no two-board game."""
    ranks, stacks = 5, 3
    layers = [set(), *reversed(stackgame.enumerate_layers(stacks, 2, ranks - 1))]
    strange = 0
    for seed in range(60):
        position = position_within(ranks, stacks, seed)
        for assignment in all_assignments(position)[:20]:
            if not estimate.is_open(position, assignment) or estimate.has_first(position, assignment):
                continue
            for pair in ((0, 1), (0, 3), (2, 3)):
                for edges in Edges:
                    state = estimate.state(position, assignment, pair, edges)
                    assert state is not None
                    known = state.cards_count == 0 or stackgame.canonical(state) in layers[state.cards_count]
                    assert known or edges == Edges.all
                    strange += not known
    assert strange > 0


@pytest.mark.parametrize("options", [SMALL, replace(SMALL, stacks=3)])
def test_advice_is_the_same(tables: Path, options: Options) -> None:
    core, literal = open_player(options, tables), LiteralPlayer(options)
    for seed in range(12):
        position = position_within(options.ranks, options.stacks, seed)
        left = [rank for rank, count in position.pile().items() if count]
        if left:
            position = rules.draw(position, left[seed % len(left)])
        ours, theirs = literal.advise(position), core.advise(position)
        assert [play.moves for play in ours] == [play.moves for play in theirs]
        assert [play.position for play in ours] == [play.position for play in theirs]
        assert [play.value for play in ours] == pytest.approx([play.value for play in theirs], rel=1e-6)


def test_advice_by_playouts_is_the_same(tables: Path) -> None:
    """What playouts choose comes first, with its chances; the others stay in the order of their values."""
    options = VARIANTS["playouts, recast"]
    core, literal = open_player(options, tables), LiteralPlayer(options)
    by_value = LiteralPlayer(replace(options, playouts=0))
    tried_count, changed_count = 0, 0
    for seed in range(40):
        position = position_within(options.ranks, options.stacks, seed)
        left = [rank for rank, count in position.pile().items() if count]
        if len(left) < 2:
            continue
        position = rules.draw(position, left[seed % len(left)])
        ours, theirs, plain = (player.advise(position) for player in (literal, core, by_value))
        assert [play.moves for play in ours] == [play.moves for play in theirs]
        for mine, other in zip(ours, theirs, strict=True):
            assert mine.chances == pytest.approx(other.chances, abs=1e-6)
        changed = ours[0].moves != plain[0].moves
        assert [play.moves for play in plain if play.moves != ours[0].moves] == [
            play.moves for play in ours[1:]
        ]
        tried_count += sum(len(play.chances) > 0 for play in ours)
        changed_count += changed
    assert tried_count > 20
    assert changed_count > 0


def test_the_literal_player_wins_what_can_be_won() -> None:
    played = LiteralPlayer(SMALL).play([random_deck(4, seed) for seed in range(5)], assignments=True)
    for game in played:
        assert game.outcome == "won"
        assert len(game.assignments) == 16
        assert game.assignments[-1] == ((), ())
