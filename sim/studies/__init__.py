"""The questions that designers ask, for every game alike.

    compare       is B better than A?
    sweep         how does it change with one or two knobs?
    scale         how does it go from level to level?
    tune          which value gives 65 %?
    sensitivity   which number matters most, and which not at all?
    ladder        what are skill and each ability worth?
    gate          does the balance still hold?
    study         any of these from a file
    diff          what changed between two results?

Shared by all: `measures` (whole-number sums of fights and of pairs of fights), `pool` (one pool of work), `shelf` (what
is finished, safe in a folder), `working` (processes, folder, cluster), `variants` (named changes and knobs), `answer`
(verdicts and tables), `words` (sentences).
"""

from __future__ import annotations

from importlib import import_module
from typing import Any

QUESTIONS = {
    "compare": "sim.studies.comparing",
    "sweep": "sim.studies.sweeping",
    "scale": "sim.studies.scaling",
    "tune": "sim.studies.tuning",
    "sensitivity": "sim.studies.sensing",
    "ladder": "sim.studies.climbing",
    "gate": "sim.studies.gating",
    "study": "sim.studies.filing",
    "diff": "sim.studies.differing",
}

__all__ = ["QUESTIONS", *QUESTIONS]


def __getattr__(name: str) -> Any:
    if name in QUESTIONS:
        return getattr(import_module(QUESTIONS[name]), name)
    raise AttributeError(f"module 'sim.studies' has no attribute '{name}'")
