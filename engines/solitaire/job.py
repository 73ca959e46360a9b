"""The job fields of all sweeps of solitaires: where deals come from, and the limits of their searches."""

from __future__ import annotations

import functools
import hashlib
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, ClassVar

from engines.contract.job import SEED_MAX, Job
from engines.contract.options import JOB, chosen, option, options_of
from engines.contract.span import Span
from engines.solitaire.game import DECIDE, FILE_BYTES, Solitaire
from engines.solitaire.limits import SearchLimits
from engines.text.textfile import read_text
from storage.errors import UserError

DEALS_MAX, INDEX_MAX = (1 << 40) - 1, (1 << 63) - 1
DEALS_OF_SEED = 1000
"""Number of deals of a seed when the job does not say."""


@dataclass
class DealsJob(Job):
    """Deals of a seed or a file. Subclasses add the game's options and sizes, and ``mode`` where there are several."""

    game: ClassVar[Solitaire[Any, Any, Any]]
    # A file is identified by its content, not by its path.
    span: ClassVar[Span | None] = Span("deals", "first", ("file",), ("deal_index",))

    deals: int | None = option(
        None, "How many deals; null: 1000 of a seed, all of a file.", least=1, most=DEALS_MAX, none="null"
    )
    first: int = option(
        0, "Index of the first deal; deal i of a seed is the same in every job.", most=INDEX_MAX
    )
    seed: int | None = option(1, "Null for deals of a file.", most=SEED_MAX, none="null")
    file: str | None = None
    """A file of deals as ``yamafuda solve`` reads them, instead of a seed; all nodes must find it at this path."""
    file_sha256: str | None = None
    """Digest of the file, so that a run does not go on with another one; computed when the job begins."""
    limits: SearchLimits = field(default_factory=SearchLimits)

    def check(self) -> None:
        """UserError naming the field that is out of range."""
        super().check()
        self.game.check_search(self.options(), self.searched(), JOB)
        if self.file is None:
            if self.seed is None:
                raise UserError("job.seed", "deals need a seed, or a file: job.file")
            return
        self.seed = None
        self.file = str(Path(self.file).resolve())
        if self.file_sha256 is None:
            text = read_text(Path(self.file), FILE_BYTES)
            self.file_sha256 = hashlib.sha256(text.encode()).hexdigest()
            self._check_deals_of_file(self._file_deals())

    def _check_deals_of_file(self, deals: list[Any]) -> None:
        if self.first + (self.deals or 1) > len(deals):
            raise UserError(
                "job.deals",
                f"{self.file} has {len(deals)} deals, not {self.deals or 1} from {self.first} on (null: all)",
            )
        for number, deal in enumerate(deals, start=1):
            for name, size in self.game.sizes_of(deal).items():
                if size != getattr(self, name):
                    raise UserError(
                        JOB + name, f"is {getattr(self, name)}, but {size} in deal {number} of {self.file}"
                    )

    def deal_s(self) -> float:
        """Mean time of a deal without limits, about, in seconds."""
        raise NotImplementedError

    def limited_deal_s(self) -> float:
        """Mean time of a deal within the job's limits, in seconds, for estimates."""
        return self.deal_s()

    def options(self) -> Any:
        """The game's options."""
        return chosen(self.game.options, vars(self))

    def sizes(self) -> dict[str, Any]:
        """The sizes of random deals."""
        return {name: getattr(self, name) for name in self.game.sizes}

    def searched(self) -> str:
        """The mode of the searches."""
        return str(getattr(self, "mode", DECIDE))

    def deals_count(self) -> int:
        """Deals of the job."""
        if self.deals is not None:
            return self.deals
        return DEALS_OF_SEED if self.file is None else len(self._file_deals()) - self.first

    def deal(self, index: int) -> Any:
        """Deal ``index`` of the seed or the file, from 0."""
        if self.file is None:
            assert self.seed is not None
            return self.game.random_deal(self.seed, index, **self.sizes())
        return self._file_deals()[index]

    def told(self) -> dict[str, Any]:
        """Sizes, options and mode by column, as rows have them."""
        columns = {each.name for each in options_of(type(self)) if each.column}
        told = {name: getattr(self, name) for name in columns}
        if hasattr(self, "mode"):
            told["mode"] = self.searched()
        return {name: str(value) if isinstance(value, str) else value for name, value in told.items()}

    def _file_deals(self) -> list[Any]:
        assert self.file is not None
        return _deals(self.game, self.file, self.file_sha256 or "")


@functools.lru_cache(maxsize=1)
def _deals(game: Solitaire[Any, Any, Any], file: str, sha256: str) -> list[Any]:
    """The deals of a file, read once in a process; UserError when the file has changed since the run began."""
    text = read_text(Path(file), FILE_BYTES)
    if hashlib.sha256(text.encode()).hexdigest() != sha256:
        raise UserError(file, "is not the file that the run began with")
    return game.read_deals(text, file)
