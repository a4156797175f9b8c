"""What a study has found is taken over into the fight that it was asked about."""

from __future__ import annotations

from pathlib import Path
from urllib.parse import parse_qsl

import pytest

from sim.runs.runner import run
from sim.scenario import load
from sim.studies.improve import improve
from sim.studies.ladder import ladder
from sim.studies.tune import tune
from sim.studio.address import Address, Variant
from sim.studio.findings import finding_in

HERE = "overhill/crypt-swarm"


def settings(query: str) -> list[str]:
    return [value for name, value in parse_qsl(query) if name == "set"]


@pytest.mark.soak  # a search takes its time
def test_a_better_policy_is_taken_over_with_all_its_lines(tmp_path: Path) -> None:
    improve(load(HERE), generations=1, runs=1_000, jobs=1, out=tmp_path)

    finding = finding_in(tmp_path, Address(Variant(HERE), seed=5))

    assert finding
    assert finding.words == "the policy improved"
    assert "seed=5" in finding.query
    better = load(HERE, sets=settings(finding.query))
    assert better.policy == "improved"
    before, after = (run(fight, runs=1_000, jobs=1).win_rate.value for fight in (load(HERE), better))
    assert after > before


def test_a_value_takes_the_place_of_what_was_set_there(tmp_path: Path) -> None:
    variant = Variant(HERE, ("level=2", "enemies[0].count=9"))
    tune(load(HERE, sets=variant.sets), "enemies[0].count", "win_rate=0.65", precision=4, jobs=1, out=tmp_path)

    finding = finding_in(tmp_path, Address(variant))

    assert finding
    assert settings(finding.query)[0] == "level=2"
    assert len(settings(finding.query)) == 2
    assert settings(finding.query)[1] != "enemies[0].count=9"
    assert finding.words.endswith("skeletons")


def test_nothing_is_taken_over_where_nothing_was_found(tmp_path: Path) -> None:
    ladder(load("overhill/duel-skeleton"), runs=200, jobs=1, out=tmp_path / "ladder")
    (tmp_path / "spoiled").mkdir()
    (tmp_path / "spoiled/study.json").write_text('{"question": "tune"')

    assert finding_in(tmp_path / "ladder", Address(Variant(HERE))) is None
    assert finding_in(tmp_path / "spoiled", Address(Variant(HERE))) is None
    assert finding_in(tmp_path / "none", Address(Variant(HERE))) is None
