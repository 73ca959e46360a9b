"""A host with an S3 server (moto), behind the proxy that makes it fail."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

from hosts import Host
from runs import wait_until

HERE = Path(__file__).parent
PORT, SERVER_PORT = 9000, 5000
BUCKET = "runs"
WORD = "/tmp/word"


class StoreHost:
    """A store that is up, with an empty bucket."""

    def __init__(self, host: Host) -> None:
        self._host = host
        python = sys.executable
        host.popen(str(Path(python).parent / "moto_server"), "-p", str(SERVER_PORT), log="moto")
        host.popen(python, str(HERE / "faulty_store.py"), str(PORT), str(SERVER_PORT), WORD, log="proxy")
        wait_until(self._has_bucket, "a bucket")

    @property
    def environment(self) -> dict[str, str]:
        """What hosts that use it have in theirs."""
        return {
            "AWS_ENDPOINT_URL": f"http://{self._host.address}:{PORT}",
            "AWS_ACCESS_KEY_ID": "someone",
            "AWS_SECRET_ACCESS_KEY": "something",
            "AWS_REGION": "us-east-1",
        }

    def become(self, word: str) -> None:
        """From now on it is ``well``, ``down``, ``slow``, ``tenth`` or ``refused``."""
        new = self._file("new")
        new.write_text(word)
        new.replace(self._host.root / WORD[1:])

    def counts(self) -> dict[str, int]:
        """Requests by method, and of the failed ones by the status, too."""
        found: dict[str, int] = json.loads(self._file("count").read_text())
        return found

    def names(self) -> list[str]:
        """Of the objects that were put."""
        return self._file("names").read_text().splitlines()

    def mirror(self, prefix: str) -> Path:
        """A copy of all objects below a prefix, as files; the folder of that prefix."""
        copy = "/tmp/mirror"
        self._host.run(
            sys.executable, str(HERE / "mirror.py"), f"http://127.0.0.1:{SERVER_PORT}", BUCKET, prefix, copy
        )
        return self._host.root / copy[1:] / prefix

    def _file(self, what: str) -> Path:
        return self._host.root / f"{WORD[1:]}.{what}"

    def _has_bucket(self) -> bool:
        """Make the bucket, which needs a server that answers."""
        url = f"http://127.0.0.1:{SERVER_PORT}/{BUCKET}"
        ask = f"from urllib.request import Request, urlopen; urlopen(Request({url!r}, method='PUT'))"
        try:
            self._host.run(sys.executable, "-c", ask)
        except subprocess.CalledProcessError:
            return False
        return True
