"""Who is attacked first, in losses and in wins: against whole replays read event by event."""

from __future__ import annotations

from collections import Counter
from typing import Any

import numpy as np
import pytest

import sim
from sim.core.engine import play
from sim.core.outcomes import Outcome
from sim.core.registry import ruleset, ruleset_names
from sim.core.telling import Event, Scene, Token
from sim.replays.replay import replay
from sim.report.study_tables import study_table
from sim.studies import first_attacks
from sim.studies.answer import Column, StudyTable
from sim.studies.first_attacks import NOT_TOLD, attack_roles, attacked_by_side, kind_of, what_was_first

QUIET: dict[str, Any] = {"seed": 5, "jobs": 1, "progress": False, "curves": 0}
WHOLE = {  # the attacks of these fights
    "overhill/playtest-1-ladder": {"melee", "casts", "dart", "dodges", "hits", "threatens", "bash", "ranged"},
    "p52/apprentice-den": {"misses", "hits", "strikes", "area", "counter_strikes", "counter_misses", "counter_hits"},
}


def firsts_of_a_whole_replay(name: str, seed: int, run: int) -> set[str]:
    """The same as `what_was_first`, from a whole telling and a list of attacks of its own."""
    telling = replay(sim.load(name), run, seed)
    heroes = {unit["name"] for unit in telling.units if unit["side"] == "party"}
    attacks = [event for event in telling.events if event.kind in WHOLE[name]]
    on_heroes = [event for event in attacks if event.who not in heroes and heroes & set(event.whom)]
    on_enemies = [event for event in attacks if event.who in heroes and set(event.whom) - heroes]
    found = {f"{key} is the first hero to be attacked" for event in on_heroes[:1] for key in event.whom}
    found |= {f"{key} is the first enemy to be attacked" for event in on_enemies[:1] for key in event.whom}
    begin = bool(on_heroes) and (
        not on_enemies or telling.events.index(on_heroes[0]) < telling.events.index(on_enemies[0])
    )
    return {text.replace("_", " ") for text in found} | ({"the enemies attack first"} if begin else set())


@pytest.mark.parametrize("name", WHOLE)
def test_who_is_attacked_first_is_what_a_whole_replay_tells(name: str) -> None:
    for run in range(5):
        assert set(what_was_first(sim.load(name), 3, run)) == firsts_of_a_whole_replay(name, 3, run), run


@pytest.mark.parametrize(
    "name", ["overhill/playtest-1", "brimstone/high_noon", "second_era/se_hound", "p52/hall-scaling"]
)
def test_every_game_tells_a_first_attack_on_either_side(name: str) -> None:
    found = [text for run in range(3) for text in what_was_first(sim.load(name), 1, run)]

    assert sum("first hero" in text for text in found) >= 3
    assert sum("first enemy" in text for text in found) >= 3


def test_an_attack_says_who_of_its_sentence_is_attacked() -> None:
    for name in ruleset_names():
        roles = {entry["attacked"] for entry in ruleset(name).sentences.values() if "attacked" in entry}
        assert roles, name
        assert roles <= {"who", "whom"}, name


def test_wins_and_losses_are_told_side_by_side_with_the_number_of_runs(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(first_attacks, "MOST_TOLD", 12)
    fight = sim.load("overhill/playtest-1-ladder")

    answer = sim.why(fight, runs=400, **QUIET)

    is_won = play(fight.encounter(), 5, np.arange(400)).outcome == Outcome.WIN
    lost, won = (np.flatnonzero(which)[:12].tolist() for which in (~is_won, is_won))
    counted = [Counter(text for run in runs for text in what_was_first(fight, 5, run)) for runs in (lost, won)]
    facts = answer.on_top["first_attacked"]
    assert (facts["losses_told"], facts["wins_told"]) == (len(lost), len(won)) == (12, 12)
    for row in facts["features"]:
        assert row["losses"] == pytest.approx(counted[0][row["feature"]] / 12)
        assert row["wins"] == pytest.approx(counted[1][row["feature"]] / 12)
        assert row["low"] <= row["difference"] <= row["high"]
    rows = answer.table("first_attacked").rows
    assert {row["feature"] for row in rows} == {
        text for text in counted[0] | counted[1] if counted[0][text] + counted[1][text] < 24
    }
    assert any(line.endswith("12 losses and 12 wins told).") for line in answer.verdicts)


def test_a_game_that_does_not_mark_its_attacks_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    unmarked = {kind: {"say": entry["say"]} for kind, entry in ruleset("overhill").sentences.items()}
    fight = sim.load("overhill/playtest-1-ladder")
    monkeypatch.setitem(vars(fight.ruleset), "sentences", unmarked)

    answer = sim.why(fight, runs=300, **QUIET)

    assert attack_roles(fight) == {}
    assert NOT_TOLD in answer.verdicts
    assert answer.on_top["first_attacked"] is None


def test_a_blow_that_lands_on_a_friend_is_no_attack_on_its_side() -> None:
    table = Scene(tuple(Token(key, side, 3, 3) for key, side in (("Ada", "party"), ("Bo", "party"), ("imp", "enemy"))))
    blast = Event(1, 1, "", "blast", "Ada", ("Bo", "imp"), (), {}, table)
    grip = Event(1, 1, "", "is_seized", "Bo", (), (), {}, table)

    assert attacked_by_side(blast, "whom") == {"enemy": ("imp",)}
    assert attacked_by_side(grip, "who") == {"party": ("Bo",)}


def test_one_model_of_several_is_counted_under_its_kind() -> None:
    assert kind_of("undead_outlaws 3", {"undead_outlaws"}) == "undead_outlaws"
    assert kind_of("skeleton 2", {"skeleton", "skeleton 2"}) == "skeleton 2"


def test_a_command_that_tests_a_cause_is_shown_letter_by_letter() -> None:
    command = "fairfight compare brimstone/high_noon --variant 'without pistol: heroes[1].guns=[]'"
    columns = (Column("feature", "what"), Column("test", "test it"))

    shown = study_table(StudyTable("losses", "", "", columns, [{"feature": "us_marshal falls", "test": command}]))

    assert [cell.text for cell in shown.rows[0]] == ["US marshal falls", command]
