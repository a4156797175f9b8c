"""Exact odds of small fights: every face of every die is followed, nothing is sampled.

The rules are told here a second time, in scalar words and without the engine, so that the two check each other.

    party.py          who stands where: the heroes as small tuples, formation, stepping up
    odds.py           what one roll can do: hits of an attack, health lost to an attack
    hero_phase.py     all ways in which a hero phase can go
    monster_phase.py  all ways in which a monster phase can go
    chain.py          the round starts as states of a Markov chain, and its solution
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from itertools import product
from math import prod
from operator import truediv
from typing import TYPE_CHECKING

from sim.core.ruleset import ExactResult
from sim.errors import NotSolvable
from sim.rulesets.overhill.build import build_gatherings, build_heroes, scaled_number
from sim.rulesets.overhill.exact.chain import Chain
from sim.rulesets.overhill.exact.hero_phase import HeroPhase
from sim.rulesets.overhill.exact.monster_phase import MonsterPhase
from sim.rulesets.overhill.exact.odds import Chance, Share, TooLarge
from sim.rulesets.overhill.exact.party import Fight, Party, Room, fresh_party, hurt, step_up
from sim.rulesets.overhill.schema import OverhillScenario

if TYPE_CHECKING:
    from sim.rulesets.overhill import Overhill

MOST_FRACTIONS = 2_000  # states up to which fractions are quick; beyond, double precision
MOST_STATES = 100_000
MOST_NUMBERS = 1_000
OVERCOUNT = 4  # a first count goes wrong by less than this, in either direction, wherever it was compared
TRAP_DIFFICULTY = 3


def solve(
    ruleset: Overhill,
    scenario: OverhillScenario,
    most_states: int = MOST_STATES,
    most_fractions: int = MOST_FRACTIONS,
) -> ExactResult:
    """The exact chances of a fight under the policy `plain`; NotSolvable with reason and remedy where it is too large.

    Up to `most_fractions` states the answer is a fraction; up to `most_states` it is worked out in double precision.
    """
    refuse(scenario)
    fight = make_fight(ruleset, scenario)
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
        most = max(1, group.attack + group.kin)  # one more under a leader
        costs |= {1} if rule == "one" else set(range(1, most + 1)) if rule == "margin" else {max(1, group.attack), most}
    total = prod(1 + scaled(fight, group.count.most) for group in fight.groups)
    for hero in fight.heroes:
        own_costs = costs | ({1, 2, 3, 4} if hero.hero_class == "magic_user" else set())
        possible = {hero.health}
        for health in range(hero.health, 0, -1):
            if health in possible:
                possible |= {max(health - cost, 0) for cost in own_costs}
        total *= len(possible)
    return total


def make_fight(ruleset: Overhill, scenario: OverhillScenario) -> Fight:
    """OU-S1, OU-S2, OU-S5: the facts of the fight."""
    switches = ruleset.switchboard.settings(scenario.preset, scenario.switches)
    heroes = build_heroes(scenario, switches)
    _, _, gatherings = build_gatherings(scenario, heroes, switches)
    options = scenario.policy_options
    return Fight(
        heroes=tuple(heroes),
        groups=gatherings[0].groups,
        trap=gatherings[0].trap and switches["traps"] == "on",
        room=Room.named(scenario.room),
        switches=switches,
        stance={"neutral": 0, "aggressive": 1, "defensive": -1}[options.stance],
        rogue_sneak=options.rogue_sneak,
        warrior_frenzy=options.warrior_frenzy,
    )


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


def numbers(fight: Fight, share: Share) -> Iterator[tuple[Chance, tuple[int, ...]]]:
    """OU-S2, OU-S3: how many monsters there can be in each group, with the chance of it."""
    if prod(group.count.most - group.count.least + 1 for group in fight.groups) > MOST_NUMBERS:
        raise TooLarge(f"more than {MOST_NUMBERS:,} ways in which the monsters' numbers can be rolled")
    for rolled in product(*(group.count.chances().items() for group in fight.groups)):
        p = share(1, 1)
        for _, chance in rolled:
            p = p * share(chance.numerator, chance.denominator)
        yield p, tuple(scaled(fight, total) for total, _ in rolled)


def scaled(fight: Fight, number: int) -> int:
    """OU-S3: how many monsters there are when so many were rolled."""
    level = sum(hero.level for hero in fight.heroes) // len(fight.heroes)
    return int(scaled_number(max(number, 0), level, fight.switches))


def after_trap(fight: Fight, share: Share) -> Iterator[tuple[Chance, Party]]:
    """OU-S11: the party as the fight begins: whole, or one front hero caught by a trap."""
    party = fresh_party(fight)
    if not fight.trap:
        yield share(1, 1), party
        return
    front = [h for h, hero in enumerate(party) if hero.front]
    needed = TRAP_DIFFICULTY + (fight.switches["difficulty_check"] == "exceed")
    for h in front:
        sides = fight.heroes[h].quick
        caught = min(needed - 1, sides)
        yield share(sides - caught, sides * len(front)), party
        for damage in (1, 2, 3, 4):
            yield share(caught, 4 * sides * len(front)), hurt(party, h, damage)
