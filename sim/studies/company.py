"""What losses have in common: marks of a fight that keep company with losing it.

Company and not cause: heroes go down *because* a fight is being lost as well as the other way round. Where a cause can
be tested by changing just that (forbidding an ability), `cause_test` says how.
"""

from __future__ import annotations

import json
import math
import shlex
from dataclasses import dataclass

import numpy as np

from sim.core.lanes import Mask
from sim.core.outcomes import Cast, Outcomes
from sim.results.statistics import CONFIDENCE, Estimate, nothing, wilson
from sim.scenario import Scenario
from sim.scenario.wording import readable

NEVER = 1 << 14  # a round after every other
EARLY_FALL = "a hero goes down by the end of round"
EARLY = (1, 2, 3)  # rounds by the end of which somebody may have gone down


@dataclass(frozen=True, slots=True)
class Feature:
    """Something that is so in some fights and not in others."""

    text: str
    ability: str = ""  # the ability that it is about, if it is about one


def features_of(cast: Cast) -> list[Feature]:
    """What is looked at in a fight: who falls first on either side, how early, and what is never used.

    Not who falls at all: in most games that is what losing means.
    """
    party = [cast.units[row].name for row in cast.party]
    enemies = [unit.name for unit in cast.units if unit.side == "enemy"]
    found = [Feature(f"{readable(name)} is the first hero to go down") for name in party if len(party) > 1]
    found += [Feature(f"{EARLY_FALL} {round}") for round in EARLY]
    found += [Feature(f"{readable(name)} is the first enemy to fall") for name in enemies if len(enemies) > 1]
    return found + [
        Feature(f"{readable(cast.units[ability.unit].name)} never uses {readable(ability.name)}", ability.name)
        for ability in cast.abilities
        if cast.units[ability.unit].side == "party" and not ability.common
    ]


def features_in(outcomes: Outcomes, cast: Cast) -> Mask:
    """(features, runs). Which of `features_of` hold in which run."""
    party = cast.party
    enemies = [row for row, unit in enumerate(cast.units) if unit.side == "enemy"]
    down = np.where(outcomes.down_round < 0, NEVER, outcomes.down_round)
    down = np.where(outcomes.present, down, NEVER)
    heroes, foes = down[party], down[enemies]
    first_hero, first_foe = heroes.min(axis=0, initial=NEVER), foes.min(axis=0, initial=NEVER)
    rows = [(one == first_hero) & (one < NEVER) for one in heroes if len(party) > 1]
    rows += [first_hero <= round for round in EARLY]
    rows += [(one == first_foe) & (one < NEVER) for one in foes if len(enemies) > 1]
    rows += [
        outcomes.uses[row] == 0
        for row, ability in enumerate(cast.abilities)
        if cast.units[ability.unit].side == "party" and not ability.common
    ]
    return np.stack(rows) if rows else np.zeros((0, outcomes.size), dtype=bool)


def apart(in_losses: int, losses: int, in_wins: int, wins: int, confidence: float = CONFIDENCE) -> Estimate:
    """How much more often something is so in losses than in wins, with Newcombe's interval (1998, method 10).

    >>> found = apart(56, 70, 48, 80)
    >>> round(found.value, 3), round(found.low, 3), round(found.high, 3)
    (0.2, 0.052, 0.334)
    """
    if not losses or not wins:
        return nothing("no such run")
    one, other = in_losses / losses, in_wins / wins
    (low_one, high_one), (low, high) = wilson(in_losses, losses, confidence), wilson(in_wins, wins, confidence)
    below = math.hypot(one - low_one, high - other)
    above = math.hypot(high_one - one, other - low)
    return Estimate(one - other, one - other - below, one - other + above, losses + wins)


def cause_test(scenario: Scenario, ability: str) -> str:
    """The command that plays the fight without an ability, with the same luck; empty where there is none."""
    values = scenario.ruleset.forbid(scenario.model, ability)
    if values is None or scenario.changes:
        return ""
    settings = "; ".join(f"{path}={json.dumps(value)}" for path, value in values.items())
    return shlex.join(["fairfight", "compare", scenario.name, "--variant", f"without {ability}: {settings}"])
