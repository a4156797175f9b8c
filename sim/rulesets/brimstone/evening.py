"""Between two fights of an evening: what the posse takes along, what a rest gives back, what a level brings."""

from __future__ import annotations

import copy
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sim.core.batch import Carried
from sim.core.evening_scenes import percent_of
from sim.core.lanes import Lanes, Whole, keep, which
from sim.core.luck import Luck
from sim.rulesets.brimstone import data
from sim.rulesets.brimstone.build import HeroFacts
from sim.rulesets.brimstone.rules.setup import revive_tokens
from sim.rulesets.brimstone.state import PAST, State

OF_HEROES = ("wounds", "sdmg", "grit", "status", "bag", "dead", "removed")
OF_THE_POSSE = {"revive_tokens": "tokens", "darkness": "marker"}  # carried name -> field of the state


def leaving(s: State, at: Lanes) -> Carried:
    """BF-V1: damage, Grit, markers, tokens, who is gone, figures rolled on the level chart, and what was earned.

    A Death Mark ends with the fight (7.5). Whoever was knocked out has recovered after a win (BF-F6).
    """
    party = {name: getattr(s, name).take(at, axis=-1) for name in OF_HEROES}
    party["status"][data.DEATH_MARK] = 0
    party |= {name: getattr(s, field).take(at, axis=-1) for name, field in OF_THE_POSSE.items()}
    if s.facts.is_on("level_model", "chart"):
        party |= {name: getattr(s, name).take(at, axis=-1) for name in ("figures", "raised")}
    earned = np.stack([getattr(s, name).take(at, axis=-1).astype(np.int32) for name in PAST])
    return party | {"past": earned + s.past.take(at, axis=-1) if len(s.past) else earned}


def rested(
    heroes: Sequence[HeroFacts],
    switches: Mapping[str, Any],
    party: Carried,
    kind: str,
    luck: Luck,
    house: Mapping[str, int],
) -> Carried:
    """BF-V2: a short rest heals 2D6 in any mix and takes the markers off; a long one restores all that can be."""
    wounds, sdmg = party["wounds"].copy(), party["sdmg"].copy()
    after = party | {"status": np.zeros_like(party["status"])}
    if kind == "short":
        health, sanity = (_figure(heroes, party, name) for name in ("health", "sanity"))
        for number in range(len(heroes)):
            points = np.zeros(len(luck.keys), dtype=np.int64)
            for die in range(house["short_rest_dice"]):
                points += luck.die(6, "BF-V2", 0, number, die)
            _heal(wounds[number], sdmg[number], (health[number], sanity[number]), points)
        return after | {"wounds": wounds, "sdmg": sdmg}
    bag, grit = party["bag"].copy(), party["grit"].copy()
    for number, hero in enumerate(heroes):
        for row, token in enumerate(data.TOKENS):
            bag[row, number] = np.maximum(bag[row, number], hero.bag.get(token, 0))
        start = switches["start_grit"] if hero.grit is None else hero.grit
        if switches["grit_use"] == "on":
            grit[number] = np.maximum(grit[number], np.minimum(start, _figure(heroes, party, "max_grit")[number]))
    for damage, figure in ((wounds, "health"), (sdmg, "sanity")):  # what stays is what a long rest may leave
        whole = _figure(heroes, party, figure)
        np.minimum(damage, whole - percent_of(whole, house["long_rest_percent"]), out=damage, casting="unsafe")
    after |= {"wounds": wounds, "sdmg": sdmg, "bag": bag, "grit": grit}
    tokens = revive_tokens(heroes, switches)
    return after | {"revive_tokens": np.maximum(party["revive_tokens"], tokens).astype(np.int8)}


def _figure(heroes: Sequence[HeroFacts], party: Carried, name: str) -> NDArray[Any]:
    """(heroes, runs). A figure of every hero: as it is carried, or that of the level where nothing is rolled."""
    if "figures" in party:
        return party["figures"][data.CARRIED_FIGURES.index(name)].astype(np.int64)
    column = np.array([[hero.figures[name]] for hero in heroes], dtype=np.int64)
    return np.broadcast_to(column, party["wounds"].shape)


def _heal(wounds: NDArray[Any], sdmg: NDArray[Any], most: tuple[Whole, Whole], points: Whole) -> None:
    """BF-F5: point by point on the smaller remaining track that is damaged (tie: Health)."""
    for point in range(int(points.max(initial=0))):
        at = which(points > point)
        health, sanity = keep(most[0] - wounds, points > point), keep(most[1] - sdmg, points > point)
        body = (wounds[at] > 0) & ((sdmg[at] == 0) | (health <= sanity))
        mind = (sdmg[at] > 0) & ~body
        wounds[at] -= body
        sdmg[at] -= mind


def one_level_up(table: dict[str, Any]) -> dict[str, Any]:
    """BF-V3: a scenario's table with every hero one level higher; figures of a file are those of level 1 and stay."""
    grown = copy.deepcopy(table)
    for hero in grown["heroes"]:
        hero["level"] = (hero.get("level") or grown.get("level", 1)) + 1
    return grown


def level_costs(heroes: Sequence[HeroFacts], house: Mapping[str, int]) -> list[int | None]:
    """BF-V5: the XP that the next level costs each hero; allies earn none."""
    costs: dict[str, int] = data.table("evening.toml")["level_costs"]
    found = [None if hero.ally else costs.get(str(hero.level + 1)) for hero in heroes]
    return [None if cost is None else cost * house["level_xp_percent"] // 100 for cost in found]


def condition(heroes: Sequence[HeroFacts], party: Carried) -> dict[str, NDArray[Any]]:
    """BF-V4: what a scene can ask of a posse."""
    here = ~(party["dead"] | party["removed"])
    health, sanity = _figure(heroes, party, "health"), _figure(heroes, party, "sanity")
    left = (health - party["wounds"] - 3 * party["status"][data.BLEEDING]) * here
    mind = (sanity - party["sdmg"]) * here
    past = party["past"].sum(axis=1, dtype=np.int32)  # (counts, runs)
    return {
        "party_hp": left.clip(min=0).sum(axis=0, dtype=np.int32) / health.sum(axis=0, dtype=np.int32),
        "party_sanity": mind.clip(min=0).sum(axis=0, dtype=np.int32) / sanity.sum(axis=0, dtype=np.int32),
        "standing": here.sum(axis=0, dtype=np.int32),
        "dead": (~here).sum(axis=0, dtype=np.int32),
        "grit": (party["grit"] * here).sum(axis=0, dtype=np.int32),
        "tokens": (party["bag"] * here).sum(axis=(0, 1), dtype=np.int32),
        "revive_tokens": party["revive_tokens"].astype(np.int32),
        "darkness": party["darkness"].astype(np.int32),
        **dict(zip(PAST, past, strict=True)),
    }
