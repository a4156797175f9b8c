"""The exact chances of one hero against one foe."""

from __future__ import annotations

from fractions import Fraction

from sim.core.ruleset import ExactResult
from sim.errors import NotSolvable
from tests.games.coins.facts import Facts
from tests.games.coins.plan import Plan


def solve(facts: Facts, plan: Plan) -> ExactResult:
    """Won, lost, and in how many states."""
    if len(facts.purse) != 2:
        raise NotSolvable("The exact solver takes one hero against one foe; this fight has more.")
    if plan.bluff or facts.horseshoe[0] or facts.avoid_percent or facts.empty_percent or min(facts.turns_up) < 100:
        raise NotSolvable("The exact solver knows nothing but flips: no bluff, no horseshoe, nobody who stays at home.")
    ours, theirs = (-(-int(coins) // facts.heads_takes) for coins in facts.purse)  # heads that empty the purse
    if not ours or not theirs:
        raise NotSolvable("The exact solver takes fighters with coins.")
    win = chance(ours, theirs)
    return ExactResult(win, 1 - win, Fraction(0), float("nan"), ours * theirs, ("no round cap",))


def chance(ours: int, theirs: int) -> Fraction:
    """The chance that we, who flip first, get their heads before they get ours."""
    table = {(a, 0): Fraction(1) for a in range(ours + 1)} | {(0, b): Fraction(0) for b in range(1, theirs + 1)}
    for a in range(1, ours + 1):
        for b in range(1, theirs + 1):
            # Both tails (1/4) changes nothing, so it is left out and the rest weighed by 4/3.
            we_hit = (table[a, b - 1] + (table[a - 1, b - 1] if b > 1 else Fraction(1))) / 4
            table[a, b] = (we_hit + table[a - 1, b] / 4) * Fraction(4, 3)
    return table[ours, theirs]
