"""The network protocol of the contest in plain Python, slow and apart from the core: tables, clients, and what a server
must send them."""

from __future__ import annotations

import socket
import struct
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from engines import _native
from engines.daifugo import dealing, rules
from engines.daifugo.dealing import Gift
from engines.daifugo.numbers import hand_of
from engines.daifugo.rules import FIFTH, JOKER, LONE_JOKER, PASS, Card, Hand, Play

ROWS, COLUMNS, SIZE = 8, 15, 480
Table = list[list[int]]
Talk = Callable[["RawClient"], None]


def empty() -> Table:
    return [[0] * COLUMNS for _ in range(ROWS)]


def packed(table: Table) -> bytes:
    """120 numbers of 32 bits, big-endian, row by row; what is below 0 as it is."""
    return b"".join(struct.pack(">15i", *row) for row in table)


def unpacked(data: bytes) -> Table:
    assert len(data) == SIZE
    numbers = struct.unpack(">120i", data)
    return [list(numbers[COLUMNS * row : COLUMNS * row + COLUMNS]) for row in range(ROWS)]


def cell_of(card: Card) -> tuple[int, int]:
    """Row and column; suits are C, D, H, S here and S, H, D, C there."""
    return (4 if card.suit == FIFTH else 3 - card.suit), card.column


def of_hand(hand: Hand) -> Table:
    table = empty()
    for card in hand:
        row, column = (4, 1) if card == JOKER else cell_of(card)
        table[row][column] = 2 if card == JOKER else 1
    return table


def of_play(play: Play) -> Table:
    """A lone joker stands in the last column of the first row."""
    table = empty()
    for card in play.cards - {JOKER}:
        row, column = cell_of(card)
        table[row][column] = 1
    if play == LONE_JOKER:
        table[0][14] = 2
    elif play.stands is not None:
        row, column = cell_of(play.stands)
        table[row][column] = 2
    return table


def hand_in(table: Table) -> Hand:
    """The cards, wherever the joker stands."""
    found = {Card(column, 3 - row) for row in range(4) for column in range(1, 14) if table[row][column] == 1}
    return frozenset(found | ({JOKER} if any(2 in row for row in table[:5]) else set()))


def play_in(table: Table) -> Play:
    """The play that the cells mean, legal or not."""
    cards = hand_in(table)
    if cards <= {JOKER}:
        return Play(cards)
    for row in range(5):
        for column in range(COLUMNS):
            if table[row][column] == 2:
                return Play(cards, Card(column, FIFTH if row == 4 else 3 - row))
    return Play(cards)


def profile(name: str, version: int = 20070) -> Table:
    table = empty()
    table[0][0] = version
    for column, letter in enumerate(name.encode()):
        table[1][column] = letter
    return table


class RawClient:
    """A socket, and all that went through it."""

    def __init__(self, port: int, name: str = "raw") -> None:
        self.socket = socket.create_connection(("127.0.0.1", port), timeout=20)
        self.up, self.down = bytearray(), bytearray()
        self.send(profile(name))
        self.number = self.read_number()

    def send(self, table: Table) -> None:
        data = packed(table)
        self.socket.sendall(data)
        self.up += data

    def read(self, count: int) -> bytes:
        data = b""
        while len(data) < count:
            some = self.socket.recv(count - len(data))
            if not some:
                raise EOFError
            data += some
        self.down += data
        return data

    def read_table(self) -> Table:
        return unpacked(self.read(SIZE))

    def read_number(self) -> int:
        return int.from_bytes(self.read(4), "big")


def play_games(
    client: RawClient,
    choose: Callable[[Table, Table], Table],
    give: Callable[[Table, int], Table],
) -> None:
    """A client that does as it is asked until all is over."""
    over = 0
    while over != 2:
        first = client.read_table()
        if first[5][1]:
            client.send(give(first, first[5][1]))
        field = empty()
        over = 0
        while not over:
            hand = client.read_table()
            if hand[5][4]:
                field = empty()
            if hand[5][2]:
                client.send(choose(hand, field))
                assert client.read_number() in (8, 9)
            field = client.read_table()
            over = client.read_number()


@contextmanager
def threads(works: Sequence[Callable[[], None]]) -> Iterator[None]:
    """These run beside; what one raises is raised at the end."""
    raised: list[BaseException] = []

    def run(work: Callable[[], None]) -> None:
        try:
            work()
        except BaseException as error:
            raised.append(error)

    running = [threading.Thread(target=run, args=(work,), daemon=True) for work in works]
    for each in running:
        each.start()
    yield
    for each in running:
        each.join(30)
        assert not each.is_alive()
    if raised:
        raise raised[0]


def served(
    joins: Sequence[Callable[[int], Any] | _native.DaifugoPlayer],
    talk: Callable[[Any], None],
    *,
    games: int = 10,
    seed: int = 7,
    rank_period: int = 100,
    seat_period: int = 3,
    limit_s: float = 20.0,
    write_limit_s: float = 5.0,
    takes_chair: bool = False,
) -> tuple[Any, Any, Any, list[Any]]:
    """A match: who joins by a port, or one of our players. Games with records, faults, refused counts, the joined."""
    listener = _native.DaifugoUecdaListener("127.0.0.1", 0)
    chairs: list[Any] = []
    joined: list[Any] = []
    for number, join in enumerate(joins):
        if isinstance(join, _native.DaifugoPlayer):
            chairs.append(join)
            continue
        with threads([lambda join=join: joined.append(join(listener.port))]):  # type: ignore[misc]
            chairs.append(listener.accept(number, limit_s=20.0, write_limit_s=write_limit_s))
    match = _native.DaifugoUecdaMatch(chairs, last=games - 1, limit_s=limit_s, takes_chair=takes_chair)
    with threads([lambda each=each: talk(each) for each in joined]):  # type: ignore[misc]
        played, faults, refused = match.play(
            seed=seed, first=0, count=games, seat_period=seat_period, rank_period=rank_period, records=True
        )
        match.close()
    return played, faults, refused, joined


class Model:
    """What the contest's server sends in the games of a match, from the deals and the tables that it got."""

    def __init__(self, ups: Sequence[bytes]) -> None:
        """``ups``: all that each player sent."""
        self._ups = [[unpacked(up[at : at + SIZE]) for at in range(0, len(up), SIZE)] for up in ups]
        self.down = [bytearray() for _ in ups]
        self._last_profile = [tables.pop(0) for tables in self._ups][-1]
        # One table for everything, as it came in last.
        self._work = self._last_profile
        self._ranks = [0, 1, 2, 3, 4]
        self.refused_counts: list[list[int]] = []
        """Plays and gifts that are not legal, by game and player."""
        for player in range(5):
            self._tell(player, player)

    def _tell(self, player: int, number: int) -> None:
        self.down[player] += struct.pack(">i", number)

    def _send(self, player: int, table: Table) -> None:
        self.down[player] += packed([[max(0, cell) for cell in row] for row in table])

    def _state(self, seats: Sequence[int], hands: Sequence[Hand], ranked: bool, cells: Sequence[int]) -> None:
        """Rows 5 and 6: who acts, field empty, jack, revolution, lock."""
        self._work[5][:8] = [0, 0, 0, *cells]
        for seat, player in enumerate(seats):
            self._work[6][player] = len(hands[seat])
            self._work[6][10 + seat] = player
        if not ranked:
            self._work[6][5:10] = [0] * 5
            return
        for rank, player in enumerate(self._ranks):
            self._work[6][5 + player] = rank

    def _hand(self, hand: Hand) -> Table:
        return [*of_hand(hand)[:5], list(self._work[5]), list(self._work[6]), [0] * COLUMNS]

    def game(self, played: Any, game: int, is_last: bool) -> None:
        """Game ``game`` of games that were played."""
        self.refused_counts.append([0] * 5)
        seats = sorted(range(5), key=played.seats[game].tolist().__getitem__)
        before = played.before[game].tolist() if played.before[game, 0] >= 0 else None
        hands = tuple(map(hand_of, played.dealt[game].tolist()))
        if before is not None:
            self._ranks = [seats[seat] for seat in before]
        self._state(seats, hands, before is not None, [6, 0, 0, 0, 0])
        hands = self._exchanged(seats, hands, before)
        now = dealing.first_position(hands)
        stage, out = empty(), 0
        while not rules.is_over(now) and not rules.is_stalled(now):
            actor, field = seats[now.turn], now.field
            state = [int(field.play == PASS), 0, int(field.revolution), int(bool(field.lock))]
            self._state(seats, now.hands, before is not None, [actor, *state])
            for seat, player in enumerate(seats):
                table = self._hand(now.hands[seat])
                table[5][2] = int(player == actor)
                self._send(player, table)
            if field.play == PASS:
                stage = empty()
            self._work = self._ups[actor].pop(0)
            play = play_in(self._work)
            hand = now.hands[now.turn]
            legal = play == PASS or (play.cards <= hand and rules.illegal(hand, field, play) is None)
            play = play if legal else PASS
            self.refused_counts[-1][actor] += not legal
            self._tell(actor, 9 if play != PASS or (legal and field.play == PASS) else 8)
            hands = tuple(
                each - play.cards if seat == now.turn else each for seat, each in enumerate(now.hands)
            )
            if play != PASS:
                stage = [list(row) for row in self._work]
                suits = rules.suits_of(play)
                lone = play == LONE_JOKER
                lock = (
                    not lone and field.play not in (PASS, LONE_JOKER) and suits == rules.suits_of(field.play)
                )
                state = [0, 0, int(field.revolution != rules.turns_order(play)), int(lock)]
                if not hands[now.turn]:
                    self._ranks[out] = actor
                    out += 1
            self._state(seats, hands, before is not None, [actor, *state])
            stage[5], stage[6] = list(self._work[5]), list(self._work[6])
            now = rules.apply(now, play)
            over = rules.is_over(now) or rules.is_stalled(now)
            for player in range(5):
                self._send(player, stage)
                self._tell(player, (2 if is_last else 1) if over else 0)
        by_rank = sorted(range(5), key=played.ranks[game].tolist().__getitem__)
        self._ranks = list(by_rank)

    def _exchanged(
        self, seats: Sequence[int], hands: tuple[Hand, ...], before: list[int] | None
    ) -> tuple[Hand, ...]:
        """First tables and gifts; the hands when play begins."""
        gifts = list(dealing.tributes(hands, before)) if before is not None else []
        shown = list(hands)
        for gift in gifts:
            shown[gift.taker] |= gift.cards
        for seat, player in enumerate(seats):
            table = self._hand(shown[seat])
            rank = before.index(seat) if before is not None else 2
            table[5][:2] = [1, 2 - rank]
            self._send(player, table)
        if before is not None:
            for rank in (0, 1):
                giver, count = before[rank], 2 - rank
                self._work = self._ups[seats[giver]].pop(0)
                cards = hand_in(self._work)
                if len(cards) != count or not cards <= shown[giver]:
                    self.refused_counts[-1][seats[giver]] += 1
                    cards = dealing.strongest(shown[giver], count)
                gifts.append(Gift(giver, before[4 - rank], cards))
        self._work = empty()
        return dealing.give(hands, gifts)
