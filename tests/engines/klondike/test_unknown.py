"""Cards that are not known: chances over deals that fit, and the player who knows only what is seen."""

from __future__ import annotations

import itertools
import json
import random
from collections import Counter
from dataclasses import replace
from pathlib import Path

import pytest
from command_helpers import Run
from klondike_helpers import position_of, small_deal, walk
from refusals import assert_refused

from engines.klondike import blind, rules
from engines.klondike.blind import Patience, Player, is_safe, plans, safe_move
from engines.klondike.core import random_deal
from engines.klondike.game import Klondike
from engines.klondike.position import format_position
from engines.klondike.rules import Kind, Position, RedealRule, Rules
from engines.klondike.unknown import UNKNOWN, as_dealt, filled, missing, sampled, turned_up, unknown_count
from engines.statistics.intervals import wilson

HALF = (Path(__file__).parents[2] / "cases" / "forms" / "klondike_unknown_cards.position").read_text()
SMALL = ("stock: ?? ?? ??", "waste: HA", "0: | C3", "1: ?? | D2", "foundations: C2")


def fits(seen: Position) -> list[Position]:
    """All deals that fit, each once."""
    return [filled(seen, cards) for cards in itertools.permutations(missing(seen))]


def test_unknown_cards_are_read_and_written() -> None:
    position = position_of(HALF)
    assert unknown_count(position) == 21
    assert len(missing(position)) == 21
    assert position_of(format_position(position)) == position
    assert position_of(format_position(position, " / ")) == position
    assert "??" in Klondike().format_deal(position)


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("1: ?? |", "1: |", "20 cards are not known, but 21 are missing"),
        ("0: | D6", "0: | ??", "column 0: only cards of a position's stock, or face down"),
        ("waste:", "waste: ??", "waste: only cards of a position's stock, or face down"),
    ],
)
def test_texts_that_are_wrong(yamafuda: Run, workspace: Path, old: str, new: str, message: str) -> None:
    Path("half").write_text(HALF.replace(old, new))
    assert message in assert_refused(yamafuda, "solve", "klondike", "half")


def test_all_cards_must_be_known_for_the_rest(yamafuda: Run, workspace: Path) -> None:
    Path("half").write_text(HALF)
    for word in ("--shortest", "--best"):
        assert "all cards of deal 1 must be known" in assert_refused(
            yamafuda, "solve", "klondike", "half", word
        )
    Path("job.position").write_text(HALF)
    assert "not known" in yamafuda("run", "job=klondike_sweep", "job.file=job.position")[2]


def test_every_deal_that_fits_is_as_likely() -> None:
    seen = position_of(*SMALL)
    made = Counter(sampled(seen, 5, stream) for stream in range(2400))
    assert set(made) == set(fits(seen))
    assert len(made) == 24
    # Chi-square with 23 degrees of freedom: beyond 50 once in a thousand seeds.
    assert sum((count - 100) ** 2 / 100 for count in made.values()) < 50
    assert sampled(seen, 5, 7) == sampled(seen, 5, 7)


def test_chances_are_those_of_all_deals_that_fit(yamafuda: Run, workspace: Path) -> None:
    """Of many samples, against all deals that fit, each decided by the referee."""
    chance, options = random.Random(4), Rules(redeals=0)
    for _ in range(200):
        deal = small_deal(chance, 2, 4, 2)
        seen = replace(as_dealt(deal), stock=(UNKNOWN,) * 3 + deal.stock[3:])
        deals = fits(seen)
        won = sum(rules.shortest(each, options) is not None for each in deals)
        if 0.2 < won / len(deals) < 0.8:
            break
    plays = {
        Klondike().format_moves(deals[0], [move], options)[0]: sum(
            rules.shortest(rules.play(deal, move, options), options) is not None for deal in deals
        )
        for move in rules.legal_moves(deals[0], options)
    }
    Path("seen").write_text(format_position(seen))
    words = ("klondike", "seen", "--redeals", "0", "--samples", "400", "--json")
    solved = json.loads(yamafuda("solve", *words)[1])
    assert solved["unknown_count"] == unknown_count(seen)
    assert (solved["samples_count"], solved["seed"], solved["deals_count"]) == (400, 1, 400)
    assert solved["won_share_low"] <= won / len(deals) <= solved["won_share_high"]
    assert (solved["won_share_low"], solved["won_share_high"]) == wilson(solved["won_count"], 400)
    advised = json.loads(yamafuda("advise", *words)[1])
    assert {each["play"] for each in advised["plays"]} == set(plays)
    for each in advised["plays"]:
        share = plays[each["play"]] / len(deals)
        low, high = wilson(each["won_count"], 400)
        assert low - 0.02 <= share <= high + 0.02
    assert [each["won_count"] for each in advised["plays"]] == sorted(
        (each["won_count"] for each in advised["plays"]), reverse=True
    )
    # No play is better in a deal than the position is.
    assert all(each["won_count"] <= solved["won_count"] for each in advised["plays"])
    again = json.loads(yamafuda("solve", *words, "--seed", "2")[1])
    assert again["seed"] == 2
    words_out = yamafuda("solve", *words[:-1])[1]
    assert "an upper bound of a player's chance" in words_out


def test_solutions_are_not_replayed_over_cards_that_are_not_known(yamafuda: Run, workspace: Path) -> None:
    """What is turned up could be any card."""
    Path("deals").write_text("greenfelt 5\n" + " / ".join(SMALL))
    Path("solutions").write_text("lost\nS01S00 -> S01T00")
    message = "deals, deal 2: all cards must be known to replay a solution"
    assert_refused(yamafuda, "check", "klondike", "deals", "solutions", message=message)


def test_plays_do_not_tell_cards_that_are_not_known(yamafuda: Run, workspace: Path) -> None:
    Path("small").write_text("\n".join(SMALL))
    told = yamafuda("advise", "klondike", "small", "--moves", "words")[1]
    assert "\n2♦ from column 2 to column 1; a card is turned up  " in told
    told = yamafuda("advise", "klondike", "small", "--moves", "json")[1]
    moves = [json.JSONDecoder().raw_decode(line)[0] for line in told.splitlines()[2:]]
    assert {move["move"]: move["turned"] for move in moves}["S01S00"] == "??"
    assert {move["move"]: move["cards"] for move in moves}["C00W03"] == ["??"] * 3


def test_what_is_open_counts_both_ways(yamafuda: Run, workspace: Path) -> None:
    Path("half").write_text(HALF)
    words = ("klondike", "half", "--samples", "5", "--states", "1", "--json")
    told = json.loads(yamafuda("solve", *words)[1])
    assert told["open_count"] > 0
    assert told["won_share_max"] - told["won_share_min"] == pytest.approx(told["open_count"] / 5)


@pytest.mark.parametrize(
    ("words", "message"),
    [(["--samples", "0"], "--samples: must be at least 1"), (["--seed", "-1"], "--seed: must be 0 to")],
)
def test_options_that_are_wrong(yamafuda: Run, workspace: Path, words: list[str], message: str) -> None:
    Path("half").write_text(HALF)
    assert message in assert_refused(yamafuda, "advise", "klondike", "half", *words)


def test_what_is_seen_is_what_can_be_seen() -> None:
    """Along random games: what is known is true, and exactly face-up cards, the waste and what was in it are known."""
    chance = random.Random(9)
    for index in range(20):
        truth = random_deal(3, index)
        options = chance.choice([Rules(), Rules(draw=1), Rules(redeal_rule=RedealRule.carry)])
        seen, dealt = as_dealt(truth), set[int]()
        for _ in range(60):
            dealt |= set(truth.waste)
            for known_pile, pile in zip(
                (*seen.columns, seen.stock, seen.waste),
                (*truth.columns, truth.stock, truth.waste),
                strict=True,
            ):
                assert all(card in (UNKNOWN, real) for card, real in zip(known_pile, pile, strict=True))
            hidden = sum(truth.face_down) + sum(card not in dealt for card in truth.stock)
            assert unknown_count(seen) == hidden
            assert rules.legal_moves(seen, options) == rules.legal_moves(truth, options)
            move = chance.choice(rules.legal_moves(truth, options))
            truth = rules.play(truth, move, options)
            seen = turned_up(rules.play(seen, move, options), truth)


def test_the_player_looks_at_nothing_that_is_hidden() -> None:
    """Two deals that look alike until the first card is turned up or dealt: the same moves until then."""
    first = random_deal(1, 2)
    hidden = missing(as_dealt(first))
    other = filled(as_dealt(first), hidden)
    assert other != first
    patience = Patience(4, 200)
    games = [Player(deal, Rules(), patience, 1, 2).play() for deal in (first, other)]
    for one, two in zip(games[0].moves, games[1].moves, strict=False):
        assert one == two
        first, other = (rules.play(deal, one, Rules()) for deal in (first, other))
        if turned_up(as_dealt(first), first) != turned_up(as_dealt(other), other):
            break


def test_games_of_the_player_are_games(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each move is legal, a won game ends won, and a lost one where nothing of what it may do is left."""
    chance = random.Random(12)
    outcomes = Counter[bool]()
    for index in range(40):
        deal = small_deal(chance, *chance.choice([(3, 4, 3), (3, 5, 2), (4, 4, 4)]))
        options = chance.choice([Rules(), Rules(draw=1, redeals=1), Rules(redeal_rule=RedealRule.carry)])
        game = Player(deal, options, Patience(3, 100), 1, index).play()
        end = rules.replay(deal, game.moves, options)
        assert rules.is_won(end) == game.won
        if not game.won:
            assert safe_move(end) is None
            played = replace(options, foundation_back=False)
            assert not [plan for plan in plans(end, played) if plan[0].kind != Kind.DEAL]
        outcomes[game.won] += 1
        assert Player(deal, options, Patience(3, 100), 1, index).play().moves == game.moves
    assert min(outcomes[True], outcomes[False]) > 3


def test_plans_are_legal_and_keep_what_can_be_won() -> None:
    """With all cards known and no card taken back, some plan of the player leads to a win if any line of play does."""
    chance, told = random.Random(2), Counter[bool]()
    for _ in range(80):
        options = chance.choice(
            [Rules(foundation_back=False), Rules(draw=1, redeals=1, foundation_back=False)]
        )
        position = small_deal(chance, *chance.choice([(2, 3, 3), (3, 3, 3), (2, 4, 2)]))
        position = walk(position, options, chance, chance.randrange(6))[1]
        if rules.is_won(position):
            continue
        won = rules.shortest(position, options) is not None
        safe = safe_move(position)
        choices = [(safe,)] if safe is not None else list(plans(position, options))
        after = [rules.replay(position, plan, options) for plan in choices]
        assert any(rules.shortest(each, options) is not None for each in after) == won
        told[won] += 1
    assert min(told[True], told[False]) > 5


def test_safe_cards() -> None:
    assert is_safe(0x03, [2, 1, 1, 0])
    assert not is_safe(0x04, [3, 1, 1, 0])
    assert not is_safe(0x03, [1, 1, 1, 0])
    assert not is_safe(0x14, [2, 3, 0, 2])
    assert is_safe(0x14, [2, 3, 1, 2])


def test_the_job(yamafuda: Run, workspace: Path) -> None:
    words = ("run", "job=klondike_blind", "job.deals=4", "job.samples=2", "job.search_states=50")
    status, out, _ = yamafuda(*words, "--json")
    assert status == 0
    told = json.loads(out)["result"]
    assert told["won_count"] + told["lost_count"] == told["deals_count"] == 4
    assert told["won_count"] <= told["known_won_count"] <= 4
    rows = yamafuda("query", "SELECT * FROM klondike_blind ORDER BY deal_index", "--json")[1]
    for row in map(json.loads, rows.splitlines()):
        game = Player(
            random_deal(1, row["deal_index"]), Rules(), Patience(2, 50), 1, row["deal_index"]
        ).play()
        played_count = sum(move.kind != Kind.REDEAL for move in game.moves)
        assert (row["outcome"] == "won", row["played_count"]) == (game.won, played_count)
        assert row["outcome"] == "lost" or row["known_outcome"] == "won"


def test_streams_of_deals_do_not_meet() -> None:
    """The deals that the player imagines are shuffles of their own."""
    assert blind.STREAMS * 2 < 1 << 63
    seen = as_dealt(random_deal(1, 0))
    assert sampled(seen, 1, 0) != sampled(seen, 1, blind.STREAMS)
