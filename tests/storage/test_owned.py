"""Who has lost objects to another owner overwrites nothing of that one's; late words of the first are replaced."""

from __future__ import annotations

import pytest

from storage.errors import UserError
from storage.stores.objects import ObjectStore
from storage.stores.owned import owning


class LostError(Exception):
    """They are another's."""


def yes() -> None:
    """Whoever asks is still the owner."""


def no() -> None:
    raise LostError


def test_who_is_owner_no_longer_overwrites_nothing(bucket: str) -> None:
    first, second = ObjectStore(bucket), ObjectStore(bucket)
    with owning(first, "run", ["run", "run/units"], "run/lock", no):
        first.replace("run/summary", b"first")
        first.replace("run/summary", b"first again")
        with owning(second, "run", ["run", "run/units"], "run/lock", yes):
            second.replace("run/summary", b"second")
            second.replace("run/units/1", b"second")
        for name in ("run/summary", "run/units/1"):
            with pytest.raises(LostError):
                first.replace(name, b"too late")
            assert second.read(name) == b"second"
        with pytest.raises(LostError):
            first.remove("run/summary")
        assert second.read("run/summary") == b"second"


def test_late_words_of_an_earlier_owner_are_replaced(bucket: str) -> None:
    first, second = ObjectStore(bucket), ObjectStore(bucket)
    with (
        owning(first, "run", ["run"], "run/lock", no),
        owning(second, "run", ["run"], "run/lock", yes),
    ):
        first.replace("run/new", b"late")
        second.replace("run/new", b"owner")
        assert second.read("run/new") == b"owner"
        first.replace("run/gone", b"late")
        second.replace("run/gone", b"owner")
        first.owned[0]._tags.clear()
        second.remove("run/gone")
        first.replace("run/gone", b"late")
        second.replace("run/gone", b"owner again")
        assert second.read("run/gone") == b"owner again"


def test_what_an_owner_does_not_replace(bucket: str) -> None:
    store = ObjectStore(bucket)
    store.replace("run/old", b"one")
    with owning(store, "run", ["run"], "run/lock", no):
        store.replace("run/old", b"two")
        for name in ("run/lock", "runs/other"):
            store.replace(name, b"one")
            store.replace(name, b"two")
        tag = store.put_tagged("run/part", b"of a unit")
        assert tag is not None
        assert store.replace("run/part", b"on a condition", tag)
        store.remove("run/part")
    store.replace("run/old", b"three")
    assert store.read("run/old") == b"three"


def test_an_owner_of_a_store_that_does_not_answer_is_told(bucket: str) -> None:
    store = ObjectStore(f"{bucket}-that-is-not-there")
    with pytest.raises(UserError, match="no such bucket"), owning(store, "run", ["run"], "run/lock", no):
        pass
    assert not store.owned
