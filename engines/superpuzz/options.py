"""Options of a search of Superpuzz."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from engines.contract.options import option


class Order(StrEnum):
    """The order in which a census visits states."""

    depth = "depth"
    breadth = "breadth"


@dataclass(unsafe_hash=True)
class Options:
    """The options. Not frozen, so that jobs can inherit them."""

    order: Order = option(Order.depth, "With --census: the order in which states are visited.")
