"""Kinds of enemies and their figures."""

from __future__ import annotations

import pytest

from sim.rulesets.brimstone.bestiary import figures_of, kind_of_type
from tests.rulesets.brimstone.fights import encounter_of, ready
from tests.rulesets.brimstone.scenes import (
    kind_of,
)


@pytest.mark.rule("BF-P12")
def test_threat_is_the_expected_damage_of_the_best_attack() -> None:
    kinds = {"tentacles": 4.5, "goliath": 6.0, "bandits": 3.0, "stranglers": 8 / 3}
    fight = {"board": "none", "heroes": [{"class": "lawman"}], "enemies": [{"type": kind} for kind in kinds]}
    _, s = ready(fight)

    found = {kind: int(s.facts.figure["threat"][s.held[kind_of(s, kind), 0]]) for kind in kinds}

    assert all(found[kind] / found["tentacles"] == pytest.approx(kinds[kind] / 4.5) for kind in kinds)


@pytest.mark.rule("BF-S1")
def test_we28_levels() -> None:
    marshal = encounter_of(
        {"board": "none", "level": 5, "heroes": [{"class": "us_marshal"}], "enemies": [{"type": "tentacles"}]}
    ).facts.plot.heroes[0]
    slasher, _ = figures_of(kind_of_type("slashers", {}), True, ())

    figures = [marshal.figures[key] for key in ("health", "sanity", "max_grit", "combat", "th_ranged")]
    assert figures == [18, 18, 3, 3, 3]
    assert marshal.shot_bonus == 1
    assert [slasher[key] for key in ("health", "combat", "damage_dice", "damage", "move", "xp")] == [11, 3, 1, 1, 6, 20]
