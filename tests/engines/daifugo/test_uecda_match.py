"""Our clients at our server: the games are those of a tournament without a network."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
from uecda_helpers import served

from engines import _native
from engines._native import DaifugoGenerator, DaifugoPlayer, DaifugoUecdaGuest
from engines.daifugo.numbers import hand_of
from engines.daifugo.record import read_records
from engines.daifugo.replay import replay
from engines.daifugo.uecda.seen_record import told

SEED = 7
PLAYERS: dict[str, Callable[[], DaifugoPlayer]] = {
    "random": lambda: DaifugoPlayer("random"),
    "rule": lambda: DaifugoPlayer("rule"),
    "rand": lambda: DaifugoPlayer(
        "mc", generator=DaifugoGenerator("rand"), playouts=20, exchange_playouts=20
    ),
    "rand_d": lambda: DaifugoPlayer(
        "mc",
        generator=DaifugoGenerator("rand_d"),
        playouts=20,
        exchange_playouts=20,
        bandit="ucb1_tuned",
        endgame_positions=500,
    ),
    "rand_dr": lambda: DaifugoPlayer(
        "mc", generator=DaifugoGenerator("rand_dr"), playouts=20, exchange_playouts=20
    ),
}


def guest(name: str) -> Callable[[int], DaifugoUecdaGuest]:
    """Joins as a player of this name, with the dice of a tournament's."""
    return lambda port: DaifugoUecdaGuest(
        "127.0.0.1", port, name, PLAYERS[name](), seed=SEED, first=0, patience_s=20.0
    )


def plays(client: DaifugoUecdaGuest) -> None:
    while not client.is_over:
        client.play()


@pytest.mark.parametrize(
    ("names", "games"),
    [(("rand", "rule", "random", "rand_d", "rand_dr"), 40), (("random",) * 5, 150)],
    ids=["kinds", "random"],
)
def test_the_games_of_a_tournament(names: tuple[str, ...], games: int) -> None:
    played, faults, refused, guests = served(
        [guest(name) for name in names], plays, games=games, seed=SEED, rank_period=50
    )
    alone = _native.daifugo_games(
        [PLAYERS[name]() for name in names],
        seed=SEED,
        first=0,
        count=games,
        seat_period=3,
        rank_period=50,
        records=True,
    )
    assert not faults.any()
    assert not refused.any()
    assert all((each.refused_count, each.breaks_count) == (0, 0) for each in guests)
    for name in (
        "seats",
        "ranks",
        "before",
        "dealt",
        "gave",
        "record_cards",
        "record_stands",
        "record_seats",
    ):
        assert np.array_equal(getattr(played, name), getattr(alone, name)), name


def test_ours_may_sit_beside() -> None:
    seen = []

    def talk(client: DaifugoUecdaGuest) -> None:
        while not client.is_over:
            seen.append((client.number, client.play()))

    chairs = [guest("rule"), PLAYERS["rand"](), PLAYERS["rule"](), guest("random"), PLAYERS["random"]()]
    played, _, _, _ = served(chairs, talk, games=30, seed=SEED)
    assert {number for number, _ in seen} == {0, 3}
    for number, game in seen:
        assert game is not None
        at, seat = game.index, game.seat
        assert seat == played.seats[at, number]
        before = played.before[at].tolist()
        assert list(game.before or [-1] * 5) == before
        low = game.before is not None and game.before.index(seat) > 2
        got = played.got[at, seat] if game.before is not None and not low else 0
        assert game.dealt == played.dealt[at, seat] | got
        assert game.gave == played.gave[at, seat]
        if low:
            assert game.got == played.got[at, seat]
        assert game.finished is not None
        assert game.finished.index(seat) == played.ranks[at, number]
        line = told(game)
        (record,) = read_records(line["record"])
        assert replay(record).problem is None
        after = int(played.dealt[at, seat] & ~played.gave[at, seat] | played.got[at, seat])
        assert record.deal[seat] == hand_of(after)
        assert line["points"] == 5 - played.ranks[at, number]
