"""Exploring states of the stack game: the probability for every card that may come on every stack, and the state
after it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from engines.contract.exploring import Cell, Change, Explored, Explorer, Row
from engines.contract.options import option
from engines.stackgame import rules
from engines.stackgame.chains import fewest_chains
from engines.stackgame.positions import StackgamePositions
from engines.stackgame.rules import State
from engines.stackgame.text import CARDS_MAX, STACKS, STACKS_MAX, Form, format_chains
from engines.text.words import count_of
from storage.errors import UserError
from storage.place import Place

BOARDS_MAX = 4


@dataclass(unsafe_hash=True)
class Start:
    """The first state of a game."""

    stacks: int = option(STACKS, "Stacks.", least=1, most=STACKS_MAX)
    boards: int = option(2, "Boards: chains of cards.", least=1, most=BOARDS_MAX)
    cards: int = option(5, "Cards of each board.", least=1, most=CARDS_MAX)


class StackgameExplorer(Explorer):
    """By finished tables; small states are computed."""

    value_name, row_name, place_name = "probability of success", "card", "stack"
    start_options = Start
    table_command = "yamafuda run job=stackgame_table job.cards=8"
    examples = (
        ("The state of section 3.1 of the paper", "stacks=3; [7{}] -> [1{1}]; [3{}] -> [1{1}]; 1.2 < 0.7"),
    )

    def __init__(self) -> None:
        self._positions = StackgamePositions()

    def start(self, options: Start) -> str:
        """Each board is a chain, and every card may go on every stack."""
        if options.boards * options.cards > CARDS_MAX:
            raise UserError("cards", f"all boards together have at most {CARDS_MAX} cards")
        state = rules.start(options.stacks, options.boards, options.cards)
        return _text(state, fewest_chains(state))

    def stored_starts(self, tables: Place) -> list[tuple[str, str]]:
        """Of all tables that this version reads, by size."""
        from engines.stackgame.sharded import finished_tables

        jobs = [plan["job"] for _, plan in finished_tables(tables)]
        return [
            (
                f"{count_of(stacks, 'stack')}, {count_of(boards, 'board')} of {count_of(cards, 'card')}",
                self.start(Start(stacks, boards, cards)),
            )
            for stacks, boards, cards in sorted(
                {(job["stacks"], job["boards"], job["cards"]) for job in jobs}
            )
        ]

    def explore(self, text: str, tables: Place, computing: bool, editing: bool) -> Explored | None:
        """As of the base class."""
        from engines.stackgame.computed import too_large
        from engines.stackgame.prob import TABLE, known_of

        (form,) = self._positions.read(text, "state")
        if not form.chains:
            return Explored(self._positions.write(form), "", 1.0, "", "", "won", (), (), ())
        found = known_of(form, tables, computing)
        if found is None and not computing:
            return None
        known, plays = found or (None, [])
        worth = {(play.chain, play.index, play.stack): play.probability for play in plays}
        return Explored(
            text=self._positions.write(form),
            canonical=f"stacks={form.state.stacks}; {known.canonical}" if known and known.canonical else "",
            value=known.probability if known is not None else None,
            stored=known.stored.removeprefix(TABLE) if known is not None else "",
            problem=too_large(form.state).message if known is None else "",
            ending="lost" if rules.is_dead(form.state) else "",
            places=tuple(map(str, range(form.state.stacks))),
            rows=tuple(_rows(form, None if known is None else worth, editing)),
            changes=tuple(_changes(form)) if editing else (),
        )


def _rows(form: Form, worth: dict[tuple[int, int, int], float] | None, editing: bool) -> Iterator[Row]:
    for number, chain in enumerate(form.chains):
        for index, card in enumerate(chain):
            values = [
                None if worth is None else worth.get((number, index, stack), 0.0)
                for stack in range(form.state.stacks)
            ]
            best = max((value for value in values if value is not None), default=None)
            cells = [_cell(form, card, stack, value, best, editing) for stack, value in enumerate(values)]
            yield Row(f"{number}.{index}", best, tuple(cells))


def _cell(form: Form, card: int, stack: int, value: float | None, best: float | None, editing: bool) -> Cell:
    state = form.state
    is_allowed = not state.forbidden[card] >> stack & 1
    after = rules.place(state, card, stack)
    return Cell(
        is_allowed=is_allowed,
        value=value if is_allowed else None,
        is_best=is_allowed and bool(value) and value == best,
        after="" if after is None else _text(after, _without(form.chains, card)),
        changed=_text(_with_stack(state, card, stack, is_allowed), form.chains) if editing else "",
    )


def _changes(form: Form) -> Iterator[Change]:
    state, chains, new = form.state, form.chains, form.state.cards_count
    for number, chain in enumerate(chains):
        if new < CARDS_MAX:
            longer = [*chains[:number], (*chain, new), *chains[number + 1 :]]
            yield Change(f"a card more in chain {number}", _text(_with_card(state, chain[-1]), longer))
        if new > 1:
            others = [card for card in range(new) if card != chain[-1]]
            shorter = _text(rules.keep(state, others), _without(chains, chain[-1]))
            yield Change(f"without card {number}.{len(chain) - 1}", shorter)
    if new < CARDS_MAX and len(chains) < BOARDS_MAX:
        yield Change("a chain more", _text(_with_card(state, None), [*chains, (new,)]))
    if state.stacks < STACKS_MAX:
        yield Change("a stack more", _text(State(state.stacks + 1, state.before, state.forbidden), chains))
    if state.stacks > 1:
        last = state.stacks - 1
        masks = tuple(mask & ~(1 << last) for mask in state.forbidden)
        yield Change(f"without stack {last}", _text(State(last, state.before, masks), chains))


def _text(state: State, chains: Sequence[Sequence[int]]) -> str:
    return f"stacks={state.stacks}; {format_chains(state, chains)}".rstrip()


def _without(chains: Sequence[Sequence[int]], card: int) -> list[list[int]]:
    """The chains without a card; those above it are numbered one lower, as ``rules`` numbers them."""
    left = [[each - (each > card) for each in chain if each != card] for chain in chains]
    return [chain for chain in left if chain]


def _with_stack(state: State, card: int, stack: int, is_allowed: bool) -> State:
    """With a stack forbidden to a card and so to those after it, or allowed to it and so to those before it."""
    masks = list(state.forbidden)
    if is_allowed:
        masks[card] |= 1 << stack
    else:
        for earlier in range(state.cards_count):
            if earlier == card or state.before[card] >> earlier & 1:
                masks[earlier] &= ~(1 << stack)
    closed = rules.close(state.stacks, state.before, masks)
    assert closed is not None, "the order is as it was"
    return closed


def _with_card(state: State, last: int | None) -> State:
    """With a card that leaves after ``last``, forbidden as much as it; or a free one."""
    before = 0 if last is None else state.before[last] | 1 << last
    forbidden = 0 if last is None else state.forbidden[last]
    return State(state.stacks, (*state.before, before), (*state.forbidden, forbidden))
