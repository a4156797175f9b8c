"""What a result says: numbers, tables, words and files."""

from __future__ import annotations

import json
import math
import pickle
from dataclasses import replace
from io import StringIO
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from rich.console import Console

import sim
from sim.core.outcomes import Outcome
from sim.errors import SimError
from sim.report.result_page import result_page
from sim.results.result import Result
from sim.results.statistics import wilson
from sim.results.verdict import BANDS, band
from sim.runs.runner import run
from tests.games.misbehaving import ADA, BLUFF, BO, FLIP_OF_ADA, OGRE, RAT, duel

RUNS = 3_000
MIXED = {"avoid_percent": 3, "empty_percent": 4, "round_cap": 9}


@pytest.fixture(scope="module")
def result() -> Result:
    return run(duel(**MIXED), runs=RUNS, seed=9, jobs=1)


@pytest.fixture(scope="module")
def fights(result: Result) -> pd.DataFrame:
    """The runs in which a fight took place."""
    runs = result.runs
    return runs[runs.outcome.isin(["win", "loss", "draw"])]


# ------------------------------------------------------------------------------------------------- numbers


def test_the_win_rate_leaves_empty_runs_out_and_counts_avoided_ones(result: Result) -> None:
    counts = result.runs.outcome.value_counts()
    encounters = RUNS - counts["empty"]

    assert counts["avoided"] > 0
    assert result.win_rate.value == counts["win"] / encounters
    assert (result.win_rate.low, result.win_rate.high) == pytest.approx(wilson(int(counts["win"]), int(encounters)))


def test_means_are_those_of_the_single_runs(result: Result, fights: pd.DataFrame) -> None:
    wins = fights[fights.outcome == "win"]

    assert result.ending("rounds").value == pytest.approx(fights.rounds.mean())
    assert result.ending("rounds", "win").value == pytest.approx(wins.rounds.mean())
    assert result.ending("party_hp", "win").value == pytest.approx(wins.party_hp.mean())
    assert result.count("coins").value == pytest.approx(fights.coins.mean())
    assert result.heroes_down().value == pytest.approx(fights.heroes_down.mean())
    assert result.nobody_down("win").value == pytest.approx((wins.heroes_down == 0).mean())


def test_numbers_of_a_unit_are_taken_of_the_fights_it_is_in(result: Result, fights: pd.DataFrame) -> None:
    units = result.units.merge(fights[["run", "outcome"]], on="run")
    rat = units[units.unit == "Rat"]
    assert len(rat) < 0.6 * len(fights)

    assert result.appearances(RAT) == len(rat)
    assert result.unit_mean("damage_dealt", RAT).value == pytest.approx(rat.damage_dealt.mean())
    assert result.down_rate(RAT, "win").value == pytest.approx((rat[rat.outcome == "win"].downs > 0).mean())
    assert result.death_rate(RAT).value == pytest.approx(rat.dead.mean())


def test_hits_per_use_is_the_ratio_of_the_sums(result: Result) -> None:
    table = result.abilities
    flips = table[(table.unit == "Ada") & (table.ability == "flip") & (table.when == "all")].iloc[0]

    assert result.per_use("hits", FLIP_OF_ADA).value == pytest.approx(flips.hits / flips.uses)
    assert result.per_use("damage", FLIP_OF_ADA).value == pytest.approx(flips.damage / flips.uses)
    assert flips.hits_per_use_low < flips.hits_per_use < flips.hits_per_use_high
    assert result.per_use("hits", BLUFF).why == "never"


def test_survival_falls_from_one_to_the_share_that_comes_through(result: Result) -> None:
    curve = [point.value for point in result.survival(BO)]

    assert curve[0] == 1.0
    assert curve == sorted(curve, reverse=True)
    assert curve[-1] == pytest.approx(1 - result.down_rate(BO).value)
    assert len(curve) == 10


def test_a_fight_that_never_occurred_has_no_number_but_a_reason() -> None:
    always_won = run(duel(coins=[500, 500, 1, 1]), runs=300)

    lost = always_won.ending("rounds", "loss")

    assert math.isnan(lost.value)
    assert lost.why == "no such run"


# -------------------------------------------------------------------------------------------------- tables


def test_the_summary_is_tidy_and_every_number_has_an_interval_or_a_reason(result: Result) -> None:
    frame = result.summary(everything=True)

    assert list(frame.columns) == ["measure", "who", "when", "value", "low", "high", "unit", "n", "why"]
    without = frame[frame.low.isna()]
    assert (without.why != "").all()
    known = frame[frame.low.notna()]
    assert (known.low <= known.value).all()
    assert (known.value <= known.high).all()
    assert not frame.duplicated(["measure", "who", "when"]).any()


def test_the_summary_alone_holds_the_fight_as_a_whole(result: Result) -> None:
    frame = result.summary()

    assert (frame.who == "").all()
    rates = {"win_rate", "loss_rate", "draw_rate", "avoided_rate", "nobody_down"}
    assert rates | {"rounds", "party_hp", "heroes_down", "xp", "coins"} == set(frame.measure)


def test_the_runs_tell_what_each_run_came_to(result: Result) -> None:
    runs = result.runs

    assert list(runs.run) == list(range(RUNS))
    losses = runs[runs.outcome == "loss"]
    assert (losses.party_hp == 0).all()
    assert (losses.heroes_down == 2).all()
    untouched = runs[runs.heroes_down == 0]
    assert untouched.first_down.isna().all()
    assert (untouched.first_down_round == -1).all()
    fallen = runs[runs.heroes_down > 0]
    assert set(fallen.first_down) == {"Ada", "Bo"}
    assert (fallen.first_down_round >= 1).all()


def test_the_units_of_a_run_add_up_to_the_run(result: Result) -> None:
    runs, units = result.runs.set_index("run"), result.units
    party = units[units.side == "party"].groupby("run")

    assert (party.hp.sum() == runs.party_hp).all()
    assert (party.kills.sum() == runs.enemies_killed).all()
    assert (units.groupby("run").damage_dealt.sum() == units.groupby("run").damage_taken.sum()).all()


def test_asking_for_runs_that_were_not_kept_tells_how_to_get_them() -> None:
    sums_only = run(duel(), runs=50, keep="summary")

    for table in ("runs", "units"):
        with pytest.raises(SimError, match=r"keep='runs'.*out='FOLDER'"):
            getattr(sums_only, table)


def test_runs_on_disk_are_read_from_there(tmp_path: Path) -> None:
    kept = run(duel(**MIXED), runs=400, keep="runs")

    on_disk = run(duel(**MIXED), runs=400, out=tmp_path)

    assert on_disk.kept is None
    pd.testing.assert_frame_equal(on_disk.runs, kept.runs, check_categorical=False, check_dtype=False)
    pd.testing.assert_frame_equal(on_disk.units, kept.units, check_categorical=False, check_dtype=False)


def test_two_units_of_one_name_do_no_harm(tmp_path: Path) -> None:
    twins = run(duel(names=["Ada", "Ada", "Rat", "Rat"]), runs=100, out=tmp_path)

    assert list(twins.units.unit.head(2)) == ["Ada", "Ada"]
    assert len(pd.read_parquet(tmp_path / "units.parquet")) == len(twins.units)


def test_a_result_travels(result: Result) -> None:
    arrived = pickle.loads(pickle.dumps(result))

    assert arrived.to_dict() == result.to_dict()
    assert arrived.runs.equals(result.runs)


# ----------------------------------------------------------------------------------------------- in words


@pytest.mark.parametrize(
    ("win_rate", "name"),
    [(0.0, "hopeless"), (0.05, "deadly"), (0.5, "even"), (0.9499, "easy"), (0.986, "far too easy")],
)
def test_bands_name_how_hard_a_fight_is(win_rate: float, name: str) -> None:
    assert band(win_rate).name == name


def test_bands_leave_no_gap() -> None:
    assert BANDS[0].least == 0.0
    assert [ground.least for ground in BANDS] == sorted(ground.least for ground in BANDS)


def test_the_verdict_is_one_sentence_with_its_interval() -> None:
    easy = run(duel(coins=[6, 4, 4, 2]), runs=4_000)

    assert easy.verdict.startswith("The party wins 9")
    assert "% of fights (95 % interval 9" in easy.verdict
    assert easy.verdict.endswith(": far too easy for a fair fight.")


def test_the_verdict_admits_a_neighbouring_band() -> None:
    few = run(duel(), runs=60)

    assert "(on the edge to " in few.verdict


def test_the_verdict_tells_losses_and_draws_beside_wins() -> None:
    easy = run(duel(coins=[12, 9, 7, 3]), runs=4_000)
    lost = 100 * easy.outcome_rate(Outcome.LOSS).value

    assert f"), loses {lost:.1f} % and draws " in easy.verdict


def test_many_draws_are_part_of_the_verdict_with_who_was_left_and_what_ends_them() -> None:
    hall = sim.run("p52/hall-scaling", set={"level": 4, "switches.round_cap": 40}, runs=200, seed=3)
    drawn, decided = hall.sums.ended(Outcome.DRAW), hall.sums.ended(Outcome.WIN, Outcome.LOSS)
    assert drawn > 10  # as many as this test is about

    first, _, why = hall.verdict.partition(". ")

    assert f"of those that are decided the party wins {100 * hall.sums.ended(Outcome.WIN) / decided:.0f} %, " in first
    assert f" and draws {100 * drawn / 200:.0f} %: " in first
    assert why.startswith(f"{100 * drawn / 200:.0f} % reach the round cap: still there are most often ")
    assert why.endswith(hall.scenario.ruleset.against_draws)


def test_encounters_that_are_avoided_are_a_word_of_their_own() -> None:
    fight = sim.run("overhill/crypt-swarm", policy="prudent", set={"enemies.skeleton.count": 9}, runs=500)

    assert "avoids 8" in fight.verdict
    assert fight.verdict.endswith(": of those that are fought the party wins none, hopeless for the party.")


def test_warnings_name_the_round_cap_empty_runs_and_idle_abilities(result: Result) -> None:
    said = {caution.code: caution.text for caution in result.warnings}

    draws = result.sums.ended(Outcome.DRAW)
    assert said["round_cap"].startswith(f"{draws:,} of {result.sums.encounters:,} encounters")
    assert said["empty"].startswith(f"{result.sums.ended(Outcome.EMPTY):,} of {RUNS:,} runs")
    assert said["never_used"] == "Abilities that were never used: Bo: bluff."


def test_an_ability_that_everybody_has_may_stay_unused_without_a_warning() -> None:
    played = run(duel(), runs=300)
    abilities = tuple(replace(one, common=one.name == "bluff") for one in played.cast.abilities)
    cast = replace(played.cast, abilities=abilities)

    said = {caution.code for caution in Result(played.scenario, cast, played.sums, played.provenance).warnings}

    assert "never_used" in {caution.code for caution in played.warnings}
    assert "never_used" not in said


def test_a_single_encounter_is_told_in_the_singular() -> None:
    once = run(sim.load("overhill/duel-skeleton"), runs=1, seed=1)

    said = {caution.code: caution.text for caution in once.warnings}

    assert said["few_runs"] == "Only 1 encounter was played: every interval is wide."
    assert once.price.startswith("A fight lasts 1 round;")


def test_a_unit_that_never_acts_is_named() -> None:
    asleep = run(duel(coins=[500, 500, 0, 1]), runs=300)

    said = {caution.code: caution.text for caution in asleep.warnings}

    assert said["never_acted"] == "Ogre took part in 300 fights and never acted."


def test_few_runs_are_warned_about() -> None:
    assert "few_runs" in [caution.code for caution in run(duel(), runs=50).warnings]
    assert "few_runs" not in [caution.code for caution in run(duel(), runs=500).warnings]


def test_the_table_fits_100_columns_and_names_everybody(result: Result) -> None:
    page = StringIO()

    result.print(Console(file=page, width=100, highlight=False), everything=True)

    text = page.getvalue()
    assert max(map(len, text.splitlines())) <= 100
    assert result.verdict in " ".join(text.split())
    for part in ("win", "loss", "draw", "avoided", "rounds", "party hit points left", "Ogre: flip", "wins", "losses"):
        assert part in text
    assert f"--run={result.picks['median']}" in text


def test_a_screen_begins_and_ends_with_the_verdict_and_shows_the_few_tables_that_matter(result: Result) -> None:
    page = StringIO()

    result.print(Console(file=page, width=900, highlight=False), where="The rest is elsewhere.")

    lines = page.getvalue().strip().splitlines()
    assert lines[1].strip() == lines[-1].strip() == result.verdict
    assert "The rest is elsewhere." in page.getvalue()
    assert "Damage by unit" in page.getvalue()
    assert "Damage by ability" not in page.getvalue()


@pytest.mark.parametrize("width", [60, 80, 100, 200])
def test_no_name_is_cut_at_any_width(width: int) -> None:
    names = ["Bartholomew", "Hildegard of the Hill", "Ogre", "Rat"]
    result = run(duel(names=names), runs=300)
    page = StringIO()

    result.print(Console(file=page, width=width, highlight=False, force_terminal=True, color_system=None))

    lines = page.getvalue().splitlines()
    assert max(map(len, lines)) <= width
    assert "…" not in page.getvalue()
    assert sum(line.startswith("Bartholomew") for line in lines) == 2  # who goes down, damage
    assert ("with a wider terminal" in page.getvalue()) == (width < 100)


def test_names_are_not_read_as_markup() -> None:
    page = StringIO()

    run(duel(names=["[red]Ada", "[/]Bo", "Ogre", "Rat"]), runs=300).print(Console(file=page, width=100))

    assert "[red]Ada" in page.getvalue()
    assert "[/]Bo" in page.getvalue()


# --------------------------------------------------------------------------------------------------- files


def test_json_holds_the_promised_fields_and_nothing_that_json_does_not_know(result: Result) -> None:
    told = json.loads(result.to_json(), parse_constant=lambda constant: pytest.fail(f"{constant} is no JSON"))

    assert {
        *("schema", "scenario", "ruleset", "preset", "policy", "switches", "runs", "seed", "wins", "losses", "draws"),
        *("win_rate", "win_rate_low", "win_rate_high", "rounds_mean", "units", "elapsed_s", "runs_per_s"),
        *("avoided", "empty", "warnings", "picks", "abilities"),
    } <= set(told)
    assert told["schema"] == 1
    assert (told["scenario"], told["ruleset"], told["preset"]) == ("coins/gang", "coins", "gentle")
    assert told["switches"] == {"heads_takes": 1, "mood": "calm"}
    assert told["wins"] + told["losses"] + told["draws"] + told["avoided"] + told["empty"] == told["runs"] == RUNS
    assert told["win_rate_low"] < told["win_rate"] < told["win_rate_high"]
    assert [unit["name"] for unit in told["units"]] == ["Ada", "Bo", "Ogre", "Rat"]
    for unit in told["units"]:
        assert {"name", "side", "damage_dealt_mean", "damage_taken_mean", "down_rate", "death_rate"} <= set(unit)
        assert unit["side"] in ("party", "enemy")
    assert told["picks"] == result.picks


def test_json_says_null_where_there_is_no_number() -> None:
    nobody = json.loads(run(duel(empty_percent=100), runs=20).to_json())

    assert nobody["win_rate"] is nobody["rounds_mean"] is None
    assert nobody["empty"] == 20


def test_the_folder_holds_everything(result: Result, tmp_path: Path) -> None:
    page = result.write(tmp_path / "new" / "folder")

    names = {path.name for path in page.parent.iterdir()}
    assert names == {
        *("runs.parquet", "units.parquet", "abilities.parquet", "summary.csv"),
        *("result.json", "manifest.json", "index.html"),
    }
    assert len(pd.read_parquet(page.parent / "runs.parquet")) == RUNS
    assert json.loads((page.parent / "result.json").read_text(encoding="utf-8")) == json.loads(result.to_json())
    assert "win_rate" in (page.parent / "summary.csv").read_text(encoding="utf-8")


def test_the_manifest_tells_how_to_play_it_again(result: Result, tmp_path: Path) -> None:
    result.write(tmp_path)

    manifest = json.loads((tmp_path / "manifest.json").read_text(encoding="utf-8"))

    assert manifest["schema"] == 1
    assert (manifest["seed"], manifest["runs"], manifest["digest"]) == (9, RUNS, result.scenario.digest)
    assert manifest["command_again"] == f"fairfight run coins/gang --runs={RUNS} --seed=9"
    assert manifest["versions"]["numpy"] == np.__version__
    assert manifest["peak_memory_bytes"]["main"] > 10_000_000
    assert [hero["coins"] for hero in manifest["resolved"]["heroes"]] == [4, 3]


def test_tables_of_an_earlier_result_do_not_stay_beside_a_new_one(result: Result, tmp_path: Path) -> None:
    result.write(tmp_path)

    run(duel(), runs=300, keep="summary").write(tmp_path)

    assert not (tmp_path / "runs.parquet").exists()
    assert json.loads((tmp_path / "result.json").read_text(encoding="utf-8"))["runs"] == 300


def test_writing_into_its_own_folder_under_another_name_keeps_the_tables(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    result = run(duel(), runs=300, out="own")

    result.write(tmp_path / "own")

    assert len(pd.read_parquet(tmp_path / "own" / "runs.parquet")) == 300


def test_a_report_may_be_one_file(result: Result, tmp_path: Path) -> None:
    page = result.report(tmp_path / "fight.html")

    assert page.read_text(encoding="utf-8").startswith("<!DOCTYPE html>")
    assert list(tmp_path.iterdir()) == [page]


def test_a_folder_that_cannot_be_written_is_a_clear_error(result: Result, tmp_path: Path) -> None:
    (tmp_path / "file").touch()

    with pytest.raises(SimError, match="cannot write the result"):
        result.write(tmp_path / "file")


def test_commands_carry_the_changes_that_were_made() -> None:
    played = run(duel(), runs=20, seed=4)
    changes = ("--policy cautious", "--set enemies.rat.name=big rat", "set level = 3")
    changed = Result(replace(played.scenario, changes=changes), played.cast, played.sums, played.provenance)

    assert changed.replay_command(7) == (
        "fairfight replay coins/gang --policy cautious --set 'enemies.rat.name=big rat' --set level=3 "
        "--run=7 --seed=4"
    )


def test_a_scenario_from_a_file_is_named_by_its_path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    played = run(duel(), runs=20, seed=4)
    scenario = replace(played.scenario, name="gate", source=tmp_path / "fights" / "gate.toml")

    command = Result(scenario, played.cast, played.sums, played.provenance).command

    assert command == "fairfight run fights/gate.toml --runs=20 --seed=4"


def test_a_scenario_without_a_file_is_played_again_from_python() -> None:
    table = sim.load("overhill/duel-skeleton").data
    played = sim.run(table, runs=200, seed=4, set={"enemies.skeleton.count": 2}, progress=False)

    assert played.command == "sim.run(table, runs=200, seed=4)  # Python; table = result.scenario.data"
    assert played.replay_command(7).startswith("sim.replay(table, run=7, seed=4)")
    again = sim.run(played.scenario.data, runs=200, seed=4, progress=False)
    assert again.to_dict()["wins"] == played.to_dict()["wins"]
    assert again.scenario.digest == played.scenario.digest


def test_heroes_and_enemies_are_told_apart(result: Result) -> None:
    assert result.cast.party == [ADA, BO]
    assert [unit.side for unit in result.cast.units][OGRE:] == ["enemy", "enemy"]


def test_a_gauntlet_is_reported_room_by_room() -> None:
    played = sim.run("p52/mountain-pass", runs=60, jobs=1, progress=False, set={"switches.round_cap": 15})
    frame, rooms = played.runs, played.rooms

    assert [room.name for room in rooms] == ["1: The Jacks", "2: The Queens", "3: The Kings"]
    for number, room in enumerate(rooms, start=1):
        came = frame[frame[f"room_{number}_reached"] == 1]
        won = came[came[f"room_{number}_won"] == 1]
        assert room.reached.value == len(came) / 60
        assert room.won.value == len(won) / len(came)
        assert room.rounds.value == pytest.approx(came[f"room_{number}_rounds"].mean())
        assert room.hp.value == pytest.approx(won[f"room_{number}_hp"].mean())
    assert [room["name"] for room in played.to_dict()["rooms"]] == [room.name for room in rooms]
    assert not [name for name in played.to_dict()["counts"] if name.startswith("room")]
    assert "room_won_rate" in set(played.summary(everything=True)["measure"])
    assert "Room by room" in result_page(played)
    assert "Room by room" not in result_page(sim.run("p52/duel", runs=20, jobs=1, progress=False))
