"""Errors that a user can mend: one line that names the place and the way out."""

from __future__ import annotations


class UserError(Exception):
    """The user's error: printed as one line, exit status 2, no traceback.

    ``field`` names the place (a configuration key, a file, a position in a text); the message says what is
    wrong there and how to go on.
    """

    def __init__(self, field: str, message: str) -> None:
        super().__init__(f"{field}: {message}")
        self.field = field
        self.message = message

    def __reduce__(self) -> tuple[type, tuple[str, str]]:
        # Exceptions with more than one argument do not survive pickling (and so Ray) by themselves.
        return type(self), (self.field, self.message)


class DamagedFileError(UserError):
    """A stored file whose size, checksum, version or order is not what its manifest or header says."""


class DiskFullError(UserError):
    """The file system had no room left; what was finished is kept and the run can be resumed."""
