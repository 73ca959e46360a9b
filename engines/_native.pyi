"""The Rust core. Keys ("places") are uint64 arrays: (N,), or (N, 4), most significant word first, for wide ones."""

import numpy as np
import numpy.typing as npt

__version__: str

Keys = npt.NDArray[np.uint64]
Values = npt.NDArray[np.float64]
Bytes = npt.NDArray[np.uint8]

class Game:
    """The stack game: ``stacks`` (1 to 5; 8 with three boards or more), ``boards`` (1 to 4), ``cards`` a board.

    A layer is the number of cards left, 1 to boards * cards. ``general``: the general canonical form, with wide keys,
    also for one or two boards. ValueError names the argument that is out of range.
    """

    stacks: int
    boards: int
    cards: int
    words: int
    block_states: int

    def __init__(self, stacks: int, boards: int, cards: int, general: bool = False) -> None: ...
    def key_bits(self, layer: int) -> int: ...
    def start(self) -> Keys: ...
    def encode(self, before: list[int], forbidden: list[int]) -> Keys: ...
    def decode(self, layer: int, place: Keys) -> tuple[list[int], list[int]]: ...
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

class SuperpuzzResult:
    """What a search of one deal found; ``limit`` is "", "states", "memory" or "time".

    ``states_count``: states in the paper's sense (census, shortest), or those that the search stored (decide).
    ``wins_count``: census only. ``states_before_win_count``: states found when the first win was, 0 without one.
    ``moves``: uint8 (moves_count, 2), from-cell and to-cell, first move first, cells row by row; empty if not won.
    """

    outcome: str
    limit: str
    states_count: int
    wins_count: int
    states_before_win_count: int
    peak_bytes: int
    moves: Bytes

def superpuzz_census(
    cells: Bytes, columns: int, order: str, states_limit: int = 0, memory_bytes: int = 0, time_s: float = 0.0
) -> SuperpuzzResult: ...
def superpuzz_shortest(
    cells: Bytes, columns: int, states_limit: int = 0, memory_bytes: int = 0, time_s: float = 0.0
) -> SuperpuzzResult: ...
def superpuzz_decide(
    cells: Bytes, columns: int, states_limit: int = 0, memory_bytes: int = 0, time_s: float = 0.0
) -> SuperpuzzResult: ...

class KlondikeResult:
    """What a search of one position found.

    ``outcome`` is "won", "lost" or "undecided", ``limit`` "", "states", "memory" or "time".
    ``states_count``: states that the search stored. ``redeals_count``: redeals of the solution. ``cpu_s``: processor
    time of the search alone, without what Python does before and after it.
    ``moves``: uint8 (moves_count, 4), real moves in order: kind, from, to, count; empty if not won. Kinds: 0 column to
    column, 1 column to foundation, 2 waste to column, 3 waste to foundation, 4 foundation to column, 5 deal, 6 redeal.
    ``from`` and ``to`` are columns or suits, 0 for stock and waste; ``count``: cards moved.
    """

    outcome: str
    limit: str
    states_count: int
    redeals_count: int
    peak_bytes: int
    cpu_s: float
    moves: Bytes

def klondike_solve(
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
    mode: str,
    states_limit: int = 0,
    memory_bytes: int = 0,
    time_s: float = 0.0,
) -> KlondikeResult:
    """Solves a position. Cards are suit * 16 + rank, suits C, D, H, S, ranks from 1 to ``ranks`` (the kings).

    ``columns``: all columns' cards, bottom first, of 1 to 7 columns; ``lengths`` and ``face_down`` by column.
    ``stock``: first dealt first; ``waste``: bottom first; at most 24 cards together. ``foundations``: top ranks;
    ``ranks`` for a suit that is not in play. ``draw`` 1 or 3; ``redeals`` left, -1: unlimited; ``redeal_rule``
    "standard" or "carry". ``mode``: "decide", "shortest" (fewest moves, deals and redeals included) or "plain" (no
    pruning at all). Limits of 0 mean none; ``time_s`` is processor time of the calling thread.
    ValueError names the argument.
    """

def shuffled_deck(seed: int, index: int, cards_count: int) -> Bytes: ...
def as_stored(values: Values, value_type: str) -> Values: ...
def encode_block(keys: Keys, values: Values | None, value_type: str, key_bits: int) -> bytes: ...
def decode_block(block: Bytes) -> tuple[Keys, Values | None]: ...
def merge(lists: list[Keys], key_bits: int) -> Keys: ...
def table_digest(layer: int, keys: Keys, values: Values, value_type: str) -> tuple[int, int]: ...
