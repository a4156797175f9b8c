"""Imports point one way: core <- rulesets <- scenario, runner <- studies <- report <- cli."""

import ast
from pathlib import Path

SIM = Path(__file__).parent.parent / "sim"

# Each room may import from itself, from the rooms below it, and from `errors`.
FLOORS = [
    {"errors"},
    {"core"},
    {"rulesets"},
    {"scenario"},
    {"checkpoint", "sequences", "stats", "summary", "tables", "verdict", "progress", "signals"},
    {"cluster", "crew", "goals", "pieces", "record", "replay", "results", "runner"},
    {"studies"},
    {"report"},
    {"testing", "cli"},
]

# Where a lower room reaches up, and why. A result can print and write itself: `result.report(path)` is what people
# expect to find, and the imports stand inside the functions that need them.
PUBLIC = {"__version__", "run", "load", "exact", "replay"}  # names of `sim` itself
ALLOWED = {("results", "report"), ("runner", "report"), ("replay", "studies"), ("studies", "report")}


def floor_of(room: str) -> int:
    for number, rooms in enumerate(FLOORS):
        if room in rooms:
            return number
    raise AssertionError(f"sim/{room} has no floor: add it to FLOORS")


def imports_of(file: Path) -> set[str]:
    rooms = set()
    for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
        names = []
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom) and node.module:
            names = [node.module] if node.module != "sim" else [f"sim.{alias.name}" for alias in node.names]
        rooms |= {name.split(".")[1] for name in names if name.startswith("sim.")}
    return rooms


def test_imports_point_one_way():
    wrong = []
    for file in SIM.rglob("*.py"):
        room = file.relative_to(SIM).parts[0].removesuffix(".py")
        if room in ("__init__", "__main__"):
            continue
        for other in imports_of(file):
            if other in PUBLIC or (room, other) in ALLOWED:
                continue
            if floor_of(other) > floor_of(room):
                wrong.append(f"{file.relative_to(SIM)} imports sim.{other}")

    assert not wrong, "\n".join(wrong)


def test_core_knows_no_game():
    games = {folder.name for folder in (SIM / "rulesets").iterdir() if (folder / "__init__.py").exists()}
    wrong = []
    for file in (SIM / "core").rglob("*.py"):
        text = file.read_text(encoding="utf-8")
        wrong += [f"{file.name} imports {name}" for name in games if f"rulesets.{name}" in text]

    assert not wrong


def test_a_game_knows_no_other_game():
    wrong = []
    for folder in (SIM / "rulesets").iterdir():
        for file in folder.rglob("*.py"):
            for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
                module = node.module if isinstance(node, ast.ImportFrom) else None
                if module and module.startswith("sim.rulesets.") and module.split(".")[2] != folder.name:
                    wrong.append(f"{file} imports {module}")

    assert not wrong
