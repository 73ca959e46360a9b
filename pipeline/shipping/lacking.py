"""Which nodes of a cluster have not what this machine has, and whether it can be sent to them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from storage.errors import UserError

NAMED_COUNT = 3
"""Nodes that a message names at most."""


@dataclass(frozen=True)
class Found:
    """What is found on a machine (``fingerprint``)."""

    host: str
    machine: str
    """Architecture, as ``x86_64``."""
    version: str
    """Of the package; empty where there is none."""
    digest: str
    """Over all files of its packages but the native core."""
    native: str
    """Over its native core."""
    problem: str
    """Why it cannot be imported, in words; empty where it can."""

    def has_the_files_of(self, other: Found) -> bool:
        """Whether both have the same package; native cores of two architectures differ."""
        return self.digest == other.digest and (self.machine != other.machine or self.native == other.native)


def nodes_to_send_to(here: Found, nodes: Iterable[Found]) -> list[Found]:
    """The nodes that have not the package as it is here; UserError when sending it is impossible or no help."""
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
    """What is done about nodes that lack the package, in words."""
    named = "; ".join(f"{node.host} {_has(node)}" for node in lacking[:NAMED_COUNT])
    more = f"; and {len(lacking) - NAMED_COUNT} more" if len(lacking) > NAMED_COUNT else ""
    return f"{len(lacking)} of {nodes_count} nodes have not what is here ({named}{more}): it is sent to them"


def _has(node: Found) -> str:
    return f"has yamafuda {node.version}, other files" if node.version else "has no yamafuda"
