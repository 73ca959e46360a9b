"""From command-line words to typed configurations: Hydra composes, dataclasses check, errors name fields."""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from hydra import compose, initialize_config_module
from hydra.core.config_store import ConfigStore
from hydra.core.global_hydra import GlobalHydra
from hydra.core.override_parser.overrides_parser import OverridesParser
from hydra.core.override_parser.types import Override
from hydra.errors import HydraException
from omegaconf import MISSING, OmegaConf
from omegaconf.errors import OmegaConfBaseException
from yaml import YAMLError  # type: ignore[import-untyped]

from engines.contract.job import Job
from engines.contract.registry import engine_class, games, job_names
from pipeline.roots import root_folder
from storage.errors import UserError


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
                "cluster.address", f"{self.address!r} is neither HOST:PORT (of the cluster's head) nor auto"
            )


@dataclass
class Paths:
    """Root folders; see ``conf/paths/default.yaml``."""

    results: str = MISSING
    tables: str = MISSING
    scratch: str = MISSING


@dataclass
class Config:
    """One job with all that it needs, as composed from ``conf/``."""

    job: Job = MISSING
    cluster: Cluster = MISSING
    paths: Paths = field(default_factory=Paths)
    job_file: str = ""
    """Name of the file of ``job/`` that it was composed from; set by the composer, not by words."""
    label: str = ""
    """What the user calls the run: any text, set by ``--label`` or ``label=``."""


@contextmanager
def composing(config_dir: Path | None) -> Iterator[Composer]:
    """Open ``conf/`` (and one's own ``config_dir`` with job/, cluster/, paths/ folders) for composing.

    Raises UserError when ``config_dir`` is not a folder.
    """
    if config_dir is not None and not config_dir.is_dir():
        raise UserError("--config-dir", f"{config_dir} is not a folder")
    GlobalHydra.instance().clear()
    with initialize_config_module(config_module="conf", version_base="1.3"):
        store = ConfigStore.instance()
        store.store(name="schema", node=Config)
        for node in (SerialCluster, LocalCluster, AddressCluster):
            store.store(group="cluster/schema", name=node.kind, node=node)
        yield Composer(config_dir)


class Composer:
    """Makes Configs from override words; see ``composing``."""

    def __init__(self, config_dir: Path | None) -> None:
        places = [f"pkg://{game.configs}" for game in games() if game.configs is not None]
        if config_dir is not None:
            places.insert(0, f"file://{config_dir.resolve()}")
        # Within Hydra's quotes a backslash is one, unless it is before a quote.
        quoted = ['"' + place.replace('"', '\\"') + '"' for place in places]
        self._search_path = [f"hydra.searchpath=[{','.join(quoted)}]"] if quoted else []

    def expand(self, words: list[str]) -> list[list[str]]:
        """All combinations of a series (``job.cards=1,2,3``, ``range(1,9)``), the last word fastest."""
        choices: list[list[str]] = []
        for override in self._parse(words):
            key = override.get_key_element()
            if override.is_sweep_override():
                if not override.is_discrete_sweep():
                    raise UserError(
                        key, "only series of single values can be run: 1,2,3 or range(1,9) or choice()"
                    )
                values = list(override.sweep_string_iterator())
                if not values:
                    raise UserError(key, f"{override.input_line} is a series of no values")
                choices.append([f"{key}={value}" for value in values])
            else:
                choices.append([override.input_line or f"{key}={override.get_value_element_as_str()}"])
        return [list(combination) for combination in itertools.product(*choices)]

    def compose(self, words: list[str]) -> Config:
        """One Config from override words, all types and ranges checked; UserError names the field."""
        overrides = self._parse(words)
        for override in overrides:
            _check_override(override)
        _register_job_schemas(overrides)
        try:
            node = compose("config", overrides=[*words, *self._search_path])
            config = OmegaConf.to_object(node)
        except (HydraException, OmegaConfBaseException) as error:
            raise _as_user_error(error, words) from error
        except (YAMLError, UnicodeDecodeError, RecursionError) as error:
            raise UserError("configuration", " ".join(str(error).split())[:500]) from error
        assert isinstance(config, Config)
        chosen = [override.value() for override in overrides if override.key_or_group == "job"]
        config.job_file = str(chosen[-1]) if chosen else config.job.name
        _check(config)
        return config

    def _parse(self, words: list[str]) -> list[Override]:
        parser = OverridesParser.create(config_loader=GlobalHydra.instance().config_loader())
        parsed = []
        for word in words:
            try:
                parsed += parser.parse_overrides([word])
            except HydraException as error:
                raise UserError(word, f"is not of the form key=value ({_first_line(error)})") from error
        return parsed


def _check_override(override: Override) -> None:
    """Refuse what Hydra would take and drop without a word, or answer with an error that names no key."""
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
    if key == "job_file":
        raise UserError(key, "is not set, but follows from job=NAME")
    if key.partition(".")[0] == "hydra":
        raise UserError(key, "Hydra's own settings are not used here (--config-dir: a folder of one's own)")


def _check(config: Config) -> None:
    """Ranges, and that names go with types; roots become folders."""
    if type(config.job) is not engine_class(config.job.name).job_type:
        raise UserError("job.name", f"{config.job.name!r} does not go with the schema of the job's file")
    if config.cluster.kind != type(config.cluster).kind:
        raise UserError("cluster.kind", f"{config.cluster.kind!r} does not go with the schema of its file")
    for name, root in vars(config.paths).items():
        setattr(config.paths, name, str(root_folder(root, f"paths.{name}")))
    config.job.limits.check()
    config.job.check()
    config.cluster.check()


def _register_job_schemas(overrides: list[Override]) -> None:
    # Engines are slow to import, so only the one that is named is; one's own job file may extend any of them.
    chosen = [str(override.value()) for override in overrides if override.key_or_group == "job"]
    known = job_names()
    for name in chosen if chosen and all(name in known for name in chosen) else known:
        ConfigStore.instance().store(group="job/schema", name=name, node=engine_class(name).job_type)


def _as_user_error(error: BaseException, words: list[str]) -> UserError:
    """The innermost configuration error as one line that names its key."""
    chain = [error]
    while (cause := chain[-1].__cause__ or chain[-1].__context__) is not None:
        chain.append(cause)
    for inner in reversed(chain):
        if isinstance(inner, OmegaConfBaseException) and inner.full_key:
            return UserError(_full_key(inner.full_key, words), _first_line(inner))
        if isinstance(inner, UserError):
            return inner
    text = str(error)
    if "You must specify 'job'" in text:
        return UserError("job", f"which one? job=NAME, where NAME is one of: {', '.join(job_names())}")
    text = text.partition("Config search path")[0].removeprefix("In 'config': ")
    return UserError(_missing_choice(text), " ".join(text.split()))


def _full_key(key: str, words: list[str]) -> str:
    # An error inside a schema knows the key below it only; the word on the command line has the whole.
    whole = [word.split("=")[0].lstrip("+~") for word in words]
    return next((k for k in whole if k == key or k.endswith("." + key)), key)


def _missing_choice(text: str) -> str:
    # "Could not find 'job/klondyke'" -> job
    _, found, rest = text.partition("Could not find '")
    return rest.split("'")[0].split("/")[0] if found else "configuration"


def _first_line(error: BaseException) -> str:
    return str(error).strip().splitlines()[0]
