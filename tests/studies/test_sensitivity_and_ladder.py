"""sensitivity and ladder: which numbers, which skill and which abilities matter."""

from __future__ import annotations

import numpy as np
import pytest

import sim
from sim.core.outcomes import Outcome
from sim.errors import InputError, NotSolvable
from sim.results.statistics import Estimate
from sim.studies.measures import MEANS, Marks, PairTally
from sim.studies.moves import all_moves, all_switches, unit_numbers
from sim.studies.sensitivity import _chance


def test_numbers_are_ranked_by_what_one_step_does(ladder_fight: sim.Scenario) -> None:
    answer = sim.sensitivity(ladder_fight, runs=1_000, only="skeleton", progress=False)

    sizes = [abs(row["difference"].value) for row in answer.table("moves").rows]
    assert sizes == sorted(sizes, reverse=True)
    assert answer.facts["ranking"][0] == "skeleton count +1"
    assert answer.facts["dead"] == ["skeleton alert", "skeleton range", "skeleton XP"]
    assert answer.verdicts[0].startswith("skeleton count +1: -")
    assert "Dead here" in answer.verdicts[-1]


def test_a_move_is_what_a_comparison_of_its_own_gives(ladder_fight: sim.Scenario) -> None:
    answer = sim.sensitivity(ladder_fight, runs=2_000, only="skeleton melee", progress=False)
    alone = sim.compare(ladder_fight, {"up": {"enemies.skeleton.melee": 4}}, runs=2_000, progress=False)

    row = next(row for row in answer.table("moves").rows if row["move"] == "skeleton melee +1")
    assert row["difference"] == alone.row("differences", variant="up")["win_rate"]


def test_every_number_of_every_unit_is_moved(ladder_fight: sim.Scenario) -> None:
    numbers = [label for _, label, _ in unit_numbers(ladder_fight.resolved())]

    moves, fixed = all_moves(ladder_fight)

    assert {move.label for move in moves} | {label for label, _ in fixed} == set(numbers)
    assert {"warrior vigor", "magic user max health", "zombie defence"} <= set(numbers)
    steps = {move.step for move in moves if move.label == "warrior vigor"}
    assert steps == {"+2", "-2"}  # dice go up the ladder


def test_what_follows_from_a_number_follows(ladder_fight: sim.Scenario) -> None:
    moves, _ = all_moves(ladder_fight, only="priest max_health")

    up = next(move for move in moves if move.up)
    hero = up.fight.resolved()["heroes"][2]
    assert hero["health"] == hero["max_health"] == 11


def test_units_in_the_rows_of_a_table_are_moved_too() -> None:
    dungeon = sim.load("overhill/gobbo-dungeon")

    moves, _ = all_moves(dungeon, only="rows")

    assert moves
    assert all(move.path[0] == "encounter" for move in moves)


def test_nothing_to_move_is_a_mistake(ladder_fight: sim.Scenario) -> None:
    with pytest.raises(InputError, match="no number whose path contains 'dragon'"):
        sim.sensitivity(ladder_fight, only="dragon", progress=False)


def test_the_ladder_shows_the_skill_gap_and_the_worth_of_abilities() -> None:
    fight = sim.load("overhill/crypt-swarm", policy="cautious")

    answer = sim.ladder(fight, runs=1_500, progress=False)

    assert answer.verdicts[0].startswith("Skill gap from random legal to focus expert: +")
    assert answer.facts["skill_gap_low"] > 0.4
    rows = {row["fight"]: row for row in answer.table("abilities").rows}
    assert rows["without dart"]["difference"].high < 0
    assert rows["without bless"]["difference"].value == 0
    assert "Never used under the policy cautious, or without any effect: sneak, bless" in answer.warnings[0]
    assert sorted(row["fight"] for row in answer.table("policies").rows) == sorted(fight.ruleset.policies)


def test_a_forbidden_ability_is_never_used() -> None:
    for policy in ("random_legal", "cautious", "focus_expert"):
        for ability in ("dart", "heal", "melee", "move"):
            fight = sim.load("overhill/crypt-swarm", policy=policy, set={"forbid": [ability]})
            used = sim.run(fight, runs=300).abilities
            assert used[(used.ability == ability) & (used["when"] == "all")].uses.sum() == 0


def test_forbidding_what_nobody_does_changes_nothing() -> None:
    fight = sim.load("overhill/crypt-swarm", policy="plain")

    forbidden = fight.changed(values={"forbid": ["bless"]})

    assert sim.run(fight, runs=500).sums == sim.run(forbidden, runs=500).sums
    assert fight.digest != forbidden.digest
    with pytest.raises(NotSolvable, match="forbid"):
        sim.load("overhill/duel-skeleton", set={"forbid": ["move"]}).exact()


def test_a_potion_is_forbidden_by_taking_it_away() -> None:
    fight = sim.load("overhill/playtest-1", policy="cautious", set={"heroes.rogue.items": {"healing_potion": 2}})

    answer = sim.ladder(fight, policies=["plain"], abilities=["healing_potion"], runs=500, progress=False)

    assert [row["fight"] for row in answer.table("abilities").rows] == ["as it is", "without healing_potion"]


def test_unknown_rungs_and_abilities_are_named(ladder_fight: sim.Scenario) -> None:
    with pytest.raises(InputError, match="did you mean 'cautious'"):
        sim.ladder(ladder_fight, policies=["cautius"], progress=False)
    with pytest.raises(InputError, match="nobody in the party has 'fly'"):
        sim.ladder(ladder_fight, abilities=["fly"], progress=False)


def test_what_cannot_be_forbidden_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    fight = sim.load("overhill/crypt-swarm")
    monkeypatch.setattr(type(fight.ruleset), "forbid", lambda self, model, name: None)

    with pytest.raises(InputError, match="Overhill & Underdale has no way to forbid 'melee'"):
        sim.ladder(fight, abilities=["melee"], progress=False)


def test_what_a_scenario_cannot_do_without_is_named_with_the_reason() -> None:
    fight = sim.load("second_era/se_patrol", set={"heroes.archer.track": ["snipe"]})

    with pytest.raises(InputError, match=r"'snipe' cannot be forbidden: .*holds more snipe dice"):
        sim.ladder(fight, abilities=["snipe"], progress=False)


def test_dice_forms_abilities_and_guard_of_second_era_are_forbidden_one_at_a_time() -> None:
    both = {"switches.class_abilities": "on", "switches.racial_abilities": "on"}
    fight = sim.load("second_era/se_wolves", set=both)

    answer = sim.ladder(fight, policies=["focus_fire"], runs=60, progress=False)

    asked = {row["fight"].removeprefix("without ") for row in answer.table("abilities").rows[1:]}
    assert {"light", "ranged", "pray", "combat", "snipe", "hasty_prayer", "guard"} <= asked
    assert {"honor_duel", "sworn_oath", "first_shot", "lethal_arrow", "mend", "hope_infusion"} <= asked
    assert {"argonian", "wood_elf", "high_elf"} <= asked
    assert not {"summon_shade", "orc", "force_shock"} & asked  # of nobody in this party
    assert answer.facts["cannot_be_forbidden"] == []


def test_a_number_of_which_nothing_is_known_does_not_matter() -> None:
    avoided = Marks(np.full(50, Outcome.AVOIDED, dtype=np.int64), np.zeros((len(MEANS), 50), dtype=np.int64))

    nobody_fought = PairTally.of(avoided, avoided)

    assert _chance(nobody_fought, "rounds") == 1.0


def test_one_die_of_a_class_is_worth_what_it_is_worth_with_all_the_others() -> None:
    answer = sim.sensitivity("second_era/se_patrol", runs=1_000, only="dice", progress=False)

    rows = {row["move"]: row["difference"].value for row in answer.table("moves").rows}
    assert len(rows) == 8
    assert abs(rows["nightblade dice shadow cloak +1"]) < 0.06  # not the 68 points of a nightblade without other dice
    assert abs(rows["archer dice combat +1"]) < 0.15
    assert "shadow cloak" not in answer.verdicts[0]


def test_the_numbers_of_weapons_are_moved() -> None:
    moves, fixed = all_moves(sim.load("brimstone/high_noon"), only="weapon")

    labels = {f"undead outlaws weapon {key}" for key in ("range", "shots", "damage")}
    assert {move.label for move in moves if move.up} == {move.label for move in moves if not move.up} == labels
    assert not fixed


def test_every_switch_is_set_to_each_of_its_other_values(ladder_fight: sim.Scenario) -> None:
    moves, fixed = all_switches(ladder_fight)

    tried = {(move.path[1], move.value) for move in moves}
    board = ladder_fight.ruleset.switchboard.switches
    for name, switch in board.items():
        was = ladder_fight.settings[name]
        others = {value for value in switch.values if value != was}
        assert others == {value for key, value in tried if key == name} or switch.kind == "whole", name
    assert {("bump_max", 0), ("bump_max", 2)} <= tried
    assert not fixed
    assert all(move.fight.settings[str(move.path[1])] == move.value for move in moves)


def test_rules_are_ranked_and_those_that_change_no_fight_are_named(ladder_fight: sim.Scenario) -> None:
    answer = sim.sensitivity(ladder_fight, switches=True, only="m", runs=500, progress=False)

    first = answer.table("moves").rows[0]
    assert first["move"] == "monster damage: one"
    assert first["from"] == "attack"
    for measure in ("difference", "rounds", "heroes_down"):
        assert isinstance(first[measure], Estimate)
    assert "bump max" in answer.facts["dead"]
    assert any(line.startswith("Rules that changed no fight here: ") for line in answer.verdicts)


def test_a_switch_without_a_list_of_values_is_told_as_not_moved() -> None:
    moves, fixed = all_switches(sim.load("p52/great-room"), only="ban")

    assert not moves
    assert fixed == [("ban", "has no list of values to try")]
    with pytest.raises(InputError, match="has no switch whose path contains 'ban' that can be moved"):
        sim.sensitivity("p52/great-room", switches=True, only="ban")
