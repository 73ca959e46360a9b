"""What may become of a file: each changes one by chance."""

from __future__ import annotations

import json
import random
import shutil
from collections.abc import Callable
from pathlib import Path


def cut(path: Path, chance: random.Random) -> None:
    data = path.read_bytes()
    path.write_bytes(data[: chance.randrange(len(data))])


def flip(path: Path, chance: random.Random) -> None:
    data = bytearray(path.read_bytes())
    data[chance.randrange(len(data))] ^= 1 << chance.randrange(8)
    path.write_bytes(data)


def zero(path: Path, chance: random.Random) -> None:
    data = bytearray(path.read_bytes())
    first = chance.randrange(len(data))
    last = chance.randrange(first, len(data)) + 1
    data[first:last] = bytes(last - first)
    path.write_bytes(data)


def scramble(path: Path, chance: random.Random) -> None:
    path.write_bytes(chance.randbytes(path.stat().st_size))


def retype(path: Path, chance: random.Random) -> None:
    """JSON with one value of another type, or with a key less; other files become JSON."""
    try:
        value = json.loads(path.read_bytes())
    except ValueError:
        value = {}
    holders = [value]
    for each in holders:
        if isinstance(each, dict | list):
            holders += each.values() if isinstance(each, dict) else each
    holder = chance.choice([each for each in holders if isinstance(each, dict | list) and each] or [[0]])
    key = chance.choice(list(holder) if isinstance(holder, dict) else range(len(holder)))
    if chance.random() < 0.3:
        del holder[key]
    else:
        holder[key] = chance.choice([None, True, -1, 1e300, 10**30, "", "text", [], [1], {}, {"a": {}}])
    path.write_text(json.dumps(chance.choice([value, value, value, holder, None, 3, []])))


def to_folder(path: Path, chance: random.Random) -> None:
    path.unlink()
    path.mkdir()


def remove(path: Path, chance: random.Random) -> None:
    path.unlink()


def to_file(path: Path, chance: random.Random) -> None:
    """The folder that it is in becomes a file."""
    shutil.rmtree(path.parent)
    path.parent.write_text("no folder")


DAMAGES: list[Callable[[Path, random.Random], None]] = [
    cut, flip, zero, scramble, retype, to_folder, remove, to_file,
]  # fmt: skip
