"""Which nodes of a cluster lack this machine's version of the package, and whether it can be sent to them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from storage.errors import UserError

NAMED_COUNT = 3
"""At most so many nodes are named in a message."""


@dataclass(frozen=True)
class Found:
    """What is found on a machine (``fingerprint``)."""

    host: str
    machine: str
    """Architecture, as ``x86_64``."""
    version: str
    """Version of the package; empty where it is missing."""
    digest: str
    """Digest of all files of its packages without the native core."""
    native: str
    """Digest of the native core."""
    problem: str
    """Why it cannot be imported, in words; empty if it can."""

    def has_the_files_of(self, other: Found) -> bool:
        """Whether both have the same package; native cores of different architectures are not compared."""
        return self.digest == other.digest and (self.machine != other.machine or self.native == other.native)


def nodes_to_send_to(here: Found, nodes: Iterable[Found]) -> list[Found]:
    """The nodes without the package as it is here; UserError when sending it is impossible or of no help."""
    lacking = [node for node in nodes if not node.has_the_files_of(here)]
    for node in lacking:
        if node.machine != here.machine:
            raise UserError(
                "cluster.address",
                f"node {node.host} is of the architecture {node.machine} and {_has(node)}; what is here is for "
                f"{here.machine}: install yamafuda {here.version} there",
            )
    check_usable(node for node in nodes if node not in lacking)
    return lacking


def check_usable(nodes: Iterable[Found]) -> None:
    """UserError naming a node that has the package but cannot import it."""
    for node in nodes:
        if node.problem:
            raise UserError(
                "cluster.address",
                f"node {node.host} cannot import the package ({node.problem}); install what yamafuda needs there",
            )


def sending(lacking: Sequence[Found], nodes_count: int) -> str:
    """In words, what is done for nodes that lack the package."""
    named = "; ".join(f"{node.host} {_has(node)}" for node in lacking[:NAMED_COUNT])
    more = f"; and {len(lacking) - NAMED_COUNT} more" if len(lacking) > NAMED_COUNT else ""
    return f"{len(lacking)} of {nodes_count} nodes lack the package as it is here ({named}{more}): it is sent to them"


def _has(node: Found) -> str:
    return f"has yamafuda {node.version}, other files" if node.version else "has no yamafuda"
