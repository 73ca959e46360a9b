"""The reason of a failure in one line, whether Python or the native core raised it."""

from __future__ import annotations


def reason_of(error: BaseException) -> str:
    """The kind and the message of an error, on one line; for a panic of the native core also its place.

    A panic is not an ``Exception``: PyO3 raises ``pyo3_runtime.PanicException``, which has only the message.
    """
    reason = " ".join(f"{type(error).__name__}: {error}".split())
    if isinstance(error, Exception) or type(error).__name__ != "PanicException":
        return reason
    from engines import _native

    return f"{reason} (at {_native.panic_place()})"
