"""The referee of the stack game: the rules as they are defined, slow, plain, sharing no code with the core.

A **state** holds the cards that are still in the pile: a strict partial order on them ("must leave before")
and, for each card, the stacks where it may no longer go. Each turn one of the cards is drawn, uniformly, and
must be put on a stack; a state in which some card can go nowhere is **dead**. The game is won when the pile
is empty.
(Tanaka, "A calculation player program without using heuristic rules", sections 3 and 3.1.)
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from itertools import permutations, product


@dataclass(frozen=True)
class State:
    """Cards are numbered from 0, stacks from 0; bit ``i`` of a mask stands for card or stack ``i``."""

    stacks: int
    """Number of stacks."""
    before: tuple[int, ...]
    """For each card the mask of the cards that must leave before it, transitively closed."""
    forbidden: tuple[int, ...]
    """For each card the mask of the stacks where it may not go; cards after it have at least these."""

    @property
    def cards_count(self) -> int:
        """Number of cards in the pile."""
        return len(self.before)


@dataclass(frozen=True)
class Placement:
    """The best placement of a drawn card: the best stack (None: all lose) and the probability after it."""

    card: int
    stack: int | None
    probability: Fraction


def start(stacks: int, boards: int, cards: int) -> State:
    """The first state: ``boards`` chains of ``cards`` cards each, every stack open to all of them."""
    before = tuple(
        sum(1 << (board * cards + earlier) for earlier in range(card))
        for board in range(boards)
        for card in range(cards)
    )
    return State(stacks, before, (0,) * len(before))


def close(stacks: int, before: Iterable[int], forbidden: Iterable[int]) -> State | None:
    """The state with the order closed and forbidden stacks handed on; None if there is a cycle."""
    closed = list(before)
    for middle in range(len(closed)):
        for card in range(len(closed)):
            if closed[card] >> middle & 1:
                closed[card] |= closed[middle]
    if any(closed[card] >> card & 1 for card in range(len(closed))):
        return None
    own = list(forbidden)
    handed_on = list(own)
    for card in range(len(closed)):
        for earlier in _bits(closed[card]):
            handed_on[card] |= own[earlier]
    return State(stacks, tuple(closed), tuple(handed_on))


def is_dead(state: State) -> bool:
    """True when some card may go on no stack at all, so that the game can't be won any more."""
    return any(mask == (1 << state.stacks) - 1 for mask in state.forbidden)


def place(state: State, card: int, stack: int) -> State | None:
    """The state after ``card`` was drawn and put on ``stack``; None if that is not allowed or leads to death.

    The other cards keep their sequence; those above ``card`` are numbered one lower.
    """
    if state.forbidden[card] >> stack & 1:
        return None
    before = list(state.before)
    forbidden = list(state.forbidden)
    # Some y waits for a card of this stack; the new card lies above it, so it goes first, and so do those before it.
    for y in range(state.cards_count):
        if state.forbidden[y] >> stack & 1:
            before[y] |= 1 << card
    # Whatever waits for the new card must not lie above it.
    for y in range(state.cards_count):
        if state.before[y] >> card & 1:
            forbidden[y] |= 1 << stack
    after = close(state.stacks, before, forbidden)
    assert after is not None, "an allowed placement never makes a cycle"
    after = keep(after, [other for other in range(state.cards_count) if other != card])
    return None if is_dead(after) else after


def keep(state: State, cards: list[int]) -> State:
    """The state on ``cards`` alone, numbered in the given sequence."""
    return State(
        state.stacks,
        tuple(
            sum(1 << new for new, old in enumerate(cards) if state.before[card] >> old & 1) for card in cards
        ),
        tuple(state.forbidden[card] for card in cards),
    )


def rename(state: State, stacks: tuple[int, ...]) -> State:
    """The state with stack ``s`` called ``stacks[s]``."""
    return State(
        state.stacks,
        state.before,
        tuple(sum(1 << stacks[stack] for stack in _bits(mask)) for mask in state.forbidden),
    )


def same(a: State, b: State) -> bool:
    """True when some relabelling of the cards and some renaming of the stacks turns one state into the other.

    Plain search over all renamings, and over all relabellings card by card.
    """
    if a.stacks != b.stacks or a.cards_count != b.cards_count:
        return False
    return any(_match(rename(a, stacks), b, []) for stacks in permutations(range(a.stacks)))


def canonical(state: State) -> State:
    """One state that stands for all states that are ``same``.

    The least of all relabellings that number the cards by their signature (which no relabelling changes, and
    which starts with the number of cards before, so that the order is kept), each with its stacks in order.
    """
    signatures = _signatures(state)
    classes: dict[object, list[int]] = {}
    for card in sorted(range(state.cards_count), key=lambda card: signatures[card]):
        classes.setdefault(signatures[card], []).append(card)
    labellings = product(*(permutations(cards) for cards in classes.values()))
    relabelled = (keep(state, [card for part in parts for card in part]) for parts in labellings)
    return min((_with_sorted_stacks(each) for each in relabelled), key=lambda s: (s.before, s.forbidden))


def enumerate_layers(stacks: int, boards: int, cards: int) -> list[set[State]]:
    """All states that can be reached, in canonical form: a set per number of cards, the start first."""
    layers = [{canonical(start(stacks, boards, cards))}]
    for _ in range(boards * cards - 1):
        layers.append({canonical(after) for state in layers[-1] for after in _successors(state)})
    return layers


def probability(state: State, known: dict[State, Fraction] | None = None) -> Fraction:
    """The exact probability of success with the best placements (``float`` of it is correctly rounded).

    ``known`` takes and gives the values of canonical states, so that several calls share them.
    """
    if is_dead(state):
        return Fraction(0)
    if state.cards_count == 0:
        return Fraction(1)
    known = {} if known is None else known
    key = canonical(state)
    if key not in known:
        placements = best_placements(key, known)
        known[key] = sum((each.probability for each in placements), Fraction(0)) / key.cards_count
    return known[key]


def best_placements(state: State, known: dict[State, Fraction] | None = None) -> list[Placement]:
    """For each card that may be drawn the best stack; the first of several equally good ones."""
    known = {} if known is None else known
    placements = []
    for card in range(state.cards_count):
        best = Placement(card, None, Fraction(0))
        for stack in range(state.stacks):
            after = place(state, card, stack)
            value = Fraction(0) if after is None else probability(after, known)
            if value > best.probability:
                best = Placement(card, stack, value)
        placements.append(best)
    return placements


def _bits(mask: int) -> Iterator[int]:
    return (bit for bit in range(mask.bit_length()) if mask >> bit & 1)


def _successors(state: State) -> Iterator[State]:
    for card, stack in product(range(state.cards_count), range(state.stacks)):
        after = place(state, card, stack)
        if after is not None:
            yield after


def _match(a: State, b: State, image: list[int]) -> bool:
    """True when ``image``, the cards of ``b`` for the first cards of ``a``, can be completed."""
    card = len(image)
    if card == a.cards_count:
        return True
    for other in range(b.cards_count):
        if (
            other not in image
            and a.forbidden[card] == b.forbidden[other]
            and all(
                a.before[card] >> i & 1 == b.before[other] >> image[i] & 1
                and a.before[i] >> card & 1 == b.before[image[i]] >> other & 1
                for i in range(card)
            )
            and _match(a, b, [*image, other])
        ):
            return True
    return False


def _signatures(state: State) -> list[tuple[int, ...]]:
    """For each card numbers that no renaming changes; the number of cards before it comes first."""
    sizes = [sum(mask >> stack & 1 for mask in state.forbidden) for stack in range(state.stacks)]
    own = [
        (
            state.before[card].bit_count(),
            sum(mask >> card & 1 for mask in state.before),
            *sorted(sizes[stack] for stack in _bits(state.forbidden[card])),
        )
        for card in range(state.cards_count)
    ]
    rank = {signature: position for position, signature in enumerate(sorted(set(own)))}
    neighbours = [
        sorted(
            [rank[own[other]] for other in _bits(state.before[card])]
            + [-1 - rank[own[other]] for other in range(state.cards_count) if state.before[other] >> card & 1]
        )
        for card in range(state.cards_count)
    ]
    return [(*own[card], *neighbours[card]) for card in range(state.cards_count)]


def _with_sorted_stacks(state: State) -> State:
    """The state with its stacks renamed so that the sets of cards that they are forbidden to ascend."""
    columns = [
        sum(1 << card for card, mask in enumerate(state.forbidden) if mask >> stack & 1)
        for stack in range(state.stacks)
    ]
    ranked = sorted(range(state.stacks), key=lambda stack: columns[stack])
    return rename(state, tuple(ranked.index(stack) for stack in range(state.stacks)))
