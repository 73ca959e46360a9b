"""Imports point one way and in no circle; shared rooms know no game, and games hardly one another."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path

ROOT = Path(__file__).parents[1]
LAYERS = ("storage", "engines", "pipeline", "yamafuda", "pages")
"""Each imports itself and those before it."""
SHARED = ("contract", "solitaire", "tables", "text", "statistics")
BETWEEN_GAMES = {("calculation", "stackgame")}
RAY = {
    "pipeline.runners.ray",
    "pipeline.runners.ray_asking",
    "pipeline.runners.ray_homes",
    "pipeline.runners.ray_metrics",
    "pipeline.runners.ray_places",
    "pipeline.runners.ray_reaching",
    "pipeline.runners.ray_session",
}

Graph = Mapping[str, set[str]]


def names_imported(node: ast.AST) -> Iterator[str]:
    """Modules, and ``MODULE.NAME`` of what is imported from them, in functions too; not what is for type checkers."""
    if isinstance(node, ast.Import):
        yield from (alias.name for alias in node.names)
    elif isinstance(node, ast.ImportFrom):
        assert node.level == 0, ast.unparse(node)
        yield from (f"{node.module}.{alias.name}" for alias in node.names)
    inside = list(ast.iter_child_nodes(node))
    if isinstance(node, ast.If) and "TYPE_CHECKING" in ast.unparse(node.test):
        inside = list(node.orelse)
    for inner in inside:
        yield from names_imported(inner)


@cache
def modules() -> dict[str, ast.Module]:
    """Our modules by name."""
    found = {}
    for top in LAYERS:
        for path in sorted((ROOT / top).rglob("*.py")):
            parts = path.relative_to(ROOT).with_suffix("").parts
            if "native" not in parts:
                name = ".".join(parts[:-1] if parts[-1] == "__init__" else parts)
                found[name] = ast.parse(path.read_text())
    return found


@cache
def imported() -> Graph:
    """Module -> names that it imports, ours and others'."""
    return {name: set(names_imported(tree)) for name, tree in modules().items()}


def graph() -> Graph:
    """Module -> our modules that it imports."""
    found = {}
    for name, names in imported().items():
        meant = {each if each in modules() else each.rpartition(".")[0] for each in names}
        found[name] = (meant & modules().keys()) - {name}
    return found


def circles(edges: Graph) -> list[set[str]]:
    """Sets of modules that all reach one another."""

    def reached(start: str) -> set[str]:
        found: set[str] = set()
        waiting = [start]
        while waiting:
            new = edges[waiting.pop()] - found
            found |= new
            waiting += new
        return found

    reach = {name: reached(name) for name in edges}
    found = {
        frozenset(other for other in reach[name] if name in reach[other])
        for name in edges
        if name in reach[name]
    }
    return [set(circle) for circle in sorted(found, key=min)]


def packages() -> list[str]:
    """Those right below ``engines``."""
    return sorted(
        {name.split(".")[1] for name in modules() if name.count(".") > 1 and name.startswith("engines.")}
    )


def games() -> list[str]:
    return [name for name in packages() if f"engines.{name}.game" in modules() and name not in SHARED]


def test_a_circle_is_found() -> None:
    edges: Graph = {"a": {"b"}, "b": {"c"}, "c": {"b", "d"}, "d": set()}
    assert circles(edges) == [{"b", "c"}]
    text = "if TYPE_CHECKING:\n    import a\nelse:\n    import b\ndef f():\n    from c import d"
    assert set(names_imported(ast.parse(text))) == {"b", "c.d"}
    assert {"klondike", "stackgame", "tricks"} <= set(games())
    assert set(SHARED) <= set(packages())


def test_modules_import_one_another_in_no_circle() -> None:
    assert circles(graph()) == []


def test_imports_point_one_way() -> None:
    wrong = [
        (name, other)
        for name, others in imported().items()
        for other in others
        if (top := other.split(".")[0]) in LAYERS and LAYERS.index(top) > LAYERS.index(name.split(".")[0])
    ]
    assert wrong == []


def test_pages_stand_on_the_front_door_alone() -> None:
    wrong = [
        (name, other)
        for name, others in imported().items()
        for other in others
        if name.split(".")[0] == "pages" and other.split(".")[0] in {*LAYERS} - {"pages", "yamafuda"}
    ]
    assert wrong == []


def test_shared_rooms_know_no_game() -> None:
    wrong = [
        (name, other)
        for name, others in graph().items()
        for other in others
        if game_of(name) not in games() and game_of(other) in games()
    ]
    assert wrong == []


def test_games_know_no_other_game() -> None:
    found = {
        (name, other)
        for name, others in graph().items()
        for other in others
        if {game_of(name), game_of(other)} <= set(games())
        and game_of(name) != game_of(other)
        and (game_of(name), game_of(other)) not in BETWEEN_GAMES
    }
    assert found == set()


def game_of(name: str) -> str:
    """The package below ``engines`` that a module is in, if it is in one."""
    return name.split(".")[1] if name.startswith("engines.") else ""


def test_few_modules_import_ray() -> None:
    using = {
        name for name, others in imported().items() if any(each.split(".")[0] == "ray" for each in others)
    }
    assert using == RAY
