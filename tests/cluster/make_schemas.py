"""Writes ``kuberay.json.gz``: what KubeRay's operator takes, from the definitions (CRDs) of a checkout of it.

git clone https://github.com/ray-project/kuberay && git -C kuberay checkout v1.7.0
python tests/cluster/make_schemas.py kuberay v1.7.0
"""

from __future__ import annotations

import gzip
import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import yaml

PLACE = Path(__file__).with_name("kuberay.json.gz")
CRDS = "ray-operator/config/crd/bases/ray.io_{}.yaml"


def plain(schema: Any, is_names: bool = False) -> Any:
    """A schema without its prose."""
    if isinstance(schema, list):
        return [plain(each) for each in schema]
    if not isinstance(schema, dict):
        return schema
    return {
        key: plain(value, is_names=key == "properties" and not is_names)
        for key, value in schema.items()
        if is_names or key != "description"
    }


def schema_of(checkout: Path, revision: str, plural: str) -> Any:
    """The schema of version v1 of a kind."""
    command = ["git", "-C", str(checkout), "show", f"{revision}:{CRDS.format(plural)}"]
    text = subprocess.run(command, check=True, capture_output=True).stdout
    versions = yaml.safe_load(text)["spec"]["versions"]
    (found,) = (each for each in versions if each["name"] == "v1")
    return plain(found["schema"]["openAPIV3Schema"])


def main(checkout: Path, revision: str) -> None:
    """Write the schemas of a revision of KubeRay."""
    schemas = {
        "version": revision,
        "RayCluster": schema_of(checkout, revision, "rayclusters"),
        "RayJob": schema_of(checkout, revision, "rayjobs"),
    }
    text = json.dumps(schemas, sort_keys=True, separators=(",", ":"))
    PLACE.write_bytes(gzip.compress(text.encode(), mtime=0))


if __name__ == "__main__":
    main(Path(sys.argv[1]), sys.argv[2])
