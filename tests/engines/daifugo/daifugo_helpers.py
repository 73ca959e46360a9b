"""Random positions and games of Daihinmin for tests."""

from __future__ import annotations

import random

from engines.daifugo import dealing, rules
from engines.daifugo.dealing import Gift
from engines.daifugo.replay import Record, Turn
from engines.daifugo.rules import (
    COLUMNS,
    FIFTH,
    JOKER,
    LONE_JOKER,
    PACK,
    PASS,
    PLAYERS,
    SPADE_3,
    SUITS,
    Card,
    Field,
    Hand,
    Play,
    Position,
)
from engines.text.cards import read_card

NATURAL = [card for card in PACK if card != JOKER]


def card(name: str) -> Card:
    """``D5`` or ``JK``; ``S-`` and ``S+`` are the places at either edge, ``5`` that of a group's fifth card."""
    if name == "JK":
        return JOKER
    if name[1:] in ("-", "+"):
        return Card(0 if name[1] == "-" else COLUMNS + 1, "CDHS".index(name[0]))
    suit, rank = read_card(name if len(name) > 1 else "C" + name) or (0, 0)
    assert rank, name
    return Card((rank - 3) % 13 + 1, suit if len(name) > 1 else FIFTH)


def hand(names: str) -> Hand:
    """Cards with blanks between them."""
    cards = [card(name) for name in names.split()]
    assert len(set(cards)) == len(cards)
    return frozenset(cards)


def play(names: str) -> Play:
    """Cards; ``JK=S4``: a joker that stands for S4. An empty text is a pass."""
    words = names.split()
    stands = next((card(word[3:]) for word in words if word.startswith("JK=")), None)
    return Play(hand(" ".join(word[:2] for word in words)), stands)


def field(names: str, revolution: bool = False, lock: str = "") -> Field:
    """A field with a play on it; ``lock``: the letters of the locked suits."""
    return Field(play(names), revolution, frozenset("CDHS".index(letter) for letter in lock))


def plays(*texts: str) -> set[Play]:
    """Several plays."""
    return {play(text) for text in texts}


def position(*hands: str, turn: int = 0, last: int | None = None, on: Field | None = None) -> Position:
    """A position with these hands, the later seats without cards: they finished, the highest seat first."""
    held = tuple(hand(names) for names in (*hands, *[""] * (PLAYERS - len(hands))))
    done = tuple(seat for seat in reversed(range(PLAYERS)) if not held[seat])
    return Position(held, turn, turn if last is None else last, on or Field(), finished=done)


def random_play(chance: random.Random) -> Play:
    """A play that may lie on a field at somebody's turn (no 8 in it), all kinds often; a pass: the field is empty."""
    while True:
        made = _some_play(chance)
        if not rules.has_eight(made):
            return made


def _some_play(chance: random.Random) -> Play:
    what = chance.random()
    if what < 0.2:
        return PASS
    if what < 0.4:
        return Play(frozenset([chance.choice(NATURAL)]))
    if what < 0.47:
        return LONE_JOKER
    suits = chance.sample(range(SUITS), SUITS)
    if what < 0.7:
        column, count = chance.randint(1, COLUMNS), chance.choice((2, 2, 2, 3, 3, 4, 5))
        lying = [Card(column, suit) for suit in (*suits, FIFTH)[:count]]
    else:
        count = chance.choice((3, 3, 3, 3, 4, 4, 5, 6))
        first = chance.randint(0, COLUMNS + 2 - count)
        lying = [Card(column, suits[0]) for column in range(first, first + count)]
    places = [each for each in lying if each.suit == FIFTH or not 1 <= each.column <= COLUMNS]
    if not places and chance.random() < 0.6:
        return Play(frozenset(lying))
    stands = places[0] if places else chance.choice(lying)
    return Play(frozenset(each for each in lying if each != stands) | {JOKER}, stands)


def random_field(chance: random.Random) -> Field:
    """Any field that there may be, revolutions and locks included."""
    lying = random_play(chance)
    # Five of a kind answer nothing, and so lock nothing.
    locked = chance.random() < 0.35 and not (lying.stands and lying.stands.suit == FIFTH)
    return Field(lying, chance.random() < 0.45, rules.suits_of(lying) if locked else frozenset())


def random_hand(chance: random.Random, on: Field, count: int) -> Hand:
    """Cards that do not lie on a field: at random, or of few suits, or of few ranks, often with the joker or S3."""
    style = chance.random()
    if style < 0.4:
        pack = NATURAL
    elif style < 0.7:
        suits = chance.sample(range(SUITS), 2)
        if on.play.cards and chance.random() < 0.6:
            suits[0] = max(on.play.cards, key=lambda each: (each != JOKER, each)).suit
        first = chance.randint(1, 5)
        pack = [
            each
            for each in NATURAL
            if each.suit == suits[0] or (each.suit == suits[1] and each.column >= first)
        ]
    else:
        columns = set(chance.sample(range(1, COLUMNS + 1), 6))
        pack = [each for each in NATURAL if each.column in columns]
    wanted = chance.sample(pack, min(count, len(pack)))
    if chance.random() < 0.5:
        wanted = list(dict.fromkeys([*_answer(chance, on), *wanted]))[: max(count, 3)]
    for each, share in ((JOKER, 0.5), (SPADE_3, 0.15)):
        if chance.random() < share and wanted:
            wanted[-1 if each == JOKER else 0] = each
    return frozenset(wanted) - on.play.cards or frozenset(
        [next(c for c in NATURAL if c not in on.play.cards)]
    )


def _answer(chance: random.Random, on: Field) -> list[Card]:
    """Cards like those on a field, some columns stronger, in the same suits or in others."""
    order = [*range(SUITS)] if chance.random() < 0.6 else chance.sample(range(SUITS), SUITS)
    lying = [each for each in rules.places(on.play) if each.suit != FIFTH]
    shift = chance.randint(1, 7) * (-1 if on.revolution else 1)
    moved = [Card(each.column + shift, order[each.suit]) for each in lying]
    return [each for each in moved if 1 <= each.column <= COLUMNS and each not in on.play.cards]


def random_case(chance: random.Random) -> tuple[Hand, Field]:
    """A hand (1 to 13 cards) and a field, for lists of legal plays; some 20 microseconds, the list 200."""
    on = random_field(chance)
    return random_hand(chance, on, chance.choice((1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13))), on


def random_position(chance: random.Random) -> Position:
    """A position of any kind within a game, all cards known; some 60 microseconds."""
    on = random_field(chance)
    seats = chance.sample(range(PLAYERS), PLAYERS)
    playing = seats[: chance.choice((2, 2, 3, 4, 5, 5))]
    finished = tuple(seats[len(playing) :])
    turn = playing[0]
    hands: list[Hand] = [frozenset()] * PLAYERS
    hands[turn] = random_hand(chance, on, chance.randint(1, 11))
    left = [each for each in PACK if each not in hands[turn] and each not in on.play.cards]
    chance.shuffle(left)
    for seat in playing[1:]:
        count = chance.randint(1, 8)
        hands[seat] = frozenset(left[:count])
        del left[:count]
    # Who played last may be out of cards or to play again, but has passed only if the field is empty again.
    last = chance.choice(seats)
    passed = frozenset(seat for seat in playing[1:] if chance.random() < 0.4)
    if on.play != PASS:
        passed -= {last}
    passes_count = len(passed) if chance.random() < 0.8 else chance.randint(len(passed), rules.PASSES_MAX - 1)
    return Position(tuple(hands), turn, last, on, passed, finished, passes_count)


def random_order(chance: random.Random) -> list[int]:
    """The seats in any order."""
    return chance.sample(range(PLAYERS), PLAYERS)


def random_start(chance: random.Random) -> Position:
    """The position before the first turn of a game without ranks."""
    return dealing.first_position(dealing.deal(chance.sample(PACK, len(PACK)), chance.randrange(PLAYERS)))


def random_turn(chance: random.Random, now: Position, pass_share: float = 0.05) -> Play:
    """A legal play, or sometimes a pass."""
    legal = rules.legal_plays(now.hands[now.turn], now.field)
    return chance.choice(legal) if legal and chance.random() >= pass_share else PASS


def random_game(
    chance: random.Random, start: Position, pass_share: float = 0.05
) -> list[tuple[Position, Play]]:
    """Every turn of a game played at random: the position before it and the play. It may end in a stall."""
    turns, now = [], start
    while not rules.is_over(now) and not rules.is_stalled(now):
        turns.append((now, random_turn(chance, now, pass_share)))
        now = rules.apply(*turns[-1])
    return turns


def random_record(chance: random.Random, pass_share: float = 0.05) -> Record:
    """A whole game played at random, every other one with ranks."""
    before = tuple(random_order(chance)) if chance.random() < 0.5 else None
    dealt = dealing.deal(chance.sample(PACK, len(PACK)), before[0] if before else chance.randrange(PLAYERS))
    gifts: list[Gift] = []
    if before is not None:
        gifts = dealing.tributes(dealt, before)
        hands = dealing.give(dealt, gifts)
        chosen = [frozenset(chance.sample(sorted(hands[before[rank]]), 2 - rank)) for rank in (0, 1)]
        gifts += dealing.given_back(hands, before, (chosen[0], chosen[1]))
    game = random_game(chance, dealing.first_position(dealing.give(dealt, gifts)), pass_share)
    end = rules.apply(*game[-1])
    if rules.is_stalled(end):
        end = rules.draw_lots(end, chance.sample(rules.in_game(end), len(rules.in_game(end))))
    turns = tuple(Turn(now.turn, played) for now, played in game)
    names = ("rule", "mc-1500", "rand", "rule", "he") if chance.random() < 0.5 else None
    return Record(dealt, turns, end.finished, before, tuple(gifts), names)
