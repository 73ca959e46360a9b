"""The plan of a run: unit boundaries, layers, shard counts and file parameters, from the job alone.

It never depends on the machine, its speed or its number of workers, so any machine can go on with a run that
another began.
"""

from __future__ import annotations

import json
from typing import Any

from engines.contract.engine import Engine
from engines.contract.job import SCHEMA_VERSION, job_identity, run_id
from pipeline.contracts import contract_named
from storage.errors import UserError
from storage.jsontext import parse_json
from storage.layout import RunLayout, id_in_name
from storage.publish import write_json_atomic

PLAN_VERSION = 1


def make_plan(engine: Engine) -> dict[str, Any]:
    """The plan of ``engine``'s job as JSON values; equal for equal jobs, engine and schema versions."""
    plan: dict[str, Any] = {
        "plan_version": PLAN_VERSION,
        "schema_version": SCHEMA_VERSION,
        "run_id": run_id(engine.job, engine.version),
        "engine_version": engine.version,
        "job": job_identity(engine.job),
        "contract": engine.contract,
        **contract_named(engine.contract).plan(engine),
    }
    # Through JSON and back, so that it equals what is read from a file.
    plain: dict[str, Any] = json.loads(json.dumps(plan))
    return plain


def settle_plan(layout: RunLayout, plan: dict[str, Any]) -> dict[str, Any]:
    """The plan of a run: the one in place, or else ``plan``, which is written as the first file of the run."""
    if not layout.plan.exists():
        write_json_atomic(layout.plan, plan)
        return plan
    return plan_in_place(layout, plan)


def plan_in_place(layout: RunLayout, plan: dict[str, Any]) -> dict[str, Any]:
    """The plan of a run that has begun, which may cut the same items into units of another size than ``plan`` does.

    UserError when it differs from ``plan`` in anything else.
    """
    found = read_plan(layout)
    free = contract_named(plan["contract"]).sizes(found)
    different = sorted(key for key in plan.keys() | found.keys() if (plan | free).get(key) != found.get(key))
    if different:
        raise UserError(
            str(layout.plan),
            f"differs from this version's plan ({', '.join(different)}); go on with the version that "
            "began the run, or remove the run",
        )
    return found


def read_plan(layout: RunLayout) -> dict[str, Any]:
    """plan.json of a run; UserError when it cannot be read."""
    try:
        plan: dict[str, Any] = parse_json(layout.plan.read_text())
        if not (
            isinstance(plan, dict) and isinstance(plan["job"], dict) and isinstance(plan["job"]["name"], str)
        ):
            raise ValueError("its job has no name")
        _ = plan["run_id"], plan["engine_version"]
        contract = contract_named(plan["contract"])
        _ = contract.units_count(plan), contract.progress_count(plan)
    except KeyError as error:
        raise UserError(str(layout.plan), f"lacks {error}; verify --repair removes it") from error
    except OSError as error:
        raise UserError(
            str(layout.plan),
            f"cannot be read ({error.strerror or 'it is no file'}); verify --repair removes it",
        ) from error
    except (ValueError, TypeError, OverflowError) as error:
        raise UserError(
            str(layout.plan), f"is not the plan of a job ({error}); verify --repair removes it"
        ) from error
    if not str(plan["run_id"]).startswith(id_in_name(layout.run_dir)):
        raise UserError(
            str(layout.plan), f"is the plan of another run, {plan['run_id']}; verify --repair removes it"
        )
    return plan
