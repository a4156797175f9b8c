"""The players in C: built by the system's compiler, called with the numbers of a fight."""

from __future__ import annotations

import ctypes
import os
import shutil
import subprocess
import tempfile
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from sim.scenario import Scenario
from tests.limit import overhill, p52
from tests.limit.refusal import Unknown

HERE = Path(__file__).parent
SOURCES = ("overhill.c", "p52.c")
FLAGS = ("-O2", "-std=c11", "-Wall", "-Wextra", "-Werror")
GAMES: dict[str, Callable[[Scenario], ctypes.Structure]] = {"overhill": overhill.fight_of, "p52": p52.fight_of}


class NoCompiler(Exception):  # noqa: N818 (a machine without one is all right)
    """There is no C compiler on this machine."""


@dataclass(frozen=True, slots=True)
class Played:
    """What came of some runs. The last axis is the run; heroes stand before enemies, as in the engine's tables."""

    outcome: NDArray[np.int8]  # (runs,)
    rounds: NDArray[np.int16]  # (runs,)
    hp: NDArray[np.int32]  # (units, runs)


class Player:
    """One fight, ready to be played in C."""

    def __init__(self, game: str, fight: ctypes.Structure, library: ctypes.CDLL) -> None:
        self._fight = fight
        self._play = library[f"{game}_play"]
        size = library[f"{game}_size"]
        size.restype = ctypes.c_size_t
        if size() != ctypes.sizeof(fight):
            raise AssertionError(f"{game}.py and {game}.c do not mean the same table")
        self._units = fight.heroes + (fight.groups if game == "overhill" else fight.enemies)

    def play(self, seed: int, runs: NDArray[np.int64]) -> Played:
        """These runs, with the luck that the engine plays them with."""
        runs = np.ascontiguousarray(runs, dtype=np.int64)
        count = len(runs)
        played = Played(np.empty(count, np.int8), np.empty(count, np.int16), np.empty((self._units, count), np.int32))
        tables = [table.ctypes.data_as(ctypes.c_void_p) for table in (runs, played.outcome, played.rounds, played.hp)]
        self._play(ctypes.byref(self._fight), ctypes.c_uint64(seed), ctypes.c_int64(count), *tables)
        return played


def player_of(scenario: Scenario) -> Player:
    """The player of a fight; Unknown says what of the fight there is none for, NoCompiler that none can be built."""
    game = scenario.ruleset.name
    if game not in GAMES or scenario.is_adventure:
        raise Unknown(f"there is no player in C for {'adventures' if scenario.is_adventure else game}")
    return Player(game, GAMES[game](scenario), _library())


def compiler() -> str | None:
    """The system's C compiler, `CC` first; None where there is none."""
    names = (os.environ.get("CC", ""), "cc", "gcc", "clang")
    return next((found for name in names if name and (found := shutil.which(name))), None)


def build(target: Path, flags: Sequence[str] = ()) -> None:
    """Compile both players into one shared library."""
    found = compiler()
    if found is None:
        raise NoCompiler("no C compiler on this machine (looked for cc, gcc and clang)")
    sources = [str(HERE / source) for source in SOURCES]
    subprocess.run([found, *FLAGS, *flags, "-fPIC", "-shared", "-o", str(target), *sources], check=True)


@cache
def _library() -> ctypes.CDLL:
    """Both players, built once in each process; the file is gone as soon as it is loaded."""
    with tempfile.TemporaryDirectory(prefix="fairfight-limit-") as folder:
        target = Path(folder) / "players.so"
        build(target)
        return ctypes.CDLL(str(target))
