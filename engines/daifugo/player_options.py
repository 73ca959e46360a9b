"""The options of a player of Daihinmin, as jobs and commands have them."""

from __future__ import annotations

from dataclasses import dataclass, field, fields

from engines.daifugo.rules import PLAYERS
from storage.errors import UserError

PLAYOUTS_MAX = 1_000_000_000
LEARNT_LIKELIHOOD = "_learnt"
"""Ending of the names of generators that need the learnt policy's weights."""


@dataclass
class PlayerOptions:
    """The options of a player. All but ``kind`` are for the Monte-Carlo player (section 2.3 of the paper)."""

    kind: str = "mc"
    """random, rule or mc."""
    playouts: int | None = None
    """Playouts for each decision; either they or ``time_s`` are given."""
    time_s: float | None = None
    """Processor time for each decision. Games by time do not repeat."""
    exchange_playouts: int | None = None
    """For each card that might be given in the exchange; None: as many as for a decision."""
    bandit: str = "ucb1"
    """The bandit that chooses the next play to try: ucb1, as in the paper, ucb1_tuned, thompson or even."""
    c: float = 4.0
    """Weight of the term for plays with few visits."""
    policy: str = "uniform"
    """The policy of playouts: uniform (each play with the same probability), rule or learnt."""
    policy_passes: bool = False
    """Whether the learnt policy may pass where a play is legal."""
    weights: str | None = None
    """Of the learnt policy: a file (``policy``), which all nodes must find there, or the name of one of the package,
    like champion; None: the package's ``mixed``."""
    weights_sha256: str | None = None
    """Digest of the weights, as for the table."""
    generator: str = "rand"
    """How hidden cards are dealt in playouts: rand, rand_d, rand_dr, known_d, he, exchange, reject, chain and so on.

    reject_learnt and chain_learnt ask the learnt policy how likely plays were, reject and chain the rule-based player.
    """
    table: str | None = None
    """The table of he: a file or a run of ``job=daifugo_learn``; all nodes must find it there."""
    table_sha256: str | None = None
    """Digest of its counts, so that a run does not go on with others; computed when the job begins."""
    tries: int = 16
    """Tries of reject for each world."""
    swaps: int = 4
    """Steps of chain from one world to the next."""
    endgame_positions: int = 0
    """Most positions of an exact search when two players are left; 0 for no such search."""
    sure: bool = False
    """Whether a chain of plays that nobody can answer is looked for before any playout."""
    sure_playouts: bool = False
    """Whether the players of learnt playouts make plays that win for sure, where that is seen at once."""
    pool: int = 0
    """Worlds that are kept for all plays of a decision; 0: each playout has one of its own."""
    prior: float = 0.0
    """Points that a play is taken to be better for each e-fold of its chance by the learnt policy."""
    lead: float = 0.0
    """A decision ends early when the best play is ahead by so many standard errors of each other; 0: never."""
    joint: bool = False
    """Whether the cards of a gift are chosen together, with the budget of a play, instead of one by one."""
    worth: list[float] = field(default_factory=lambda: [5.0, 4.0, 3.0, 2.0, 1.0])
    """What a rank counts, first to last, each within 1 to 5: points, or what it is worth with the games that follow."""


def check_options(options: PlayerOptions, prefix: str) -> None:
    """UserError naming the option that is out of range."""
    if options.kind not in ("random", "rule", "mc"):
        raise UserError(f"{prefix}kind", f"{options.kind!r} is none of random, rule, mc")
    if options.kind != "mc":
        usual = PlayerOptions(options.kind)
        for each in fields(options):
            if getattr(options, each.name) != getattr(usual, each.name):
                raise UserError(f"{prefix}{each.name}", f"only mc has it, not {options.kind}")
        return
    if (options.playouts is None) == (options.time_s is None):
        raise UserError(f"{prefix}playouts", "either they or time_s must be given, the other null")
    if options.time_s is not None and not 0 < options.time_s <= 3600:
        raise UserError(f"{prefix}time_s", f"must be above 0 and at most 3600; got {options.time_s}")
    for name, least, most in (
        ("playouts", 1, PLAYOUTS_MAX),
        ("exchange_playouts", 1, PLAYOUTS_MAX),
        ("tries", 1, 1_000_000),
        ("swaps", 1, 1_000_000),
        ("endgame_positions", 0, PLAYOUTS_MAX),
        ("pool", 0, 1_000_000),
    ):
        value = getattr(options, name)
        if value is not None and not least <= value <= most:
            raise UserError(f"{prefix}{name}", f"must be {least} to {most}; got {value}")
    if options.joint and options.exchange_playouts is not None:
        raise UserError(f"{prefix}exchange_playouts", "joint has the budget of a play")
    if len(options.worth) != PLAYERS:
        raise UserError(f"{prefix}worth", f"{len(options.worth)} numbers; there are {PLAYERS} ranks")
    if options.generator != "he" and options.table is not None:
        raise UserError(f"{prefix}table", f"only the generator he has one, not {options.generator}")
    if not asks_policy(options):
        for name in ("weights", "policy_passes"):
            if getattr(options, name):
                raise UserError(f"{prefix}{name}", f"only the policy learnt has it, not {options.policy}")
    for name in ("prior", "sure_playouts"):
        if getattr(options, name) and options.policy != "learnt":
            raise UserError(f"{prefix}{name}", f"only the policy learnt has it, not {options.policy}")


def asks_policy(options: PlayerOptions) -> bool:
    """Whether it uses the learnt policy: in playouts, or for the probability of plays."""
    return options.policy == "learnt" or options.generator.endswith(LEARNT_LIKELIHOOD)


def lacks_table(options: PlayerOptions) -> bool:
    """Whether it needs a table, and none is given."""
    return options.generator == "he" and options.table is None
