"""How the pipeline handles each contract of engines: one object for sweeps, one for tables."""

from __future__ import annotations

from typing import Any

from pipeline.contracts.base import Contract
from pipeline.contracts.sweep import SweepContract
from pipeline.contracts.table import TableContract
from storage.errors import UserError

_CONTRACTS: dict[str, Contract[Any]] = {"sweep": SweepContract(), "table": TableContract()}


def contract_named(name: str) -> Contract[Any]:
    """The contract that an engine or a plan names; UserError for a name that this version does not know."""
    if name not in _CONTRACTS:
        raise UserError("contract", f"{name!r} is none of {', '.join(_CONTRACTS)}")
    return _CONTRACTS[name]
