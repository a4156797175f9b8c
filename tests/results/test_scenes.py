"""What the result of an adventure tells of its scenes."""

from __future__ import annotations

import io

import numpy as np
import pytest
from rich.console import Console

import sim
from sim.core.branch import chances
from sim.core.engine import play, play_with
from sim.core.evening import Evening
from sim.core.luck import Luck
from sim.core.outcomes import Outcome
from sim.core.telling import SCENE_BEGINS
from sim.report.result_figures import result_sketches
from sim.report.svg import drawn
from sim.results.result import Result
from sim.results.scenes import costliest

RUNS = 600
CRYPT = "overhill/crypt-under-the-hill"


@pytest.fixture(scope="module")
def result() -> Result:
    return sim.run(CRYPT, runs=RUNS, seed=5, jobs=1, progress=False)


def test_scripts_find_every_scene_with_its_numbers(result: Result) -> None:
    found = result.to_dict()

    keys = {"scene", "kind", "reached", "through", "through_low", "through_high", "fresh", "hp_left"}
    assert all(keys <= set(scene) for scene in found["scenes"])
    assert [scene["kind"] for scene in found["scenes"]] == ["fight", "fight", "rest", "level_up", "fight"]
    assert found["turned_back"] == result.sums.ended(Outcome.TURNED_BACK)


def test_everybody_ends_somewhere(result: Result) -> None:
    scenes = result.scenes
    ended = sum(scene.lost + scene.drawn + scene.turned_back for scene in scenes)

    assert ended + result.sums.ended(Outcome.WIN) == RUNS
    assert sum(scene.lost for scene in scenes) == result.sums.ended(Outcome.LOSS)
    assert sum(scene.turned_back for scene in scenes) == result.sums.ended(Outcome.TURNED_BACK)
    reached = [scene.reached.value for scene in scenes]
    assert reached == sorted(reached, reverse=True)


def test_a_rest_gives_back_health_and_a_fight_takes_it(result: Result) -> None:
    door, swarm, rest, level, court = (scene.hp_left.value for scene in result.scenes)

    assert 0 < swarm < door < 1
    assert swarm < rest < level < 1
    assert court < level


def test_fresh_is_the_same_scene_with_its_own_luck_and_a_party_that_has_just_begun(result: Result) -> None:
    evening = result.scenario.encounter()
    assert isinstance(evening, Evening)
    runs = np.arange(RUNS)

    tables = play_with(evening.scenes[1].encounter, runs, Luck.of(5, runs).scene(1))  # type: ignore[union-attr]

    fresh, arrived = result.scenes[1].fresh, result.scenes[1].through
    assert fresh is not None
    assert fresh.value == (tables.outcome == Outcome.WIN).mean()
    assert fresh.value > arrived.value


def test_the_costliest_scene_is_the_one_without_which_most_come_through(result: Result) -> None:
    without = sim.run(CRYPT, runs=RUNS, seed=5, jobs=1, progress=False, sets=["order=[1,3,4,5]"])

    assert result.scenes[1].without is not None
    assert result.scenes[1].without.value == without.win_rate.value
    assert result.costliest.startswith("Without scene 2 (the swarm) ")
    assert costliest([], None) == ""


def test_the_terminal_shows_where_parties_end(result: Result) -> None:
    shown = io.StringIO()

    result.print(Console(file=shown, width=160))

    text = shown.getvalue()
    assert "The party comes through" in text
    assert "Scene by scene" in text
    assert "What is left after each scene" in text


def test_the_waterfall_is_one_of_the_figures(result: Result) -> None:
    figures = result_sketches(result)

    assert figures["scenes"].title == "Where parties end"
    assert "<svg" in drawn(figures["scenes"]).svg


def test_a_chance_is_known_from_the_start_of_every_scene(result: Result) -> None:
    evening = result.scenario.encounter()
    run = int(np.flatnonzero(play(evening, 5, np.arange(60)).outcome == Outcome.WIN)[0])

    assert chances(evening, 5, run, again=20).rounds == 5


def test_a_replay_spans_all_scenes_and_counts_rounds_on(result: Result) -> None:
    run = int(np.flatnonzero(play(result.scenario.encounter(), 5, np.arange(60)).outcome == Outcome.WIN)[0])

    telling = sim.replay(CRYPT, run=run, seed=5)

    scenes = [event for event in telling.events if event.kind == SCENE_BEGINS]
    names = [event.facts["name"] for event in scenes]
    assert names == ["the door", "the swarm", "short rest", "a level gained", "the court"]
    rounds = [event.round for event in telling.events]
    assert rounds == sorted(rounds)
    assert rounds[-1] == telling.rounds


def test_who_is_missing_after_a_fight_are_the_heroes_who_do_not_stand(result: Result) -> None:
    scenes = result.scenes

    assert [bool(scene.missing) for scene in scenes] == [True, True, False, False, True]
    for scene in scenes:
        if scene.missing:
            standing = len(scene.missing) - sum(away.value for away in scene.missing.values())
            assert standing == pytest.approx(scene.left["standing"].value)
    assert result.to_dict()["scenes"][1]["missing"].keys() == {"warrior", "rogue", "priest", "magic_user"}
