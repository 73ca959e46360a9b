"""Counts for a statement over many deals."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from engines.tricks.deal import standard

if TYPE_CHECKING:
    from engines import _native


@dataclass(frozen=True)
class Case:
    """A deal with a leader and, of swaps, the cards that Left gives and gets (ranks from 1)."""

    pattern: int
    left_leads: bool
    gives: int | None
    gets: int | None
    gain: int


@dataclass
class Tally:
    """Deals and cases that a statement is about, those that obey it, how often each gain came, a counterexample."""

    deals_count: int = 0
    deals_obeying_count: int = 0
    cases_count: int = 0
    cases_obeying_count: int = 0
    gain_counts: dict[int, int] = field(default_factory=dict)
    first: Case | None = None

    @classmethod
    def of_core(cls, row: _native.TricksRow) -> Tally:
        """From what the core counted."""
        _, _, counts, least, extent, case = row
        tally = cls(*counts, gain_counts=dict(enumerate(extent, start=least)))
        if case is not None:
            pattern, left_leads, gives, gets, gain = case
            is_swap = gives != gets
            tally.first = Case(
                pattern, left_leads, gives + 1 if is_swap else None, gets + 1 if is_swap else None, gain
            )
        return tally

    def add_known(
        self,
        patterns: npt.NDArray[np.uint32],
        chosen: npt.NDArray[np.bool_],
        gain: npt.NDArray[np.int8],
    ) -> None:
        """Count deals whose value is known: a gain of 0 obeys.

        ``chosen`` and ``gain`` (2, deals): with Left in the lead, then with Right.
        """
        wrong = chosen & (gain != 0)
        for each, count in zip(*np.unique(gain[chosen], return_counts=True), strict=True):
            self.gain_counts[int(each)] = self.gain_counts.get(int(each), 0) + int(count)
        self.cases_count += int(chosen.sum())
        self.cases_obeying_count += int((chosen & ~wrong).sum())
        self.deals_count += int(chosen.any(0).sum())
        self.deals_obeying_count += int((chosen.any(0) & ~wrong.any(0)).sum())
        if self.first is None and wrong.any():
            at = int(np.flatnonzero(wrong.any(0))[0])
            left_leads = bool(wrong[0, at])
            self.first = Case(
                int(patterns[at]), left_leads, None, None, int(gain[0 if left_leads else 1, at])
            )

    def row(self, cards: int) -> dict[str, Any]:
        """The columns of ``job=tricks_theorems``."""
        seen = sorted(gain for gain, count in self.gain_counts.items() if count)
        case = self.first
        return {
            "deals_count": self.deals_count,
            "deals_obeying_count": self.deals_obeying_count,
            "cases_count": self.cases_count,
            "cases_obeying_count": self.cases_obeying_count,
            "least": seen[0] if seen else None,
            "most": seen[-1] if seen else None,
            "gain_counts": [self.gain_counts.get(gain, 0) for gain in range(seen[0], seen[-1] + 1)]
            if seen
            else [],
            "counterexample": None if case is None else standard(cards, case.pattern),
            "leader": None if case is None else "left" if case.left_leads else "right",
            "gives": None if case is None else case.gives,
            "gets": None if case is None else case.gets,
            "gain": None if case is None else case.gain,
        }
