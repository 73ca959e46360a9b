"""Records of games: their text, and what the referee says of them."""

from __future__ import annotations

import random
from dataclasses import replace
from importlib import resources

from daifugo_helpers import hand, play, random_record
from hypothesis import given, settings
from hypothesis import strategies as st
from refusals import attempt, changed, complaint, each_changed, mistyped

from engines.daifugo import rules
from engines.daifugo.record import format_record, read_records
from engines.daifugo.replay import Record, replay, seen, tricks
from engines.daifugo.rules import PASS, apply

EXAMPLES = resources.files("engines.daifugo") / "examples"
EXCHANGE = (EXAMPLES / "exchange.record").read_text()
LOT = (EXAMPLES / "lot.record").read_text()
BAD_TEXTS = [
    ("players: mc rule", "players: rule", "my.txt, game 1, line 2: players: 4 names; there are 5, by seat"),
    ("players: mc", "players: a b c d e\nplayers: mc", "line 3: players: is given twice"),
    ("before: 2", "before: 5", "line 3: before: '5' is no seat; seats are 0 to 4"),
    ("before: 2 0", "before: 2 2", "line 3: before: seat 2 is there twice"),
    ("before: 2", "before: 2 0 4 1 3\nbefore: 2", "line 4: before: is given twice"),
    ("deal 1: H9", "deal 1: X9", "line 5: deal 1: 'X9' is no card; cards are like S3, 0H or JK"),
    ("deal 1: H9", "deal 1: C0", "line 5: deal 1: C0 is there twice"),
    ("deal 1: H9", "deal 1: S5", "line 5: deal 1: S5 is there twice, first in: deal 0"),
    ("deal 1: H9", "deal 1: ", "line 9: missing in the deal: H9"),
    ("deal 1: H9", "deal 0: H9", "line 5: deal 0: is given twice; a game ends with result:"),
    ("deal 4: D3", "remark: D3", "line 8: expected a turn like 0: S3 or another part of a game, found 'remark: D3"),
    ("3 gives 2: HQ CA", "deal 4: D3", "line 9: deal 4: is given twice"),
    ("3 gives 2: HQ CA", "3 gives 2:", "line 9: 3 gives 2: no cards are given; none at all is -"),
    ("3 gives 2: HQ CA", "3 gives 5: HQ CA", "line 9: expected a turn like"),
    ("4: D7 / 0: H8\n", "4: D7 / 0: H8 / 2 gives 3: C3\n", "line 13: 2 gives 3: the exchange comes before the "),
    ("4: D7 / 0: H8\n", "4: D7 / 0: \n", "line 13: 0: no play is given; none is pass"),
    ("4: D7 / 0: H8\n", "4: D7 / 0 H8\n", "line 13: expected a turn like 0: S3 or another"),
    ("4: D7 / 0: H8\n", "4: D7 / 5: H8\n", "line 13: expected a turn like"),
    ("4: D7 / 0: H8\n", "4: D7 / 0: H8 H8\n", "line 13: 0: H8 is there twice"),
    ("CK JK=CA C2", "CK JK C2", "line 14: 4: what does the joker stand for? It is like JK=S4"),
    ("CK JK=CA C2", "CK JK=X C2", "line 14: 4: 'JK=X': a joker stands for a card like S4, or for S-, S+ or 5"),
    ("4: D7 / 0: H8\n", "before: 0 1 2 3 4\n", "line 13: before: comes before the deal; a game ends with result:"),
    ("result: 0 1 4 2 3", "", "result: is missing: the seats as they finished"),
    ("result: 0 1 4 2 3", "result: 0 1 4 2", "line 26: result: 4 seats; all 5 must be there, first to last"),
    ("result: 0 1 4 2 3", "result: 0 1 4 2 3\nresult: 0 1 4 2 3", "game 2, line 27: deal 0: is missing: the "),
]  # fmt: skip
ILLEGAL = [
    ("before: 2 0 4 1 3", "before: 0 2 4 1 3", "deal: 10 10 11 11 11 cards by seat; dealt round from seat 0, "),
    ("before: 2 0 4 1 3\n", "", "exchange: without ranks (before:) nothing is given"),
    ("3 gives 2: HQ CA\n", "", "exchange: what seat 3 gives seat 2 is missing"),
    ("3 gives 2: HQ CA", "2 gives 3: HQ CA", "exchange: what seat 3 gives seat 2 is missing"),
    ("3 gives 2: HQ CA", "3 gives 2: CA", "exchange: seat 3 gives CA; it gives 2"),
    ("3 gives 2: HQ CA", "3 gives 2: CQ CA", "exchange: seat 3 must give its strongest, HQ CA"),
    ("3 gives 2: HQ CA", "3 gives 2: S2 CA", "exchange: seat 3 gives CA S2; it does not have S2"),
    ("1 gives 0: S2", "1 gives 0: H2", "exchange: seat 1 must give its strongest, S2"),
    ("2 gives 3: C3 D4", "2 gives 3: D3 D4", "exchange: seat 2 gives D3 D4; it does not have D3"),
    ("2 gives 3: C3 D4", "2 gives 3: C3", "exchange: seat 2 gives C3; it gives 2"),
    ("2 gives 3: C3 D4", "2 gives 3: C3 D4\n2 gives 3: C3 D4", "exchange: 5 gifts; there are 4"),
    ("0 gives 1: H3", "0 gives 4: H3", "exchange: what seat 0 gives seat 1 is missing"),
    ("4: D7 / 0: H8\n", "0: H8\n", "turn 1 on line 13, seat 0, H8: it is the turn of seat 4"),
    ("4: D7 / 0: H8\n", "4: D4 / 0: H8\n", "turn 1 on line 13, seat 4, D4: D4 is not in the hand, D3 S3 D7 D8"),
    ("4: D7 / 0: H8\n", "4: D7 / 0: S5\n", "turn 2 on line 13, seat 0, S5: this single is not stronger than "),
    ("4: D7 / 0: H8\n", "4: D7 / 0: S5 S6 S7\n", "turn 2 on line 13, seat 0, S5 S6 S7: this is a sequence; a "),
    ("4: D7 / 0: H8\n", "4: D7 D8 / 0: H8\n", "turn 1 on line 13, seat 4, D7 D8: this is no single, group or "),
    ("CK JK=CA C2", "CK JK=SA C2", "turn 7 on line 14, seat 4, CK JK=SA C2: this is no single, group or sequence"),
    ("CK JK=CA C2", "CK C2", "turn 7 on line 14, seat 4, CK C2: this is no single, group or sequence"),
    ("1: CJ / 2: CA", "1: CJ / 2: HA", "turn 14 on line 15, seat 2, HA: the suits are locked: CJ"),
    ("2: D9\nresult", "2: D9 / 3: C5\nresult", "turn 75 on line 25, seat 3, C5: the game is over"),
    ("2: D9\nresult", "\nresult", "the game is not over after 73 turns: it is the turn of seat 2"),
    ("result: 0 1 4 2 3", "result: 1 0 4 2 3", "result: it is 0 1 4 2 3"),
]  # fmt: skip


def record(text: str) -> Record:
    """The only game of a text."""
    (found,) = read_records(text)
    return found


def error_of(text: str) -> str:
    """What reading a text complains of."""
    return complaint(lambda: read_records(text, "my.txt"))


def test_a_game_with_ranks() -> None:
    game = record(EXCHANGE)
    assert game.players == ("mc", "rule", "rule", "rand", "he")
    assert game.before == (2, 0, 4, 1, 3)
    assert game.deal[1] == hand("H9 C0 H0 S0 CJ HJ DA D2 H2 S2")
    assert [(gift.giver, gift.taker, gift.cards) for gift in game.gifts] == [
        (3, 2, hand("HQ CA")), (1, 0, hand("S2")), (2, 3, hand("C3 D4")), (0, 1, hand("H3"))
    ]  # fmt: skip
    assert game.turns[:3] == ((4, play("D7")), (0, play("H8")), (0, play("S5 S6 S7")))
    assert game.result == (0, 1, 4, 2, 3)
    played = replay(game)
    assert played.problem is None
    assert len(played.positions) == len(game.turns) + 1
    assert rules.points(played.positions[-1]) == [5, 4, 2, 1, 3]


def test_a_game_that_ends_by_lot() -> None:
    game = replace(record(LOT), lines=())
    played = replay(game)
    assert (played.problem, game.before, game.gifts, game.players) == (None, None, (), None)
    assert rules.is_stalled(played.positions[-1])
    assert game.turns[-20:] == tuple((seat, PASS) for seat, _ in game.turns[-20:])
    assert game.result[:1] == played.positions[-1].finished
    # Whatever the lot says of those who have cards.
    assert replay(replace(game, result=(1, 4, 0, 2, 3))).problem is None
    assert replay(replace(game, result=(4, 1, 0, 2, 3))).problem == (
        "result: it must begin with 1, who finished before the lot"
    )
    assert replay(replace(game, turns=(*game.turns, game.turns[-1]))).problem == (
        f"turn {len(game.turns) + 1}, seat 2, pass: the game is over after 20 passes in a row"
    )
    short = replay(replace(game, turns=game.turns[:-1])).problem
    assert short == f"the game is not over after {len(game.turns) - 1} turns: it is the turn of seat 2"


def test_games_stand_one_after_another() -> None:
    first, second = record(EXCHANGE), record(LOT)
    assert read_records("\n".join([EXCHANGE, LOT, EXCHANGE])) == [first, second, first]
    assert read_records((EXCHANGE + LOT).replace("\n", "\r\n")) == [first, second]
    bare = "\n".join(line for line in EXCHANGE.splitlines() if not line.startswith("#"))
    assert read_records(bare.replace("\n", " / ")) == [first]
    assert read_records(bare.replace(" / ", "\n\n # and then\n")) == [first]
    assert record(bare.upper().replace("MC RULE RULE RAND HE", "mc rule rule rand he")) == first
    assert read_records("") == read_records("# nothing\n\n") == []


def test_printed_is_a_trick_a_line() -> None:
    lines = format_record(record(EXCHANGE)).splitlines()
    assert "4: D7 / 0: H8" in lines
    assert "4: D3 / 0: C6 / 1: CJ / 2: CA / 3: pass / 4: pass / 0: pass / 1: pass / 2: pass" in lines
    assert "\n".join(["# A game with ranks: seat 2 was first in the game before, seat 3 last.", *lines]) == (
        EXCHANGE.rstrip()
    )
    assert max(map(len, lines)) <= 110


def test_tricks_are_those_of_the_positions() -> None:
    game = record(EXCHANGE)
    told = list(tricks(game))
    assert [turn for trick in told for turn in trick] == list(game.turns)
    assert len(told) == 13
    number = 0
    for trick in told[:-1]:
        number += len(trick)
        assert replay(game).positions[number].field.play == PASS
    # Those after an illegal turn are together.
    wrong = replace(game, turns=(*game.turns[:3], game.turns[0], *game.turns[4:]))
    assert [len(trick) for trick in tricks(wrong)] == [2, len(game.turns) - 2]


@each_changed((EXCHANGE, BAD_TEXTS))
def test_games_that_cannot_be_read(wrong: str, message: str) -> None:
    assert message in error_of(wrong)
    assert "game 1" not in error_of(LOT + wrong)


@each_changed((EXCHANGE, ILLEGAL))
def test_games_against_the_rules(wrong: str, message: str) -> None:
    found = replay(record(wrong))
    assert found.problem is not None
    assert found.problem.startswith(message)
    assert "\n" not in found.problem


def test_hands_of_a_game_without_ranks_are_dealt_from_any_seat_round() -> None:
    assert replay(record(LOT)).problem is None
    uneven = changed(LOT, "deal 0: D4 S7", "deal 0: D4").replace("deal 1: ", "deal 1: S7 ")
    assert replay(record(uneven)).problem == (
        "deal: 9 11 11 11 11 cards by seat; dealt round from any seat, three seats get 11, the others 10"
    )


def test_what_players_knew() -> None:
    game = record(EXCHANGE)
    first = seen(game, 0)
    assert (first.turn, first.counts, first.gone) == (4, (10, 10, 11, 11, 11), frozenset())
    assert (first.gave, first.got) == (frozenset(), frozenset())
    last = seen(game, len(game.turns) - 1)
    assert last.plays[0][0] == play("H8")
    assert sum(map(len, last.plays)) == sum(turn.play != PASS for turn in game.turns[:-1])
    # The hands of others may be any: the view of a game dealt otherwise is the same as long as this seat sees the same.
    moved = replace(
        game,
        deal=(*game.deal[:3], game.deal[3] ^ hand("C5 C9"), game.deal[4] ^ hand("C5 C9")),
    )
    assert replay(moved).positions[2].hands != replay(game).positions[2].hands
    assert seen(moved, 1) == seen(game, 1)
    assert seen(moved, 0) != seen(game, 0)


@given(st.integers(0, 2**32), st.sampled_from([0.02, 0.1, 0.6]))
@settings(max_examples=25, deadline=None)
def test_random_games_round_trip_and_keep_to_the_rules(seed: int, pass_share: float) -> None:
    game = random_record(random.Random(seed), pass_share)
    played = replay(game)
    assert played.problem is None
    text = format_record(game)
    assert read_records(text) == [game]
    assert read_records(f"{text}\n{text}") == [game, game]
    now = played.positions[0]
    for turn, after in zip(game.turns, played.positions[1:], strict=True):
        now = apply(now, turn.play)
        assert now == after


@given(st.integers(0, 2**32))
@settings(max_examples=25, deadline=None)
def test_a_game_with_one_turn_changed_is_told_wrong_there_or_later(seed: int) -> None:
    chance = random.Random(seed)
    game = random_record(chance)
    at = chance.randrange(len(game.turns))
    cards = frozenset(chance.sample(rules.PACK, chance.choice((1, 1, 2, 3))))
    if cards == game.turns[at].play.cards:
        return
    turns = (*game.turns[:at], game.turns[at]._replace(play=rules.Play(cards)), *game.turns[at + 1 :])
    found = replay(replace(game, turns=turns))
    # Other cards were played than in the legal game, so that something later cannot be right.
    assert found.problem is not None
    assert len(found.positions) > at


@given(st.text(alphabet="deal gives:0123 4/passrultCDHSJK=-\n#", max_size=150) | st.text(max_size=60))
def test_any_text_is_read_or_is_the_user_s_error(anything: str) -> None:
    assert attempt(lambda: read_records(anything)) in (None, [])


@given(mistyped([EXCHANGE, LOT], ["", *" \n-/#:=KS302é\0٣\u2028"]))
@settings(max_examples=150, deadline=None)
def test_a_game_with_a_few_changed_characters_is_read_or_is_the_user_s_error(typed: str) -> None:
    found = attempt(lambda: read_records(typed))
    for game in found or []:
        replay(game)
        assert read_records(format_record(game)) == [game]
