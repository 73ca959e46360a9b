"""The bytes of a match of our clients at our server are those that were recorded."""

from __future__ import annotations

import sys
import zipfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[2] / "golden"))

import make_uecda_streams


def test_bytes_are_those_of_the_record() -> None:
    found = make_uecda_streams.streams()
    with zipfile.ZipFile(make_uecda_streams.STREAMS) as archive:
        assert sorted(archive.namelist()) == sorted(found)
        for name, data in found.items():
            assert archive.read(name) == data, name
