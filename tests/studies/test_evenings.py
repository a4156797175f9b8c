"""Every question about an adventure of every game, with a few runs: it answers, adds up, and speaks as people do."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

import pytest
from click.testing import CliRunner, Result

import sim
from sim.cli.replay import replay as replay_command
from sim.core.telling import SCENE_BEGINS
from sim.errors import InputError
from sim.replays.replay import replay
from sim.report.page import played_sections
from sim.results.statistics import Estimate
from sim.scenario import Scenario, load
from sim.scenario.wording import scene_in_words
from sim.studies.answer import Answer
from sim.studies.line_ups import with_enemies

QUIET: dict[str, Any] = {"progress": False, "jobs": 1, "seed": 1}


@dataclass(frozen=True)
class Asked:
    """An evening, cut short so that a test takes a second, and what can be asked about it."""

    name: str
    order: tuple[Any, ...]  # the scenes that are played
    dropped: tuple[Any, ...]  # one of them left out
    knob: str
    values: tuple[int, ...]
    only: str  # one number, for sensitivity
    levels: tuple[int, int]
    policies: tuple[str, str]
    classes: tuple[str, str]
    units: tuple[str, str]

    @property
    def evening(self) -> Scenario:
        return load(self.name, values={"order": list(self.order)})


OVERHILL = Asked(
    "overhill/crypt-under-the-hill", (1, 2, 3, 4, 5), (1, 3, 4, 5), "scenes.1.fight.enemies.zombie.count", (2, 3),
    "zombie melee in scene 2", (1, 2), ("plain", "cautious"), ("warrior", "priest"), ("skeleton", "zombie"),
)  # fmt: skip
P52 = Asked(
    "p52/over-the-pass", (1, 2, 3), (3,), "scenes.the Queens.fight.enemies.0.max_hp", (20, 40),
    "Q hearts max HP", (3, 4), ("brawler", "medic"), ("fighter", "cleric"), ("J hearts", "J clubs"),
)  # fmt: skip
BRIMSTONE = Asked(
    "brimstone/road-to-the-gate", (1, 5, 6), (6,), "scenes.0.fight.enemies.stranglers.count", (2, 3),
    "goliath defense", (1, 2), ("focus_fire", "aggressive"), ("us_marshal", "preacher"), ("stranglers", "tentacles"),
)  # fmt: skip
SECOND_ERA = Asked(
    "second_era/out-of-the-jail", (1, 2, 5, 9), (1, 2), "scenes.8.fight.enemies.draugr.count", (1, 2),
    "champion defense", (3, 4), ("focus_fire", "cautious"), ("knight", "archer"), ("draugr", "skeever"),
)  # fmt: skip
ASKED = {one.name.partition("/")[0]: one for one in (OVERHILL, P52, BRIMSTONE, SECOND_ERA)}
HEAVY = [
    pytest.param(one, id=game, marks=[] if one is OVERHILL else pytest.mark.soak) for game, one in ASKED.items()
]
every_game = pytest.mark.parametrize("asked", [pytest.param(one, id=game) for game, one in ASKED.items()])
every_game_in_a_soak = pytest.mark.parametrize("asked", HEAVY)


def assert_in_words(answer: Answer) -> None:
    """No key path and no underscore in what a person reads first; commands are typed letter by letter."""
    for sentence in (*answer.verdicts, *answer.warnings):
        read = re.sub(r"fairfight \w+ .*", "", sentence)
        assert not re.search(r"_|scenes[.\[]|\bfight\.", read), sentence
    titles = [column.title for table in answer.tables for column in table.columns if column.unit != "key"]
    assert not [title for title in titles if "_" in title]


def assert_ends_add_up(answer: Answer, table: str) -> None:
    """Wins, draws, losses and whatever else there is make up all encounters, in every row."""
    rows = next(one for one in answer.tables if one.name == table).rows
    for row in rows:
        ends = [row.get(f"{end}_rate") for end in ("win", "draw", "loss", "turned_back", "avoided")]
        assert sum(end.value for end in ends if isinstance(end, Estimate)) == pytest.approx(1.0)


@every_game
def test_an_evening_compared_with_itself_is_the_same_run_by_run(asked: Asked) -> None:
    variants = {"itself": {"order": list(asked.order)}, "shorter": {"order": list(asked.dropped)}}

    answer = sim.compare(asked.evening, variants, runs=40, **QUIET)

    itself, shorter = next(table for table in answer.tables if table.name == "differences").rows
    assert itself["unlike"] == 0
    assert {itself[measure].value for measure in ("win_rate", "draw_rate", "loss_rate", "rounds", "party_hp")} == {0}
    assert shorter["rounds"].value < 0
    assert "itself changes nothing: every one of 40 runs went exactly the same way." in answer.verdicts
    assert_ends_add_up(answer, "fights")
    assert_in_words(answer)


@every_game
def test_a_number_of_one_scene_is_swept(asked: Asked) -> None:
    answer = sim.sweep(asked.evening, {asked.knob: list(asked.values)}, runs=24, **QUIET)

    points = next(table for table in answer.tables if table.name == "points")
    assert re.search(r" in scene \d \(the ", points.columns[0].title)
    assert_ends_add_up(answer, "points")
    assert_in_words(answer)


@every_game
def test_the_same_evening_from_level_to_level(asked: Asked) -> None:
    answer = sim.scale(asked.evening, list(asked.levels), runs=24, **QUIET)

    assert_ends_add_up(answer, "levels")
    assert_in_words(answer)


@every_game
def test_one_number_of_one_scene_is_moved(asked: Asked) -> None:
    answer = sim.sensitivity(asked.evening, only=asked.only, runs=24, **QUIET)

    moves = next(table for table in answer.tables if table.name == "moves")
    assert moves.rows
    assert all(re.search(r" in scene \d", str(row["move"])) for row in moves.rows)
    assert_in_words(answer)


@every_game
def test_an_evening_under_two_policies(asked: Asked) -> None:
    answer = sim.ladder(asked.evening, policies=list(asked.policies), abilities=[], runs=24, **QUIET)

    assert_ends_add_up(answer, "policies")
    assert_in_words(answer)


@every_game
def test_two_parties_of_one_on_the_same_evening(asked: Asked) -> None:
    answer = sim.parties(asked.evening, size=1, of=list(asked.classes), runs=24, **QUIET)

    assert len(answer.on_top["parties"]) == 2
    alike = len({party["win_rate"] for party in answer.on_top["parties"]}) == 1
    assert answer.verdicts[1].startswith("No class adds more than another" if alike else "One more ")
    assert_ends_add_up(answer, "parties")
    assert_in_words(answer)


@every_game_in_a_soak
def test_what_decides_an_evening_is_told_by_scenes(asked: Asked) -> None:
    answer = sim.why(asked.evening, runs=24, curves=2, again=4, **QUIET)

    said = " ".join(answer.verdicts)
    assert "evenings" in said
    assert "fights" not in said
    assert_in_words(answer)


@every_game
def test_a_price_list_is_refused_in_words(asked: Asked) -> None:
    with pytest.raises(InputError, match="a price list is made for one fight"):
        sim.price(asked.evening, asked.units, **QUIET)


@every_game
def test_a_claim_about_an_evening(asked: Asked) -> None:
    claim = {"scenario": asked.evening, "rounds": {"least": 1}}

    assert sim.gate([claim], max_runs=2_000 if asked is OVERHILL else 200, progress=False, jobs=1).holds


@every_game_in_a_soak
def test_a_number_of_one_scene_is_tuned(asked: Asked) -> None:
    low, high = min(asked.values), max(asked.values)

    answer = sim.tune(asked.evening, asked.knob, "win_rate=0.6", low=low, high=high, precision=10, **QUIET)

    assert re.search(r"in scene \d \(the ", " ".join(answer.verdicts))
    assert_ends_add_up(answer, "tried")
    assert_in_words(answer)


@every_game_in_a_soak
@pytest.mark.parametrize("side", ["party", "enemies"])
def test_better_play_and_harder_enemies_are_looked_for(asked: Asked, side: str) -> None:
    answer = sim.improve(asked.evening, side=side, generations=0, runs=100, **QUIET)

    assert {"before", "after", "gain", "policy"} <= answer.on_top.keys()
    assert_ends_add_up(answer, "policies")
    assert_in_words(answer)


@every_game
def test_the_page_of_a_replay_goes_from_scene_to_scene(asked: Asked) -> None:
    page = replay(asked.evening, 3, 1).page()

    begins = re.findall(r'<h3 class="scene">(Scene \d of \d: [^<]+)</h3>', page)
    assert begins[0].startswith("Scene 1 of ")
    assert 'data-do="scene-on"' in page
    assert "--from-round" not in page
    assert page.count('class="scene" style="left:') == len(begins)


@every_game
def test_the_report_shows_the_scenes_and_the_fight_of_each(asked: Asked) -> None:
    sections = played_sections(asked.evening.as_played())

    titles = [section.title for section in sections]
    scenes = asked.evening.data["scenes"]
    fights = [scene_in_words(place, scene["name"]) for place, scene in enumerate(scenes) if "fight" in scene]
    assert titles.count("scenes") == 1
    assert all(any(title.startswith(fight) for title in titles) for fight in fights)
    names = [table.name for section in sections for table in section.tables]
    assert len(names) == len(set(names))


def test_parties_that_turn_back_have_a_column_of_their_own() -> None:
    wary = load(OVERHILL.name, values={"scenes.4.unless": "party_hp < 0.9"})

    answer = sim.ladder(wary, policies=["plain"], abilities=[], runs=100, **QUIET)

    row = next(table for table in answer.tables if table.name == "policies").rows[0]
    assert isinstance(row["turned_back_rate"], Estimate)
    assert row["turned_back_rate"].value > 0
    assert_ends_add_up(answer, "policies")


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        ("overhill/gobbo-dungeon", "gobbo"),
        ("p52/random-space", "J hearts"),
        ("brimstone/tentacle_hall", "stranglers"),
        ("second_era/se_clash_scaled", "skeever"),
    ],
)
def test_a_line_up_takes_the_place_of_enemies_that_are_dealt_by_lot(name: str, kind: str) -> None:
    fight = load(name, values={"threat": "low"} if name.startswith("brimstone") else None)
    dealt = fight.ruleset.enemies_by_lot
    assert any(key in fight.data for key in dealt)

    line_up = with_enemies(fight, {kind: 2})

    assert not any(key in line_up.data for key in dealt)
    enemies = [unit.name for unit in line_up.encounter().cast.units if unit.side == "enemy"]
    assert {re.sub(r" \d+$", "", enemy) for enemy in enemies} == {kind}


def test_an_evening_is_played_on_from_a_scene_and_not_from_a_round() -> None:
    def ask(fight: str, *how: str) -> Result:
        return CliRunner().invoke(replay_command, [fight, "--run", "5", "--again", "20", *how])

    from_scene, from_round = ask(OVERHILL.name, "--from-scene", "2"), ask(OVERHILL.name, "--from-round", "2")
    no_scene = ask("overhill/playtest-1", "--from-scene", "1")

    assert "From scene 2 on the party wins" in from_scene.output
    assert from_round.exit_code == no_scene.exit_code == 2
    assert "--from-scene 2" in from_round.output
    assert "has no scenes: --from-round 1" in no_scene.output


def test_what_a_rest_and_a_level_have_changed_is_told() -> None:
    told = replay(load(OVERHILL.name), 3, 1)

    words = {event.facts["name"]: told.words[place + 1] for place, event in enumerate(told.events)
             if event.kind == SCENE_BEGINS and event.facts["what"] != "fight"}  # fmt: skip

    assert re.fullmatch(r"The party now has health \d+ % \(was \d+ %\).*", words["short rest"])
    assert words["a level gained"].startswith("Every hero gains a level")
