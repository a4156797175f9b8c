"""From any moment on: how often the party still wins, which rounds decided a fight, and who was lucky."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from sim.core.branch import branch
from sim.core.outcomes import Outcome
from sim.core.telling import Event, Roll, Scene, Token
from sim.errors import InputError
from sim.replays.chances import Chance, chance_from, chances_along
from sim.replays.fortune import fortune_in_words, fortune_of
from sim.replays.page import page_of
from sim.replays.replay import Telling, replay
from sim.replays.turning_points import turning_points
from sim.results.statistics import rate
from tests.games.misbehaving import duel
from tests.replays.staged import staged


def test_a_chance_is_the_share_of_continuations_that_are_won() -> None:
    fight = duel(coins=[5, 5, 5, 5])
    outcomes = branch(fight.encounter(), 1, np.array([3]), 2, 400).outcome

    chance = chance_from(fight, 3, 1, 2, 400)

    assert chance.wins == np.count_nonzero(outcomes == Outcome.WIN)
    assert chance.wins + chance.draws + chance.losses == 400
    assert chance.win_rate == rate(chance.wins, 400)


def test_chances_along_a_run_are_those_from_each_of_its_rounds() -> None:
    fight = duel(coins=[5, 5, 5, 5])

    along = chances_along(fight, 3, 1, 160)

    assert [chance.round for chance in along] == list(range(1, replay(fight, 3, 1).rounds + 1))
    assert list(along) == [chance_from(fight, 3, 1, chance.round, 160) for chance in along]


def test_a_round_after_the_end_is_refused() -> None:
    with pytest.raises(InputError, match=r"run 3 was over after round \d+; expected a round from 1 to \d+, found 999"):
        chance_from(duel(), 3, 1, 999, 10)


def test_a_page_has_the_chances_and_the_story_only_where_they_were_asked_for() -> None:
    telling = replay(duel(), 3, 1)

    asked = telling.with_chances(40)

    assert telling.chances == ()
    assert not any("from here" in line for line in telling.lines())
    assert any(line.startswith("Round 1 (the party wins ") for line in asked.lines())
    assert "of 160 continuations each" in telling.page()
    assert "of 40 continuations each" in asked.page()
    assert "continuations" not in page_of(telling)
    assert asked.with_chances(40) is asked


def test_json_has_chances_turning_points_and_luck() -> None:
    told = replay(duel(), 3, 1)

    plain, asked = told.to_json(), told.with_chances(40).to_json()

    assert plain["chances"] is None
    assert plain["turning_points"] is None
    assert {one["unit"] for one in plain["luck"]} <= {"Ada", "Bo", "Ogre", "Rat"}
    assert len(asked["chances"]) == told.rounds
    first = asked["chances"][0]
    assert (first["round"], first["again"]) == (1, 40)
    assert first["win_rate_low"] <= first["win_rate"] <= first["win_rate_high"]


# ------------------------------------------------------------------------------------------------------ turning points


def decided(*wins: int, outcome: str = "loss") -> Telling:
    """The staged fight with these wins of 160 continuations from each of its rounds."""
    chances = tuple(Chance(number, 160, won, 0, 160 - won) for number, won in enumerate(wins, start=1))
    return replace(staged(), chances=chances, outcome=outcome)


def test_the_round_that_decided_a_fight_is_told_with_who_fell() -> None:
    (first, *_) = decided(114, 38).turning_points

    assert first.words == "Round 1 decided it: the chance of winning fell from 71 % to 24 %; the priest fell"
    assert first.event == 3


def test_the_end_is_a_turning_point_too() -> None:
    lost = decided(150, 149).turning_points
    won = decided(20, 20, outcome="win").turning_points

    assert [(point.round, point.after) for point in lost] == [(2, 0.0)]
    assert lost[0].words.startswith("Round 2 decided it: the chance of winning fell from 93 % to a loss")
    assert won[0].words.startswith("Round 2 decided it: the chance of winning rose from 12 % to a win")


def test_the_weightiest_comes_first_and_the_others_say_whom_they_helped() -> None:
    points = decided(40, 100).turning_points

    assert [point.round for point in points] == [2, 1]
    assert points[1].words.startswith("Round 1 helped the party: the chance of winning rose from 25 % to 62 %")


def test_what_lies_within_the_margin_is_no_turning_point() -> None:
    telling = staged()
    few = [Chance(1, 10, 6, 0, 4), Chance(2, 10, 4, 0, 6)]

    points = turning_points(telling.events, few, "loss")

    assert [point.round for point in points] == [2]  # the end is certain; six and four of ten are not


def test_where_nobody_fell_it_is_told_what_a_side_lost() -> None:
    point = decided(40, 100).turning_points[1]

    assert point.words.endswith("; the enemies lost 6 of 23 hit points")
    assert point.event == 1  # the heaviest blow


# ------------------------------------------------------------------------------------------------------------- fortune


def rolls(who: str, *came_expected: tuple[float, float]) -> Event:
    told = tuple(Roll(("1",), 6, came=came, expected=expected, measure="hits") for came, expected in came_expected)
    return Event(1, 1, "", "strikes", who, (), told, {}, Scene((Token(who, "party", 1, 1),)))


def test_luck_is_what_came_less_what_was_expected() -> None:
    events = [rolls("a", (2, 1.5), (3, 1.0)), rolls("b", (0, 1.25)), rolls("a", (1, 0.5)), rolls("", (5, 1))]

    lucky, unlucky = fortune_of(events)

    assert (lucky.unit, lucky.rolls, lucky.came, lucky.expected, lucky.more) == ("a", 3, 6.0, 3.0, 3.0)
    assert (unlucky.unit, unlucky.more) == ("b", -1.25)
    assert fortune_in_words([lucky, unlucky], {"a": "the archer"}) == [
        "The archer: 6 hits from 3 rolls, 3 expected (+3.0)",
        "B: 0 hits from 1 roll, 1.2 expected (−1.2)",
    ]


def test_rolls_that_nothing_was_expected_of_are_no_luck() -> None:
    event = replace(rolls("a"), rolls=(Roll(("4",), 6),))

    assert fortune_of([event]) == []
