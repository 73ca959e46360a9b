"""The package as one file that a cluster unpacks on every node. Its name is a digest of its content, so that it is
sent once."""

from __future__ import annotations

import hashlib
import io
import shutil
import tempfile
import zipfile
from pathlib import Path

from pipeline.shipping.package import lay_out
from pipeline.submit.client import Client
from pipeline.submit.there import CONFIG_FOLDER

_DATE = (1980, 1, 1, 0, 0, 0)


def send(client: Client, wheel: Path | None, config_dir: Path | None) -> str:
    """Have the cluster keep the package with the user's configurations; returns its name there."""
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder)
        lay_out(root, wheel)
        if config_dir is not None:
            shutil.copytree(config_dir, root / CONFIG_FOLDER)
        data = _zipped(root)
    name = f"_ray_pkg_{hashlib.sha256(data).hexdigest()[:32]}.zip"
    if not client.has_package(name):
        client.put_package(name, data)
    return name


def _zipped(root: Path) -> bytes:
    """All files below a folder; the same bytes for the same files."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED, compresslevel=3) as archive:
        for path in sorted(root.rglob("*")):
            if path.is_file():
                entry = zipfile.ZipInfo(path.relative_to(root).as_posix(), _DATE)
                archive.writestr(entry, path.read_bytes(), zipfile.ZIP_DEFLATED)
    return buffer.getvalue()
