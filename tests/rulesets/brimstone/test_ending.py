"""The end of the encounter: breath, recovery, loot."""

from __future__ import annotations

import numpy as np
import pytest

from sim.core.outcomes import Outcome
from sim.rulesets.brimstone.rules.ending import catch_breath, mix, recover, restore, share_loot
from tests.rulesets.brimstone.fights import played, ready
from tests.rulesets.brimstone.scenes import (
    LANE,
    TENTACLE,
)


@pytest.mark.rule("BF-F2", "BF-F3", "BF-F4")
@pytest.mark.parametrize(
    ("acted", "wounds", "most", "grit"), [(True, 0, 0, 1), (False, 0, 0, 2), (True, 9, 3, 1), (False, 9, 6, 1)]
)
def test_we27_who_had_no_turn_heals_more_or_takes_a_grit(acted: bool, wounds: int, most: int, grit: int) -> None:
    fight = {"board": "none", "heroes": [{"class": "lawman", "wounds": wounds}], "enemies": [TENTACLE]}
    _, s = ready(fight, 300)
    s.round = 1
    s.acted[0] = acted

    catch_breath(s, 0, np.arange(300))

    assert (wounds - s.wounds[0]).max() == most
    assert (s.grit[0] == grit).all()


@pytest.mark.rule("BF-F6")
@pytest.mark.parametrize(("wounds", "sanity", "rolls"), [(12, 3, (1, 0)), (3, 12, (0, 1)), (12, 12, (1, 1))])
def test_recovery_counts_injury_and_madness(wounds: int, sanity: int, rolls: tuple[int, int]) -> None:
    hero = {"class": "lawman"}
    _, s = ready({"board": "none", "heroes": [hero, hero], "enemies": [TENTACLE]}, 1)
    s.round = 1
    s.wounds[0], s.sdmg[0] = wounds, sanity

    recover(s, 0, LANE)

    assert (s.injuries[0, 0], s.madness[0, 0]) == rolls
    assert s.health_left(0, LANE)[0] >= 1
    assert s.sanity_left(0, LANE)[0] >= 1


@pytest.mark.rule("BF-T10")
def test_the_last_kill_ends_the_fight_at_once() -> None:
    heroes = [{"class": "lawman", "init": 9, "combat": 6}, {"class": "lawman", "init": 8}]
    encounter, s = ready({"board": "none", "heroes": heroes, "enemies": [{"type": "hellbats"}]}, 300)
    s.round = 1

    encounter.play_round(s)

    first = (s.kills[0] == 1) & (s.outcome == Outcome.WIN)
    assert first.sum() > 200
    assert not s.acted[1, first].any()
    assert s.acted[1, s.kills[0] == 0].all()


@pytest.mark.rule("BF-F8", "BF-F7")
def test_we26_loot_follows_the_threat_cards() -> None:
    strong = {"class": "lawman", "combat": 8, "health": 40}
    ally = {"class": "lawman", "ally": True, "move": 3}
    fight = {"board": "none", "heroes": [strong, ally], "enemies": [{"type": "hellbats"}], "threat": ["low:4"]}

    s = played(fight, 200, 3)

    won = s.outcome == 0
    assert won.any()
    assert (s.loot[0, won] == 2).all()
    assert (s.loot[1] == 0).all()


@pytest.mark.rule("BF-F3", "BF-F5", "BF-F6")
def test_we27_healing_in_any_mix() -> None:
    hero = {"class": "lawman", "health": 10, "sanity": 10}
    _, s = ready({"board": "none", "heroes": [hero], "enemies": [{"type": "tentacles"}]}, 1)
    lane = np.zeros(1, dtype=np.int64)
    s.wounds[0], s.sdmg[0] = 7, 6

    mix(s, 0, lane, np.array([3]))

    assert (s.health_left(0, lane)[0], s.sanity_left(0, lane)[0]) == (5, 5)

    s.wounds[0], s.sdmg[0] = 10, 4
    restore(s, 0, lane, [np.array([n]) for n in (2, 3, 6, 6)])
    assert (s.health_left(0, lane)[0], s.sanity_left(0, lane)[0]) == (5, 6)


@pytest.mark.rule("BF-F7", "BF-U3")
@pytest.mark.parametrize(("cap", "cards"), [(3, [2, 3]), (5, [2, 5]), (0, [0, 0])])
def test_we26_loot_is_capped(cap: int, cards: list[int]) -> None:
    heroes = [{"class": "lawman"}, {"class": "lawman", "ally": True, "move": 3}]
    fight = {"board": "none", "heroes": heroes, "enemies": [{"type": "hellbats"}], "switches": {"loot_cap": cap}}
    _, s = ready(fight, 2)
    s.cards[:] = [2, 5]

    share_loot(s, np.arange(2))

    assert s.loot.tolist() == [cards, [0, 0]]
