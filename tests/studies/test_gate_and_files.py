"""gate, study files and diff: balance as a test, questions as files, and what changed."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import sim
from sim.errors import InputError, ScenarioError
from sim.studies.claims import BROKEN, HOLDS, OPEN
from sim.studies.study_file import read_study

EXPERIMENTS = Path(__file__).parents[2] / "experiments"

CLAIMS = [
    {"scenario": "overhill/crypt-swarm", "policy": "cautious", "win_rate": [0.65, 0.80], "confidence": 0.99},
    {"scenario": "overhill/playtest-1", "win_rate": {"least": 0.95}, "name": "too easy"},
]


def written(tmp_path: Path, text: str, name: str = "study.toml") -> Path:
    """A file with this text."""
    path = tmp_path / name
    path.write_text(text, encoding="utf-8")
    return path


def test_claims_that_hold_hold() -> None:
    answer = sim.gate(CLAIMS, progress=False)

    assert answer.holds
    assert answer.verdicts == ["2 of 2 claims hold."]
    assert [row["state"] for row in answer.table("claims").rows] == [HOLDS, HOLDS]


def test_a_broken_claim_is_named_with_its_number() -> None:
    broken = {"scenario": "overhill/playtest-1", "win_rate": {"most": 0.8}}
    long = {"scenario": "overhill/playtest-1", "rounds": [3, 5]}

    answer = sim.gate([*CLAIMS, broken, long], progress=False)

    assert not answer.holds
    assert [row["state"] for row in answer.table("claims").rows] == [HOLDS, HOLDS, BROKEN, BROKEN]
    assert "win rate at most 80 % does not hold: 98" in answer.verdicts[1]
    assert "rounds between 3 and 5 does not hold: 2.1" in answer.verdicts[2]


def test_a_claim_at_the_edge_is_not_decided_and_does_not_count_as_held(playtest: sim.Scenario) -> None:
    rate = sim.run(playtest, runs=2_000).win_rate.value

    claim = {"scenario": "overhill/playtest-1", "win_rate": {"least": rate}}
    answer = sim.gate([claim], max_runs=2_000, progress=False)

    assert not answer.holds
    assert answer.table("claims").rows[0]["state"] == OPEN
    assert "Not decided after 2,000 runs" in answer.warnings[0]


def test_bad_claims_are_all_named(tmp_path: Path) -> None:
    file = written(
        tmp_path,
        """
[[claims]]
scenario = "overhill/crypt-swrm"
win_rate = [0.65, 0.80]

[[claims]]
scenario = "overhill/playtest-1"
winrate = [0.1, 0.2]

[[claims]]
scenario = "overhill/playtest-1"
win_rate = [65, 80]
confidence = 3
policy = "cauti0us"
set = { "enemies.skeleton.cuont" = 4 }
""",
    )

    with pytest.raises(ScenarioError) as caught:
        sim.study(file, progress=False)
    with pytest.raises(ScenarioError) as by_gate:
        sim.gate(file, progress=False)

    assert str(by_gate.value) == str(caught.value)
    lines = str(caught.value).splitlines()
    assert len(lines) == 6
    assert "study.toml:3: claims[0].scenario: unknown scenario" in lines[0]
    assert "study.toml:8: claims[1].winrate: unknown key; did you mean 'win_rate'?" in lines[1]
    assert "study.toml:12: claims[2].win_rate: expected shares from 0 to 1" in lines[2]
    assert "study.toml:13: claims[2].confidence" in lines[3]
    assert "study.toml:14: claims[2].policy: unknown policy 'cauti0us'" in lines[4]
    assert "study.toml:15: claims[2].set." in lines[5]
    with pytest.raises(InputError, match="no claim"):
        sim.gate([], progress=False)


STUDIES = {
    "compare": """
question = "compare"
title = "One more skeleton"
about = "How much harder is one more skeleton?"
scenario = "overhill/playtest-1-ladder"
seed = 3
runs = 500
[variants."one more"]
set = { "enemies.skeleton.count" = 4 }
[variants.cautious]
policy = "cautious"
""",
    "sweep": """
question = "sweep"
scenario = "overhill/playtest-1"
runs = 300
[knobs]
"enemies.skeleton.count" = { from = 2, to = 6, step = 2 }
level = [1, 2]
""",
    "scale": """
question = "scale"
scenario = "overhill/playtest-1-ladder"
levels = { from = 1, to = 3 }
policies = ["plain", "cautious"]
runs = 300
[parties.warriors]
set = { heroes = [{ class = "warrior" }, { class = "warrior" }] }
""",
    "tune": """
question = "tune"
scenario = "overhill/playtest-1"
knob = "enemies.skeleton.count"
low = 1
high = 12
precision = 3.0
target = { win_rate = 0.65 }
""",
    "sensitivity": """
question = "sensitivity"
scenario = "overhill/playtest-1"
only = "zombie"
runs = 300
""",
    "ladder": """
question = "ladder"
scenario = "overhill/playtest-1"
policies = ["plain", "cautious"]
abilities = ["dart"]
runs = 300
""",
    "why": """
question = "why"
scenario = "overhill/playtest-1"
runs = 300
curves = 4
again = 20
""",
    "gate": """
question = "gate"
max_runs = 4000
[[claims]]
scenario = "overhill/playtest-1"
win_rate = { least = 0.9 }
""",
}


@pytest.mark.parametrize("question", STUDIES)
def test_every_question_can_be_a_file(tmp_path: Path, question: str) -> None:
    file = written(tmp_path, STUDIES[question], f"{question}.toml")

    answer = sim.study(file, out=tmp_path / "out", progress=False)

    document = json.loads((tmp_path / "out" / "study.json").read_text())
    assert answer.question == document["question"] == document["name"] == question
    assert document["schema"] == 1
    assert answer.verdicts
    for table in answer.tables:
        assert (tmp_path / "out" / f"{table.name}.parquet").exists()
        assert (tmp_path / "out" / f"{table.name}.csv").exists()


@pytest.mark.parametrize("file", sorted(EXPERIMENTS.glob("*.toml")), ids=lambda file: file.stem)
def test_every_shipped_experiment_is_in_order_and_has_a_finding(file: Path) -> None:
    _, model = read_study(file)

    assert model.title
    assert model.about
    assert f"[{file.stem}]({file.name})" in (EXPERIMENTS / "README.md").read_text(encoding="utf-8")


def test_a_study_is_the_same_from_python(tmp_path: Path) -> None:
    file = written(tmp_path, STUDIES["compare"])
    changes = {"one more": {"enemies.skeleton.count": 4}, "cautious": {"policy": "cautious"}}

    by_file = sim.study(file, progress=False)
    by_hand = sim.compare("overhill/playtest-1-ladder", changes, seed=3, runs=500, progress=False)

    assert by_file.table("differences").rows == by_hand.table("differences").rows
    assert by_file.title == "One more skeleton"


def test_a_scenario_beside_the_study_is_found(tmp_path: Path, playtest: sim.Scenario) -> None:
    from sim.scenario.toml_writer import to_toml

    written(tmp_path, to_toml(playtest.data), "fight.toml")
    text = STUDIES["compare"].replace("overhill/playtest-1-ladder", "fight.toml")

    answer = sim.study(written(tmp_path, text), progress=False)

    assert answer.scenario.digest == playtest.digest


def test_every_mistake_of_a_study_file_is_listed_with_its_line(tmp_path: Path) -> None:
    file = written(
        tmp_path,
        """question = "compare"
titel = "One more skeleton"
scenario = "overhill/playtest-1"
policy = "plian"
runs = "many"
confidence = 2.0

[variants."one more"]
set = { "enemies.skelton.count" = 4 }

[variants.cautious]
polcy = "cautious"

[variants.other]
scenario = "overhill/playtest-9"
""",
    )

    with pytest.raises(ScenarioError) as caught:
        sim.study(file)

    problems = [(problem.line, problem.key) for problem in caught.value.problems]
    assert problems == [
        (2, "titel"),
        (4, "policy"),
        (5, "runs"),
        (6, "confidence"),
        (9, 'variants."one more".set."enemies.skelton.count"'),
        (12, "variants.cautious.polcy"),
        (15, "variants.other.scenario"),
    ]
    assert str(caught.value).count("did you mean") == 5


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('question = "compair"', "question: found 'compair'; did you mean 'compare'?"),
        ('scenario = "overhill/playtest-1"', "question: missing; expected one of 'compare'"),
        (STUDIES["sweep"].replace("[1, 2]", "[9, 11]"), "knobs.level (level=11): expected a whole number from 1 to 10"),
        (STUDIES["tune"].replace("win_rate", "winrate"), "did you mean 'win_rate'"),
        (STUDIES["tune"].replace('knob = "enemies.skeleton.count"', ""), "knob: give one `knob`, or several `knobs`"),
        (STUDIES["compare"] + "\n[variants.three]\nset = 3\n", "variants.three.set: expected a table"),
        (STUDIES["compare"].replace("runs = 500", "runs = 500\nprecision = 1.0"), "precision: runs fixes the number"),
        (STUDIES["ladder"].replace("cautious", "cautius"), "did you mean 'cautious'"),
        ("question = ", "not valid TOML"),
    ],
)
def test_mistakes_say_what_to_do(tmp_path: Path, text: str, message: str) -> None:
    file = written(tmp_path, text)

    with pytest.raises(ScenarioError) as caught:
        sim.study(file, progress=False)

    assert message in str(caught.value)
    assert "study.toml" in str(caught.value)


def test_a_diff_names_what_changed_beyond_noise(tmp_path: Path, ladder_fight: sim.Scenario) -> None:
    sim.run(ladder_fight, runs=2_000, seed=1, out=tmp_path / "old", progress=False)
    sim.run(ladder_fight, runs=2_000, seed=2, out=tmp_path / "again", progress=False)
    changes = {"enemies.skeleton.count": 4, "switches.monster_damage": "one"}
    sim.run(ladder_fight, runs=2_000, seed=2, set=changes, out=tmp_path / "new", progress=False)

    same = sim.diff(tmp_path / "old", tmp_path / "again")
    other = sim.diff(tmp_path / "old", tmp_path / "new")

    assert same.same
    assert same.verdicts == ["Both are the same fight under the same rules.", "No number moved beyond noise."]
    assert other.table("scenario").rows == [
        {"what": "number of skeletons", "path": "enemies[0].count", "first": "three", "second": "four"}
    ]
    assert other.table("switches").rows[0]["path"] == "switches.monster_damage"
    moved = {row["number"]: row["what"] for row in other.table("numbers").rows}
    assert moved["win_rate"] == "win rate"
    assert moved["units: magic_user, party: damage_dealt_mean"] == "magic user: damage dealt"
    first = "The fights differ: four skeletons (was three); switch monster damage one (was attack)."
    assert other.verdicts[0] == first
    assert other.facts["beyond_noise"] > 10


def test_a_diff_suspects_a_result_that_differs_with_the_same_luck(tmp_path: Path, ladder_fight: sim.Scenario) -> None:
    sim.run(ladder_fight, runs=500, out=tmp_path / "one", progress=False)
    said = (tmp_path / "one" / "result.json").read_text(encoding="utf-8")
    (tmp_path / "forged.json").write_text(said.replace('"rounds_mean": ', '"rounds_mean": 1', 1), encoding="utf-8")

    found = sim.diff(tmp_path / "one", tmp_path / "forged.json")

    assert len(found.warnings) == 1
    assert found.warnings[0].startswith("Same fight, same seed and same runs, but other numbers")


def test_a_diff_does_not_suspect_studies_with_other_numbers_of_runs(tmp_path: Path) -> None:
    for runs in (300, 500):
        text = STUDIES["compare"].replace("runs = 500", f"runs = {runs}")
        sim.study(written(tmp_path, text), out=tmp_path / str(runs), progress=False)

    assert sim.diff(tmp_path / "300", tmp_path / "500").warnings == []


@pytest.mark.parametrize("question", ["tune", "gate"])
def test_a_question_that_finds_its_runs_itself_takes_no_number_of_them(question: str, tmp_path: Path) -> None:
    with pytest.raises(InputError, match=f"--runs: a {question} finds its number of runs itself"):
        sim.study(written(tmp_path, STUDIES[question]), runs=100, progress=False)


def test_a_diff_of_studies_sets_like_against_like(tmp_path: Path) -> None:
    text = STUDIES["compare"].replace("runs = 500", "runs = 2000")
    sim.study(written(tmp_path, text), out=tmp_path / "old", progress=False)
    sim.study(written(tmp_path, text), out=tmp_path / "new", seed=9, progress=False)

    found = sim.diff(tmp_path / "old", tmp_path / "new" / "study.json")

    assert found.same
    assert found.facts["numbers_compared"] > 30
    with pytest.raises(InputError, match="no such file"):
        sim.diff(tmp_path / "old", tmp_path / "nowhere")
    with pytest.raises(InputError, match="not the folder of a result"):
        sim.diff(tmp_path, tmp_path)
