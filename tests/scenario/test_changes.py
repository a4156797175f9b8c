"""What was changed in a fight, in words."""

import pickle

import sim
from sim.scenario.changes import as_played_marked, changes_in_words, title_in_full, variant_in_words

FIGHT = "overhill/playtest-1"
NINE = "enemies.skeleton.count=9"


def test_a_fight_as_written_has_its_own_title() -> None:
    fight = sim.load(FIGHT)

    assert title_in_full(fight) == fight.title
    assert as_played_marked(fight) == fight.as_played()


def test_a_changed_fight_says_what_was_changed_and_what_it_was() -> None:
    fight = sim.load(FIGHT, sets=[NINE, "switches.monster_damage=one"], policy="focus_expert")

    assert changes_in_words(fight) == [
        "policy focus expert (was plain)",
        "nine skeletons (was three)",
        "switch monster damage one (was attack)",
    ]
    assert title_in_full(fight).startswith(f"{fight.title}, changed: policy focus expert (was plain); nine skeletons")


def test_a_preset_names_the_one_it_takes_the_place_of() -> None:
    fight = sim.load("p52/duel", preset="p52-draft")

    assert changes_in_words(fight) == [f"preset p52-draft (was {sim.load('p52/duel').preset})"]


def test_of_two_changes_of_one_place_the_later_counts_however_it_is_spelled() -> None:
    fight = sim.load(FIGHT, sets=["enemies.skeleton.count=5"]).changed(values={"enemies[0].count": 9})

    assert changes_in_words(fight) == ["nine skeletons (was three)"]


def test_a_value_set_to_what_it_was_is_no_change() -> None:
    assert changes_in_words(sim.load(FIGHT, sets=["enemies.skeleton.count=3"])) == []


def test_an_old_value_that_differs_from_hero_to_hero_is_left_out() -> None:
    fight = sim.load(FIGHT, sets=["heroes.*.max_health=9"])

    assert changes_in_words(fight) == ["max health of all heroes 9"]


def test_the_changes_travel_with_the_fight() -> None:
    fight = sim.load(FIGHT, sets=[NINE])

    assert changes_in_words(pickle.loads(pickle.dumps(fight))) == changes_in_words(fight)


def test_a_table_that_only_its_changes_make_playable_leaves_out_what_was() -> None:
    fight = sim.load(FIGHT)
    broken = fight.data | {"policy": "nobody_plays_like_this"}
    mended = sim.scenario.from_dict(broken, sets=[NINE], policy="plain")

    assert "nine skeletons" in changes_in_words(mended)[1]
    assert as_played_marked(mended)["enemies"][0]["type"] == "skeleton"


def test_changed_values_are_marked_where_they_stand_and_no_others() -> None:
    marked = as_played_marked(sim.load(FIGHT, sets=[NINE]))

    assert marked["enemies"][0]["count"] == "9 (was 3)"
    assert marked["enemies"][1] == sim.load(FIGHT).as_played()["enemies"][1]


def test_a_variant_says_what_it_changes_in_its_baseline_and_names_another_fight() -> None:
    base = sim.load(FIGHT, sets=["enemies.skeleton.count=5"])
    other = sim.load("overhill/duel-skeleton")

    assert variant_in_words(base, base) == "nothing"
    assert variant_in_words(base.changed(sets=[NINE]), base) == "nine skeletons (was five)"
    assert variant_in_words(other, base) == f"another fight: {other.title}"


def test_a_value_in_a_table_that_the_file_does_without_has_no_old_value() -> None:
    changed = sim.load("overhill/gobbo-dungeon", sets=["policy_options.engage=talk"])

    assert title_in_full(changed).endswith("changed: policy options engage talk")
