"""Heroes and enemies with the figures of their level."""

from __future__ import annotations

from dataclasses import asdict

import pytest

from tests.oracle import brimstone as bf
from tests.oracle.luck import AddressedLuck


@pytest.mark.rule("BF-S1")
def test_we28_levels() -> None:
    posse = [{"class": "us_marshal", "level": level} for level in (2, 3, 3, 1)]
    prepared = bf.prepare({"board": "none", "heroes": posse})
    assert (prepared.brutal, prepared.owed) == (False, 1)

    marshal = bf.prepare({"board": "none", "level": 5, "heroes": [{"class": "us_marshal"}]}).sheets[0]
    assert (marshal.health, marshal.sanity, marshal.max_grit, marshal.combat) == (18, 18, 3, 3)
    assert (marshal.modes[1].dice, marshal.th_ranged) == (2, 3)

    slasher = bf.in_play(bf.TYPES[bf.TYPE_NUMBER["slashers"]], True, ())
    assert (slasher.health, slasher.combat, slasher.damage_dice, slasher.damage) == (11, 3, 1, 1)
    assert (slasher.move, slasher.xp_a, slasher.xp_b) == (6, 20, 5)


@pytest.mark.rule("BF-S5")
def test_elite_charts_and_brutal_sides_change_the_figures() -> None:
    for kind in bf.TYPES:
        for brutal in (False, True):
            chart = (bf.BRUTAL_CHARTS if brutal else bf.CHARTS)[kind.name]
            plain = bf.in_play(kind, brutal, ())
            assert len(chart) == 6
            for number, result in enumerate(chart, start=1):
                if result is not None:
                    elite = bf.in_play(kind, brutal, (number,))
                    # a chart result may repeat what the Brutal side already has, never the figures of a normal type
                    assert asdict(elite) != asdict(plain), (kind.name, brutal, number)


@pytest.mark.rule("BF-S5")
def test_elite_abilities_are_drawn_without_repetition_and_never_the_unmodelled() -> None:
    for seed in range(40):
        scenario = {"board": "none", "level": 4, "heroes": [{"class": "lawman"}], "switches": {"extra_elite": 3},
                    "enemies": [{"type": "stranglers", "count": 1}]}  # fmt: skip
        fight = bf.Fight(bf.prepare(scenario), AddressedLuck(seed, 0))
        fight.set_up()
        assert fight.slots[0].group.elites == (2, 3, 4, 5, 6)


def test_level_chart_changes_the_heroes_of_every_run() -> None:
    scenario = bf.SCENARIOS["high_noon"] | {"level": 8, "switches": {"level_model": "chart"}}
    prepared = bf.prepare(scenario)

    sheets = [bf.Fight(prepared, AddressedLuck(1, run)).heroes[0].sheet for run in range(20)]

    assert len({(sheet.health, sheet.sanity, sheet.max_grit) for sheet in sheets}) > 5
    assert all(sheet.health >= 10 and sheet.th_ranged in (3, 4) for sheet in sheets)
    assert prepared.sheets[0].health == 10
