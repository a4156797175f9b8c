"""One small study of each kind, and what it has found."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import sim
from sim.studies.answer import Answer

FIGHT = "overhill/playtest-1-ladder"
SWEPT = {"enemies.skeleton.count": range(1, 7)}

QUESTIONS: dict[str, Callable[..., Answer]] = {
    "compare": lambda **how: sim.compare(FIGHT, {"one more": {"enemies.skeleton.count": 4}}, precision=2, **how),
    "best": lambda **how: sim.compare(
        FIGHT, {"harder": {"enemies.zombie.melee": 5}, "twin": {"policy": "plain"}}, best="highest", margin=0.1, **how
    ),
    "sweep": lambda **how: sim.sweep(FIGHT, SWEPT, runs=400, **how),
    "sweep to a precision": lambda **how: sim.sweep(FIGHT, SWEPT, precision=2, **how),
    "scale": lambda **how: sim.scale(FIGHT, [1, 2, 3], policies=["plain", "cautious", "aggressive"], runs=300, **how),
    "tune": lambda **how: sim.tune(FIGHT, "enemies.skeleton.count", "win_rate=0.6", low=1, high=8, precision=3, **how),
    "tune several": lambda **how: sim.tune(
        FIGHT, {"enemies.skeleton.count": [1, 6], "enemies.zombie.melee": [3, 6]}, "win_rate=0.6", precision=4, **how
    ),
    "sensitivity": lambda **how: sim.sensitivity(FIGHT, only="zombie", runs=300, **how),
    "race": lambda **how: sim.sensitivity(FIGHT, only="blunt", runs=2_100, **how),
    "ladder": lambda **how: sim.ladder(FIGHT, policies=["plain", "cautious"], abilities=["dart"], runs=300, **how),
    "improve": lambda **how: sim.improve(FIGHT, generations=1, runs=300, **how),
    "parties": lambda **how: sim.parties(FIGHT, size=2, of=["warrior", "priest"], runs=300, **how),
    "price": lambda **how: sim.price(FIGHT, ["skeleton", "zombie"], runs=60, precision=80, **how),
    "why": lambda **how: sim.why(FIGHT, runs=300, curves=6, again=12, **how),
    "gate": lambda **how: sim.gate(
        [{"scenario": FIGHT, "win_rate": [0.8, 0.9]}, {"scenario": "overhill/playtest-1", "rounds": {"most": 4}}], **how
    ),
}


def found(folder: Path) -> dict[str, Any]:
    """What a study has found; not how long it took."""
    document = json.loads((folder / "study.json").read_text())
    tables = {path.name: path.read_bytes() for path in (*folder.glob("*.csv"), *folder.glob("*.parquet"))}
    effort = document.pop("effort")
    return document | {"files": tables, "encounters": effort["encounters"], "otherwise": effort["otherwise"]}
