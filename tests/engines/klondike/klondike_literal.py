"""A second checker of Klondike's solutions under the report's rules: written from its text and its figures alone.

Cards are their names, stock and waste are lists, a redeal turns the waste over card by card. Nothing of the package is
used; every claim that a solution makes by its numbers is checked.
"""

from itertools import pairwise

RANKS = "A234567890JQK"


def rank(card: str) -> int:
    return RANKS.index(card[1]) + 1


def lies(card: str, below: str) -> bool:
    return (card[0] in "DH") != (below[0] in "DH") and rank(card) + 1 == rank(below)


class Table:
    """A deal, as a line of 52 cards: columns left to right, bottom first, then the stock, first dealt first."""

    def __init__(self, deal: str) -> None:
        names = deal.replace("T", "0").split()
        assert len(names) == len(set(names)) == 52
        self.columns: list[list[tuple[str, bool]]] = []
        for length in range(1, 8):
            begin = length * (length - 1) // 2
            cards = names[begin : begin + length]
            self.columns.append([(card, at == length - 1) for at, card in enumerate(cards)])
        self.stock = names[28:][::-1]
        self.waste: list[str] = []
        self.tops = dict.fromkeys("CDHS", 0)
        self.redeals = 0

    def put(self, kind: str, index: int, run: list[str]) -> None:
        if kind == "T":
            (card,) = run
            assert card[0] == "CDHS"[index]
            assert self.tops[card[0]] + 1 == rank(card)
            self.tops[card[0]] += 1
            return
        assert kind == "S"
        column = self.columns[index]
        if column:
            card, is_up = column[-1]
            assert is_up
            assert lies(run[0], card)
        else:
            assert rank(run[0]) == 13
        column.extend((card, True) for card in run)

    def deal(self, left: int, top: int) -> None:
        count = min(3, len(self.stock))
        assert count == 3 or (count > 0 and not self.waste)
        for _ in range(count):
            self.waste.append(self.stock.pop())
        assert (len(self.stock), len(self.waste)) == (left, top + 1)

    def redeal(self, number: int, left: int) -> None:
        assert len(self.stock) <= 2
        assert self.waste
        on_top = self.stock
        self.stock = []
        while self.waste:
            self.stock.append(self.waste.pop())
        self.stock += on_top
        self.redeals += 1
        assert (self.redeals, len(self.stock)) == (number, left)

    def from_column(self, source: int, kind: str, index: int) -> None:
        column = self.columns[source]
        if kind == "T":
            run = [column.pop()]
        else:
            assert source != index
            target = self.columns[index]
            begin = next(
                at
                for at, (card, is_up) in enumerate(column)
                if is_up and (lies(card, target[-1][0]) if target else rank(card) == 13)
            )
            run = column[begin:]
            del column[begin:]
        assert all(is_up for _, is_up in run)
        assert all(lies(above[0], below[0]) for below, above in pairwise(run))
        self.put(kind, index, [card for card, _ in run])
        if column:
            column[-1] = (column[-1][0], True)

    def move(self, text: str) -> None:
        source, i, kind, j = text[0], int(text[1:3], 16), text[3], int(text[4:6], 16)
        if source == "C":
            self.deal(i, j)
        elif source == "R":
            self.redeal(i, j)
        elif source == "W":
            assert len(self.waste) == i + 1
            self.put(kind, j, [self.waste.pop()])
        else:
            assert source == "S"
            self.from_column(i, kind, j)

    def finish(self) -> None:
        """Founds what is left, card by card, with one card of stock and waste at hand at most."""
        assert all(is_up for column in self.columns for _, is_up in column)
        piles = [[card for card, _ in column] for column in self.columns]
        piles.append(self.stock + self.waste)
        assert len(piles[-1]) <= 1
        while any(piles):
            pile = next(pile for pile in piles if pile and self.tops[pile[-1][0]] + 1 == rank(pile[-1]))
            self.tops[pile.pop()[0]] += 1
        assert list(self.tops.values()) == [13] * 4


def replay(deal: str, moves: list[str]) -> int:
    """The redeals of a solution, first move first; AssertionError or another one if it is none."""
    table = Table(deal)
    for move in moves:
        table.move(move)
    table.finish()
    return table.redeals
