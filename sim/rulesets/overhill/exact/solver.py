"""Which fights the exact solver takes on, and its answer."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from math import prod
from operator import truediv
from typing import Any

from sim.core.ruleset import ExactResult
from sim.errors import NotSolvable
from sim.rulesets.overhill.exact.chain import Chain
from sim.rulesets.overhill.exact.enemy_turns import MonsterPhase
from sim.rulesets.overhill.exact.hero_turns import HeroPhase
from sim.rulesets.overhill.exact.odds import Chance, Share, TooLarge
from sim.rulesets.overhill.exact.party import Fight, Party, step_up
from sim.rulesets.overhill.exact.setup import after_trap, make_fight, numbers, scaled
from sim.rulesets.overhill.schema import OverhillScenario

MOST_FRACTIONS = 2_000  # states up to which fractions are quick; beyond, double precision
MOST_STATES = 100_000
OVERCOUNT = 4  # a first count goes wrong by less than this, in either direction, wherever it was compared


def solve(
    scenario: OverhillScenario,
    switches: Mapping[str, Any],
    most_states: int = MOST_STATES,
    most_fractions: int = MOST_FRACTIONS,
) -> ExactResult:
    """The exact chances of a fight under the policy `plain`; NotSolvable with reason and remedy where it is too large.

    Up to `most_fractions` states the answer is a fraction; up to `most_states` it is worked out in double precision.
    """
    refuse(scenario)
    fight = make_fight(scenario, switches)
    if (situations := first_count(fight)) > OVERCOUNT * most_states:
        raise too_large(fight, TooLarge(f"about {situations:,} by a first count, with a limit of {most_states:,}"))
    attempts: list[tuple[Share, int]] = [(Fraction, min(most_fractions, most_states)), (truediv, most_states)]
    reason = TooLarge()
    for share, limit in attempts:
        try:
            return answer(fight, share, limit)
        except TooLarge as limit_met:
            reason = limit_met
    raise too_large(fight, reason)


def refuse(scenario: OverhillScenario) -> None:
    """Say which fights the solver does not take, and what to do instead."""
    simulate = "or play it with `fairfight run`"
    if scenario.forbid:
        raise NotSolvable("The exact solver does not know forbidden abilities; take `forbid` out of the scenario.")
    if scenario.policy != "plain":
        raise NotSolvable(
            f"The exact solver knows the policy 'plain' only, and this fight is played by '{scenario.policy}'. "
            f"Solve it with `--policy plain`, {simulate}."
        )
    if "plain" in scenario.policies:
        raise NotSolvable(
            "The scenario has a policy 'plain' of its own, and the exact solver knows only the built-in one. "
            f"Give yours another name, {simulate}."
        )
    if scenario.encounter is not None:
        raise NotSolvable(
            "The exact solver does not roll on encounter tables. "
            f"List the [[enemies]] of one row and solve that, {simulate}."
        )
    if scenario.surprise:
        raise NotSolvable(
            "The exact solver begins with round 1, and here the monsters attack before it. "
            f"Set `surprise=false`, {simulate}."
        )
    engage = scenario.policy_options.engage
    if engage not in (None, "attack"):
        raise NotSolvable(
            f"The exact solver begins with the fight itself, and here the party begins with '{engage}'. "
            f"Set `policy_options.engage=attack`, {simulate}."
        )


def too_large(fight: Fight, reason: TooLarge) -> NotSolvable:
    """The reason with the numbers that made it so."""
    health = " + ".join(str(hero.health) for hero in fight.heroes)
    monsters = " + ".join(str(group.count) for group in fight.groups)
    return NotSolvable(
        f"This fight has too many different situations to solve exactly: {reason} "
        f"({len(fight.heroes)} heroes with {health} health against {monsters} monsters). "
        "Solve a smaller one (fewer heroes, monsters or health points), or play it with `fairfight run`."
    )


def first_count(fight: Fight) -> int:
    """A quick guess at the number of states: health that each hero can have, times monsters that can be left."""
    rule = fight.switches["monster_damage"]
    costs: set[int] = set()
    for group in fight.groups:
        most = max(1, group.attack + bool(group.kin))  # one more under a leader
        costs |= {1} if rule == "one" else set(range(1, most + 1)) if rule == "margin" else {max(1, group.attack), most}
    total = prod(1 + scaled(fight, group.count.most) for group in fight.groups)
    for hero in fight.heroes:
        own_costs = costs | (_mishap_costs(fight) if hero.hero_class == "magic_user" else set())
        possible = {hero.health}
        for health in range(hero.health, 0, -1):
            if health in possible:
                possible |= {max(health - cost, 0) for cost in own_costs}
        total *= len(possible)
    return total


def _mishap_costs(fight: Fight) -> set[int]:
    """OU-G4: the health that a mishap can cost."""
    return {damage for mishap in fight.mishaps for damage in mishap.damage.chances() if damage > 0}


def answer(fight: Fight, share: Share, most_states: int) -> ExactResult:
    """The solved chain as a result; `share(k, n)` is k out of n, as a fraction or a float."""
    chain = Chain(fight, HeroPhase(fight, share), MonsterPhase(fight, share), share, most_states)
    beginning: list[tuple[Chance, tuple[int, ...], Party]] = []
    fought = share(0, 1)
    for p, n in numbers(fight, share):
        if not any(n):
            continue  # OU-S12: nobody there; left out of every rate
        fought += p
        for q, party in after_trap(fight, share):
            if any(hero.health for hero in party):  # otherwise the trap has won the fight
                beginning.append((p * q, n, step_up(fight, party)))
    if not fought:
        raise NotSolvable("There is nobody to fight: every group has 0 monsters. Raise a count.")
    values = chain.solve(beginning)
    win, nobody_down, rounds, standing = (value / fought for value in values)
    precision = "in fractions" if isinstance(win, Fraction) else "in double precision"
    return ExactResult(
        win=win,
        loss=1 - win,
        draw=win * 0,
        rounds=float(rounds),
        states=len(chain.states),
        notes=(
            f"solved {precision}",
            f"no round cap (the engine calls it a draw after {fight.switches['round_cap']} rounds)",
            "nobody_down: won with all heroes standing; standing: expected heroes standing at the end, 0 if lost",
        ),
        others={"nobody_down": float(nobody_down), "standing": float(standing)},
    )
