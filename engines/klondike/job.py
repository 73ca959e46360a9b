"""What the sweeps of Klondike have in common: where deals come from, by which rules and limits they are searched."""

from __future__ import annotations

import functools
import hashlib
from dataclasses import dataclass, field
from pathlib import Path

from engines.contract.job import Job
from engines.klondike.core import random_deal
from engines.klondike.rules import DRAWS, REDEALS_MAX, Position, RedealRule, Rules
from engines.klondike.solve import FILE_BYTES
from engines.klondike.text import read_deals
from engines.solitaire.limits import SearchLimits, check_deals
from engines.text.textfile import read_text
from storage.errors import UserError

DEALS_OF_SEED = 1000
"""How many deals of a seed are taken when the job does not say."""
UNIT_S = 30
"""Work of a unit: most deals take far less than the mean, and a few take seconds."""
DEALS_A_UNIT = 1000
"""At most."""


@dataclass
class KlondikeJob(Job):
    """Fields of ``conf/job/klondike_sweep.yaml`` and ``klondike_deals.yaml``. The rules are those of ``Rules``."""

    deals: int | None = None
    """How many; None for 1000 of a seed, all of a file."""
    first: int = 0
    """Index of the first deal; deal i of a seed is the same in every job."""
    seed: int | None = 1
    """None for deals of a file."""
    file: str | None = None
    """Deals as ``yamafuda solve klondike`` reads them, in place of a seed's; all nodes must find it there."""
    file_sha256: str | None = None
    """Of the file, so that a run does not go on with another one; found out when the job begins."""
    draw: int = 3
    redeals: int | None = None
    redeal_rule: RedealRule = RedealRule.carry
    deal_last: bool = True
    foundation_back: bool = False
    limits: SearchLimits = field(default_factory=SearchLimits)

    def check(self) -> None:
        """UserError naming the field that is out of range."""
        if self.draw not in DRAWS:
            raise UserError("job.draw", f"must be 1 or 3; got {self.draw}")
        if self.redeals is not None and not 0 <= self.redeals <= REDEALS_MAX:
            raise UserError("job.redeals", f"{self.redeals} is not in 0..{REDEALS_MAX}; null is unlimited")
        if self.file is None:
            if self.seed is None:
                raise UserError("job.seed", "deals need a seed, or a file: job.file")
            check_deals(self.deals, self.first, self.seed)
            return
        check_deals(self.deals, self.first, 0)
        self.seed = None
        self.file = str(Path(self.file).resolve())
        if self.file_sha256 is None:
            text = read_text(Path(self.file), FILE_BYTES)
            self.file_sha256 = hashlib.sha256(text.encode()).hexdigest()
            count = len(self._file_deals())
            if self.first + (self.deals or 1) > count:
                raise UserError(
                    "job.deals", f"{self.file} has {count} deals, not {self.deals or 1} from {self.first} on"
                )

    def rules(self) -> Rules:
        """As the referee and the core take them."""
        return Rules(
            draw=self.draw,
            redeals=self.redeals,
            redeal_rule=RedealRule(self.redeal_rule),
            deal_last=self.deal_last,
            foundation_back=self.foundation_back,
        )

    def deal_s(self) -> float:
        """Seconds a deal in the mean, for estimates and units: rounded from 100 to 300 random deals for each rule."""
        rules = self.rules()
        if rules.draw == 1:
            return 0.02 if rules.redeals is None else 0.15
        if rules.redeals == 0:
            return 0.005
        if rules.redeals is None and rules.redeal_rule == RedealRule.carry:
            return 0.05 if rules.deal_last else 0.25
        return 0.03

    def deals_a_unit(self) -> int:
        """So that units take about as long by any rules."""
        return min(DEALS_A_UNIT, round(UNIT_S / self.deal_s()))

    def deals_count(self) -> int:
        """Deals of the job."""
        if self.deals is not None:
            return self.deals
        return DEALS_OF_SEED if self.file is None else len(self._file_deals()) - self.first

    def deal(self, index: int) -> Position:
        """Deal ``index`` of the seed or the file, from 0."""
        if self.file is None:
            assert self.seed is not None
            return random_deal(self.seed, index)
        return self._file_deals()[index]

    def _file_deals(self) -> list[Position]:
        assert self.file is not None
        return _deals(self.file, self.file_sha256 or "")


@functools.lru_cache(maxsize=1)
def _deals(file: str, sha256: str) -> list[Position]:
    """The deals of a file, read once in a process; UserError when it is not the file that the run began with."""
    text = read_text(Path(file), FILE_BYTES)
    if hashlib.sha256(text.encode()).hexdigest() != sha256:
        raise UserError(file, "is not the file that the run began with")
    return read_deals(text, file)
