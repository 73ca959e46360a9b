"""The text form of a stack-game state, as in the paper (section 3.1), with relations across chains.

    [7{}] -> [1{1}]; [3{}] -> [1{1}]; 1.2 < 0.7

A chain is written node by node, the first to leave first: ``[count{stacks}]`` is ``count`` cards in a row,
none of which may go on the stacks in braces. A relation ``CARD < CARD`` says that the first card must leave
before the second; a card is named ``CHAIN.INDEX``. Chains, the cards of a chain and stacks count from 0, so
that ``1.2 < 0.7`` is "the third card of the second chain before the eighth card of the first". The grammar::

    state    = part { separator part }
    part     = [ chain | relation ]                   (a part may be empty)
    separator = ";" | end of line
    chain    = node { "->" node }                     (an arrow has one dash or more; a line may end after it)
    node     = "[" count "{" [ stack { "," stack } ] "}" "]"
    relation = card "<" card                          (of any two cards of the state, also of later parts)
    card     = chain-number "." index
    count, stack, chain-number, index = digits

Blanks mean nothing, and ``#`` starts a comment that ends with the line. There is at least one card and there
are at most 24. What follows from the text need not be said: the order is closed transitively, and a card may
not go where a card before it may not go. A card that may go on no stack is read like any other (the state is
dead). The number of stacks may come first: ``stacks=4;``. ``examples/*.state`` are examples.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import NoReturn

from engines.contract.source import Source
from engines.stackgame import rules
from engines.stackgame.chains import directly_before, fewest_chains
from engines.stackgame.rules import State
from engines.text.textfile import whole_number
from storage.errors import UserError

CARDS_MAX = 24
"""Largest number of cards of a state: two boards of twelve."""
STATE_BYTES = 1 << 16
"""Longest text of a state in bytes, with comments and blanks."""
STACKS, STACKS_MAX = 3, 8
"""Default number of stacks, and the largest."""

_STACKS = re.compile(r"\s*stacks\s*=\s*([0-9]{1,3})\s*(?:;|\n|$)", re.IGNORECASE)

_TOKEN = re.compile(
    r"(?P<blank>[^\S\n]+|#[^\n]*)|(?P<number>[0-9]+)|(?P<arrow>-+>)|(?P<mark>[\[\]{},;<.\n])|(?P<unknown>.)"
)
_END = "the end"


@dataclass(frozen=True)
class Form:
    """A state as it is written: its cards are numbered chain by chain."""

    state: State
    chains: tuple[tuple[int, ...], ...]
    """The cards of each chain, the first to leave first."""
    text: str
    """The parts as they were typed, on one line."""

    def name(self, card: int) -> tuple[int, int]:
        """Chain and index of a card, both from 0."""
        return next((number, chain.index(card)) for number, chain in enumerate(self.chains) if card in chain)


def stacks_told(text: str, name: str) -> tuple[int | None, str]:
    """The number of stacks that stands before a state, and the text with blanks in its place; None where none does.

    UserError that calls the text ``name`` for a number that is too small or too large.
    """
    match = _STACKS.match(text)
    if match is None:
        return None, text
    stacks = whole_number(match[1], STACKS_MAX)
    if not stacks:
        raise UserError(name, f"there are 1 to {STACKS_MAX} stacks")
    return stacks, re.sub(r"[^\n]", " ", match[0]) + text[match.end() :]


def parse(text: str, stacks: int) -> State:
    """Read a state; its cards are numbered chain by chain. UserError (one line, with the place) if bad."""
    return read(text, stacks).state


def read(text: str, stacks: int) -> Form:
    """Read a state together with its chains; UserError as for ``parse``."""
    return _Reader(Source(text, "state").read(STATE_BYTES), stacks).form()


def format(state: State) -> str:
    """Write a state of at least one card: the fewest chains, and no relation that follows from the others.

    ``parse`` gives the same state back, its cards numbered chain by chain; ``fewest_chains`` says which they are.
    States that differ by their labels only may be written differently: for one spelling, make them canonical.
    """
    return format_chains(state, fewest_chains(state))


def format_chains(state: State, chains: Sequence[Sequence[int]]) -> str:
    """As ``format``, with the cards in these chains, each in an order that the state has."""
    return "; ".join([*(_format_chain(state, chain) for chain in chains), *format_relations(state, chains)])


def format_relations(state: State, chains: Sequence[Sequence[int]]) -> list[str]:
    """The relations that do not follow from the chains and from one another."""
    names = {card: f"{i}.{j}" for i, chain in enumerate(chains) for j, card in enumerate(chain)}
    return [
        f"{names[a]} < {names[b]}"
        for chain in chains
        for b in chain
        for a in sorted(directly_before(state, b), key=lambda card: names[card])
        if a not in chain
    ]


def draw(form: Form) -> str:
    """A line a card: its name, the stacks where it may not go, and the cards that leave directly before it."""
    state = form.state
    numbers = [card for chain in form.chains for card in chain]
    names = {card: ".".join(map(str, form.name(card))) for card in numbers}
    rows = [("card", "not on stack", "after")]
    for card in numbers:
        stacks = [str(stack) for stack in range(state.stacks) if state.forbidden[card] >> stack & 1]
        before = sorted(directly_before(state, card), key=numbers.index)
        rows.append((names[card], " ".join(stacks) or "-", " ".join(names[each] for each in before) or "-"))
    lines = [f"{card:<6}{stacks:<14}{before}" for card, stacks, before in rows]
    return "\n".join([f"{state.cards_count} cards, {state.stacks} stacks", *lines])


def _format_chain(state: State, chain: Sequence[int]) -> str:
    nodes: list[list[int]] = []
    for card in chain:
        mask = state.forbidden[card]
        if nodes and nodes[-1][1] == mask:
            nodes[-1][0] += 1
        else:
            nodes.append([1, mask])
    return " -> ".join(
        f"[{count}{{{','.join(str(s) for s in range(state.stacks) if mask >> s & 1)}}}]"
        for count, mask in nodes
    )


@dataclass(frozen=True)
class _Token:
    kind: str
    """``number``, ``arrow``, ``unknown``, ``end``, or the mark itself."""
    text: str
    start: int


class _Reader:
    """Recursive descent over the tokens of one text."""

    def __init__(self, text: str, stacks: int) -> None:
        self._text = text
        self._stacks = stacks
        self._tokens = list(self._scan())
        self._next = 0
        self._chains: list[list[int]] = []
        self._forbidden: list[int] = []

    def form(self) -> Form:
        relations: list[tuple[_Token, tuple[int, int], tuple[int, int]]] = []
        while self._peek().kind != "end":
            token = self._peek()
            if token.kind == "[":
                self._chain()
            elif token.kind == "number":
                relations.append(self._relation())
            elif token.kind not in (";", "\n"):
                self._fail(token, "'[' or the number of a chain")
            if self._peek().kind not in (";", "\n", "end"):
                self._fail(self._peek(), "';'" + (" or '->'" if token.kind == "[" else ""))
            self._accept(";", "\n")
        if not self._chains:
            raise UserError("state", "there is no chain in it; a chain looks like [7{}] -> [1{1}]")
        state = self._closed(relations)
        return Form(state, tuple(map(tuple, self._chains)), self._one_line())

    def _chain(self) -> None:
        chain: list[int] = []
        self._chains.append(chain)
        while True:
            self._expect("[")
            token = self._peek()
            count = self._number("the number of cards")
            if count < 1 or len(self._forbidden) + count > CARDS_MAX:
                what = "a node has at least one card" if count < 1 else f"more than {CARDS_MAX} cards"
                raise UserError(self._place(token), what)
            mask = self._stack_set()
            self._expect("]")
            chain += range(len(self._forbidden), len(self._forbidden) + count)
            self._forbidden += [mask] * count
            if not self._accept("arrow"):
                return
            while self._accept("\n"):
                pass

    def _stack_set(self) -> int:
        self._expect("{")
        mask = 0
        while not self._accept("}"):
            if mask:
                self._expect(",", "',' or '}'")
            token = self._peek()
            stack = self._number("a stack number" if mask else "a stack number or '}'")
            if stack >= self._stacks:
                raise UserError(
                    self._place(token), f"stack {token.text} is not one of 0 to {self._stacks - 1}"
                )
            if mask >> stack & 1:
                raise UserError(self._place(token), f"stack {stack} is named twice")
            mask |= 1 << stack
        return mask

    def _relation(self) -> tuple[_Token, tuple[int, int], tuple[int, int]]:
        token = self._peek()
        first = self._card()
        self._expect("<")
        return token, first, self._card()

    def _card(self) -> tuple[int, int]:
        chain = self._number("the number of a chain")
        self._expect(".", "'.' and the index of a card")
        return chain, self._number("the index of a card")

    def _closed(self, relations: list[tuple[_Token, tuple[int, int], tuple[int, int]]]) -> State:
        before = [0] * len(self._forbidden)
        for chain in self._chains:
            for earlier, later in pairwise(chain):
                before[later] |= 1 << earlier
        seen = set()
        state = rules.close(self._stacks, before, self._forbidden)
        assert state is not None, "chains alone have no cycle"
        for token, first, second in relations:
            if (first, second) in seen:
                raise UserError(
                    self._place(token), f"this relation is there twice: {_relation(first, second)}"
                )
            seen.add((first, second))
            earlier, later = (self._find(token, name) for name in (first, second))
            closed = rules.close(
                self._stacks,
                [mask | (1 << earlier if card == later else 0) for card, mask in enumerate(state.before)],
                state.forbidden,
            )
            if closed is None:
                raise UserError(self._place(token), f"{_relation(first, second)} makes the order cyclic")
            state = closed
        return state

    def _find(self, token: _Token, name: tuple[int, int]) -> int:
        chain, index = name
        if chain >= len(self._chains) or index >= len(self._chains[chain]):
            raise UserError(self._place(token), f"there is no card {chain}.{index} (both count from 0)")
        return self._chains[chain][index]

    def _scan(self) -> Iterator[_Token]:
        position = 0
        while position < len(self._text):
            match = _TOKEN.match(self._text, position)
            assert match is not None, "the last alternative takes any character"
            kind = match.lastgroup or ""
            if kind != "blank":
                yield _Token(match.group() if kind == "mark" else kind, match.group(), position)
            position = match.end()
        yield _Token("end", _END, len(self._text))

    def _peek(self) -> _Token:
        return self._tokens[self._next]

    def _accept(self, *kinds: str) -> bool:
        if self._peek().kind not in kinds:
            return False
        self._next += 1
        return True

    def _expect(self, kind: str, what: str = "") -> None:
        if not self._accept(kind):
            self._fail(self._peek(), what or f"'{kind}'")

    def _number(self, what: str) -> int:
        token = self._peek()
        if not self._accept("number"):
            self._fail(token, what)
        # Longer ones are too large for anything here; int() itself refuses thousands of digits.
        return int(token.text) if len(token.text) <= 9 else 10**9

    def _fail(self, token: _Token, expected: str) -> NoReturn:
        found = (
            token.text
            if token.kind == "end"
            else "the end of the line"
            if token.kind == "\n"
            else repr(token.text)
        )
        raise UserError(self._place(token), f"expected {expected}, found {found}")

    def _place(self, token: _Token) -> str:
        line = self._text.count("\n", 0, token.start) + 1
        column = token.start - (self._text.rfind("\n", 0, token.start) + 1) + 1
        return (
            f"state, line {line}, column {column}"
            if "\n" in self._text.strip()
            else f"state, column {column}"
        )

    def _one_line(self) -> str:
        parts = re.split("[;\n]", re.sub("#[^\n]*", "", self._text))
        return "; ".join(" ".join(part.split()) for part in parts if part.strip())


def _relation(first: tuple[int, int], second: tuple[int, int]) -> str:
    return f"{first[0]}.{first[1]} < {second[0]}.{second[1]}"
