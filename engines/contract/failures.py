"""What failed, in one line, whether Python or the native core raised it."""

from __future__ import annotations


def reason_of(error: BaseException) -> str:
    """The kind of an error and what it says, on one line; of a panic of the native core also where it came from.

    A panic is no ``Exception``: PyO3 raises ``pyo3_runtime.PanicException``, which has the message alone.
    """
    reason = " ".join(f"{type(error).__name__}: {error}".split())
    if isinstance(error, Exception) or type(error).__name__ != "PanicException":
        return reason
    from engines import _native

    return f"{reason} (at {_native.panic_place()})"
