"""The scripted policies (section 10), and the exact duels of the specification."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from sim.core.engine import play
from sim.core.outcomes import Outcome
from sim.errors import ScenarioError
from sim.rulesets.p52.attack_tables import PLACES, place_in
from sim.rulesets.p52.player import take_turn
from sim.rulesets.p52.rules.hero_turns import hero_turn
from sim.rulesets.p52.state import State
from sim.rulesets.p52.worth import Scene
from sim.scenario import from_dict
from tests.rulesets.p52.fights import ONE, begin, compiled, foe, hero, told, written

NAMED = ("place", "item", "weapon", "ability")  # what is told beside the kind of an event


def turn(s: State, number: int = 0) -> list[str]:
    """What a hero does on its turn."""
    assert s.tell is not None
    s.tell.events.clear()
    hero_turn(s, take_turn, number, ONE)
    own = [event for event in s.tell.events if event.who == s.facts.kits[number].facts.name]
    return [" ".join([event.kind, *(str(event.facts[key]) for key in NAMED if key in event.facts)]) for event in own]


@pytest.mark.rule("P52-Y1", "P52-Y2")
def test_the_best_attack_has_the_most_expected_damage() -> None:
    _, s = begin([hero("fighter", abilities={"grapple": 1, "sword": 2})], [foe("J clubs", melee_defence=-1)])

    best = Scene(s, 0, ONE).best()

    ways = {way.name: way for way in s.facts.kits[0].attacks}
    assert int(ways["sword"].worth[0, 0, 0, 0, 0]) == 694
    assert int(best[0, 0] // PLACES) == int(ways["grapple"].worth[0, 0, 0, 0, 0]) > 694
    assert int(place_in(best)[0, 0]) == ways["grapple"].place


@pytest.mark.rule("P52-Y5", "P52-Y6", "P52-Y11")
def test_the_brawler_walks_up_to_the_nearest_and_strikes_with_a_card() -> None:
    _, s = begin([hero("fighter", at=(3, 0))], [foe("J hearts", 0, 0), foe("J hearts", 5, 0)], board="lane")
    assert turn(s) == ["moves (4,0)"]
    assert int(s.spot[0, 0]) == 4

    _, s = begin([hero("fighter")], [foe("J clubs", max_hp=99)])
    turn(s)
    assert int(s.tally["stamina_used"][0]) >= 1


@pytest.mark.rule("P52-Y8", "P52-Y12")
def test_the_guardian_drinks_and_waits() -> None:
    _, s = begin([hero("fighter", at=(0, 0), hp=14)], [foe("J clubs", 6, 0)], board="lane", policy="guardian")

    assert turn(s)[0] == "uses a healing potion"
    assert turn(s) == ["takes_stance"]


@pytest.mark.rule("P52-Y13")
def test_the_sniper_aims_twice_and_shoots() -> None:
    _, s = begin([hero("rogue", at=(0, 0))], [foe("J spades", 4, 0)], board="lane", policy="sniper")

    assert [turn(s)[0] for _ in range(2)] == ["aims", "aims"]
    assert turn(s)[0] in ("hits the bow", "misses the bow")


@pytest.mark.rule("P52-Y14")
def test_the_medic_heals_who_is_worst_off() -> None:
    _, s = begin(
        [hero("cleric", 3), hero("fighter", 3, hp=20), hero("rogue", 3, hp=3)], [foe("J clubs")], policy="medic"
    )
    turn(s)
    assert told(s, "tries", ability="Healing Glow")  # two are below half
    s.hp[1:] = [[60], [30]]
    assert turn(s)[0].startswith(("hits", "misses", "area"))


@pytest.mark.rule("P52-Y15")
def test_focus_fire_goes_for_the_weakest_that_anybody_can_attack() -> None:
    _, s = begin(
        [hero("fighter", 5, at=(0, 0)), hero("rogue", 5, at=(0, 0))],
        [foe("K hearts", 0, 0), foe("K hearts", 4, 0, hp=20), foe("J clubs", 6, 0, hp=3)],
        board="..........", policy="focus_fire",
    )  # fmt: skip
    assert turn(s, 1)[0] in ("hits the bow", "misses the bow")
    assert told(s, "hits", "misses")[0].whom == ("J clubs",)


@pytest.mark.rule("P52-Y10")
def test_random_legal_does_everything_sooner_or_later() -> None:
    _, s = begin([hero("cleric", 3, at=(0, 0))], [foe("J clubs", 0, 0, max_hp=999)], board="S..", policy="random_legal")
    done = set()
    for number in range(60):
        s.round = number
        s.hp[0], s.spot[0], s.lost[0] = 40, 0, 0
        done |= {what.split()[0] for what in turn(s)}

    assert {"passes", "takes_stance", "moves", "area", "misses", "aims", "tries", "uses"} <= done


DUELS = [
    ("fighter", 1, "J clubs", {}, 0.993633, 4.54711, 0.999317, 4.55455),
    ("fighter", 1, "K hearts", {}, 0.973118, 5.74430, 0.994903, 5.80161),
    ("fighter", 4, "K hearts", {}, 0.833399, 8.84677, 0.908007, 9.23908),
    ("captain", 1, "K hearts", {}, 0.673535, 5.96002, 0.771131, 6.53418),
    ("fighter", 4, "K hearts", {"cornered_enemy": "fight"}, 0.766496, None, None, None),
    ("fighter", 4, "K hearts", {"enemy_hit": "meet"}, 0.817019, None, None, None),
    ("fighter", 4, "K hearts", {"counter_depth": 0}, 0.847631, None, None, None),
    ("fighter", 4, "K hearts", {"counter_depth": 1}, 0.833151, None, None, None),
]


@pytest.mark.parametrize(("role", "level", "card", "more", "new", "new_rounds", "old", "old_rounds"), DUELS)
def test_w36_exact_duels(
    role: str, level: int, card: str, more: dict[str, Any], new: float, new_rounds: float, old: float, old_rounds: float
) -> None:
    runs = 20_000
    for preset, win, rounds in (("p52-1.4", new, new_rounds), ("p52-draft", old, old_rounds)):
        if win is None:
            continue
        switches = {"deck_mode": "iid", "stamina_start": 0, "drop_mode": "free_pass", **more}
        duel = compiled([hero(role, level, consumables={})], [foe(card)], preset=preset, **switches)

        outcomes = play(duel, 99, np.arange(runs))

        rate = float((outcomes.outcome == Outcome.WIN).mean())
        assert abs(rate - win) < 4 * np.sqrt(win * (1 - win) / runs)
        if rounds is not None:
            spread = float(outcomes.rounds.std()) / np.sqrt(runs)
            assert abs(float(outcomes.rounds.mean()) - rounds) < 4 * spread


def test_heroes_of_one_party_may_follow_different_policies() -> None:
    fight = compiled([hero("fighter", policy="guardian"), hero("rogue", policy="sniper")], [foe("J clubs")])

    assert fight.facts.kits[0].plan != fight.facts.kits[1].plan


def test_every_mistake_of_every_policy_of_a_file_is_told_at_once() -> None:
    policies = {
        "mine": {"like": "brawler", "decline": "rwa > 3", "double_tap": "often", "atack_card": "true"},
        "unused": {"about": "nobody follows it", "action": [{"do": "atack"}]},
    }

    with pytest.raises(ScenarioError) as caught:
        from_dict(written([hero("fighter", 1)], [foe("J clubs")], policy="mine", policies=policies))

    told_of = {problem.key: problem.message for problem in caught.value.problems}
    assert "did you mean 'raw'?" in told_of["policies.mine.decline"]
    assert told_of["policies.mine.double_tap"] == "expected true or false, found 'often'"
    assert "did you mean 'attack_card'?" in told_of["policies.mine.atack_card"]
    assert "did you mean 'attack'?" in told_of["policies.unused.action[0].do"]


def own_policy(*lines: dict[str, Any]) -> dict[str, Any]:
    """The keys of a scenario whose heroes follow these lines."""
    return {"policy": "mine", "policies": {"mine": {"about": "for a test", "action": list(lines)}}}


@pytest.mark.rule("P52-U4")
def test_a_stamina_boost_goes_beyond_the_maximum_and_not_twice() -> None:
    boosting = own_policy({"do": "boost"}, {"do": "pass"})
    _, s = begin([hero("rogue", 9, consumables={"stamina_boost": 3})], [foe("J clubs", max_hp=99)], **boosting)

    said = [turn(s) for _ in range(3)]

    assert said == [["is_boosted"], ["passes"], ["passes"]]
    assert int(s.cards[0, 0]) == 10
    s.cards[0, 0] = 5
    assert turn(s) == ["is_boosted"]


def test_a_fight_with_many_stamina_boosts_loses_no_card() -> None:
    lines = own_policy({"do": "boost"}, {"do": "attack"}, {"do": "pass"})
    lines["policies"]["mine"]["attack_card"] = "cards > 0"
    rogue = hero("rogue", 9, max_hp=999, consumables={"stamina_boost": 9})

    played = play(compiled([rogue], [foe("K spades", max_hp=300)], **lines), 1, np.arange(50))

    assert int(played.counts["items_used"].max()) >= 3
    assert int(played.counts["stamina_used"].max()) > 10


@pytest.mark.rule("P52-I35")
def test_a_charge_goes_one_or_two_steps_whatever_a_policy_says() -> None:
    for place, said in ((2, "charges"), (3, "passes"), (0, "passes")):
        lines = own_policy({"do": "charge"}, {"do": "pass"})
        party = [hero("fighter", 9, at=(0, 0), abilities={"charge": 1, "sword": 1})]
        _, s = begin(party, [foe("J clubs", place, 0, max_hp=99)], board="lane", **lines)
        assert said in turn(s)


@pytest.mark.rule("P52-H7")
def test_an_item_goes_to_a_hero_on_the_same_spot_or_the_next_line_applies() -> None:
    lines = own_policy({"do": "give", "target": {"where": "not their_self"}}, {"do": "pass"})
    party = [hero("fighter", at=(0, 0), consumables={"healing_potion": 1}), hero("fighter", at=(1, 0))]
    _, s = begin(party, [foe("J clubs", 6, 0)], board="lane", **lines)

    assert turn(s) == ["passes"]
    s.spot[1], s.hp[1] = 0, 1
    assert turn(s)[0] == "uses a healing potion"
    assert int(s.hp[1, 0]) > 1


@pytest.mark.rule("P52-C22")
def test_dragons_blood_brings_back_a_dead_hero_on_the_same_spot() -> None:
    lines = own_policy({"do": "raise"}, {"do": "pass"})
    party = [hero("fighter", 20, at=(0, 0), consumables={"dragons_blood": 1}), hero("fighter", at=(0, 0))]
    _, s = begin(party, [foe("J clubs", 6, 0)], board="lane", **lines)

    assert turn(s) == ["passes"]
    s.hp[1], s.alive[0] = -3, 1
    assert turn(s) == ["uses dragon's blood"]
    assert int(s.hp[1, 0]) == 2 * s.facts.kits[1].facts.max_hp // 3
    assert int(s.alive[0]) == 2
