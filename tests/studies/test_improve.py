"""improve: a search for better play that finds what there is, and says so where there is nothing."""

from __future__ import annotations

import itertools
import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import sim
from sim.cli import main
from sim.core.outcomes import Outcome
from sim.errors import InputError
from sim.report.study_tables import study_table
from sim.runs.workers import Workers
from sim.scenario import Scenario, from_dict, load
from sim.scenario.toml_writer import to_toml
from sim.studies import policy_search
from sim.studies.answer import Answer
from sim.studies.cards import Fight
from sim.studies.fresh_test import put_to_the_test
from sim.studies.party_side import PartySide, known_policies
from sim.studies.policy_changes import KINDS, Change, Language, other_numbers, written
from sim.studies.policy_search import Search
from sim.studies.pool import Pool
from sim.studies.race import other_seed

FIGHT = "overhill/playtest-1-ladder"
QUIET: dict[str, Any] = {"progress": False, "jobs": 1}
ONE_OF_EACH = {
    "overhill/crypt-swarm": {"action"},
    "p52/duel": {"action"},
    "brimstone/boot_hill": {"start", "move", "action"},
    "second_era/se_duel": {"action"},
}

HEAL = {"do": "heal", "target": {"where": "2 * their_health <= their_max_health", "by": ["least their_health"]}}
BLESS = {"do": "bless", "attribute": "vigor"}
MELEE = {"do": "melee"}


def quiet_pool() -> Pool:
    return Pool("improve", Workers(1), progress=False)


def in_party_of(heroes: list[str], count: int, policy: dict[str, Any]) -> Scenario:
    """Heroes against skeletons that stand one by one, under a policy of their own."""
    return from_dict(
        {
            "ruleset": "overhill",
            "title": "A small fight",
            "policy": "own",
            "heroes": [{"class": name} for name in heroes],
            "enemies": [{"type": "skeleton", "count": 1, "name": f"S{number}"} for number in range(count)],
            "policies": {"own": policy},
        }
    )


# ------------------------------------------------------------------------------------------------------------ changes


@pytest.mark.parametrize("fight", ONE_OF_EACH)
def test_the_language_of_a_game_has_all_its_lists_of_lines(fight: str) -> None:
    language = Language.of(known_policies(load(fight)))

    assert set(language.lines) == ONE_OF_EACH[fight]
    assert all(language.lines.values())
    assert language.conditions
    assert language.keys
    assert not set(language.lines) & set(language.keys)


@pytest.mark.parametrize("fight", ONE_OF_EACH)
def test_every_change_is_refused_or_plays_and_can_be_told(fight: str) -> None:
    base = load(fight)
    side = PartySide.of(base)
    policy = dict(side.policies[base.policy])
    taken = dict.fromkeys(KINDS, 0)

    for kind, changes in side.changes(policy).items():
        for place in np.random.default_rng(1).permutation(len(changes))[:4].tolist():
            changed = changes[place].applied(policy)
            assert changed is not None
            assert written(changed) != written(policy)
            assert changes[place].in_words(policy)
            played = side.fight_of(changed)
            if played is not None:
                taken[kind] += 1
                assert len(Fight(played, 1).play(0, 4).outcome) == 4

    assert all(taken[kind] for kind in ("insert", "move", "drop", "key"))


def test_changes_are_told_as_a_designer_would_tell_them() -> None:
    policy = {"stance": "neutral", "action": [HEAL, MELEE]}

    assert Change("move", "action", 1, 0).in_words(policy) == 'line 2 of action goes up to place 1: { do = "melee" }'
    assert Change("drop", "action", 1).in_words(policy) == 'line 2 of action is dropped: { do = "melee" }'
    told = Change("insert", "action", 1, value=json.dumps(BLESS)).in_words(policy)
    assert told == 'new line 2 of action: { do = "bless", attribute = "vigor" }'
    told = Change("set", "action", 1, name="when", value='"round == 1"').in_words(policy)
    assert told == 'line 2 of action (melee): when = "round == 1"'
    told = Change("key", "stance", value='"aggressive"').in_words(policy)
    assert told == 'stance = "aggressive" instead of "neutral"'
    assert Change("key", "stance").in_words(policy) == 'no stance any more (it was "neutral")'


def test_a_change_leaves_the_policy_it_is_made_of_alone() -> None:
    policy = {"action": [dict(HEAL), dict(MELEE)]}

    changed = Change("move", "action", 0, 1).applied(policy)

    assert changed == {"action": [MELEE, HEAL]}
    assert policy == {"action": [HEAL, MELEE]}
    assert Change("drop", "action", 2).applied(policy) is None


def test_numbers_are_changed_in_formulas_and_not_in_names() -> None:
    assert list(other_numbers("warrior_2 and round == 3")) == [
        f"warrior_2 and round == {number}" for number in (2, 4, 1, 6)
    ]
    assert list(other_numbers([1, 3]))[:3] == [[0, 3], [2, 3], [1, 2]]
    assert list(other_numbers(True)) == []


# -------------------------------------------------------------------------------------------------------------- trust


def test_brute_force_over_a_small_language_finds_the_same_best() -> None:
    every = [
        {"stance": "neutral", "action": list(lines)}
        for many in range(4)
        for lines in itertools.permutations((HEAL, BLESS, MELEE), many)
    ]
    rates = {}
    for policy in every:
        outcome = Fight(in_party_of(["warrior", "priest"], 5, policy), 77).play(0, 8_000).outcome
        rates[written(policy)] = float(np.mean(outcome == Outcome.WIN))
    worst = min(every, key=lambda policy: rates[written(policy)])
    base = in_party_of(["warrior", "priest"], 5, worst)
    language = Language.of({"all": {"action": [HEAL, BLESS, MELEE]}})
    language = Language(language.lines, [], {}, {})  # lines and their order, nothing else

    search = Search(base, quiet_pool(), 3, PartySide(base, language, {"own": worst}))
    search.run(lambda search: search.generations >= 20)

    best = max(rates.values())
    assert best - min(rates.values()) > 0.1
    assert rates[written(search.best.play)] > best - 4 * np.sqrt(2 * 0.25 / 8_000)
    assert search.generations < 20, "so small a language is searched to its end"


@pytest.mark.soak
def test_noise_is_not_reported_as_progress_over_fifty_seeds(monkeypatch: pytest.MonkeyPatch) -> None:
    for name, runs in {"LOOKS": (50, 200), "JUDGED": 300, "SPAN": 500}.items():
        monkeypatch.setattr(policy_search, name, runs)
    # Skeletons that stand one by one are all alike: whom the warriors strike changes every fight, and no chance.
    first, by_lot = MELEE, {"do": "melee", "target": "random"}
    own = {"stance": "neutral", "action": [first]}
    base = in_party_of(["warrior", "warrior"], 8, own)
    known = Language.of({"one": {"action": [first]}, "other": {"action": [by_lot]}})
    language = Language({"action": []}, [], known.options, {})  # whom a line is for, and nothing else
    reported, differ = 0, 0

    for seed in range(50):
        search = Search(base, quiet_pool(), seed, PartySide(base, language, {"own": own}))
        search.run(lambda search: search.generations >= 3)
        other = search.side.fight_of({"stance": "neutral", "action": [by_lot]})
        assert other is not None
        differ += int((Fight(base, seed).play(0, 100).outcome != Fight(other, seed).play(0, 100).outcome).any())
        tested = put_to_the_test(search, 400, other_seed(seed))
        reported += tested.whole is not None and tested.whole.difference("win_rate").low > 0

    assert differ == 50, "the fights differ, or there would be no noise to fall for"
    assert reported <= 2  # a chance of 1 in 40 to be taken by the search, and again on fresh luck


def test_where_nothing_can_be_better_the_policy_stays() -> None:
    easy = load("overhill/playtest-1", sets=["enemies.skeleton.count=1", "enemies.zombie.count=1", "level=9"])

    answer = sim.improve(easy, generations=2, runs=200, **QUIET)

    assert answer.verdicts[0].startswith("Nothing better was found: plain stays (")
    assert "there is nothing left to win" in answer.verdicts[1]
    assert answer.settings["generations"] == 0
    assert answer.on_top["gain"] == answer.on_top["gain_low"] == 0
    assert answer.on_top["after"] == answer.on_top["before"]
    assert answer.on_top["policy"] == known_policies(answer.scenario)["plain"]
    assert not answer.to_copy


# --------------------------------------------------------------------------------------------------------- the answer


@pytest.fixture(scope="module")
def found() -> Answer:
    return sim.improve(FIGHT, generations=1, runs=500, seed=5, **QUIET)


def test_the_policy_that_was_found_stands_in_a_file_and_wins_as_promised(found: Answer, tmp_path: Path) -> None:
    file = tmp_path / "improved.toml"
    plain = {key: value for key, value in load(FIGHT).data.items() if key != "policy"}
    at_the_top, _, at_the_end = found.to_copy.partition("\n")
    file.write_text(f"{at_the_top}\n{to_toml(plain)}\n{at_the_end}")

    fight = load(file)
    outcome = Fight(fight, found.settings["fresh_seed"]).play(0, 500).outcome

    assert np.mean(outcome == Outcome.WIN) == pytest.approx(found.on_top["after"])
    assert found.on_top["policy"] == fight.data["policies"]["improved"]


def test_the_gain_is_that_of_fresh_luck_and_the_steps_add_up_to_it(found: Answer) -> None:
    on_top = found.on_top

    assert found.settings["fresh_seed"] != found.settings["seed"]
    assert 0 < on_top["gain_low"] <= on_top["gain"] <= on_top["gain_high"]
    assert on_top["after"] - on_top["before"] == pytest.approx(on_top["gain"])
    assert sum(row["worth"].value for row in found.table("changes").rows) == pytest.approx(on_top["gain"])
    assert "drawn" in found.verdicts[0]


def test_changes_and_commands_are_shown_letter_by_letter(found: Answer) -> None:
    shown = [cell.text for name in ("changes", "turned") for row in study_table(found.table(name)).rows for cell in row]

    assert found.table("changes").rows[0]["change"] in shown
    assert found.table("changes").rows[0]["change"] == "plays as focus expert does, not as plain"
    assert found.table("turned").rows[1]["command"] in shown


def test_the_run_that_turned_was_lost_and_is_won_now(found: Answer) -> None:
    run, seed = found.facts["turned_run"], found.settings["fresh_seed"]
    lost, won = (row["command"] for row in found.table("turned").rows)
    improved = load(FIGHT, values={"policies.improved": found.on_top["policy"]}, policy="improved")

    ended = [Fight(fight, seed).play(run, 1).outcome[0] for fight in (load(FIGHT), improved)]

    assert ended == [Outcome.LOSS, Outcome.WIN]
    assert lost == f"fairfight replay {FIGHT} --run={run} --seed={seed}"
    assert "--policy improved" in won
    assert "policies.improved=" in won


def test_the_same_seed_and_generations_find_the_same_policy_whatever_the_time(found: Answer) -> None:
    again = sim.improve(FIGHT, generations=1, budget=100_000.0, runs=500, seed=5, progress=False, jobs=2)

    assert again.on_top == found.on_top
    assert again.table("generations").flat() == found.table("generations").flat()


def test_who_slips_goes_on_slipping() -> None:
    answer = sim.improve(load(FIGHT, policy="plain@0.5"), generations=0, runs=500, **QUIET)

    assert answer.on_top["policy_before"] == "plain@0.5"
    assert answer.to_copy.startswith('policy = "improved@0.5"  #')


def test_scripts_find_what_they_look_for_at_the_top(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["improve", FIGHT, "--generations", "0", "--runs", "200", "--policy", "plain", "--json"])

    document = json.loads(capsys.readouterr().out)
    assert document["policy_before"] == "plain"
    assert document["policy"]["action"]
    assert document["gain_low"] <= document["gain"] <= document["gain_high"]
    assert document["before"] < document["after"]


@pytest.mark.parametrize("typed", ["", "x", "0s", "-1", "5d", "nan"])
def test_a_budget_that_is_no_time_is_refused(typed: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as left:
        main(["improve", FIGHT, "--budget", typed])

    assert left.value.code == 2
    assert "expected a time such as 60s, 5m or 1h" in capsys.readouterr().err


def test_everything_that_is_wrong_is_said_at_once() -> None:
    with pytest.raises(InputError) as error:
        sim.improve(FIGHT, budget=-1.0, generations=-2)

    assert [problem.key for problem in error.value.problems] == ["budget", "generations"]


def test_a_study_file_asks_for_better_play(tmp_path: Path) -> None:
    file = tmp_path / "better-play.toml"
    file.write_text(f'question = "improve"\nscenario = "{FIGHT}"\npolicy = "cautious"\ngenerations = 0\nruns = 300\n')

    answer = sim.study(file, **QUIET)

    assert answer.question == "improve"
    assert answer.on_top["policy_before"] == "cautious"
    assert answer.settings["generations"] == 0
    assert answer.settings["runs"] == 300
