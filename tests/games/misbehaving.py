"""Coin Duel as the tests of running and storing need it: it kills its worker, or is interrupted, on request.

`duel()` is the scenario coins/gang with some values changed. It brings its ruleset along, so that a worker process can
play it, in which Coin Duel is not registered.
"""

from __future__ import annotations

import json
import multiprocessing
import os
import signal
import threading
import tomllib
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sim.core.batch import Carried
from sim.core.engine import Encounter
from sim.core.lanes import Lanes
from sim.core.luck import Luck
from sim.core.outcomes import Outcomes
from sim.core.ruleset import Ruleset
from sim.core.telling import Recorder
from sim.scenario import Scenario
from tests.games.coins import Coins
from tests.games.coins.encounter import Duel
from tests.games.coins.facts import make_facts
from tests.games.coins.plan import read_plan
from tests.games.coins.schema import CoinScenario
from tests.games.coins.state import State

ADA, BO, OGRE, RAT = range(4)
FLIP_OF_ADA, FLIP_OF_BO, GIVE, BLUFF = range(4)  # abilities


class MisbehavingScenario(CoinScenario):
    """A duel with trouble."""

    die_in_worker: str = ""  # a file that is made when a worker has been killed once; "always" kills every worker
    interrupt_at: int = -1  # the run in which somebody presses Ctrl-C
    interrupt_process: int = 0  # in this process


class MisbehavingDuel(Duel):
    """The same duel, with trouble on the way."""

    def __init__(self, scenario: MisbehavingScenario, switches: dict[str, Any]) -> None:
        super().__init__(make_facts(scenario, switches), read_plan(scenario))
        self.scenario = scenario

    def start(self, luck: Luck, tell: Recorder | None, arriving: Carried | None = None) -> State:
        if self.scenario.die_in_worker:
            kill_worker(self.scenario.die_in_worker)
        return super().start(luck, tell)

    def harvest(self, s: State, at: Lanes, runs: NDArray[np.int64]) -> Outcomes:
        if self.scenario.interrupt_at in runs:
            os.kill(self.scenario.interrupt_process, signal.SIGINT)
        return super().harvest(s, at, runs)


def kill_worker(marker: str) -> None:
    """Die the hard way if this process is a worker: every time, or until the marker file is there."""
    loky = multiprocessing.current_process().name.startswith("Loky")
    dask = threading.current_thread().name.startswith("Dask")
    if not (loky or dask):
        return
    if marker == "always" or not Path(marker).exists():
        if marker != "always":
            Path(marker).touch()
        os.kill(os.getpid(), signal.SIGKILL)


class MisbehavingCoins(Coins):
    """Coin Duel with a larger model. Trouble is no part of the fight: with or without, it has the same digest."""

    scenario_model = MisbehavingScenario

    def resolve(self, scenario: CoinScenario) -> dict[str, Any]:
        full = super().resolve(scenario)
        return {key: value for key, value in full.items() if key in CoinScenario.model_fields}

    def compile(self, scenario: CoinScenario) -> Encounter[State]:
        assert isinstance(scenario, MisbehavingScenario)
        return MisbehavingDuel(scenario, self.switches(scenario))


RULESET = MisbehavingCoins()


@dataclass(frozen=True)
class MisbehavingFight(Scenario):
    """A scenario that finds its ruleset without the registry."""

    def __reduce__(self) -> tuple[type[Scenario], tuple[Any, ...]]:
        return MisbehavingFight, (self.ruleset_name, self.name, self.content, self.source, self.changes)

    @property
    def ruleset(self) -> Ruleset[Any]:
        return RULESET


def duel(
    name: str = "coins/gang", coins: list[int] | None = None, names: list[str] | None = None, **values: Any
) -> Scenario:
    """The gang; keywords change what its file says, `coins` and `names` those of Ada, Bo, the Ogre and the Rat."""
    source = RULESET.folder / "scenarios" / "gang.toml"
    data = tomllib.loads(source.read_text(encoding="utf-8")) | values
    units = [*data["heroes"], *data["enemies"]]
    for key, several in (("coins", coins), ("name", names)):
        for unit, value in zip(units, several or [], strict=several is not None):
            unit[key] = value
    return MisbehavingFight("coins", name, json.dumps(data), source)
