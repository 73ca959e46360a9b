"""From words of the command line to typed configurations: Hydra composes, dataclasses check, errors name fields."""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from hydra import compose, initialize_config_module
from hydra.core.config_store import ConfigStore
from hydra.core.global_hydra import GlobalHydra
from hydra.core.override_parser.overrides_parser import OverridesParser
from hydra.core.override_parser.types import Override
from hydra.errors import HydraException
from omegaconf import MISSING, DictConfig, OmegaConf
from omegaconf.errors import OmegaConfBaseException
from yaml import YAMLError  # type: ignore[import-untyped]

from engines.contract.job import Job
from engines.contract.options import without_none_words
from engines.contract.registry import engine_class, games, job_names
from pipeline.config_errors import composing_error, field_names, first_line, value_error
from pipeline.jobfiles import config_files, job_files, kind_of
from pipeline.schemas import kind_of_schema, schema_of
from storage.errors import UserError
from storage.place import place_at


@dataclass
class Cluster:
    """Where units run. ``kind`` is serial, local or address; set by the files of ``conf/cluster``."""

    kind: str = MISSING

    def check(self) -> None:
        """Raise UserError naming the field when a value is out of range."""


@dataclass
class SerialCluster(Cluster):
    """Units run in this process."""

    kind: str = "serial"


@dataclass
class LocalCluster(Cluster):
    """Ray on this machine."""

    kind: str = "local"
    cpus: int | None = None
    """Number of units that run at once; None for all processors of the machine."""

    def check(self) -> None:
        """Raise UserError when ``cpus`` is not positive."""
        if self.cpus is not None and self.cpus < 1:
            raise UserError("cluster.cpus", f"must be at least 1, or null for all; got {self.cpus}")


@dataclass
class AddressCluster(Cluster):
    """A Ray cluster that runs already."""

    kind: str = "address"
    address: str = MISSING

    def check(self) -> None:
        """Raise UserError when the address is neither HOST:PORT nor ``auto``."""
        host, _, port = self.address.rpartition(":")
        if self.address != "auto" and not (host and re.fullmatch("[0-9]{1,5}", port) and int(port) < 1 << 16):
            raise UserError(
                "cluster.address",
                f"{self.address!r} is neither HOST:PORT (of the cluster's head, 6379 as a rule) nor auto; "
                "yamafuda submit takes the dashboard's http://HOST:8265",
            )


@dataclass
class Paths:
    """Root folders; see ``conf/paths/default.yaml``."""

    results: str = MISSING
    tables: str = MISSING
    scratch: str = MISSING
    copies_bytes: int = 50_000_000_000


@dataclass
class Config:
    """One job with all its settings, as composed from ``conf/``."""

    job: Job = MISSING
    cluster: Cluster = MISSING
    paths: Paths = field(default_factory=Paths)
    job_file: str = ""
    """Name of the file of ``job/`` that it was composed from; set by the composer, not by words."""
    label: str = ""
    """What the user calls the run: any text, set by ``--label`` or ``label=``."""
    metrics_port: int | None = None
    """Where the driver answers Prometheus; None for nowhere."""


_CLUSTERS: dict[str, type] = {each.kind: each for each in (SerialCluster, LocalCluster, AddressCluster)}


@contextmanager
def composing(config_dir: Path | None) -> Iterator[Composer]:
    """Open ``conf/`` (and the user's ``config_dir`` with folders job/, cluster/, paths/) for composing.

    Raises UserError when ``config_dir`` is not a folder.
    """
    if config_dir is not None and not config_dir.is_dir():
        raise UserError("--config-dir", f"{config_dir} is not a folder")
    GlobalHydra.instance().clear()
    with initialize_config_module(config_module="conf", version_base="1.3"):
        for name, kind in _CLUSTERS.items():
            ConfigStore.instance().store(group="cluster/schema", name=name, node=schema_of(kind))
        yield Composer(config_dir)


class Composer:
    """Makes Configs from override words; see ``composing``."""

    def __init__(self, config_dir: Path | None) -> None:
        places = [f"pkg://{game.configs}" for game in games() if game.configs is not None]
        if config_dir is not None:
            places.insert(0, f"file://{config_dir.resolve()}")
        # Within Hydra's quotes a backslash stands for itself, unless a quote follows.
        quoted = ['"' + place.replace('"', '\\"') + '"' for place in places]
        self._search_path = [f"hydra.searchpath=[{','.join(quoted)}]"] if quoted else []
        self._config_dir = config_dir

    def expand(self, words: list[str]) -> list[list[str]]:
        """All combinations of a series (``job.cards=1,2,3``, ``range(1,9)``), the last word fastest."""
        choices: list[list[str]] = []
        for override in self._parse(words):
            key = override.get_key_element()
            if override.is_sweep_override():
                if not override.is_discrete_sweep():
                    raise UserError(
                        key, "this kind of series cannot be run; write 1,2,3 or range(1,9) or choice()"
                    )
                values = list(override.sweep_string_iterator())
                if not values:
                    raise UserError(key, f"{override.input_line} is a series without values")
                choices.append([f"{key}={value}" for value in values])
            else:
                choices.append([override.input_line or f"{key}={override.get_value_element_as_str()}"])
        return [list(combination) for combination in itertools.product(*choices)]

    def compose(self, words: list[str]) -> Config:
        """One Config from override words, all types and ranges checked; UserError names the field."""
        with self._naming_own_file(words):
            config = self._composed(words)
            _check(config)
        return config

    def compose_unchecked(self, words: list[str]) -> Config:
        """As ``compose``, but only types are checked: not ranges, and not that files exist."""
        with self._naming_own_file(words):
            return self._composed(words)

    @contextmanager
    def _naming_own_file(self, words: list[str]) -> Iterator[None]:
        """Errors about what no word sets name the user's job file, which does."""
        try:
            yield
        except UserError as error:
            set_here = dict(word.lstrip("+~").partition("=")[::2] for word in words)
            group, _, field = error.field.partition(".")
            if self._config_dir is None or group != "job" or (field and error.field in set_here):
                raise
            file = self._config_dir / "job" / f"{set_here.get('job')}.yaml"
            if not file.is_file():
                raise
            raise UserError(str(file), str(error)) from error

    def _composed(self, words: list[str]) -> Config:
        overrides = self._parse(words)
        for override in overrides:
            _check_override(override)
        _register_job_schemas(overrides)
        try:
            node = compose("config", overrides=[*words, *self._search_path])
            config = _typed_config(node)
        except (HydraException, OmegaConfBaseException) as error:
            raise composing_error(error, words, lambda: self._fields(overrides), self._files) from error
        except (YAMLError, UnicodeDecodeError, RecursionError) as error:
            raise UserError("configuration", " ".join(str(error).split())[:500]) from error
        chosen = [override.value() for override in overrides if override.key_or_group == "job"]
        config.job_file = str(chosen[-1]) if chosen else config.job.name
        return config

    def _files(self, group: str) -> Iterable[str]:
        return config_files(group, self._config_dir)

    def _fields(self, overrides: list[Override]) -> Iterator[str]:
        """Dotted names of what can be set with these overrides."""
        values = {each.key_or_group: each.value() for each in overrides}
        yield from ("job", "cluster", "label", "metrics_port", "paths", *field_names("paths", Paths))
        files, name = job_files(self._config_dir), str(values.get("job"))
        job = kind_of(files, name) if name in files else None
        if job is not None:
            yield from field_names("job", engine_class(job).job_type)
        yield from field_names("cluster", _CLUSTERS.get(str(values.get("cluster", "serial")), Cluster))

    def _parse(self, words: list[str]) -> list[Override]:
        parser = OverridesParser.create(config_loader=GlobalHydra.instance().config_loader())
        parsed = []
        for word in words:
            try:
                parsed += parser.parse_overrides([word])
            except HydraException as error:
                hint = f"; did you mean job={word}?" if word in self._files("job") else ""
                raise UserError(word, f"is not of the form key=value ({first_line(error)}){hint}") from error
        return parsed


def _check_override(override: Override) -> None:
    """Refuse what Hydra would drop without a word, or answer with an error that names no key."""
    key = override.key_or_group
    if not key:
        raise UserError(str(override.input_line), "is not of the form key=value")
    if override.is_add() or override.is_force_add() or override.is_delete():
        raise UserError(
            key, "cannot be added or deleted, only set: KEY=VALUE; a job file of your own can add to it"
        )
    if override.is_sweep_override():
        raise UserError(key, "several values are a series: add -m")
    if key in ("job", "cluster", "paths") and not isinstance(override.value(), str):
        raise UserError(key, f"takes the name of one file of {key}/")
    if key.partition(".")[0] == "hydra":
        raise UserError(key, "Hydra's own settings are not used here (--config-dir: a folder of your own)")


def _check(config: Config) -> None:
    """Ranges; roots become folders."""
    for name in ("results", "tables", "scratch"):
        setattr(config.paths, name, str(place_at(getattr(config.paths, name), f"paths.{name}")))
    config.job.limits.check()
    config.job.check()
    config.cluster.check()


def _register_job_schemas(overrides: list[Override]) -> None:
    # Engines are slow to import, so only the one that is named is imported; a user's job file may extend any of
    # them.
    chosen = [str(override.value()) for override in overrides if override.key_or_group == "job"]
    known = job_names()
    for name in chosen if chosen and all(name in known for name in chosen) else known:
        job_type: type = engine_class(name).job_type
        ConfigStore.instance().store(group="job/schema", name=name, node=schema_of(job_type))


def _typed_config(node: DictConfig) -> Config:
    """The dataclasses of composed values."""
    plain = OmegaConf.to_container(node, resolve=True, throw_on_missing=True)
    assert isinstance(plain, dict)
    job, cluster = (kind_of_schema(OmegaConf.get_type(node, group)) for group in ("job", "cluster"))
    name, kind = plain["job"].get("name"), plain["cluster"].get("kind")
    if name is None:
        raise UserError(
            "job", "the file extends no job; begin it with one, such as: defaults: [klondike_sweep]"
        )
    if job is None or name not in job_names() or engine_class(name).job_type is not job:
        raise UserError("job.name", f"{name!r} does not fit the schema of the job's file")
    if cluster is None or kind != cluster.kind:
        raise UserError("cluster.kind", f"{kind!r} does not fit the schema of its file")
    return Config(
        job=_typed("job", job, plain["job"]),
        cluster=_typed("cluster", cluster, plain["cluster"]),
        paths=_typed("paths", Paths, plain["paths"]),
        label=str(plain["label"] or ""),
        metrics_port=_port(plain["metrics_port"]),
    )


def _port(value: Any) -> int | None:
    if value in (None, ""):
        return None
    if not re.fullmatch("[0-9]{1,5}", str(value)) or not 0 < int(value) < 1 << 16:
        raise UserError("metrics_port", f"must be a port from 1 to 65535, or null for none; got {value!r}")
    return int(value)


def _typed(group: str, kind: type, values: dict[str, Any]) -> Any:
    """A dataclass of these values; UserError naming the field whose value has the wrong type."""
    try:
        node = OmegaConf.merge(OmegaConf.structured(kind), _escaped(without_none_words(kind, values)))
        return OmegaConf.to_object(node)
    except OmegaConfBaseException as error:
        key = f"{group}.{error.full_key}"
        raise value_error(error, key, lambda: field_names(group, kind)) from error


def _escaped(values: Any) -> Any:
    """Values that do not refer to one another: what looks like a reference is taken as written."""
    if isinstance(values, str):
        return re.sub(r"(\\*)\$\{", lambda found: found[1] * 2 + "\\${", values) if "${" in values else values
    if isinstance(values, dict):
        return {key: _escaped(value) for key, value in values.items()}
    return [_escaped(value) for value in values] if isinstance(values, list) else values
