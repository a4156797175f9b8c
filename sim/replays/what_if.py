"""What if from here: a run played on from the start of a round with other luck, and perhaps by another policy."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from sim.core.branch import Fork, branch
from sim.core.lanes import Tiny
from sim.core.outcomes import Outcome
from sim.errors import InputError
from sim.replays.chances import Chance, chance_of
from sim.results.statistics import Estimate, paired_rates
from sim.results.verdict import percent
from sim.scenario import Scenario
from sim.scenario.wording import readable

AGAIN = 2_000  # continuations: a chance to about two points either way
NO_MATTER = 0.005  # what difference does not matter: as `fairfight compare` has it


@dataclass(frozen=True, slots=True)
class WhatIf:
    """How a run would have gone on."""

    chance: Chance  # by the policy of the fight
    policy: str = ""  # another one, from the round on
    other: Chance | None = None  # by that policy, with the same luck
    difference: Estimate | None = None  # in how often the party wins: by that policy less by its own
    watch: int = 0  # a continuation to look at: the first that ends otherwise than the run did, or else the first
    ends: str = ""  # how that one ends

    def sentences(self) -> list[str]:
        """What came of it."""
        found = [f"{self.chance.sentence()}."]
        if self.other is not None and self.difference is not None:
            by = f"With the policy {readable(self.policy)} from there on, and the same luck"
            wins = f"it wins {self.other.wins:,}: {self.other.in_words()}"
            found.append(f"{by}, {wins}. {_difference_in_words(self.difference)}.")
        return found

    def to_json(self) -> dict[str, Any]:
        """As plain data."""
        found = self.chance.to_json() | {"watch": self.watch}
        if self.other is not None and self.difference is not None:
            change = self.difference
            interval = {"difference": change.value, "difference_low": change.low, "difference_high": change.high}
            found["then_policy"] = {"policy": self.policy, **self.other.to_json(), **interval}
        return found


def what_if(fight: Scenario, run: int, seed: int, round: int, again: int = AGAIN, policy: str = "") -> WhatIf:
    """Play a run on from the start of a round, or of a scene of an evening.

    InputError if it was over by then, or for a policy that is not known.
    """
    encounter, runs = fight.encounter(), np.array([run], dtype=np.int64)
    scene = round if fight.is_adventure else 0
    own = branch(encounter, seed, runs, round, again).outcome
    itself = Outcome(branch(encounter, seed, runs, round, 1, same_luck=True).outcome[0])
    chance = chance_of(round, own, scene)
    if not policy:
        return WhatIf(chance, watch=_otherwise(own, itself), ends=_end(own, _otherwise(own, itself)))
    other = branch(encounter, seed, runs, round, again, then=with_policy(fight, policy).encounter()).outcome
    won, wins = own == Outcome.WIN, other == Outcome.WIN
    difference = paired_rates(int(np.count_nonzero(wins & ~won)), int(np.count_nonzero(won & ~wins)), again)
    watch = _otherwise(other, itself)
    return WhatIf(chance, policy, chance_of(round, other, scene), difference, watch, _end(other, watch))


def with_policy(fight: Scenario, policy: str) -> Scenario:
    """The same fight by another policy; heroes with one of their own keep it."""
    try:
        return fight.changed(policy=policy)
    except InputError as error:
        raise InputError([replace(one, file=None, key="--then-policy") for one in error.problems]) from None


def policies_of(fight: Scenario) -> list[str]:
    """The policies that could take over: those of the game and of the file, but for the fight's own."""
    return [name for name in (*fight.ruleset.policies, *fight.data.get("policies", {})) if name != fight.policy]


def fork_words(fork: Fork, policy: str, what: str = "round") -> str:
    """Where a continuation leaves its run: 'other luck from round 3 on (continuation 5)'; an evening from a scene."""
    by = f" and the policy {readable(policy)}" if policy else ""
    return f"other luck{by} from {what} {fork.round} on (continuation {fork.continuation})"


def _otherwise(ended: Tiny, itself: Outcome) -> int:
    """The first continuation that ends otherwise than the run itself; the first of all if none does."""
    return int(np.argmax(ended != itself))


def _end(ended: Tiny, continuation: int) -> str:
    return Outcome(ended[continuation]).name.lower()


def _difference_in_words(difference: Estimate) -> str:
    low, high = (f"{100 * end:+.1f}" for end in (difference.low, difference.high))
    if difference.low > 0 or difference.high < 0:
        by = percent(abs(difference.value), difference.margin)
        return f"That is {by} points {'more' if difference.value > 0 else 'less'} ({low} to {high})"
    if difference.low >= -NO_MATTER and difference.high <= NO_MATTER:
        return f"That makes no difference that matters ({low} to {high} points)"
    return f"Whether that is more or less cannot be told from so few ({low} to {high} points)"
