"""A tiny game for the tests of everything above the rules: two heroes against two enemies, decided by coins.

Ada strikes; Bo heals Ada when she is nearly down and strikes otherwise; the ogre and, in half of the runs, a rat strike
a random hero. A coin decides whether a blow lands, a d3 how much it takes. Bo also knows a trick that he never uses.
Who goes down is dead with one chance in two. On request it misbehaves: it kills its worker, or is interrupted.

The whole game with files of its own is in tests/scenario/toy; this one needs neither files nor a registry.
"""

from __future__ import annotations

import hashlib
import multiprocessing
import os
import signal
import threading
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from pydantic import Field

from sim.core.batch import Batch
from sim.core.engine import Encounter
from sim.core.lanes import Lanes, which
from sim.core.ledger import Ledger
from sim.core.luck import ENEMIES, TABLE, Luck
from sim.core.outcomes import Ability, Cast, Ending, Outcome, Outcomes, Unit
from sim.core.ruleset import Coverage, Ruleset
from sim.core.schema import ScenarioModel
from sim.core.switches import Switchboard
from sim.core.telling import Recorder
from sim.errors import Problem

ADA, BO, OGRE, RAT = range(4)
STRIKE_ADA, STRIKE_BO, HEAL, TRICK, BITE_OGRE, BITE_RAT = range(6)
ACTORS = (0, 1, ENEMIES, ENEMIES + 1)


class DuelModel(ScenarioModel):
    """What a duel's file may say."""

    hp: list[int] = Field([8, 6, 7, 3])
    round_cap: int = 30
    avoid_percent: int = 0
    empty_percent: int = 0
    names: list[str] = Field(["Ada", "Bo", "Ogre", "Rat"])
    die_in_worker: str = ""  # a file that is made when a worker has been killed once; "always" kills every worker
    interrupt_at: int = -1  # the run in which somebody presses Ctrl-C
    interrupt_process: int = 0  # in this process


@dataclass(slots=True)
class Duel(Batch):
    """The state of a batch of duels."""

    hp: NDArray[np.int16]  # (units, runs)
    present: NDArray[np.bool_]  # (units, runs)
    dead: NDArray[np.bool_]  # (units, runs)
    coins: NDArray[np.int32]  # (runs,) blows that landed


class CoinDuel(Encounter[Duel]):
    """A duel ready to be played."""

    def __init__(self, model: DuelModel) -> None:
        self.model = model
        sides = ("party", "party", "enemy", "enemy")
        self.cast = Cast(
            units=tuple(
                Unit(name, side, "duellist", hp) for name, side, hp in zip(model.names, sides, model.hp, strict=True)
            ),
            abilities=(
                Ability(ADA, "strike"),
                Ability(BO, "strike"),
                Ability(BO, "heal"),
                Ability(BO, "trick"),
                Ability(OGRE, "club"),
                Ability(RAT, "bite"),
            ),
            counts={"coins": "blows that landed"},
        )

    def start(self, luck: Luck, tell: Recorder | None) -> Duel:
        if self.model.die_in_worker:
            kill_worker(self.model.die_in_worker)
        runs = len(luck.keys)
        present = np.ones((4, runs), dtype=np.bool_)
        present[RAT] = luck.below(2, "rat", 0, TABLE) == 1
        hp = np.where(present, np.array(self.model.hp, dtype=np.int16)[:, None], 0).astype(np.int16)
        s = Duel(
            luck=luck,
            live=np.ones(runs, dtype=np.bool_),
            outcome=np.full(runs, Outcome.DRAW, dtype=np.int8),
            rounds=np.zeros(runs, dtype=np.int16),
            ledger=Ledger.blank(4, 6, runs),
            round=0,
            tell=tell,
            hp=hp,
            present=present,
            dead=np.zeros((4, runs), dtype=np.bool_),
            coins=np.zeros(runs, dtype=np.int32),
        )
        fate = luck.below(100, "fate", 0, TABLE)
        avoided = fate < self.model.avoid_percent
        empty = ~avoided & (fate < self.model.avoid_percent + self.model.empty_percent)
        s.decide(which(avoided), Outcome.AVOIDED)
        s.decide(which(empty), Outcome.EMPTY)
        return s

    def play_round(self, s: Duel) -> None:
        for unit in range(4):
            acts = s.live & (s.hp[unit] > 0)
            if unit == BO:
                nurses = acts & (s.hp[ADA] > 0) & (s.hp[ADA] <= 2)
                self.heal(s, which(nurses))
                acts = acts & ~nurses
            self.strike(s, unit, which(acts))
        s.decide(which(s.live & (s.round >= self.model.round_cap)), Outcome.DRAW)

    def heal(self, s: Duel, at: Lanes) -> None:
        s.ledger.uses[HEAL, at] += 1
        s.ledger.hits[HEAL, at] += 1
        s.ledger.healing[BO, at] += 2
        s.hp[ADA, at] += 2

    def strike(self, s: Duel, unit: int, at: Lanes) -> None:
        ability = (STRIKE_ADA, STRIKE_BO, BITE_OGRE, BITE_RAT)[unit]
        foes = (OGRE, RAT) if unit in (ADA, BO) else (ADA, BO)
        first_stands, second_stands = s.hp[foes[0], at] > 0, s.hp[foes[1], at] > 0
        second = ~first_stands
        if unit in (OGRE, RAT):
            second = second | (second_stands & (s.luck.below(2, "target", s.round, ACTORS[unit], at=at) == 1))
        target = np.where(second, foes[1], foes[0])
        s.ledger.uses[ability, at] += 1
        landed = s.luck.below(2, "coin", s.round, ACTORS[unit], at=at) == 1
        at, target = at[landed], target[landed]
        blow = np.minimum(s.luck.die(3, "blow", s.round, ACTORS[unit], at=at), s.hp[target, at])
        s.hp[target, at] -= blow.astype(np.int16)
        s.coins[at] += 1
        s.ledger.hits[ability, at] += 1
        s.ledger.damage[ability, at] += blow.astype(np.int32)
        s.ledger.damage_dealt[unit, at] += blow.astype(np.int32)
        s.ledger.damage_taken[target, at] += blow.astype(np.int32)
        felled = s.hp[target, at] == 0
        at, target = at[felled], target[felled]
        s.ledger.kills[unit, at] += 1
        s.ledger.fell(target, at, s.round)
        s.dead[target, at] = s.luck.below(2, "death", s.round, ACTORS[unit], at=at) == 1
        if unit in (ADA, BO):
            s.decide(at[(s.hp[OGRE, at] <= 0) & (s.hp[RAT, at] <= 0)], Outcome.WIN)
        else:
            s.decide(at[(s.hp[ADA, at] <= 0) & (s.hp[BO, at] <= 0)], Outcome.LOSS)

    def harvest(self, s: Duel, at: Lanes, runs: NDArray[np.int64]) -> Outcomes:
        if self.model.interrupt_at in runs:
            os.kill(self.model.interrupt_process, signal.SIGINT)
        return super().harvest(s, at, runs)

    def ending(self, s: Duel, at: Lanes, book: Ledger) -> Ending:
        return Ending(
            xp=10 * (s.outcome[at] == Outcome.WIN).astype(np.int32),
            counts={"coins": s.coins[at]},
            hp=s.hp[:, at].astype(np.int32),
            present=s.present[:, at],
            dead=s.dead[:, at],
        )


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


class CoinDuelRules(Ruleset):
    """The game as a ruleset."""

    name = "coin-duel"
    title = "Ada, Bo and the Ogre"
    about = "Two heroes, two enemies, coins."
    version = 1
    folder = Path(__file__).parent
    scenario_model = DuelModel
    coverage = Coverage(
        modelled=("Blows, healing, death.",),
        simplified=("Nobody moves.",),
        not_modelled=("The crowd.",),
        house_figures=("The ogre's hit points.",),
    )
    switchboard = Switchboard.of(  # type: ignore[assignment]
        {
            "default_preset": "plain",
            "switches": {
                "crits": {"about": "Whether a 3 counts double.", "default": "no", "values": ["no", "yes"]},
                "mercy": {"about": "Rounds before the ogre strikes.", "default": 0, "kind": "whole"},
            },
            "presets": {"plain": {"about": "As written."}, "wild": {"about": "With crits.", "set": {"crits": "yes"}}},
        }
    )

    @property
    def policies(self) -> dict[str, str]:
        return {"plain": "Strike, heal when needed."}

    def problems(self, scenario: ScenarioModel) -> list[Problem]:
        return []

    def resolve(self, scenario: ScenarioModel) -> dict[str, Any]:
        return scenario.model_dump()

    def compile(self, scenario: ScenarioModel) -> CoinDuel:
        assert isinstance(scenario, DuelModel)
        return CoinDuel(scenario)


RULESET = CoinDuelRules()


@lru_cache(maxsize=8)
def _compiled(written: str) -> CoinDuel:
    return CoinDuel(DuelModel.model_validate_json(written))


@dataclass(frozen=True)
class DuelScenario:
    """A duel with the face of a scenario."""

    model: DuelModel
    name: str = "coin-duel/test"
    source: Path | None = Path("coin-duel/test.toml")
    changes: tuple[str, ...] = ()

    @property
    def ruleset(self) -> Ruleset:
        return RULESET

    @property
    def settings(self) -> dict[str, Any]:
        return RULESET.switchboard.settings(self.model.preset, self.model.switches)

    @property
    def digest(self) -> str:
        return hashlib.blake2b(self.model.model_dump_json().encode(), digest_size=16).hexdigest()

    def encounter(self) -> CoinDuel:
        return _compiled(self.model.model_dump_json())

    def resolved(self) -> dict[str, Any]:
        return RULESET.resolve(self.model)

    def as_played(self) -> dict[str, Any]:
        return RULESET.as_played(self.model)

    @property
    def title(self) -> str:
        return self.model.title

    @property
    def description(self) -> str:
        return self.model.description

    @property
    def policy(self) -> str:
        return self.model.policy

    @property
    def preset(self) -> str:
        return self.model.preset or RULESET.switchboard.default_preset


def duel(name: str = "coin-duel/test", **values: Any) -> DuelScenario:
    """A duel; keywords change what its file says."""
    written = {"ruleset": "coin-duel", "title": "Two against two", "policy": "plain"} | values
    return DuelScenario(DuelModel(**written), name)
