"""Fights for the tests: played by the engine and by the referee, and what differs between them."""

from __future__ import annotations

from typing import Any

import numpy as np

from sim.core.luck import Luck
from sim.core.outcomes import Outcome
from sim.rulesets.brimstone import RULESET
from sim.rulesets.brimstone.data import CAUSES
from sim.rulesets.brimstone.encounter import BrimstoneEncounter
from sim.rulesets.brimstone.state import State
from tests.oracle import brimstone as referee
from tests.oracle.luck import AddressedLuck

PER_HERO = (
    *("hp_end", "mind_end", "grit", "standing", "dead", "removed", "xp", "corruption", "kills", "dealt", "taken"),
    *("sanity_taken", "ko_count", "healed", "grit_gained", "grit_spent", "tokens_used", "injuries", "madness", "loot"),
    "revivals",
)
PER_RUN = {
    "threat_cards": "cards",
    "revive_left": "tokens",
    "darkness": "marker",
    "depth_events": "depth",
    "ignored": "ignored",
}


def encounter_of(fight: dict[str, Any]) -> BrimstoneEncounter:
    """A fight as a scenario file says it, compiled."""
    scenario = RULESET.scenario_model.model_validate({"ruleset": "brimstone", "title": "test"} | fight)
    encounter = RULESET.compile(scenario)
    assert isinstance(encounter, BrimstoneEncounter)
    return encounter


def ready(fight: dict[str, Any], runs: int = 1, seed: int = 1) -> tuple[BrimstoneEncounter, State]:
    """A fight before its first turn."""
    encounter = encounter_of(fight)
    return encounter, encounter.start(Luck.of(seed, np.arange(runs)), None)


def played(fight: dict[str, Any], runs: int, seed: int) -> State:
    """A fight played to its end, without compaction, so that everything can be looked at."""
    encounter, s = ready(fight, runs, seed)
    while s.live.any():
        s.round += 1
        s.rounds[s.live] = s.round
        encounter.play_round(s)
    return s


def differences(fight: dict[str, Any], seed: int, runs: int) -> list[str]:
    """What engine and referee do not agree on, run by run; empty if they agree in everything."""
    s = played(fight, runs, seed)
    prepared = referee.prepare({"ruleset": "brimstone", "title": "test"} | fight)
    everyone = np.arange(runs)
    health = [s.health_left(hero, everyone) for hero in range(s.heroes)]
    sanity = [s.sanity_left(hero, everyone) for hero in range(s.heroes)]
    found = []
    for k in range(runs):
        theirs = referee.play(prepared, AddressedLuck(seed, k))
        pairs: list[tuple[str, Any, Any]] = [
            ("outcome", Outcome(s.outcome[k]).name.lower(), theirs.outcome),
            ("cause", CAUSES[s.cause[k]], theirs.cause),
            ("rounds", int(s.rounds[k]), theirs.rounds),
            ("xp", int(s.xp[:, k].sum()), theirs.xp),
        ]
        pairs += [(name, int(getattr(s, mine)[k]), getattr(theirs, name)) for name, mine in PER_RUN.items()]
        for h, hero in enumerate(theirs.heroes):
            pairs += [(f"hp of hero {h}", int(health[h][k]), hero.hp), (f"mind of {h}", int(sanity[h][k]), hero.mind)]
            pairs += [(f"{name} of {h}", int(getattr(s, name)[h, k]), int(getattr(hero, name))) for name in PER_HERO]
            if s.has_board:
                pairs.append((f"square of hero {h}", int(s.ground.square[s.cell[h, k]]), hero.square))
        for slot, model in enumerate(theirs.enemies):
            left = int(s.facts.figure["health"][s.profile[slot, k]] - s.hurt[slot, k])
            mine = (int(s.kind[slot, k]), int(s.serial[slot, k]), bool(s.alive[slot, k]), max(0, left))
            pairs.append((f"model {slot}", mine, (model.kind, model.serial, model.alive, model.hp)))
        for kind, group in theirs.groups.items():
            counted = (int(s.made[kind, k]), int(s.killed[kind, k]), int(s.group_dealt[kind, k]))
            pairs.append((f"group {kind}", counted, (group.created, group.killed, group.dealt)))
        found += [f"run {k}, {what}: engine {a}, referee {b}" for what, a, b in pairs if a != b]
    return found
