"""Between the fights of an evening: what is carried on, rests, levels (P52-X5, P52-V1 to P52-V4)."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from sim.core.batch import Carried
from sim.core.engine import play
from sim.core.luck import Luck
from sim.core.pilot import Notes, PilotLuck
from sim.rulesets.p52 import RULESET, data
from sim.rulesets.p52.encounter import P52Encounter
from sim.rulesets.p52.schema import P52Scenario
from sim.scenario import from_dict, load
from tests.rulesets.p52.fights import foe, hero, written

RUNS = 30
ROGUE_AND_FRIENDS = [hero("rogue", 5), hero("fighter", 5), hero("wizard", 5)]


def fight(*enemies: dict[str, Any], heroes: list[dict[str, Any]] | None = None, **more: Any) -> P52Scenario:
    foes = list(enemies) or [foe("K clubs", 2, 0), foe("Q spades", 2, 1)]
    table = written(heroes or ROGUE_AND_FRIENDS, foes, "hall", round_cap=30, **more)
    return P52Scenario.model_validate(table)


def after(scenario: P52Scenario) -> tuple[P52Encounter, Carried]:
    """What a party takes along out of a fight."""
    encounter = RULESET.compile(scenario)
    s = encounter.start(Luck.of(3, np.arange(RUNS)), None)
    while s.live.any():
        s.round += 1
        encounter.play_round(s)
    return encounter, encounter.leaving(s, s.everyone)


def unseen(party: Carried) -> list[set[int]]:
    """The cards of every run that lie in the draw pile or in a hand."""
    found = []
    for run in range(party["hp"].shape[-1]):
        pile = party["draw_pile"][: party["left"][run], run].tolist()
        hands = [card for card in range(52) if int(party["in_hands"][0, run]) >> card & 1]
        assert len(hands) == party["cards"][:, run].sum()
        found.append({*pile, *hands})
    return found


@pytest.mark.rule("P52-V1", "P52-X5")
def test_everything_that_is_carried_is_there_as_the_next_fight_begins() -> None:
    _, party = after(fight())
    next_one = RULESET.compile(fight(foe("J clubs", 0, 0), stamina_start=1))

    s = next_one.start(Luck.of(9, np.arange(RUNS)), None, party)

    again = next_one.leaving(s, s.everyone)
    for name in ("hp", "arrows", "sharp", "cards", "stock", "xp"):
        assert np.array_equal(again[name], party[name]), name
    assert unseen(again) == unseen(party)  # with drop_mode = off nobody has turned a card yet
    assert (s.stance == 0).all()
    assert (s.stage_round == 0).all()


@pytest.mark.rule("P52-V1")
def test_hidden_cards_lie_in_the_order_of_the_scene_and_not_of_the_one_before() -> None:
    _, party = after(fight())
    encounter = RULESET.compile(fight())

    one, other = (encounter.start(Luck.of(seed, np.arange(RUNS)), None, party) for seed in (1, 2))

    assert one.deck is not None
    assert other.deck is not None
    assert not np.array_equal(one.deck.piles, other.deck.piles)
    assert (one.deck.shuffles == 0).all()


@pytest.mark.rule("P52-V1")
def test_an_evening_can_be_played_with_luck_that_keeps_account_of_the_cards() -> None:
    scenario = fight()
    _, party = after(scenario)
    luck = PilotLuck(Luck.of(5, np.arange(RUNS)).keys, np.arange(RUNS), Notes(RUNS))
    encounter = RULESET.compile(scenario)

    rested = RULESET.rest(scenario, party, "space", luck.scene(1))
    s = encounter.start(luck.scene(2), None, rested)
    s.round += 1
    encounter.play_round(s)

    assert s.deck is not None
    assert np.array_equal(s.deck.kinds_in_pile.sum(axis=1), s.deck.left)


@pytest.mark.rule("P52-V1", "P52-C21")
def test_the_dead_stay_dead_and_a_party_of_the_dead_has_lost() -> None:
    encounter, party = after(fight())
    party["hp"][:] = -1
    party["hp"][0, : RUNS // 2] = 4

    s = encounter.start(Luck.of(1, np.arange(RUNS)), None, party)

    assert s.live[: RUNS // 2].all()
    assert (s.alive[: RUNS // 2] == 1).all()
    assert not s.live[RUNS // 2 :].any()


@pytest.mark.rule("P52-V1", "P52-R8")
def test_a_party_may_come_from_single_values_to_a_deck_and_back() -> None:
    _, party = after(fight(deck_mode="iid"))

    with_deck = RULESET.compile(fight()).start(Luck.of(1, np.arange(RUNS)), None, party)
    without = RULESET.compile(fight(deck_mode="iid")).start(Luck.of(1, np.arange(RUNS)), None, after(fight())[1])

    assert np.array_equal(with_deck.cards, party["cards"])
    assert with_deck.deck is not None
    assert np.array_equal(with_deck.deck.in_hands(), party["cards"].sum(axis=0))
    assert without.deck is None


@pytest.mark.rule("P52-V2", "P52-X5")
def test_a_rest_in_a_space_gives_the_living_a_card_and_a_quarter() -> None:
    scenario = fight()
    encounter, party = after(scenario)

    rested = RULESET.rest(scenario, party, "space", Luck.of(5, np.arange(RUNS)))

    for number, kit in enumerate(encounter.facts.kits):
        living, most = party["hp"][number] >= 0, kit.facts.max_hp
        gained = rested["hp"][number] - party["hp"][number]
        assert (gained[~living] == 0).all()
        full = rested["hp"][number] == most
        assert (((gained >= (most + 1) // 4) & (gained <= (most + 13) // 4)) | full)[living].all()
        more = rested["cards"][number] - party["cards"][number]
        assert np.array_equal(more, living & (party["cards"][number] < 5))


@pytest.mark.rule("P52-V2")
def test_without_recovery_a_rest_in_a_space_gives_the_card_alone() -> None:
    scenario = fight(space_recovery="none")
    _, party = after(scenario)

    rested = RULESET.rest(scenario, party, "space", Luck.of(5, np.arange(RUNS)))

    assert np.array_equal(rested["hp"], party["hp"])
    assert rested["cards"].sum() > party["cards"].sum()


@pytest.mark.rule("P52-V2")
def test_a_night_restores_the_living_and_shuffles_the_deck() -> None:
    scenario = fight(stamina_start=3)
    encounter, party = after(scenario)
    party["hp"][1] = -2

    rested = RULESET.rest(scenario, party, "night", Luck.of(5, np.arange(RUNS)))

    assert (rested["hp"][1] == -2).all()
    assert (rested["cards"][1] == 0).all()
    living = party["hp"][0] >= 0
    assert (rested["hp"][0][living] == encounter.facts.kits[0].facts.max_hp).all()
    assert (rested["cards"][0][living] == 3).all()
    assert all(len(cards) == 52 for cards in unseen(rested))
    assert np.array_equal(rested["stock"], party["stock"])


@pytest.mark.rule("P52-V3")
@pytest.mark.parametrize("name", ["great-room", "mountain-pass", "calico-lair"])
def test_a_level_more_is_the_standard_hero_of_that_level(name: str) -> None:
    scenario = load(f"p52/{name}")
    raised = RULESET.one_level_up(scenario.data)
    assert raised is not None

    level = scenario.resolved()["heroes"][0]["level"]
    plain = scenario.data | {"level": level + 1}
    plain["heroes"] = [{key: value for key, value in one.items() if key != "level"} for one in plain["heroes"]]
    assert from_dict(raised).resolved()["heroes"] == from_dict(plain).resolved()["heroes"]


@pytest.mark.rule("P52-V3")
def test_a_level_is_the_same_from_a_file_as_written_and_from_it_resolved() -> None:
    odd = hero("rogue", 5, gear=["long_bow", "iron_helmet", "leather_jacket"], lift=9, abilities={"bow": 3, "dodge": 2})
    scenario = from_dict(written([odd, hero("wizard", 7, max_hp=40, hp=11)], [foe("J clubs", 0, 0)], "hall"))

    one, other = (RULESET.one_level_up(table) for table in (scenario.data, scenario.resolved()))

    assert one is not None
    assert other is not None
    assert from_dict(one).resolved()["heroes"] == from_dict(other).resolved()["heroes"]
    assert from_dict(one).resolved()["heroes"][0]["abilities"]["bow"] >= 3


@pytest.mark.rule("P52-V3")
def test_the_living_gain_what_their_maximum_rises_by_and_a_rogue_of_level_6_sharp_arrows() -> None:
    before = fight()
    table = RULESET.one_level_up(before.model_dump(by_alias=True, exclude_none=True))
    assert table is not None
    new = P52Scenario.model_validate(table)
    _, party = after(before)
    party["hp"][2] = -1

    grown = RULESET.grown(before, new, party)

    old, better = (RULESET.compile(scenario).facts.kits[1].facts.max_hp for scenario in (before, new))
    living = party["hp"][1] >= 0
    assert (grown["hp"][1] - party["hp"][1])[living].tolist() == [better - old] * int(living.sum())
    assert (grown["hp"][2] == -1).all()
    assert (grown["sharp"][0] - party["sharp"][0] == 20).all()


@pytest.mark.rule("P52-V4")
def test_what_can_be_asked_of_a_party() -> None:
    scenario = fight()
    encounter, party = after(scenario)
    party["hp"][:, 0] = [10, 0, -3]
    party["stock"][:, :, 0] = 0
    party["stock"][data.names("consumables").index("healing_potion"), 1, 0] = 2

    asked = RULESET.condition(scenario, party)

    full = sum(kit.facts.max_hp for kit in encounter.facts.kits)
    assert asked["party_hp"][0] == pytest.approx(10 / full)
    assert (asked["standing"][0], asked["dead"][0], asked["potions"][0]) == (1, 1, 2)


@pytest.mark.rule("P52-V1", "P52-X3")
def test_the_xp_of_an_evening_goes_with_the_heroes() -> None:
    scenes = [{"fight": {"board": "hall", "enemies": [foe(card, 2, 0)]}} for card in ("J clubs", "K spades")]
    table = {"ruleset": "p52", "title": "two", "policy": "brawler", "level": 2, "heroes": [hero("fighter", 2)]}
    tables = play(from_dict(table | {"scenes": scenes}).encounter(), 7, np.arange(60))

    dead = tables.hp[0] < 0
    assert dead.any()
    assert not dead.all()
    assert (tables.xp[dead] == 0).all()
    assert (tables.counts["xp_dead"][dead] > 0).any()
    assert (tables.xp[~dead] >= 0).all()
    assert (tables.counts["xp_dead"][~dead] == 0).all()
