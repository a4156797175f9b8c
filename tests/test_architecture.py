"""Imports point one way and never round in a circle, wherever in a module they stand."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import pytest

from tests.imports import Import, cycles_of, imports_of, loads_by_name, modules_of

SIM = Path(__file__).parent.parent / "sim"
MODULES = modules_of(SIM)

# Each room may import from itself and from the rooms below it, and no module imports the public face.
FLOORS = [
    {"errors"},
    {"core"},
    {"rulesets"},
    {"scenario"},
    {"storage"},
    {"results"},
    {"runs"},
    {"replays"},
    {"studies"},
    {"report"},
    {"testing", "cli", "studio"},
    {"sim", "__main__"},
]

# Modules that import what a text says, which no other check here can see.
BY_NAME = {
    "sim": "the public face: `import sim` is quick, and what needs NumPy and pydantic comes when it is used",
    "sim.cli.commands": "a command is loaded when it is called, so that `fairfight --help` answers at once",
    "sim.core.registry": "a game is a folder or a plug-in, and core knows none of them",
    "sim.results.report_hook": "a result prints and writes itself, and knows its reports by this hook alone",
}

# Imports inside functions, and why they stand there.
INSIDE_FUNCTIONS = {
    ("sim", "sim.scenario"): "the public face: `import sim` is quick",
    ("sim", "sim.runs.runner"): "the public face: `import sim` is quick",
    ("sim", "sim.replays.replay"): "the public face: `import sim` is quick",
    ("sim.cli", "sim.cli.commands"): "not before somebody listens to signals: it brings click along",
}

# Heavy packages that are loaded by what needs them, and parts of Python that not every system has.
LOADED_LATE = {
    "distributed",
    "jinja2",
    "joblib",
    "matplotlib",
    "optuna",
    "pandas",
    "pyarrow",
    "rich",
    "scipy",
    "fcntl",
    "resource",
}

# Other packages that one module alone loads late, and why.
ALSO_LOADED_LATE = {
    ("sim.results.result", "importlib"): "versions of packages are asked for by a manifest only",
    ("sim.runs.signals", "multiprocessing"): "only where workers are started",
    ("sim.runs.workers", "concurrent"): "only where workers are started",
}


@cache
def all_imports() -> list[Import]:
    """Every import of the house; read when it is asked for, so that nobody who only looks for tests waits for it."""
    return imports_of(MODULES)


def own_imports() -> list[Import]:
    """Those of our own modules."""
    return [one for one in all_imports() if one.target in MODULES]


def room_of(module: str) -> str:
    return module.split(".")[1] if "." in module else module


def floor_of(module: str) -> int:
    for number, rooms in enumerate(FLOORS):
        if room_of(module) in rooms:
            return number
    raise AssertionError(f"sim/{room_of(module)} has no floor: add it to FLOORS")


# ------------------------------------------------------------------------------------------------------------ the house


def test_imports_point_one_way():
    upward = [one for one in own_imports() if floor_of(one.target) > floor_of(one.module)]
    wrong = [f"{one.module} imports {one.target}" for one in upward]

    assert not wrong, "\n".join(wrong)


def test_no_modules_import_one_another():
    cycles = [sorted(cycle) for cycle in cycles_of(own_imports())]

    assert not cycles, f"cycles of imports: {cycles}"


def test_our_own_modules_are_imported_at_the_top():
    inside = {(one.module, one.target) for one in own_imports() if one.inside and not one.typing}

    others = sorted(f"{module} imports {target}" for module, target in inside - set(INSIDE_FUNCTIONS))
    assert not others, "inside a function:\n" + "\n".join(others)
    assert inside >= set(INSIDE_FUNCTIONS), "an exception that matches no code"


def test_only_heavy_packages_are_imported_inside_functions():
    late = {
        (one.module, one.target)
        for one in all_imports()
        if one.inside and not one.typing and one.target not in MODULES
    }

    others = {(module, package) for module, package in late if package not in LOADED_LATE} - set(ALSO_LOADED_LATE)
    assert not others, f"inside a function, though quick to load: {sorted(others)}"
    assert late >= set(ALSO_LOADED_LATE), "an exception that matches no code"
    assert {package for _, package in late} >= LOADED_LATE, "an exception that matches no code"


def test_what_is_imported_by_name_is_listed():
    found = loads_by_name(MODULES)

    assert found == set(BY_NAME)


def test_core_knows_no_game():
    wrong = [
        f"{file} names a game"
        for name, file in MODULES.items()
        if room_of(name) == "core"
        for game in games()
        if f"rulesets.{game}" in file.read_text(encoding="utf-8")
    ]

    assert not wrong


def test_a_game_knows_no_other_game():
    in_games = [one for one in own_imports() if room_of(one.module) == "rulesets" and room_of(one.target) == "rulesets"]
    wrong = [f"{one.module} imports {one.target}" for one in in_games if game_of(one.module) != game_of(one.target)]

    assert in_games
    assert not wrong


def games() -> list[str]:
    return [folder.name for folder in (SIM / "rulesets").iterdir() if (folder / "__init__.py").exists()]


def game_of(module: str) -> str:
    return module.split(".")[2]


# -------------------------------------------------------------------------------------------------- that it can be seen


@pytest.fixture
def house(tmp_path: Path) -> Path:
    """A package with an import of every kind."""
    files = {
        "__init__.py": "",
        "cellar.py": "import math\n",
        "hall.py": "from house.cellar import cave\n\nclass Hall:\n    def up(self):\n        from house import attic\n",
        "attic.py": "try:\n    from house.hall import Hall\nexcept ImportError:\n    Hall = None\n",
        "window.py": (
            "from typing import TYPE_CHECKING\n"
            "if TYPE_CHECKING:\n    from house.garden.gate import Gate\nelse:\n    import house.cellar\n"
        ),
        "garden/__init__.py": "from .gate import Gate\n",
        "garden/gate.py": (
            "from importlib import import_module\nfrom ..window import pane\nimport_module('house.hall')\n"
        ),
    }
    for name, text in files.items():
        path = tmp_path / "house" / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(text)
    return tmp_path / "house"


def test_an_import_is_seen_at_any_depth(house: Path):
    found = imports_of(modules_of(house))

    assert {one for one in found if one.target.startswith("house")} == {
        Import("house.hall", "house.cellar", inside=False, typing=False),
        Import("house.hall", "house.attic", inside=True, typing=False),
        Import("house.attic", "house.hall", inside=False, typing=False),
        Import("house.window", "house.garden.gate", inside=False, typing=True),
        Import("house.window", "house.cellar", inside=False, typing=False),
        Import("house.garden", "house.garden.gate", inside=False, typing=False),
        Import("house.garden.gate", "house.window", inside=False, typing=False),
    }
    assert Import("house.cellar", "math", inside=False, typing=False) in found


def test_a_cycle_is_seen_though_half_of_it_is_inside_a_function(house: Path):
    modules = modules_of(house)

    assert cycles_of(imports_of(modules)) == [{"house.hall", "house.attic"}]
    assert loads_by_name(modules) == {"house.garden.gate"}
