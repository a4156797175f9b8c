"""improve --side enemies: what the rules leave open to the enemies, searched so that the party wins less."""

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
from sim.results.best_known import best_known
from sim.rulesets.overhill import Overhill
from sim.runs.workers import Workers
from sim.scenario import Scenario, from_dict, load
from sim.scenario.toml_writer import to_toml
from sim.studies import policy_search
from sim.studies.answer import Answer
from sim.studies.cards import Fight
from sim.studies.enemy_side import EnemySide
from sim.studies.policy_search import Search
from sim.studies.pool import Pool
from sim.studio.address import Address, Variant
from sim.studio.findings import finding_in

WEAK = {"class": "warrior", "max_health": 3}
SKELETONS = {  # who kills in the round is not who has killed before: it matters which of both they remember
    "ruleset": "overhill",
    "title": "Thirteen skeletons",
    "policy": "plain",
    "heroes": [{"class": "warrior", "max_health": 25, "vigor": 4}, WEAK, WEAK, WEAK],
    "enemies": [{"type": "skeleton", "count": 13}],
}
QUIET: dict[str, Any] = {"progress": False, "jobs": 1}
ONE_OF_EACH = {
    "overhill/crypt-swarm": {"switch"},
    "p52/apprentice-den": {"switch", "enemy", "places"},
    "brimstone/high_noon": {"switch", "enemy"},
    "second_era/se_patrol": {"switch", "enemy", "places"},
}


def won(fight: Scenario, seed: int, runs: int) -> float:
    return float(np.mean(Fight(fight, seed).play(0, runs).outcome == Outcome.WIN))


@pytest.mark.parametrize("fight", ONE_OF_EACH)
def test_every_change_plays_and_can_be_told(fight: str) -> None:
    side = EnemySide(load(fight))

    by_kind = side.changes({})

    assert {kind for kind, changes in by_kind.items() if changes} == ONE_OF_EACH[fight]
    for changes in by_kind.values():
        for change in changes[:2]:
            play = change.applied({})
            assert play
            assert "_" not in change.in_words({}).partition(" = ")[0]
            changed = side.fight_of(play)
            assert changed is not None
            assert len(Fight(changed, 1).play(0, 2).outcome) == 2


def test_changes_are_told_as_a_designer_would_tell_them() -> None:
    side = EnemySide(load("second_era/se_patrol"))

    told = [change.in_words({}) for changes in side.changes({}).values() for change in changes]

    assert 'dest tiebreak = "nearest_unit" instead of "priority"' in told
    assert 'draugr: priority = "weakest" instead of "strongest"' in told
    assert "draugr and scamp change places" in told


def test_enemies_that_have_changed_places_can_change_them_again() -> None:
    side = EnemySide(load("p52/apprentice-den"))
    swap, *_, other = side.changes({})["places"]

    once = swap.applied({})
    assert once
    twice = swap.applied(once)
    both = other.applied(once)

    assert twice == {}, "they stand where they stood"
    assert both
    spots = [json.dumps({**side.before, **both}[path]) for path in side.places[0]]
    assert len(set(spots)) == len(spots), "nobody stands where somebody else stands"


def test_one_of_several_alike_is_told_by_its_number() -> None:
    fight = load("second_era/se_patrol", sets=["enemies[1].type=draugr"])

    told = {change.who for change in EnemySide(fight).changes({})["enemy"]}

    assert {"draugr 1", "draugr 2", "skeever"} <= told


def test_the_hardest_of_all_ways_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    for name, runs in {"LOOKS": (200, 600), "JUDGED": 1_200, "SPAN": 1_800}.items():
        monkeypatch.setattr(policy_search, name, runs)
    base = from_dict(SKELETONS)
    side = EnemySide(base)
    rates = {}
    for values in itertools.product(*side.choices.values()):
        play = dict(zip(side.choices, values, strict=True))
        play = {path: value for path, value in play.items() if value != side.before[path]}
        fight = side.fight_of(play)
        assert fight is not None
        rates[side.written(play)] = won(fight, 77, 6_000)

    search = Search(base, Pool("improve", Workers(1), progress=False), 3, side)
    search.run(lambda search: search.generations >= 20)

    assert max(rates.values()) - min(rates.values()) > 0.05
    assert rates[side.written(search.best.play)] < min(rates.values()) + 4 * np.sqrt(2 * 0.25 / 6_000)
    assert search.exhausted


@pytest.fixture(scope="module")
def found(tmp_path_factory: pytest.TempPathFactory) -> tuple[Answer, Path]:
    folder = tmp_path_factory.mktemp("studies") / "harder"
    answer = sim.improve(SKELETONS, side="enemies", generations=1, runs=1_500, seed=5, out=folder, **QUIET)
    return answer, folder


def test_scripts_find_the_same_keys_and_how_many_wins_the_party_loses(found: tuple[Answer, Path]) -> None:
    on_top = found[0].on_top

    assert on_top["before"] - on_top["after"] == pytest.approx(on_top["gain"])
    assert 0 < on_top["gain_low"] <= on_top["gain"] <= on_top["gain_high"]
    assert on_top["policy_before"]["switches"]["threat_window"] == "previous_round"
    assert on_top["policy"]["switches"]["threat_window"] == "current_round"
    assert found[0].verdicts[0].startswith("The enemies can take at least ")
    assert found[0].settings["side"] == "enemies"


def test_what_was_found_stands_in_a_file_and_plays_as_promised(found: tuple[Answer, Path], tmp_path: Path) -> None:
    answer, _ = found
    file = tmp_path / "harder.toml"
    file.write_text(f"{to_toml(SKELETONS)}\n{answer.to_copy}")

    fight = load(file)
    as_a_table = from_dict(SKELETONS | answer.on_top["policy"])

    assert won(fight, answer.settings["fresh_seed"], 1_500) == pytest.approx(answer.on_top["after"])
    assert as_a_table.settings == fight.settings


def test_the_run_that_turned_was_won_and_is_lost_now(found: tuple[Answer, Path]) -> None:
    answer, _ = found
    run, seed = answer.facts["turned_run"], answer.settings["fresh_seed"]
    harder = from_dict(SKELETONS).changed(values=answer.facts["settings"])

    ended = [Fight(fight, seed).play(run, 1).outcome[0] for fight in (from_dict(SKELETONS), harder)]

    assert ended == [Outcome.WIN, Outcome.LOSS]
    assert [row["ended"] for row in answer.table("turned").rows] == ["won", "lost"]


def test_the_page_asks_about_the_enemies_and_the_studio_takes_them_over(found: tuple[Answer, Path]) -> None:
    answer, folder = found

    finding = finding_in(folder, Address(Variant("overhill/crypt-swarm")))

    assert "Can the enemies be harder" in (folder / "index.html").read_text(encoding="utf-8")
    assert finding
    assert finding.words == "the harder enemies"
    assert "threat_window" in finding.query
    assert best_known(answer.scenario.digest, folder.parent / "fight") is None, "it is no policy that was left out"


def test_where_the_rules_leave_no_choice_that_is_said(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(EnemySide, "choices", {})
    typed = ["improve", "overhill/duel-skeleton", "--side", "enemies", "--runs", "100"]

    with pytest.raises(SystemExit) as left:
        main([*typed, "--json"])

    document = json.loads(capsys.readouterr().out)
    assert left.value.code == 0
    assert document["verdicts"][0].startswith(f"The rules of {Overhill.title} leave the enemies of this fight nothing")
    assert document["gain"] == 0
    assert document["policy"] == document["policy_before"] == {}


def test_a_side_that_nobody_knows_is_refused() -> None:
    with pytest.raises(InputError, match="expected party or enemies"):
        sim.improve(SKELETONS, side="monsters", generations=0)  # type: ignore[arg-type]
