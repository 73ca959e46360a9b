"""Learnt policies: features from the core, weights by regression, files."""

from __future__ import annotations

import json
from dataclasses import asdict
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from network_reference import INPUTS, inputs_of, judgement
from policy_reference import features_of

from engines import _native
from engines.daifugo import core, numbers, policy, policy_examples, rules
from engines.daifugo.core import Generator, Player, Range
from engines.daifugo.player_options import PlayerOptions
from engines.daifugo.policy_examples import Examples
from engines.daifugo.policy_judging import judge
from engines.daifugo.policy_training import Source, fit, learn
from engines.daifugo.replay import replay
from engines.daifugo.rules import PASS
from storage.errors import UserError

GROUPS = _native.daifugo_policy_groups()
SIZE = sum(size for _, size in GROUPS)
COUNT, WIDTH = _native.daifugo_policy_network()
ROWS = [[0.0] * WIDTH] * (COUNT // WIDTH)
RULE, RANDOM = Player("rule"), Player("random")


@pytest.fixture(scope="module")
def of_rule() -> Examples:
    """Choices of the rule-based player."""
    return policy_examples.collect([RULE] * 5, [0, 1, 2, 3, 4], Range(1, 0, 120))


@pytest.fixture(scope="module")
def fitted_weights(of_rule: Examples) -> policy.Weights:
    """What they teach."""
    return fit(of_rule)


def some_weights(seed: int = 1) -> policy.Weights:
    """Weights of nothing in particular."""
    return np.random.default_rng(seed).normal(0, 0.5, SIZE).round(3).astype(np.float32)


def test_examples_have_a_feature_of_each_group(of_rule: Examples) -> None:
    ends = np.cumsum([size for _, size in GROUPS])
    assert of_rule.features.shape[1] == len(GROUPS)
    assert (of_rule.features < ends).all()
    assert (of_rule.features >= ends - [size for _, size in GROUPS]).all()
    begins = np.concatenate([[0], of_rule.ends[:-1]])
    assert (of_rule.ends - begins >= 2).all()
    assert (begins <= of_rule.chosen).all()
    assert (of_rule.chosen < of_rule.ends).all()
    assert of_rule.ends[-1] == len(of_rule.features)


def test_features_are_those_of_the_reference() -> None:
    games = Range(4, 0, 30, rank_period=10)
    players = [RANDOM, RULE, RANDOM, RULE, RANDOM]
    examples = policy_examples.collect(players, range(5), games)
    starts = np.cumsum([0, *(size for _, size in GROUPS)])[:-1]
    number, seen = 0, set()
    for record in core.records_of(core.play_games(players, games, records=True)):
        for position, turn in zip(replay(record).positions, record.turns, strict=False):
            plays = rules.legal_plays(position.hands[position.turn], position.field)
            choices = plays if position.field.play == PASS else [*plays, PASS]
            if len(choices) < 2:
                continue
            rows = (examples.features[examples.begins[number] : examples.ends[number]] - starts).tolist()
            expected = [features_of(play, position, len(plays)) for play in choices]
            assert sorted(rows) == sorted(expected), (position, plays)
            made = (examples.features[examples.chosen[number]] - starts).tolist()
            assert made == expected[choices.index(turn.play)]
            seen |= {(group, place) for row in rows for group, place in enumerate(row)}
            number += 1
    assert number == len(examples.ends)
    assert len(seen) > 900


def test_examples_are_of_the_players_asked_for() -> None:
    players, games = [RULE, RANDOM, RULE, RANDOM, RANDOM], Range(2, 0, 20)
    parts = [policy_examples.collect(players, of, games) for of in ([0, 2], [1, 3, 4])]
    whole = policy_examples.collect(players, [0, 1, 2, 3, 4], games)
    assert sum(len(part.ends) for part in parts) == len(whole.ends)
    merged = policy_examples.merge(parts)
    assert sorted(map(tuple, merged.features[merged.chosen])) == sorted(
        map(tuple, whole.features[whole.chosen])
    )


def test_the_fit_foresees_the_rule_based_player(of_rule: Examples, fitted_weights: policy.Weights) -> None:
    others = policy_examples.collect([RULE] * 5, [0], Range(9, 0, 200))
    fitted, nothing = judge(fitted_weights, others), judge(np.zeros(SIZE, np.float32), others)
    assert nothing.log_loss == pytest.approx(nothing.uniform_log_loss)
    assert fitted.log_loss < 0.45 * nothing.log_loss
    assert fitted.hit_rate > 0.75
    assert fitted.choices_count == len(others.ends)
    assert (fit(of_rule, steps=10) == fit(of_rule, steps=10)).all()


def test_weights_come_back_from_known_chances() -> None:
    # Two plays a choice that differ in one feature; the first is made three times in four.
    starts = np.cumsum([0, *(size for _, size in GROUPS)])[:-1].astype(np.uint16)
    other = starts.copy()
    other[2] += 3
    examples = Examples(
        np.tile(np.stack([starts, other]), (4000, 1)),
        np.arange(2, 8001, 2),
        np.arange(0, 8000, 2) + (np.arange(4000) % 4 == 0),
    )
    weights = fit(examples, penalty=0.01)
    assert weights[starts[2]] - weights[other[2]] == pytest.approx(np.log(3), abs=0.02)
    assert judge(weights, examples).log_loss == pytest.approx(0.5623, abs=1e-3)


@pytest.mark.parametrize("network", [False, True])
def test_files_come_back(tmp_path: Path, of_rule: Examples, network: bool) -> None:
    path, weights = tmp_path / "policy.json", some_weights()
    if network:
        weights = policy.with_network(weights, 3)
    judged = judge(some_weights(), of_rule)
    policy.save(path, weights, [{"seed": 1}], asdict(judged))
    assert (policy.load(path) == weights).all()
    document = json.loads(path.read_text())
    assert document["version"] == 1 + network
    assert document["sources"] == [{"seed": 1}]
    assert document["judged"]["choices_count"] == judged.choices_count


def test_learning_is_told_in_the_file(tmp_path: Path) -> None:
    path = tmp_path / "policy.json"
    few = PlayerOptions(playouts=20, exchange_playouts=2)
    sources = [Source(PlayerOptions("rule"), 40, 1), Source(few, 10, 3)]
    judged = learn(path, sources, 10)
    assert judged.log_loss < 0.9 * judged.uniform_log_loss
    document = json.loads(path.read_text())
    assert document["sources"][1]["player"]["playouts"] == 20
    assert document["sources"][1]["seed"] == 3
    again = tmp_path / "again.json"
    learn(again, sources, 10)
    assert path.read_bytes() == again.read_bytes()
    with pytest.raises(UserError, match="playouts"):
        learn(path, [Source(PlayerOptions(), 1, 1)], 1)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"version": 3}, "version"),
        ({"version": True}, "is no policy of version 1 or 2"),
        ({"version": 2.0, "network": ROWS}, "is no policy of version 1 or 2"),
        ({"version": 2}, "network: not"),
        ({"version": 2, "network": [[0.0] * WIDTH]}, "network: not"),
        ({"version": 2, "network": [*ROWS[1:], [0.0] * (WIDTH - 1)]}, "network: not"),
        ({"version": 2, "network": [*ROWS[1:], [101.0] * WIDTH]}, "network: not"),
        ({"version": 2, "network": [*ROWS[1:], [1.0] * WIDTH]}, "network: the first number of the last row"),
        ({"weights": None}, "weights"),
        ({"weights": {"left": [0.0]}}, "weights"),
        ({"end": [0.0]}, "weights.end: not 96 numbers"),
        ({"end": [0.0] * 95 + ["x"]}, "weights.end"),
        ({"end": [0.0] * 95 + [10.5]}, "weights.end"),
        ({"end": [0.0] * 95 + [float("nan")]}, "weights.end"),
        ({"end": [0.0] * 95 + [10**400]}, "weights.end"),
        ({"more": [0.0]}, "weights"),
    ],
)
def test_files_that_are_none_are_named(tmp_path: Path, change: dict[str, Any], message: str) -> None:
    path = tmp_path / "policy.json"
    document: dict[str, Any] = {"version": 1, "weights": {name: [0.0] * size for name, size in GROUPS}}
    if set(change) <= {"version", "weights", "network"}:
        document |= change
    else:
        document["weights"] |= change
    path.write_text(json.dumps(document))
    with pytest.raises(UserError) as caught:
        policy.load(path)
    assert caught.value.field == str(path)
    assert message in caught.value.message


def test_files_that_cannot_be_read_are_named(tmp_path: Path) -> None:
    for path in (tmp_path / "none.json", tmp_path):
        with pytest.raises(UserError, match="cannot be read"):
            policy.load(path)
    for content in (b"\xff{", b"[" * 100_000):
        (tmp_path / "text.json").write_bytes(content)
        with pytest.raises(UserError, match="is no JSON"):
            policy.load(tmp_path / "text.json")


@pytest.mark.parametrize("passes", [False, True])
def test_games_with_learnt_playouts_repeat(passes: bool) -> None:
    def player(weights: policy.Weights) -> Player:
        learnt: dict[str, Any] = {"policy_weights": weights, "policy_passes": passes}
        generator = Generator("chain_learnt", **learnt)
        return Player(
            "mc",
            generator=generator,
            playouts=60,
            exchange_playouts=5,
            policy="learnt",
            bandit="thompson",
            **learnt,
        )

    def turns(weights: policy.Weights) -> list[tuple[Any, ...]]:
        games = core.play_games([player(weights), *[RULE] * 4], Range(3, 0, 5), records=True)
        return [record.turns for record in core.records_of(games)]

    assert turns(some_weights()) == turns(some_weights())
    assert turns(some_weights()) != turns(some_weights(2))


def test_learnt_playouts_are_worth_more_than_random_ones(fitted_weights: policy.Weights) -> None:
    few: dict[str, Any] = {"playouts": 40, "exchange_playouts": 5}
    uniform = Player("mc", **few)
    learnt = Player("mc", policy="learnt", policy_weights=fitted_weights, policy_passes=True, **few)
    games = core.play_games([learnt, uniform, RULE, RULE, RULE], Range(5, 0, 300))
    points = (5 - games.ranks.astype(np.int64)).mean(axis=0)
    assert points[0] > points[1] + 0.1


def test_options_that_do_not_go_together_are_named() -> None:
    usual: dict[str, Any] = {"playouts": 10, "exchange_playouts": 1}
    for change, name in (
        ({"bandit": "bold"}, "bandit"),
        ({"policy": "learnt"}, "policy_weights"),
        ({"policy": "learnt", "policy_weights": some_weights()[1:]}, "policy_weights"),
        ({"policy": "learnt", "policy_weights": some_weights() + np.float32(20)}, "policy_weights"),
        ({"policy_weights": some_weights()}, "policy_weights"),
        ({"policy": "rule", "policy_passes": True}, "policy_passes"),
    ):
        with pytest.raises(ValueError, match=rf"^{name}: "):
            Player("mc", **usual, **change)
    with pytest.raises(ValueError, match=r"^policy_weights: "):
        Generator("chain_learnt")


def test_bandits_spend_their_playouts_differently() -> None:
    record = next(core.records_of(core.play_games([RULE] * 5, Range(1, 0, 1), records=True)))
    known = core.known_at(record, 0)
    visits = {}
    for bandit in ("ucb1", "ucb1_tuned", "thompson", "even"):
        player = Player("mc", playouts=2000, exchange_playouts=1, bandit=bandit)
        found = core.evaluate(known, player, 3)
        assert found == core.evaluate(known, player, 3)
        assert sum(each.visits_count for each in found) == 2000
        visits[bandit] = sorted(each.visits_count for each in found)
    assert visits["even"][-1] - visits["even"][0] <= 1
    assert visits["even"][-1] < visits["ucb1"][-1] < visits["ucb1_tuned"][-1]
    assert visits["ucb1"][-1] < visits["thompson"][-1]
    known_player = Player("mc", playouts=2000, exchange_playouts=1)
    assert [each.visits_count for each in core.evaluate(known, known_player, 3)] == [
        each.visits_count
        for each in core.evaluate(known, Player("mc", playouts=2000, exchange_playouts=1, bandit="ucb1"), 3)
    ]


def test_the_network_judges_as_the_reference() -> None:
    rng = np.random.default_rng(7)
    plain = np.zeros(SIZE, np.float32)
    network = rng.normal(0, 0.3, COUNT).astype(np.float32)
    network[-WIDTH] = 0
    players = [RANDOM, RULE, RANDOM, RULE, RANDOM]
    records = core.records_of(core.play_games(players, Range(8, 0, 12, rank_period=6), records=True))
    turns, seen = 0, set()
    for record in records:
        for position in replay(record).positions[:-1]:
            field = position.field
            plays = core.legal_plays(position.hands[position.turn], field)
            if field.play != PASS:
                plays.append(PASS)
            if len(plays) < 2:
                continue
            inputs = [inputs_of(play, position) for play in plays]
            seen |= set().union(*inputs)
            scores = np.array([judgement(play, position, network, WIDTH) for play in plays])
            expected = np.exp(scores - scores.max())
            found = chances_of(position, len(plays), np.concatenate([plain, network]))
            assert found == pytest.approx(expected / expected.sum(), abs=2e-3), (position, plays)
            turns += 1
    assert turns > 500
    assert len(seen) > 0.7 * INPUTS


def chances_of(position: rules.Position, count: int, weights: policy.Weights) -> list[float]:
    """Of the plays of a turn: what a choice is worth where only one of its plays is worth a point."""
    seat, field = position.turn, position.field
    others = [(seat + step) % 5 for step in range(1, 5)]
    unseen = frozenset().union(*(position.hands[other] for other in others))
    (cards, stands), lock = numbers.play_numbers(field.play), sum(1 << suit for suit in field.lock or ())
    active = [bool(position.hands[other]) and other not in position.passed for other in others]
    columns: dict[str, Any] = {
        "hand": np.array([numbers.set_of(position.hands[seat])], np.uint64),
        "unseen": np.array([numbers.set_of(unseen)], np.uint64),
        "top_cards": np.array([cards], np.uint64),
        "top_stands": np.array([stands], np.int8),
        "lock": np.array([lock], np.uint8),
        "revolution": np.array([field.revolution]),
        "counts": np.array([[len(position.hands[other]) for other in others]], np.uint8),
        "active": np.array([sum(1 << place for place in range(4) if active[place])], np.uint8),
        "last": np.array([(position.last - seat) % 5], np.uint8),
        "ends": np.array([count], np.uint64),
    }
    return [
        _native.DaifugoTrials(**columns, points=points).worth(weights, True)
        for points in np.eye(count, dtype=np.float32)
    ]
