"""What is in docker/ is what its readers take: hadolint, KubeRay's operator, Ray's cluster launcher, and yamafuda."""

from __future__ import annotations

import copy
import gzip
import json
import re
import shlex
import subprocess
import sys
from collections.abc import Iterator
from importlib import metadata, util
from pathlib import Path
from typing import Any

import jsonschema
import pytest
import yaml

from pipeline.config import AddressCluster, composing

DOCKER = Path(__file__).parents[2] / "docker"
KUBERAY = json.loads(gzip.decompress(Path(__file__).with_name("kuberay.json.gz").read_bytes()))
MANIFESTS = {path.name: path for path in sorted((DOCKER / "kuberay").glob("*.yaml"))}
COMMAND = re.compile(r"yamafuda run (job=[^'\n]*)")


def strict(schema: Any) -> Any:
    """As the server of Kubernetes checks strictly: fields that a schema does not name are refused."""
    if isinstance(schema, list):
        return [strict(each) for each in schema]
    if not isinstance(schema, dict):
        return schema
    made = {key: strict(value) for key, value in schema.items()}
    if isinstance(schema.get("properties"), dict) and "x-kubernetes-preserve-unknown-fields" not in schema:
        made.setdefault("additionalProperties", False)
    return made


def ray_objects(name: str) -> list[dict[str, Any]]:
    """Those of a manifest that KubeRay's operator reads."""
    objects = list(yaml.safe_load_all(MANIFESTS[name].read_text()))
    return [each for each in objects if each["apiVersion"] == "ray.io/v1"]


def refusals(manifest: dict[str, Any]) -> list[str]:
    """What KubeRay's schema says against a manifest."""
    checker = jsonschema.Draft202012Validator(strict(KUBERAY[manifest["kind"]]))
    return [f"{error.json_path}: {error.message}" for error in checker.iter_errors(manifest)]


@pytest.mark.parametrize("name", MANIFESTS)
def test_kuberay_takes_the_manifests(name: str) -> None:
    (manifest,) = ray_objects(name)
    assert refusals(manifest) == []


def test_kuberay_refuses_a_wrong_field_and_a_wrong_type() -> None:
    (job,) = ray_objects("rayjob.yaml")
    wrong = copy.deepcopy(job)
    pod = wrong["spec"]["rayClusterSpec"]["workerGroupSpecs"][0]["template"]["spec"]
    pod["toleration"] = pod.pop("tolerations")
    pod["terminationGracePeriodSeconds"] = "long"
    fields = {each.split(": ")[0].rpartition(".")[2] for each in refusals(wrong)}
    assert fields == {"spec", "terminationGracePeriodSeconds"}


def pods(thing: Any) -> Iterator[dict[str, Any]]:
    """All pods that a manifest describes."""
    if isinstance(thing, dict):
        if "containers" in thing:
            yield thing
        thing = list(thing.values())
    if isinstance(thing, list):
        for each in thing:
            yield from pods(each)


@pytest.mark.parametrize("name", MANIFESTS)
def test_manifests_name_this_version_and_that_of_ray(name: str) -> None:
    text = MANIFESTS[name].read_text()
    assert set(re.findall(r'rayVersion: "(.*)"', text)) == {metadata.version("ray")}
    found = [container["image"] for pod in pods(ray_objects(name)) for container in pod["containers"]]
    assert set(found) == {f"yamafuda:{metadata.version('yamafuda')}"}
    assert all(pod["securityContext"]["runAsNonRoot"] for pod in pods(ray_objects(name)))


def test_rays_launcher_takes_its_file() -> None:
    (ray,) = util.find_spec("ray").submodule_search_locations  # type: ignore[union-attr, misc]
    schema = json.loads(Path(ray, "autoscaler", "ray-schema.json").read_text())
    config = yaml.safe_load((DOCKER / "ray-cluster.yaml").read_text())
    jsonschema.validate(config, schema)
    assert config["head_node_type"] in config["available_node_types"]
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate(config | {"head_node": {}, "workers": 3}, schema)


def test_hadolint_has_nothing_to_say() -> None:
    hadolint = Path(sys.executable).with_name("hadolint")
    done = subprocess.run([hadolint, DOCKER / "Dockerfile"], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout + done.stderr) == (0, "")


def test_the_dockerfile_makes_the_package_of_this_checkout() -> None:
    """The folders of the wheel, and no others, go to the build."""
    ignored = (DOCKER / "Dockerfile.dockerignore").read_text().splitlines()
    pyproject = (DOCKER.parent / "pyproject.toml").read_text()
    packages = re.search(r"python-packages = \[(.*)\]", pyproject)
    assert packages is not None
    kept = {line[1:] for line in ignored if line.startswith("!")}
    assert {
        "pyproject.toml",
        "constraints.txt",
        "README.md",
        "LICENSE",
        *re.findall(r'"(\w+)"', packages[1]),
    } == kept


def commands() -> list[tuple[str, str]]:
    """File -> words of each command that starts a run."""
    found = []
    for path in sorted(path for path in DOCKER.rglob("*") if path.is_file()):
        text = path.read_text().replace("\\\n#", "")  # a comment's lines that go on
        found += [(path.name, match[1]) for match in COMMAND.finditer(text)]
    return found


def test_commands_in_the_files_name_jobs_that_there_are() -> None:
    assert len(commands()) >= len(MANIFESTS) + 2
    with composing(None) as composer:
        for name, words in commands():
            config = composer.compose(shlex.split(words))
            assert isinstance(config.cluster, AddressCluster), name
