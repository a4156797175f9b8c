"""The command `fairfight`: what it prints where, and with which exit status it leaves."""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest

from sim import __version__
from sim.cli import main
from sim.cli.commands import COMMANDS, fairfight, load_command
from sim.core.registry import ruleset, ruleset_names
from sim.core.ruleset import Ruleset
from sim.scenario import load, scenarios_of
from tests.games.registry import with_coin_duel

with_coins = pytest.fixture(autouse=True)(with_coin_duel)


@dataclass
class Answer:
    """What a command left behind."""

    status: int
    out: str
    err: str


Command = Callable[..., Answer]


@pytest.fixture
def ff(capsys: pytest.CaptureFixture[str]) -> Command:
    """Runs `fairfight` with these words."""

    def command(*words: str | Path) -> Answer:
        with pytest.raises(SystemExit) as left:
            main([str(word) for word in words])
        out, err = capsys.readouterr()
        return Answer(int(left.value.code or 0), out, err)

    return command


def complains(answer: Answer, *words: str) -> None:
    """The user can mend it: status 2, everything on standard error, no traceback."""
    assert answer.status == 2
    assert answer.out == ""
    assert "Traceback" not in answer.err
    for word in words:
        assert word in answer.err


# ---------------------------------------------------------------------------------------------------------- the command


def test_the_version_is_the_packages(ff: Command) -> None:
    answer = ff("--version")

    assert (answer.status, answer.out) == (0, f"fairfight {__version__}\n")


@pytest.mark.parametrize("command", sorted(fairfight.commands))
def test_every_command_explains_itself_with_an_example(ff: Command, command: str) -> None:
    answer = ff(command, "--help")

    assert answer.status == 0
    assert f"fairfight {command} " in answer.out.partition("Usage:")[2].partition("\n")[2]
    assert ff(command, "-h").out == answer.out


def test_without_a_command_it_says_what_there_is(ff: Command) -> None:
    answer = ff("--help")

    assert answer.status == 0
    for command in fairfight.commands:
        assert re.search(rf"^  {command} ", answer.out, re.MULTILINE)


@pytest.mark.parametrize("command", sorted(COMMANDS))
def test_the_list_of_commands_says_of_each_what_it_says_of_itself(command: str) -> None:
    itself = load_command(command)

    assert itself.name == command
    assert fairfight.commands[command].get_short_help_str(200) == itself.get_short_help_str(200)


def test_a_mistyped_command_or_option_names_the_nearest(ff: Command) -> None:
    complains(ff("rnu", "coins/duel"), "unknown command 'rnu'; did you mean 'run'?")
    complains(ff("zzz"), "unknown command 'zzz' (commands: run, studio, show, list, rules, new, check, replay, exact")
    complains(ff("run", "coins/duel", "--sed", "1"), "--seed")


def test_a_mistake_of_ours_is_short_and_can_be_looked_into(ff: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_: object, **__: object) -> None:
        raise RuntimeError("the dice fell off the table")

    monkeypatch.setattr("sim.cli.options.load", broken)

    answer = ff("show", "coins/duel")

    assert answer.status == 1
    assert "made a mistake that is not yours: RuntimeError: the dice fell off the table" in answer.err
    assert "--debug" in answer.err
    assert "Traceback" not in answer.err
    with pytest.raises(RuntimeError, match="the dice fell"):
        main(["show", "coins/duel", "--debug"])


def test_ctrl_c_leaves_with_130(ff: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    def stopped(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("sim.cli.options.load", stopped)

    answer = ff("show", "coins/duel")

    assert answer.status == 130
    assert answer.err.strip() == "stopped"


# ------------------------------------------------------------------------------------------------------------------ run


def test_run_prints_a_table(ff: Command) -> None:
    answer = ff("run", "coins/duel", "--runs", "500", "--seed", "7")

    assert answer.status == 0
    assert answer.err == ""
    assert "500 runs, seed 7" in answer.out
    assert "burgher" in answer.out
    assert "pickpocket" in answer.out


def test_a_plain_run_says_how_to_get_more_and_ends_with_the_verdict(ff: Command) -> None:
    few = ff("run", "coins/duel", "--runs", "500")
    every = ff("run", "coins/duel", "--runs", "500", "--all")

    assert "More tables: --all." in few.out
    assert "--out FOLDER" in few.out
    assert few.out.strip().splitlines()[-1].startswith("The party wins")
    assert "Runs worth looking at" not in few.out
    assert "Runs worth looking at" in every.out


@pytest.mark.parametrize("command", [("run",), ("compare", "--variant", "level=2")])
def test_open_shows_the_written_report_in_a_browser(
    ff: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, command: tuple[str, ...]
) -> None:
    opened: list[str] = []
    monkeypatch.setattr("webbrowser.open", lambda address: opened.append(address) or True)
    word, *how = command
    asked = (word, "overhill/duel-skeleton", *how, "--runs", "100", "--out", tmp_path / "out")

    quiet = ff(*asked)
    answer = ff(*asked, "--fresh", "--open")

    assert (quiet.status, answer.status) == (0, 0)
    assert opened == [(tmp_path / "out" / "index.html").resolve().as_uri()]


@pytest.mark.parametrize("command", [("run",), ("compare", "--variant", "level=2")])
def test_open_without_a_folder_is_refused_before_anything_is_played(
    ff: Command, monkeypatch: pytest.MonkeyPatch, command: tuple[str, ...]
) -> None:
    monkeypatch.setattr("webbrowser.open", lambda address: pytest.fail(f"opened {address}"))
    word, *how = command

    complains(ff(word, "overhill/duel-skeleton", *how, "--open"), "--open opens the report", "--out")


def test_a_machine_without_a_browser_is_told_where_the_report_is(
    ff: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("webbrowser.open", lambda address: False)

    answer = ff("run", "coins/duel", "--runs", "100", "--out", tmp_path / "out", "--open")

    assert answer.status == 0
    assert "no browser could be opened" in answer.err
    assert "index.html" in answer.err


def test_run_and_questions_print_markdown_and_nothing_else(ff: Command) -> None:
    run = ff("run", "overhill/duel-skeleton", "--runs", "200", "--markdown")
    sweep = ff("sweep", "overhill/duel-skeleton", "--knob", "level=1,2", "--runs", "50", "--markdown")

    for answer in (run, sweep):
        assert answer.status == 0
        assert answer.out.startswith("### A warrior against one skeleton\n\n**")
        assert "\n| " in answer.out
    assert "| win | " in run.out


def test_an_answer_has_one_form(ff: Command) -> None:
    for words in (["run", "overhill/duel-skeleton"], ["sensitivity", "overhill/duel-skeleton"]):
        complains(ff(*words, "--json", "--markdown"), "give one of them")


def test_run_with_json_prints_one_object_and_nothing_else(ff: Command) -> None:
    answer = ff("run", "coins/brawl", "--runs", "2k", "--seed", "7", "--policy", "first", "--json", "--set", "level=9")

    assert (answer.status, answer.err) == (0, "")
    document = json.loads(answer.out)
    told = {key: document[key] for key in ("scenario", "ruleset", "preset", "policy", "runs", "seed")}
    assert told == {
        "scenario": "coins/brawl", "ruleset": "coins", "preset": "brutal", "policy": "first", "runs": 2000, "seed": 7,
    }  # fmt: skip
    assert document["schema"] >= 1
    assert document["switches"] == {"heads_takes": 3, "mood": "merry"}
    assert document["wins"] + document["losses"] + document["draws"] == 2000
    assert document["win_rate_low"] <= document["win_rate"] <= document["win_rate_high"]
    assert document["rounds_mean"] > 1
    assert document["elapsed_s"] > 0
    assert document["runs_per_s"] > 0
    for unit in document["units"]:
        wanted = {"name", "side", "damage_dealt_mean", "damage_taken_mean", "down_rate", "death_rate"}
        assert wanted <= set(unit)


def test_the_same_seed_gives_the_same_numbers_whatever_the_chunk(ff: Command) -> None:
    def numbers(*words: str) -> dict[str, object]:
        document = json.loads(ff("run", "coins/duel", "--runs", "3000", "--json", *words).out)
        return {key: value for key, value in document.items() if key not in ("elapsed_s", "runs_per_s")}

    assert numbers() == numbers("--chunk", "701") == numbers("--chunk", "1k", "--jobs", "1")
    assert numbers() != numbers("--seed", "2")


def test_run_plays_to_a_precision_if_no_number_is_given(ff: Command) -> None:
    document = json.loads(ff("run", "coins/duel", "--precision", "2", "--json").out)

    assert document["precision"] == 2
    assert 100 * (document["win_rate_high"] - document["win_rate_low"]) <= 4


def test_run_writes_tables_and_a_report(ff: Command, tmp_path: Path) -> None:
    folder = tmp_path / "deep" / "report"

    answer = ff("run", "coins/duel", "--runs", "200", "--out", folder)

    assert answer.status == 0
    assert str(folder / "index.html") in answer.out
    assert (folder / "index.html").read_text(encoding="utf-8").lstrip().lower().startswith("<!doctype html>")


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        (["--runs", "0"], "expected a whole number from 1 up"),
        (["--runs", "1.5"], "expected a whole number from 1 up"),
        (["--runs", "many"], "found 'many'"),
        (["--runs", "1e99999999"], "expected a whole number from 1 up"),
        (["--runs", "nan"], "expected a whole number from 1 up"),
        (["--precision", "0"], "--precision"),
        (["--precision", "nan"], "precision"),
        (["--runs", "5", "--precision", "1"], "give one of them"),
        (["--seed", "-1"], "--seed"),
        (["--seed", str(2**64)], "--seed"),
        (["--jobs", "0"], "jobs"),
        (["--jobs", "two"], "--jobs"),
        (["--set", "heroes.0.level=11"], "--set heroes.0.level=11: heroes[0].level: expected a whole number"),
        (["--set", "level"], "expected path=value"),
        (["--policy", "frist"], "--policy frist: policy: unknown policy 'frist'; did you mean 'first'?"),
        (["--preset", "brutl"], "did you mean 'brutal'?"),
    ],
)
def test_options_that_do_not_fit_are_refused_before_anything_runs(ff: Command, words: list[str], expected: str) -> None:
    complains(ff("run", "coins/duel", *words), expected)


@pytest.mark.parametrize(
    ("written", "runs"), [("1k", 1000), ("1.5K", 1500), ("1_200", 1200), ("1e3", 1000), ("0.001M", 1000), ("300", 300)]
)
def test_counts_are_read_as_people_write_them(ff: Command, written: str, runs: int) -> None:
    assert json.loads(ff("run", "coins/duel", "--json", "--runs", written).out)["runs"] == runs


def test_a_folder_that_cannot_be_made_is_refused_before_anything_runs(ff: Command, tmp_path: Path) -> None:
    (tmp_path / "file").touch()

    complains(ff("run", "coins/duel", "--runs", "10", "--out", tmp_path / "file" / "report"), "cannot write")


# --------------------------------------------------------------------------------------------------------------- replay


def test_replay_tells_the_run_that_was_played(ff: Command) -> None:
    played = json.loads(ff("run", "overhill/crypt-swarm", "--runs", "300", "--seed", "3", "--json").out)
    worst = str(played["picks"]["worst"])

    by_number = ff("replay", "overhill/crypt-swarm", "--run", worst, "--seed", "3")
    by_kind = ff("replay", "overhill/crypt-swarm", "--pick", "worst", "--runs", "300", "--seed", "3")

    assert (by_number.status, by_number.err) == (0, "")
    assert by_number.out == by_kind.out
    assert f"run {worst} of seed 3" in by_number.out
    assert "The end: loss" in by_number.out


def test_replay_with_json_prints_one_object(ff: Command) -> None:
    document = json.loads(ff("replay", "coins/duel", "--run", "5", "--json").out)

    assert (document["run"], document["scenario"]) == (5, "coins/duel")
    assert (document["policy"], document["preset"]) == ("first", "gentle")
    assert document["switches"] == load("coins/duel").settings
    assert document["digest"] == load("coins/duel").digest
    assert {"round", "rule", "who", "what", "facts"} <= set(document["events"][0])


def test_replay_says_what_there_is_when_a_kind_is_not(ff: Command) -> None:
    complains(ff("replay", "coins/duel", "--pick", "draw", "--runs", "50"), "there is no draw among 50 runs of seed 1")
    complains(ff("replay", "coins/duel", "--pick", "funny"), "--pick")
    complains(ff("replay", "coins/duel", "--pick", "loss", "--run", "1"), "not both")
    complains(ff("replay", "coins/duel", "--run", "-1"), "--run")


def test_replay_writes_a_page_and_says_where(ff: Command, tmp_path: Path) -> None:
    page = tmp_path / "fight.html"

    answer = ff("replay", "coins/duel", "--run", "5", "--out", page)
    both = ff("replay", "coins/duel", "--run", "5", "--out", page, "--json")

    assert (answer.status, answer.out, answer.err) == (0, f"wrote {page}\n", "")
    assert page.read_text(encoding="utf-8").startswith("<!DOCTYPE html>")
    assert json.loads(both.out)["run"] == 5
    assert both.err == f"wrote {page}\n"


def test_replay_writes_over_nothing_that_is_not_its_own(ff: Command, tmp_path: Path) -> None:
    other = tmp_path / "index.html"
    other.write_text("a report", encoding="utf-8")

    complains(ff("replay", "coins/duel", "--run", "5", "--out", other), "is no page made by 'fairfight replay'")
    complains(ff("replay", "coins/duel", "--run", "5", "--out", tmp_path), "is a folder")
    assert other.read_text(encoding="utf-8") == "a report"


def test_replay_shows_rules_on_request(ff: Command) -> None:
    plain, with_rules = (ff("replay", "coins/duel", "--run", "5", *more).out for more in ([], ["--rules"]))

    assert "CD-F2" not in plain
    assert "CD-F2" in with_rules


def test_replay_goes_on_from_a_round(ff: Command) -> None:
    asked = ("replay", "coins/duel", "--run", "5", "--seed", "3", "--from-round", "1", "--again", "200")

    said, document = ff(*asked), json.loads(ff(*asked, "--json").out)

    assert (document["run"], document["seed"], document["round"], document["again"]) == (5, 3, 1, 200)
    assert document["wins"] + document["draws"] + document["losses"] == 200
    assert document["win_rate"] == document["wins"] / 200
    assert document["win_rate_low"] < document["win_rate"] < document["win_rate_high"]
    assert f"From round 1 on the party wins {document['wins']} of 200 continuations" in said.out


def test_replay_goes_on_by_another_policy_and_tells_one_continuation(ff: Command) -> None:
    asked = ("replay", "overhill/crypt-swarm", "--run", "2", "--from-round", "2", "--then-policy", "prudent")

    document = json.loads(ff(*asked, "--again", "100", "--json").out)
    told = json.loads(ff(*asked, "--continuation", "5", "--json").out)

    other = document["then_policy"]
    assert other["policy"] == "prudent"
    assert other["wins"] - document["wins"] == round(100 * other["difference"])
    assert told["fork"] == {"round": 2, "continuation": 5, "policy": "prudent"}
    story = ff(*asked, "--continuation", "5").out
    assert "other luck and the policy prudent from round 2 on (continuation 5)" in " ".join(story.split())


def test_replay_of_a_result_takes_its_seed_and_picks_and_refuses_a_fight_that_has_changed(
    ff: Command, tmp_path: Path
) -> None:
    folder = tmp_path / "played"
    played = json.loads(ff("run", "coins/duel", "--runs", "50", "--seed", "9", "--out", folder, "--json").out)

    told = json.loads(ff("replay", "coins/duel", "--of", folder, "--pick", "loss", "--json").out)

    assert (told["run"], told["seed"], told["outcome"]) == (played["picks"]["loss"], 9, "loss")
    changed = ff("replay", "coins/duel", "--of", folder, "--set", "heroes.0.coins=9", "--run", "50", "--seed", "3")
    complains(changed, "has changed since this result was made")
    complains(changed, "expected a run from 0 to 49, found 50")
    complains(changed, "it was played with seed 9, found --seed 3")
    complains(ff("replay", "coins/duel", "--of", folder, "--pick", "draw"), "there is no draw in this result")
    complains(ff("replay", "coins/duel", "--of", tmp_path), "expected the folder of a run")


@pytest.mark.parametrize(
    "said", ["{", "[]", "{}", '{"digest": 3}', '{"digest": "a", "runs": true, "seed": 1}', "[" * 9_999]
)
def test_replay_of_a_damaged_result_is_refused(ff: Command, tmp_path: Path, said: str) -> None:
    (tmp_path / "result.json").write_text(said, encoding="utf-8")

    complains(ff("replay", "coins/duel", "--run", "1", "--of", tmp_path), "expected the folder of a run")


def test_replay_refuses_a_round_that_never_came_and_half_a_question(ff: Command, tmp_path: Path) -> None:
    complains(ff("replay", "coins/duel", "--run", "5", "--from-round", "900", "--again", "5"), "was over after round")
    complains(ff("replay", "coins/duel", "--run", "5", "--from-round", "1"), "--from-round needs --again")
    complains(ff("replay", "coins/duel", "--run", "5", "--continuation", "1"), "--continuation needs --from-round")
    complains(ff("replay", "coins/duel", "--run", "5", "--then-policy", "x"), "--then-policy needs --from-round")
    unknown = ("--from-round", "1", "--again", "5", "--then-policy", "x")
    complains(ff("replay", "coins/duel", "--run", "5", *unknown), "--then-policy: unknown policy 'x'")
    complains(ff("replay", "coins/duel", "--run", "5", "--from-round", "0", "--again", "5"), "--from-round")
    complains(ff("replay", "coins/duel", "--run", "5", "--from-round", "1", "--again", "0"), "--again")
    both = ("--from-round", "1", "--again", "5", "--out", tmp_path / "fight.html")
    complains(ff("replay", "coins/duel", "--run", "5", *both), "give one of them")
    assert list(tmp_path.iterdir()) == []


# ---------------------------------------------------------------------------------------------------------------- exact


def test_exact_prints_the_chances_and_their_fractions(ff: Command) -> None:
    answer = ff("exact", "coins/duel")

    assert answer.status == 0
    assert "win      81.48148148 %   22/27" in answer.out
    assert json.loads(ff("exact", "coins/duel", "--json").out)["win_fraction"] == "22/27"


def test_exact_says_before_and_after_it_is_asked_which_games_it_answers(ff: Command) -> None:
    told = " ".join(ff("exact", "--help").out.split())

    for name in ruleset_names():
        game = ruleset(name)
        if type(game).exact is Ruleset.exact:
            refusal = ff("exact", next(iter(scenarios_of(game))))
            complains(refusal, f"{game.title} has no exact solver. ", "Overhill & Underdale has exact odds for fights")
            assert "no solver" in ff("show", name).out
        else:
            assert f"for {game.solves}" in " ".join(ff("show", name).out.split())
    assert f"Overhill & Underdale has it for {ruleset('overhill').solves}" in told
    assert "P52, Brimstone and Second Era have no exact solver" in told


def test_exact_says_why_a_fight_is_too_large(ff: Command) -> None:
    complains(ff("exact", "coins/brawl"), "The exact solver takes one hero against one foe")


# ----------------------------------------------------------------------------------------------------------- list, show


def test_list_shows_everything_with_a_line_about_it(ff: Command) -> None:
    answer = ff("list")

    assert answer.status == 0
    for name, line in [
        ("coins", "Coin Duel: two purses, one coin at a time"),
        ("overhill", "Overhill & Underdale: "),
        ("coins/brawl", "Two against a crowd"),
        ("overhill/playtest-1", "Playtest 1: "),
        ("strongest", "flip against the fullest purse"),
        ("gentle", "one coin at a time (default)"),
        ("mood", "changes nothing but the mood [calm, merry, 1; calm if not set]"),
    ]:
        assert re.search(rf"^  {re.escape(name)} +{re.escape(line)}", answer.out, re.MULTILINE), name


def test_list_can_be_asked_for_one_kind_of_one_ruleset(ff: Command) -> None:
    answer = ff("list", "scenarios", "--ruleset", "coins")

    listed = [line.split()[0] for line in answer.out.splitlines() if line.startswith("  ")]
    assert listed == ["coins/brawl", "coins/duel", "coins/gang"]
    complains(ff("list", "--ruleset", "coinz"), "unknown ruleset 'coinz'; did you mean 'coins'?")
    complains(ff("list", "scenaros"), "scenarios")


def test_show_prints_the_resolved_numbers_and_marks_changed_switches(ff: Command) -> None:
    answer = ff("show", "coins/brawl", "--set", "heroes.pauper.level=9", "--set", "switches.mood=calm")

    assert answer.status == 0
    assert "coins/brawl: Two against a crowd" in answer.out
    assert re.search(r"^ pauper .* 9 ", answer.out, re.MULTILINE)
    assert re.search(r"^  \*  heads_takes +3 +coins that heads takes \(default 1\)$", answer.out, re.MULTILINE)
    assert re.search(r"^     mood +calm +changes nothing but the mood$", answer.out, re.MULTILINE)
    assert "--set heroes.pauper.level=9" in answer.out


def test_show_prints_the_monsters_as_played_and_says_so(ff: Command) -> None:
    scaled = ff("show", "overhill/playtest-1-ladder")
    plain = ff("show", "overhill/playtest-1")
    rolled = ff("show", "overhill/gobbo-dungeon", "--set", "switches.monster_scaling=number", "--set", "level=3")
    document = json.loads(ff("show", "overhill/playtest-1-ladder", "--json").out)

    assert re.search(r"^ skeleton +skeleton +4 +4 +0 +4 ", scaled.out, re.MULTILINE)
    assert "as played, after level and switches" in scaled.out
    assert re.search(r"^ skeleton +skeleton +3 +3 +0 +3 ", plain.out, re.MULTILINE)
    assert "as played, after" not in plain.out
    assert "1d6 * 3 // 2" in rolled.out
    assert [document[which]["enemies"][0]["count"] for which in ("resolved", "as_played")] == [3, 4]


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        (("p52/hall-scaling", "--set", "level=7"), r"target 3, damage 3\*7 \+ O"),
        (("second_era/se_clash_scaled_2", "--set", "switches.ep_mult=1.5"), r"^  points  24 \(was 16\)$"),
    ],
)
def test_show_puts_level_and_switches_into_the_figures_of_every_game(
    ff: Command, words: tuple[str, ...], expected: str
) -> None:
    answer = ff("show", *words)

    assert re.search(expected, answer.out, re.MULTILINE)
    assert "as played, after level and switches" in answer.out


def test_show_draws_the_start_of_every_room_with_its_letters_explained(ff: Command) -> None:
    rooms = ff("show", "p52/mountain-pass").out.partition("Start\n")[2]
    drawn = ff("show", "p52/random-space").out.partition("Start\n")[2]
    open_air = ff("show", "coins/brawl").out

    assert rooms.count("y=0  ") == 3
    assert [f"room {n} of 3" in rooms for n in (1, 2, 3)] == [True] * 3
    assert "KH king of hearts" in rooms
    assert "H hidden, O obstructed, S entrance" in drawn
    assert "it differs from run to run" in drawn
    assert "it differs" not in rooms
    assert "Start\n" not in open_air


def test_show_as_toml_is_a_file_that_plays_the_same_fight(ff: Command, tmp_path: Path) -> None:
    path = tmp_path / "full.toml"

    path.write_text(ff("show", "overhill/warband", "--toml").out)

    assert load(path).digest == load("overhill/warband").digest
    assert tomllib.loads(path.read_text())["heroes"][0]["max_health"] == 12


def test_show_as_json_is_one_object(ff: Command) -> None:
    document = json.loads(ff("show", "coins/brawl", "--json").out)

    assert document["resolved"]["heroes"][0]["coins"] == 6
    assert document["switches_changed"] == ["heads_takes", "mood"]
    complains(ff("show", "coins/brawl", "--json", "--toml"), "not both")


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("coins", "cheating"),
        ("coins/strongest", "The policy strongest of Coin Duel: flip against the fullest purse"),
        ("coins/brutal", "heads_takes  3 (default 1)"),
        ("coins/gentle", "every switch at its default"),
        ("coins/heads_takes", "set by  brutal (3)"),
        ("overhill/plain", "[plain]"),
    ],
)
def test_show_takes_a_ruleset_and_its_parts_as_well(ff: Command, name: str, expected: str) -> None:
    answer = ff("show", name)

    assert answer.status == 0
    assert expected in answer.out


def test_show_writes_a_page_with_the_table_as_the_fight_begins(ff: Command, tmp_path: Path) -> None:
    page, other = tmp_path / "fight.html", tmp_path / "other.html"
    other.write_text("mine", encoding="utf-8")

    answer = ff("show", "overhill/playtest-1", "--set", "enemies.skeleton.count=5", "--out", page)
    again = ff("show", "overhill/playtest-1", "--out", page)
    written = page.read_text(encoding="utf-8")

    assert (answer.status, answer.out) == (again.status, again.out) == (0, f"wrote {page}\n")
    assert "The table as the fight begins" in written
    assert written.count('<g class="token') == 6
    complains(ff("show", "overhill/playtest-1", "--out", other), "is no page made by 'fairfight show'")
    complains(ff("show", "overhill/playtest-1", "--out", page, "--json"), "leave --toml and --json away")
    complains(ff("show", "overhill/plain", "--out", page), "overhill/plain")


def test_show_names_the_nearest_of_everything(ff: Command) -> None:
    complains(ff("show", "coins/brutl"), "unknown name 'coins/brutl'; did you mean 'coins/brutal'?")
    complains(ff("show", "coins/bral"), "did you mean 'coins/brawl'?")
    complains(ff("show", "nope.toml"), "nope.toml: no such file")


@pytest.mark.parametrize("name", ["coins/brawl", "overhill/gobbo-dungeon", "overhill/playtest-1"])
def test_show_fits_a_narrow_window(ff: Command, name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sim.cli.terminal._WIDTH_OF_A_PIPE", 80)

    assert max(len(line) for line in ff("show", name).out.splitlines()) <= 80


# ---------------------------------------------------------------------------------------------------------------- rules


def test_rules_lists_the_games_and_how_many_rules_each_has(ff: Command) -> None:
    answer = ff("rules")

    assert answer.status == 0
    assert re.search(r"^  coins +9 rules of Coin Duel$", answer.out, re.MULTILINE)
    for game in ("overhill", "p52", "brimstone", "second_era"):
        assert re.search(rf"^  {game} +{len(ruleset(game).rules)} rules of ", answer.out, re.MULTILINE)
    assert json.loads(ff("rules", "--json").out)["rules"]["coins"] == 9


def test_rules_of_a_game_are_listed_by_chapter_each_in_a_line(ff: Command) -> None:
    answer = ff("rules", "coins")
    document = json.loads(ff("rules", "coins", "--json").out)

    assert answer.status == 0
    assert answer.out.splitlines()[-4:] == [
        "",
        "The end",
        "  CD-E1  Empty purses  A side whose fighters have no coins left has lost.",
        "  CD-E2  Prize         Whoever wins a duel with a prize takes it home.",
    ]
    assert list(dict.fromkeys(rule["chapter"] for rule in document["rules"])) == [
        "Before the first flip", "The round", "The end",
    ]  # fmt: skip
    assert [rule["id"] for rule in document["rules"]] == list(ruleset("coins").rules)


def test_one_rule_is_shown_in_full_with_the_switches_that_touch_it(ff: Command) -> None:
    answer = ff("rules", "coins", "cd-f2")
    document = json.loads(ff("rules", "coins", "CD-F2", "--json").out)

    assert answer.status == 0
    assert answer.out.startswith("CD-F2 Heads\nCoin Duel: The round\n\nA fighter flips a coin against an enemy")
    assert "Tails takes nothing," in answer.out
    touching = answer.out.partition("\nSwitches that touch it\n")[2]
    assert touching == "  heads_takes  coins that heads takes [a whole number from 1 to 9; 1 if not set]\n"
    assert "mood" not in answer.out
    assert [switch["name"] for switch in document["switches"]] == ["heads_takes"]
    assert "Switches that touch it" not in ff("rules", "coins", "CD-E1").out


def test_an_unknown_rule_or_game_names_the_nearest(ff: Command) -> None:
    answer = ff("rules", "overhill", "OU-A33")

    complains(answer, "unknown rule 'OU-A33'; did you mean 'OU-A3'?", "fairfight rules overhill")
    complains(ff("rules", "overhil"), "unknown ruleset 'overhil'; did you mean 'overhill'?")


@pytest.mark.parametrize("words", [("brimstone",), ("brimstone", "BF-S7"), ("second_era", "SE-R8")])
def test_rules_fit_a_narrow_window(ff: Command, words: tuple[str, ...], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sim.cli.terminal._WIDTH_OF_A_PIPE", 80)

    assert max(len(line) for line in ff("rules", *words).out.splitlines()) <= 80


# --------------------------------------------------------------------------------------------------- check, schema, new

BAD = """ruleset = "overhill"
title = "The gate"
policy = "plian"
[switches]
bestiarry = "early"
[[heroes]]
class = "warrior"
level = "three"
[[enemies]]
type = "skelton"
count = 3
[[enemies]]
type = "zombie"
cuont = 2
"""


def test_check_reports_all_five_planted_mistakes(ff: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("gate.toml").write_text(BAD)

    answer = ff("check", "gate.toml")

    complains(answer)
    assert answer.err.splitlines() == [
        "gate.toml:3: policy: unknown policy 'plian'; did you mean 'plain'?",
        "gate.toml:5: switches.bestiarry: unknown switch; did you mean 'bestiary'?",
        "gate.toml:8: heroes[0].level: expected a whole number from 1 to 10, found 'three'",
        "gate.toml:10: enemies[0].type: unknown monster 'skelton'; did you mean 'skeleton'?",
        "gate.toml:14: enemies[1].cuont: unknown key; did you mean 'count'?",
        "5 problems found",
    ]


def test_run_refuses_the_same_file_with_the_same_words(ff: Command, tmp_path: Path) -> None:
    path = tmp_path / "gate.toml"
    path.write_text(BAD)

    complains(ff("run", path), *ff("check", path).err.splitlines()[:-1])


def test_check_says_ok_for_each_good_file_and_goes_on_after_a_bad_one(ff: Command, tmp_path: Path) -> None:
    path = tmp_path / "bad.toml"
    path.write_text("title = \n")

    good = ff("check", "coins/duel", "overhill/playtest-1")
    mixed = ff("check", path, "coins/duel")

    assert (good.status, good.err) == (0, "")
    assert good.out.splitlines()[0] == "coins/duel: OK, One against one (Coin Duel, policy first)"
    assert len(good.out.splitlines()) == 2
    assert mixed.status == 2
    assert "coins/duel: OK" in mixed.out
    assert f"{path}:1: column 9: not valid TOML: invalid value" in mixed.err


@pytest.mark.parametrize("game", ["coins", "overhill", "p52", "brimstone", "second_era"])
def test_a_new_file_is_in_order_and_can_be_played(
    ff: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, game: str
) -> None:
    monkeypatch.chdir(tmp_path)

    answer = ff("new", game)

    assert answer.status == 0
    assert ff("check", f"{game}-fight.toml").status == 0
    assert json.loads(Path(f"{game}.schema.json").read_text())["title"].startswith("A scenario of ")
    assert Path(f"{game}-fight.toml").read_text().startswith(f"#:schema ./{game}.schema.json\n")
    assert json.loads(ff("run", f"{game}-fight.toml", "--runs", "50", "--json").out)["runs"] == 50


def test_new_overwrites_nothing_unless_told_to(ff: Command, tmp_path: Path) -> None:
    path = tmp_path / "mine.toml"
    path.write_text("precious")

    complains(ff("new", "coins", path), "is there already")
    assert path.read_text() == "precious"
    assert not (tmp_path / "coins.schema.json").exists()
    assert ff("new", "coins", path, "--force").status == 0
    assert load(path).title == "My own fight"


def test_new_can_start_from_any_fight_of_the_game(ff: Command, tmp_path: Path) -> None:
    path = tmp_path / "mine.toml"

    assert ff("new", "coins", path, "--from", "coins/duel", "--no-schema").status == 0

    assert load(path).digest == load("coins/duel").digest
    assert [file.name for file in tmp_path.iterdir()] == ["mine.toml"]
    complains(ff("new", "coins", "-", "--from", "overhill/playtest-1"), "belongs to overhill, not to coins")
    complains(ff("new", "coinz"), "did you mean 'coins'?")


def test_new_writes_to_standard_output_for_a_dash(ff: Command) -> None:
    answer = ff("new", "coins", "-")

    assert tomllib.loads(answer.out)["ruleset"] == "coins"


def test_a_file_that_cannot_be_written_is_named(ff: Command, tmp_path: Path) -> None:
    (tmp_path / "file").touch()

    complains(ff("new", "coins", tmp_path / "file" / "x.toml"), "cannot be written")
    complains(ff("schema", "coins", "--out", tmp_path), "cannot be written: Is a directory")


def test_schema_goes_to_standard_output_or_to_a_file(ff: Command, tmp_path: Path) -> None:
    path = tmp_path / "s.json"

    answer = ff("schema", "overhill")
    ff("schema", "overhill", "--out", path)

    assert json.loads(answer.out)["properties"]["ruleset"]["const"] == "overhill"
    assert path.read_text(encoding="utf-8") == answer.out
    complains(ff("schema"), "which ruleset? One of brimstone, coins, overhill")


# Own monsters.


def test_a_spreadsheet_goes_out_and_comes_back_as_a_bestiary(ff: Command, tmp_path: Path) -> None:
    table, mine = tmp_path / "m.csv", tmp_path / "mine.toml"

    assert ff("bestiary", "export", "overhill", "--out", str(table)).status == 0
    assert "wrote" in ff("bestiary", "import", str(table), "overhill", "--out", str(mine)).out
    assert "OK, 12 monsters (Overhill & Underdale)" in ff("check", str(mine)).out
    assert ff("bestiary", "export", str(mine)).out == table.read_text()


def test_an_export_of_what_is_not_there_is_refused(ff: Command, tmp_path: Path) -> None:
    (tmp_path / "mine.toml").write_text('[monsters.lord]\nlike = "ghoul"\n')
    (tmp_path / "odd.csv").write_bytes(b"monster,like\nl\xf6rd,ghoul\n")

    complains(ff("bestiary", "export", "coins"), "Coin Duel takes no monsters of your own")
    complains(ff("bestiary", "export", "ovrhill"), "did you mean 'overhill'?")
    complains(ff("bestiary", "export", str(tmp_path / "mine.toml")), "ruleset: missing; a bestiary that is looked at")
    complains(ff("bestiary", "import", str(tmp_path / "odd.csv"), "overhill"), "odd.csv:2: is not UTF-8")
    complains(ff("bestiary", "import", str(tmp_path / "none.csv"), "overhill"), "none.csv: cannot be read")


def test_traits_are_shown_with_what_each_does(ff: Command) -> None:
    answer = ff("show", "overhill", "traits")

    assert all(trait in answer.out for trait in ("leader", "paralysing_touch", "life_drain", "family"))
    complains(ff("show", "overhill/playtest-1", "traits"), "'traits' may follow the name of a ruleset")
    complains(ff("show", "overhill", "trats"), "did you mean 'overhill/traits'?")
