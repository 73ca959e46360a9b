"""What a search of Superpuzz can be told besides the deal."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from engines.contract.options import option


class Order(StrEnum):
    """In which order a census finds states."""

    depth = "depth"
    breadth = "breadth"


@dataclass(unsafe_hash=True)
class Options:
    """The options. Not frozen, so that jobs can inherit them."""

    order: Order = option(Order.depth, "With --census: in which order states are found.")
