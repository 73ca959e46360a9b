"""Cells of plays and what the server says of them, turn by turn, on raw bytes."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

import pytest
from uecda_helpers import RawClient, Table, empty, hand_in, of_hand, of_play, served

from engines import _native
from engines.daifugo import dealing
from engines.daifugo.numbers import hand_of
from engines.daifugo.rules import JOKER, LONE_JOKER, SPADE_3, SUITS, Card, Hand

ACCEPTED, REFUSED = 9, 8


@dataclass
class Turn:
    """A turn as its player saw it."""

    number: int
    player: int
    hand: Table
    sent: Table
    answer: int
    field: Table


def deals() -> Iterator[tuple[int, Hand]]:
    """Seeds, and the hand of who leads the first game."""
    players = [_native.DaifugoPlayer("random")] * 5
    for seed in range(100_000):
        games = _native.daifugo_games(
            players, seed=seed, first=0, count=1, seat_period=3, rank_period=1, records=True
        )
        hands = [hand_of(hand) for hand in games.dealt[0].tolist()]
        yield seed, next(hand for hand in hands if dealing.DIAMOND_3 in hand)


def turns_of(seed: int, plays: list[Callable[[Table], Table]]) -> list[Turn]:
    """The first turns of the first game; each player sends what is told by its hand table."""
    turns: list[Turn] = []

    def talk(client: RawClient) -> None:
        client.read_table()
        for number, play in enumerate(plays):
            hand = client.read_table()
            sent, answer = empty(), 0
            if hand[5][2]:
                sent = play(hand)
                client.send(sent)
                answer = client.read_number()
            field = client.read_table()
            if hand[5][2]:
                turns.append(Turn(number, client.number, hand, sent, answer, field))
            assert client.read_number() == 0, number
        client.socket.close()

    served([RawClient] * 5, talk, games=1, seed=seed)
    # What a player need not know yet reaches it late.
    return sorted(turns, key=lambda turn: turn.number)


def made(*cells: tuple[int, int, int]) -> Table:
    table = empty()
    for row, column, cell in cells:
        table[row][column] = cell
    return table


def passes(hand: Table) -> Table:
    return empty()


def led(seed: int, table: Table) -> Turn:
    """The first turn of a game whose leader sends this."""
    (turn,) = turns_of(seed, [lambda hand: table])
    return turn


def shown(turn: Turn) -> bool:
    """Whether the cards that were sent lie on the field as they were sent."""
    return turn.field[:5] == turn.sent[:5]


def cards(*names: tuple[int, int]) -> Hand:
    """Of rows and columns of a table."""
    return frozenset(Card(column, SUITS - 1 - row) for row, column in names)


def test_the_fifth_card_of_a_group() -> None:
    """The joker stands in the row below the four suits, in the group's column, and turns the order round."""
    seed, column = next(
        (seed, column)
        for seed, hand in deals()
        for column in range(1, 13)
        if cards(*((row, column) for row in range(4))) | {JOKER} <= hand
    )
    four = [(row, column, 1) for row in range(4)]
    turn = led(seed, made(*four, (4, column, 2)))
    assert (turn.answer, shown(turn)) == (ACCEPTED, True)
    assert turn.field[5][6] == 1
    for wrong in ((4, column + 1, 2), (0, column + 1, 2)):
        turn = led(seed, made(*four, wrong))
        assert (turn.answer, turn.field[:5]) == (REFUSED, empty()[:5])


@pytest.mark.parametrize(("edge", "columns"), [(0, (1, 2)), (14, (12, 13))], ids=["below 3", "above 2"])
def test_the_columns_at_the_edges(edge: int, columns: tuple[int, int]) -> None:
    """There a joker continues a sequence."""
    seed, row = next(
        (seed, row)
        for seed, hand in deals()
        for row in range(4)
        if cards(*((row, column) for column in columns)) | {JOKER} <= hand
    )
    two = [(row, column, 1) for column in columns]
    turn = led(seed, made(*two, (row, edge, 2)))
    assert (turn.answer, shown(turn)) == (ACCEPTED, True)
    assert led(seed, made(*two, ((row + 1) % 4, edge, 2))).answer == REFUSED
    assert led(seed, made(*two, (row, edge, 1))).answer == REFUSED


def test_a_lone_joker_stands_anywhere_but_where_it_is_in_a_hand() -> None:
    seed = next(seed for seed, hand in deals() if JOKER in hand)
    for row, column in ((0, 0), (0, 14), (1, 7), (3, 0), (3, 14)):
        turn = led(seed, made((row, column, 2)))
        assert (turn.answer, shown(turn)) == (ACCEPTED, True)
    turn = led(seed, made((4, 1, 2)))
    assert turn.hand[4] == [0, 2] + [0] * 13
    assert (turn.answer, shown(turn)) == (REFUSED, False)


def test_the_spade_3_takes_a_joker() -> None:
    seed = next(seed for seed, hand in deals() if JOKER in hand and SPADE_3 not in hand)

    def spade_3(hand: Table) -> Table:
        return of_hand(frozenset({SPADE_3})) if SPADE_3 in hand_in(hand) else empty()

    turns = turns_of(seed, [lambda hand: of_play(LONE_JOKER), *[spade_3] * 5])
    taken = [number for number, turn in enumerate(turns) if turn.sent[0][1]]
    assert turns[taken[0]].answer == ACCEPTED
    assert shown(turns[taken[0]])
    # That the trick was cleared shows in the next hand only, and its player leads.
    after = turns[taken[0] + 1]
    assert (turns[taken[0]].field[5][4], after.hand[5][4]) == (0, 1)
    assert after.player == turns[taken[0]].player


def test_answers_to_passes_and_to_what_is_illegal() -> None:
    seed, lead = next((seed, hand) for seed, hand in deals() if not any(card.column == 6 for card in hand))
    single = frozenset({max(lead - {JOKER}, key=lambda card: card.column)})

    def foreign(hand: Table) -> Table:
        """A card that beats what lies there, of somebody else."""
        return of_hand(frozenset({JOKER})) if JOKER not in hand_in(hand) else of_hand(single)

    leads = [passes, passes, passes, passes, passes, lambda hand: of_hand(single), passes, foreign]
    turns = turns_of(seed, leads)
    assert [turn.answer for turn in turns] == [ACCEPTED] * 6 + [REFUSED] * 2
    assert [turn.hand[5][4] for turn in turns] == [1] * 6 + [0] * 2
    # Neither a pass nor what is refused changes what lies there.
    assert [turn.field[:5] for turn in turns[5:]] == [of_hand(single)[:5]] * 3
    assert turns[5].field[6][turns[5].player] == turns[5].hand[6][turns[5].player] - 1
    assert turns[7].field[6] == turns[7].hand[6]


def test_an_8_and_a_lock() -> None:
    seed, _ = next((seed, hand) for seed, hand in deals() if any(card.column == 6 for card in hand))

    def eight(hand: Table) -> Table:
        return of_hand(frozenset(sorted(card for card in hand_in(hand) if card.column == 6)[:1]))

    first, second = turns_of(seed, [eight, passes])
    assert (first.answer, first.field[5][4], second.hand[5][4]) == (ACCEPTED, 0, 1)
    assert second.player == first.player

    def lowest(hand: Table) -> Table:
        return of_hand(frozenset({min(card for card in hand_in(hand) if card.suit == 1)}))

    def higher(hand: Table) -> Table:
        return of_hand(
            frozenset(sorted(card for card in hand_in(hand) if card.suit == 1 and card.column < 6)[-1:])
        )

    for seed, hand in deals():
        del hand
        first, second, third = turns_of(seed, [lowest, higher, passes])
        if second.answer == ACCEPTED:
            break
    assert (first.field[5][7], second.field[5][7], third.hand[5][7]) == (0, 1, 1)


def test_the_exchange() -> None:
    """Tables of the second game: who gets cards has them, who gives sees the hand as dealt, counts are as dealt."""
    firsts: dict[int, Table] = {}
    hands: dict[int, Table] = {}

    def talk(client: RawClient) -> None:
        over = 0
        client.read_table()
        while not over:
            hand = client.read_table()
            if hand[5][2]:
                client.send(empty())
                client.read_number()
            client.read_table()
            over = client.read_number()
        first = client.read_table()
        firsts[client.number] = first
        if first[5][1]:
            # The weakest cards; the second gives one too many, so that its strongest goes.
            count = first[5][1] if first[5][1] == 2 else 2
            client.send(of_hand(frozenset(sorted(hand_in(first) - {JOKER})[:count])))
        hands[client.number] = client.read_table()
        client.socket.close()

    played, _, refused, _ = served([RawClient] * 5, talk, games=2)
    for player in range(5):
        seat = played.seats[1, player]
        rank = played.before[1].tolist().index(seat)
        dealt = hand_of(int(played.dealt[1, seat]))
        first = firsts[player]
        assert first[5][:4] == [1, (2, 1, 0, 0, 0)[rank], 0, 6]
        assert first[6][5 + player] == rank
        assert first[6][player] == len(dealt)
        poor = [played.before[1, 4 - rank]] if rank < 2 else []
        taken = [dealing.strongest(hand_of(int(played.dealt[1, each])), 2 - rank) for each in poor]
        assert hand_in(first) == dealt.union(*taken)
        gave, got = (hand_of(int(cards[1, seat])) for cards in (played.gave, played.got))
        # The first two may give what they got, the last two may get what they gave.
        left = (dealt | got) - gave if rank < 2 else (dealt - gave) | got
        assert hand_in(hands[player]) == left
        assert hands[player][6][player] == len(left)
        if rank == 0:
            assert gave == frozenset(sorted(hand_in(first) - {JOKER})[:2])
        if rank == 1:
            assert gave == dealing.strongest(hand_in(first), 1)
            assert refused[1, player] >= 1
