"""The Rust core. Keys ("places") are uint64 arrays: (N,), or (N, 4), most significant word first, for wide ones."""

import os
from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

__version__: str
BUILD_PROFILE: str
"""Of cargo: ``dev`` or ``release``."""

def panic_place() -> str | None:
    """Where the last panic of the calling thread came from, as ``file:line``; None before the first one.

    A panic is a mistake in the core. It reaches Python as ``pyo3_runtime.PanicException``, a BaseException with the
    message alone; nothing is printed.
    """

def _panic_for_tests() -> None:
    """Panics; what Python makes of it is to be tested."""

class DamagedBlockError(ValueError):
    """A block that is not as it was written.

    ``block``: its number among those given; ``layer``: of those of a table of several layers, else None; ``reason``.
    """

    layer: int | None
    block: int
    reason: str

Keys = npt.NDArray[np.uint64]
Values = npt.NDArray[np.float64]
Bytes = npt.NDArray[np.uint8]

class Game:
    """The stack game: ``stacks`` (1 to 5; 8 with three boards or more), ``boards`` (1 to 4), ``cards`` a board.

    A layer is the number of cards left, 1 to boards * cards. ``form``: ``general`` for the general canonical form, with
    wide keys, also for one or two boards; ``indexed`` for their ranks as keys. ValueError names the argument that is
    out of range.
    """

    stacks: int
    boards: int
    cards: int
    words: int
    block_states: int

    def __init__(self, stacks: int, boards: int, cards: int, form: str = "auto") -> None: ...
    def key_bits(self, layer: int) -> int: ...
    def count(self, layer: int) -> int | None: ...
    def start(self) -> Keys: ...
    def encode(self, before: list[int], forbidden: list[int]) -> Keys: ...
    def decode(self, layer: int, place: Keys) -> tuple[list[int], list[int]]: ...
    def texts(self, layer: int, places: Keys) -> list[str]: ...
    def successors(self, layer: int, place: Keys) -> list[tuple[int, int, Keys]]: ...
    def solve(self, layer: int, place: Keys, max_states: int) -> float | None: ...
    def evaluate(self, layer: int, places: Keys, below: LayerReader | None) -> Values: ...
    def play(
        self, layers: list[LayerReader], seed: int, games: Keys
    ) -> tuple[npt.NDArray[np.bool_], npt.NDArray[np.uint8]]: ...

class LayerReader:
    """Look-ups in a finished layer; ``blocks``: read-only uint8 arrays of all its shards, ascending, read in place."""

    layer: int
    count: int

    def __init__(self, game: Game, layer: int, blocks: list[Bytes]) -> None: ...
    def lookup(self, keys: Keys) -> tuple[Values, npt.NDArray[np.uint8]]: ...

class TableReader:
    """Look-ups in a whole table; ``layers``: the readers of all its layers.

    Both methods give (values, codes): code 0 found, 1 dead (value 0), 2 too large for this table, 3 not reachable in
    it; NaN without a value. ``lookup`` takes layers (uint8) and keys; ``lookup_states`` pairs (before, forbidden).
    """

    def __init__(self, game: Game, layers: list[LayerReader]) -> None: ...
    def lookup(self, layers: Bytes, keys: Keys) -> tuple[Values, Bytes]: ...
    def lookup_states(self, states: list[tuple[list[int], list[int]]]) -> tuple[Values, Bytes]: ...

class Successors:
    """Collects the successors of a layer's states, each once, up to about ``capacity`` of them."""

    def __init__(self, game: Game, layer: int, capacity: int) -> None: ...
    def push(self, places: Keys) -> bool: ...
    def take(self) -> Keys: ...

class SearchLimits:
    """What a search may use, 0 for no limit: states, bytes of its own memory, seconds of its thread's processor time.

    ValueError names the argument.
    """

    states_count: int
    memory_bytes: int
    time_s: float

    def __init__(self, states_count: int = 0, memory_bytes: int = 0, time_s: float = 0.0) -> None: ...

class SearchResult:
    """What a search of one deal found.

    ``outcome`` is "won", "lost" or "undecided", ``limit`` None, "states", "memory" or "time": what was hit.
    ``states_count``: what the search counts as states. ``wins_count``: winning states, where all are counted.
    ``states_before_win_count``: states found when the first win was; None without one, or where that isn't counted.
    ``fewest_count``: no solution has fewer moves, where a shortest one was looked for and there is one; with a limit
    that was hit, ``moves`` is the best that is known.
    ``peak_bytes``: of the search's own memory. ``elapsed_s``: processor time of the search alone.
    ``moves``: uint8 (moves_count, bytes of a move), first move first; empty if not won.
    """

    outcome: str
    limit: str | None
    states_count: int
    wins_count: int | None
    states_before_win_count: int | None
    fewest_count: int | None
    peak_bytes: int
    elapsed_s: float
    moves: Bytes

class BestResult:
    """The position of a deal in which most cards have arrived, of all that any line of play reaches.

    ``count``: cards that have arrived after ``moves`` (as of ``SearchResult``). ``most_count``: no line of play gets
    more cards there; ``count`` unless a limit was hit. The others are those of ``SearchResult``.
    """

    count: int
    most_count: int
    limit: str | None
    states_count: int
    peak_bytes: int
    elapsed_s: float
    moves: Bytes

def superpuzz_census(
    cells: Bytes, columns: int, order: str, *, limits: SearchLimits | None = None
) -> SearchResult:
    """Finds all states that can be reached, in ``order`` "depth" or "breadth"; counts states in the paper's sense.

    ``cells``: row by row. Moves: from-cell and to-cell. ValueError names the argument.
    """

def superpuzz_shortest(cells: Bytes, columns: int, *, limits: SearchLimits | None = None) -> SearchResult:
    """Finds a solution of fewest moves; states are those that the search stored. Otherwise as ``superpuzz_census``."""

def superpuzz_decide(cells: Bytes, columns: int, *, limits: SearchLimits | None = None) -> SearchResult:
    """Finds a solution or proves that there is none; states are the classes of positions that the search stored."""

def superpuzz_best(cells: Bytes, columns: int, *, limits: SearchLimits | None = None) -> BestResult:
    """Finds the most cards that can be in their places: in sequence with an ace at the left edge of their row."""

class KlondikeGame:
    def __init__(
        self,
        columns: Bytes,
        lengths: Bytes,
        face_down: Bytes,
        stock: Bytes,
        waste: Bytes,
        foundations: Bytes,
        *,
        ranks: int,
        draw: int,
        redeals: int,
        redeal_rule: str,
        deal_last: bool,
        foundation_back: bool,
    ) -> None:
        """A position and its rules. Cards are suit * 16 + rank, suits C, D, H, S, ranks from 1 to ``ranks`` (kings).

        ``columns``: all columns' cards, bottom first, of 1 to 7 columns; ``lengths`` and ``face_down`` by column.
        ``stock``: first dealt first; ``waste``: bottom first; at most 24 cards together. ``foundations``: top ranks;
        ``ranks`` for a suit that is not in play. ``draw`` 1 or 3; ``redeals`` left, -1: unlimited; ``redeal_rule``
        "standard" or "carry". ValueError names the argument.
        """

def klondike_solve(game: KlondikeGame, *, mode: str, limits: SearchLimits | None = None) -> SearchResult:
    """Solves a position. ``mode``: "decide", "shortest" (fewest moves of cards and deals to the last card) or "plain"
    (no pruning at all). States are those that the search stored. Moves: kind, from, to, count. Kinds: 0 column to
    column, 1 column to foundation, 2 waste to column, 3 waste to foundation, 4 foundation to column, 5 deal, 6 redeal;
    ``from`` and ``to`` are columns or suits, 0 for stock and waste. ValueError names the argument.
    """

def klondike_best(game: KlondikeGame, *, limits: SearchLimits | None = None) -> BestResult:
    """Finds the most cards that can be on the foundations, those of suits not in play included.

    Moves are those of ``klondike_solve``.
    """

def calculation_open(
    deck: Bytes,
    *,
    stacks: int,
    laid: int = 0,
    limits: SearchLimits | None = None,
    cnf: os.PathLike[str] | None = None,
    proof: os.PathLike[str] | None = None,
) -> SearchResult:
    """Decides a deck of Calculation with all cards known: a solution, or that there is none.

    ``deck``: ranks from 1 in the order of draws, each four times, of 4 to 13 ranks. ``stacks``: 1 to 5. ``laid``:
    cards at its head that begin the game on the foundations, card f on foundation f, by moves of their own. States are
    dead ends, from each of which the search learnt a clause. Moves: from 255 (the drawn card) or a stack, to a
    foundation (0 to 3) or a stack (4 + its number). ``cnf``: file for the formula that is decided (DIMACS). ``proof``:
    file for the proof that it cannot be satisfied (DRAT as text); unless the deck is lost, it lacks its last line,
    ``0``. ValueError names the argument; OSError if a file cannot be written.
    """

class CalculationBest:
    """What the best play of Calculation wins from a position on, and the search for it.

    ``wins_count``: of the ``orders_count`` orders in which the ranks of the pile can be drawn; None if a limit was hit,
    ``limit``: "states", "memory" or "time". States are positions that the search stored; seconds are processor time.
    """

    wins_count: int | None
    orders_count: int
    limit: str | None
    states_count: int
    peak_bytes: int
    elapsed_s: float

def calculation_best(
    heights: list[int], stacks: list[list[int]], *, ranks: int, limits: SearchLimits | None = None
) -> CalculationBest:
    """The best play of Calculation without seeing the pile, exactly.

    A position between two draws: cards on each of the four foundations; ranks on each of 1 to 5 stacks, the lowest card
    first; all else is in the pile. ``ranks``: 4 to 6. ValueError names the argument.
    """

Cards = npt.NDArray[np.uint64]
Stands = npt.NDArray[np.int8]

def daifugo_legal_plays(hand: int, top: tuple[int, int], revolution: bool, lock: int) -> tuple[Cards, Stands]:
    """The legal plays of a hand, each once, as (cards, stands) like ``top``, the play on the field; no pass.

    Cards are sets of 53 bits: bit 4 * (column - 1) + suit, columns 1 to 13 for 3 to 2, suits C, D, H, S; 52 is the
    joker. ``stands``: 4 * column + suit of what a joker among other cards stands for, suit 4 as the fifth of a group,
    else -1. (0, -1) is a pass or an empty field. ``lock``: the locked suits, four bits. ValueError names the argument.
    """

class DaifugoGenerator:
    """A way to make worlds: rand, rand_d, rand_dr, known_d, he, exchange; reject and chain, by how likely
    the turns seen were if the rule-based player made them; reject_uniform and chain_uniform, if each play was as
    likely; reject_learnt and chain_learnt, by the learnt policy (``policy_weights``, ``policy_passes``).

    ``probabilities`` (256, 15) and ``seen`` (256,) are he's table: of the items of each class, and how often it was
    seen. Class: 64 * (cards left - 2), and 1, 4, 8 for two cards or more of 3-7, 9-Q, K-2 that were played, 2 for an 8,
    16 for a group, 32 for a sequence. Items: the ranks 3 to 2, a group, a sequence. ``tries``: worlds that reject tries
    for one; ``swaps``: of cards that chain tries from one world to the next.
    """

    def __init__(
        self,
        name: str,
        *,
        probabilities: Values | None = None,
        seen: Cards | None = None,
        tries: int = 16,
        swaps: int = 4,
        policy_weights: npt.NDArray[np.float32] | None = None,
        policy_passes: bool = False,
    ) -> None: ...

class DaifugoPlayer:
    """A player: random, rule or mc. All options are mc's; its budget is either ``playouts`` or ``time_s``.

    ``exchange_playouts``: for each card that might be given away; with ``time_s`` all cards share that time.
    ``policy`` of playouts: "uniform", "rule" or "learnt". ``endgame_positions``: positions that an exact search of two
    players' games may look at; 0: none is made. Times are processor time. ``bandit``: "ucb1" (the paper's),
    "ucb1_tuned", "thompson" or "even"; ``c``: the weight of what was seen little, for all but even. Of the learnt
    policy: ``policy_weights``, as many as ``daifugo_policy_groups`` says and a network's behind them if it has one
    (``daifugo_policy_network``), and ``policy_passes``, whether it may pass
    where a play is legal. ``lead``: standard errors by which the best play must be ahead for an early end, 0 for none.
    ``joint``: gifts are chosen as sets, with the budget of a play. ``prior``: points for each e-fold of a play's chance
    by the learnt policy. ``worth``: what a rank counts, first to last, within 1 to 5. ``pool``: worlds that are kept
    for all plays of a decision, 0 for none. ``sure``: plays that nobody can answer are looked for first;
    ``sure_playouts``: in learnt playouts too.
    """

    def __init__(
        self,
        kind: str,
        *,
        generator: DaifugoGenerator | None = None,
        playouts: int = 0,
        time_s: float = 0.0,
        exchange_playouts: int = 0,
        c: float = 4.0,
        policy: str = "uniform",
        endgame_positions: int = 0,
        bandit: str = "ucb1",
        policy_weights: npt.NDArray[np.float32] | None = None,
        policy_passes: bool = False,
        lead: float = 0.0,
        joint: bool = False,
        prior: float = 0.0,
        worth: Sequence[float] = (5.0, 4.0, 3.0, 2.0, 1.0),
        pool: int = 0,
        sure: bool = False,
        sure_playouts: bool = False,
    ) -> None: ...

class DaifugoKnowledge:
    """What the player at ``seat`` knows: its hand, the cards in each hand, the cards that are gone, what lies open.

    ``passed``, ``finished``: seats; ``turns``: (seat, cards, stands) of all turns if ``leader``, who had the first one,
    is given; else of plays in an order that is right for each seat. ``before``: the seats by their ranks in the game
    before. ``gave``, ``got``: the own part of the exchange. ValueError names what cannot be.
    """

    def __init__(
        self,
        *,
        seat: int,
        hand: int,
        counts: list[int],
        gone: int,
        top: tuple[int, int] = (0, -1),
        revolution: bool = False,
        lock: int = 0,
        turn: int,
        last: int,
        passed: list[int] = ...,
        passes: int = 0,
        finished: list[int] = ...,
        turns: list[tuple[int, int, int]] = ...,
        leader: int | None = None,
        before: list[int] | None = None,
        gave: int = 0,
        got: int = 0,
    ) -> None: ...

class DaifugoGames:
    """Games in a row. By game and player, shape (games, 5): ``seats``, ``ranks`` (0: the first), ``turns_count``,
    ``playouts_count``, ``elapsed_s`` (processor time).

    With records, by game and seat: ``before`` (the seats by rank in the game before, -1 without), ``dealt``, ``gave``,
    ``got``; and the turns of all games in one row, up to ``record_ends`` for each game. Without, these are empty.
    """

    seats: Bytes
    ranks: Bytes
    turns_count: npt.NDArray[np.uint32]
    playouts_count: Cards
    elapsed_s: Values
    before: npt.NDArray[np.int8]
    dealt: Cards
    gave: Cards
    got: Cards
    record_ends: Cards
    record_seats: Bytes
    record_cards: Cards
    record_stands: Stands

class DaifugoUecdaListener:
    """A port that is listened on; 0 is any that is free. OSError when it cannot be had."""

    def __init__(self, address: str, port: int) -> None: ...
    @property
    def port(self) -> int: ...
    def accept(self, number: int, *, limit_s: float, write_limit_s: float) -> DaifugoUecdaLink | None:
        """The next player who connects and gives its name in time; it gets ``number``. None if nobody does.

        A player that does not read what is sent for ``write_limit_s`` counts as closed.
        """

class DaifugoUecdaLink:
    """A connection; one match takes it away."""

    @property
    def name(self) -> str:
        """The name that it gave, without control characters."""

class DaifugoUecdaMatch:
    """Five players at a server, by number. ``last``: the last game; ``limit_s``: of a decision.

    ``takes_chair``: a fault takes the chair, which a random player has from then on, else it is a pass.
    """

    def __init__(
        self,
        chairs: list[DaifugoPlayer | DaifugoUecdaLink],
        *,
        last: int,
        limit_s: float,
        takes_chair: bool,
    ) -> None: ...
    def play(
        self,
        *,
        seed: int,
        first: int,
        count: int,
        seat_period: int,
        rank_period: int,
        records: bool,
        ranks: list[int] | None = None,
    ) -> tuple[DaifugoGames, Bytes, npt.NDArray[np.uint32]]:
        """Plays games as ``daifugo_games`` does; ``elapsed_s`` of a connection is the time that it was waited for.

        ``ranks``: the players by rank after the game before ``first``, which may be any one then; None: forgotten.

        Besides, shape (games, 5), by player: the first fault (0 none, 1 silence, 2 half a table, 3 garbage, 4 closed),
        and the plays and gifts that were refused.
        """

    def close(self) -> None:
        """Ends all connections."""

class DaifugoUecdaGame:
    """A game as a client saw it. By seat, a byte each, except ``seats``: the player at each seat.

    ``hands``: after the exchange, None where not all can be known; ``turns``: seat, cards and what the joker stands
    for; ``finished``: the seats by rank, None where they are not known; ``got``: empty where it is not known.
    """

    index: int
    seat: int
    seats: bytes
    before: bytes | None
    dealt: int
    gave: int
    got: int
    hands: list[int] | None
    turns: list[tuple[int, int, int]]
    finished: bytes | None
    breaks_count: int

class DaifugoUecdaGuest:
    """A client that has joined a server. ``first``: the number of the first game, which decides the player's dice.

    ConnectionError when it cannot join or play, or the server sends what means nothing; TimeoutError when nothing comes
    for ``patience_s``.
    """

    def __init__(
        self,
        host: str,
        port: int,
        name: str,
        player: DaifugoPlayer,
        *,
        seed: int,
        first: int,
        patience_s: float,
    ) -> None: ...
    @property
    def number(self) -> int: ...
    @property
    def is_over(self) -> bool:
        """Whether the server said that all games are over."""

    @property
    def refused_count(self) -> int:
        """Plays that the server refused; passes are none."""

    @property
    def breaks_count(self) -> int:
        """Tables that could not be, or did not follow from those before."""

    def play(self) -> DaifugoUecdaGame | None:
        """The next game; None if its first table was none."""

def daifugo_games(
    players: list[DaifugoPlayer],
    *,
    seed: int,
    first: int,
    count: int,
    seat_period: int,
    rank_period: int,
    records: bool = False,
    base: DaifugoGames | None = None,
    changed: int = 0,
) -> DaifugoGames:
    """Plays games ``first`` to ``first + count - 1`` of a seed; ``first`` is a multiple of ``rank_period``.

    Deals, seats and each player's dice follow from the seed and the game's number, whoever plays. ``base``: the same
    games with their records, with another one in the place of the player ``changed``. Each game begins with the ranks
    of the game before it there, and the others are not asked again for as long as they know what they knew there.
    """

def daifugo_he_counts(
    players: list[DaifugoPlayer], *, seed: int, first: int, count: int, seat_period: int, rank_period: int
) -> tuple[Cards, Cards]:
    """What he learns from such games: (5, 256) hands seen by player and class, (5, 256, 15) those that held an item."""

def daifugo_policy_examples(
    players: list[DaifugoPlayer],
    of: list[int],
    *,
    seed: int,
    first: int,
    count: int,
    seat_period: int,
    rank_period: int,
) -> tuple[npt.NDArray[np.uint16], Cards, Cards]:
    """Choices of the players ``of`` in such games: the features of all plays of all choices, shape (plays, groups);
    where each choice's plays end; and which of all plays was made.

    A feature is a place among the weights of the learnt policy. A pass is a play unless the field is empty.
    """

class DaifugoTrials:
    """Choices between plays, all of which were tried; made of columns, an entry a choice.

    ``hand``, ``unseen`` (cards of the others), ``top_cards`` and ``top_stands`` (the play to be beaten, a pass at a
    lead): bits of cards and what a joker stands for. ``counts`` (choices, 4): cards of each of the others, from the
    next seat on; ``active``: which of them may still play in the trick, a bit each; ``last``: who played last, 1 to 4,
    0 for the player itself. ``points``: mean points of each play of each choice in a row, in the order of
    ``daifugo_legal_plays``, a pass last if the policy may; ``ends``: where each choice's end. ValueError for choices
    that cannot be.
    """

    def __init__(
        self,
        *,
        hand: Cards,
        unseen: Cards,
        top_cards: Cards,
        top_stands: Stands,
        lock: npt.NDArray[np.uint8],
        revolution: npt.NDArray[np.bool_],
        counts: npt.NDArray[np.uint8],
        active: npt.NDArray[np.uint8],
        last: npt.NDArray[np.uint8],
        points: npt.NDArray[np.float32],
        ends: Cards,
    ) -> None: ...
    def __len__(self) -> int: ...
    def columns(self) -> list[tuple[str, npt.NDArray[Any]]]:
        """The columns by name."""

    def worth(self, weights: npt.NDArray[np.float32], passes: bool) -> float:
        """Mean points of a choice by a policy that goes on as the one tried; ValueError if it has other plays."""

    def improve(
        self,
        weights: npt.NDArray[np.float32],
        passes: bool,
        *,
        temperature: float,
        epochs: int,
        batch: int,
        rates: tuple[float, float],
        penalty: float,
    ) -> npt.NDArray[np.float32]:
        """Weights by which the mean of points and ``temperature`` times entropy is larger: gradient steps (Adam), the
        same on every call. ``rates``: the largest steps of weights of features and of a network's numbers.
        """

def daifugo_policy_trials(
    weights: npt.NDArray[np.float32],
    passes: bool,
    *,
    seed: int,
    first: int,
    count: int,
    every: int,
    playouts: int,
) -> DaifugoTrials:
    """What plays are worth in games of five players by a learnt policy: one choice in ``every``, its plays tried by so
    many ``playouts`` of the policy each, with the true hands.

    The policy is asked for no pass unless it ``passes``. Games are other ones than a tournament's of the same seed.
    """

def daifugo_policy_network() -> tuple[int, int]:
    """How many numbers a policy's network has, behind the weights of the groups, and how many make a row."""

def daifugo_policy_fresh_network(seed: int) -> npt.NDArray[np.float32]:
    """The numbers of a network that has learnt nothing: small ones by a seed."""

def daifugo_policy_groups() -> list[tuple[str, int]]:
    """Groups of features of the learnt policy, with the number of weights of each, in the order of the weights."""

def daifugo_evaluate(
    knowledge: DaifugoKnowledge, player: DaifugoPlayer, *, seed: int
) -> tuple[Cards, Stands, npt.NDArray[np.uint32], Values, Values]:
    """Legal plays, a pass included unless the field is empty: cards, stands, visits, mean scores, standard errors.

    NaN where there were no visits (for an error: fewer than two).
    """

def daifugo_choose(knowledge: DaifugoKnowledge, player: DaifugoPlayer, *, seed: int) -> tuple[int, int]: ...
def daifugo_give(knowledge: DaifugoKnowledge, player: DaifugoPlayer, *, seed: int) -> int:
    """The cards that the first or the second of the game before gives away, when it has got those of the other."""

def daifugo_worlds(
    knowledge: DaifugoKnowledge, generator: DaifugoGenerator, *, seed: int, count: int
) -> Cards:
    """Hands by seat in ``count`` worlds, shape (count, 5); the own place is 0."""

def shuffled_deck(seed: int, index: int, cards_count: int) -> Bytes: ...
def as_stored(values: Values, value_type: str) -> Values: ...
def encode_block(keys: Keys, values: Values | None, value_type: str, key_bits: int) -> bytes: ...
def decode_block(block: Bytes) -> tuple[Keys, Values | None]:
    """Keys and values; DamagedBlockError says what is wrong."""

def merge(lists: list[Keys], key_bits: int) -> Keys: ...
def table_digest(layer: int, keys: Keys, values: Values, value_type: str) -> tuple[int, int]: ...

class CalculationGames:
    """How games of Calculation went, an element a game. ``elapsed_s`` is processor time of the calling thread.

    ``cards_left``: cards not on a foundation at the end. ``draws_count``: draws after which some assignment had a stack
    for every card of the pile. ``evaluations_count``: assignments rated; ``lookups_count``: states looked up in the
    table, ``missing_count``: those that are not in it.
    """

    won: npt.NDArray[np.bool_]
    cards_left: Bytes
    draws_count: Bytes
    evaluations_count: npt.NDArray[np.uint64]
    lookups_count: npt.NDArray[np.uint64]
    missing_count: npt.NDArray[np.uint64]
    elapsed_s: Values

    def moves(self, game: int) -> Bytes:
        """Moves of a game, (moves, 2): from (a stack, or 255: the drawn card), to (a foundation, or 4 + a stack)."""

    def targets(self, game: int) -> Bytes:
        """After each draw the foundations of all cards on stacks, stack by stack, the lowest first; draw by draw.

        255 where every assignment contradicts itself.
        """

    def values(self, game: int) -> Values:
        """What each draw's play was worth."""

class CalculationPlayer:
    """Plays Calculation by a table of two boards of ``ranks`` - 1 cards and as many stacks.

    ``keep``: assignments of a position. ``look_ahead``: 0 to 2 draws. ``playouts``: games
    that are played out after each of the best plays, 0 for none. ``value`` of a position by its assignments:
    "max", "independent" or "norm" with its ``exponent`` (1 to 100). ``alike``: "once" or "all" of assignments with the
    same cards of the pile for each foundation and the same states. ``recast``: "drawn" or "none".
    ``edges``: "own": the boards of a state say themselves in which order cards come and where they may not go, or "all"
    four. ``exact_cards``: a state that is then in no table is worked out from those after it, and kept (20 bytes a
    state), if it has at most so many cards; of others each board counts as if it were alone.
    ``ties``: "foundation", "stack" or "last_stack". ``misfits``: "exchange" or "drop". ``eager``: whatever can be moved
    to a foundation is moved. ValueError names the argument. A damaged table: ValueError ``layer N, block N: reason``.
    """

    ranks: int
    stacks: int

    def __init__(
        self,
        table: TableReader,
        *,
        keep: int,
        look_ahead: int,
        playouts: int,
        value: str,
        exponent: float,
        alike: str,
        recast: str,
        edges: str,
        ties: str,
        misfits: str,
        eager: bool,
        exact_cards: int,
    ) -> None: ...
    def play(self, decks: Bytes) -> CalculationGames:
        """Plays decks, (N, 4 * ranks): ranks from 1, the first drawn first. One call at a time has the player."""

    def advise(
        self, heights: list[int], stacks: list[list[int]], drawn: int | None = None
    ) -> list[tuple[Bytes, float, list[list[int]] | None, list[float] | None, list[float]]]:
        """All plays of a drawn card, best first; without one, all that can be moved to foundations or left where it is.

        ``heights``: cards on each foundation; ``stacks``: ranks, the lowest first; the drawn card is in neither. A
        play: moves as in ``CalculationGames``, value, and, of its best assignment, targets by stack and the values of
        boards 0 to 3 and of pairs 01, 02, 03, 12, 13, 23; None when every assignment contradicts itself. Last its
        chances by playouts, one for each pile; empty if it is not tried.
        """

    def estimate(
        self, heights: list[int], stacks: list[list[int]], targets: list[list[int]]
    ) -> tuple[list[float], float] | None:
        """The ten values of an assignment and its estimate; None when it contradicts itself."""

TRICKS_CARDS_MAX: int

class TricksLayer:
    """A finished layer of trick taking; ``blocks``: read-only uint8 arrays of all its shards, read in place.

    Blocks have ``1 << block_patterns_log2`` patterns each, the last one fewer. ValueError names the block.
    """

    cards: int

    def __init__(self, points: str, cards: int, block_patterns_log2: int, blocks: list[Bytes]) -> None: ...
    def column(self, above: int, count: int) -> Bytes: ...

class TricksSolver:
    """Values of single deals of trick taking by one aim (``most``, ``fewest``); up to ``states_max`` states are kept.

    ``value``: Left's points; MemoryError when more states follow.
    """

    states_count: int

    def __init__(self, aim: str, states_max: int) -> None: ...
    def value(self, cards: int, pattern: int, above: int, count: int, left_leads: bool) -> int: ...

TricksRow = tuple[str, str, tuple[int, int, int, int], int, list[int], tuple[int, bool, int, int, int] | None]
"""Statement, hands (``conditions`` or ``all``), counts (deals, those that obey, cases, those that obey), least value,
how often it and those above it came, first counterexample (pattern, Left leads, card given, card got, value; ranks from
0)."""

def tricks_stride(points: str, cards: int) -> int: ...
def tricks_evaluate(
    points: str, aim: str, cards: int, first: int, count: int, below: TricksLayer | None
) -> Bytes: ...
def tricks_patterns(cards: int, first: int, count: int) -> npt.NDArray[np.uint32]: ...
def tricks_census(
    cards: int, above: int, count: int, aim: str, values: Bytes, more: Bytes | None
) -> tuple[list[TricksRow], list[tuple[int, int]]]: ...
def tricks_whist(owners: npt.NDArray[np.bool_], left_leads: bool) -> npt.NDArray[np.uint16]:
    """Left's tricks in deals of Whist of any size; ``owners`` (deals, 2n) marks Left's cards, the highest first."""

def tricks_whist_first_trick(owners: npt.NDArray[np.bool_]) -> npt.NDArray[np.uint16]:
    """Left's tricks for each pair of cards in the first trick, that one counted: (n, n), rows are Left's cards."""

def tricks_avoid(owners: npt.NDArray[np.bool_], count: int, left_leads: bool) -> npt.NDArray[np.uint16]:
    """Left's points in deals whose ``count`` highest cards are to be avoided, by the rule of play for that."""

def tricks_avoid_first_trick(owners: npt.NDArray[np.bool_], count: int) -> npt.NDArray[np.uint16]:
    """The same for each pair of cards in the first trick: (n, n), rows are Left's cards."""

def indexed_digest(layer: int, first: int, values: Bytes) -> tuple[int, int]: ...
