"""The frozen results: nothing changed since they were accepted, and a change is told in words."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from tests import frozen, golden
from tests.frozen_parts import groups, ruleset

TINY = "overhill/duel-skeleton"


@pytest.fixture
def places(tmp_path: Path) -> tuple[Path, Path]:
    """Copies of the frozen results and of the golden digests of Overhill, to be spoilt."""
    frozen_copy, golden_copy = tmp_path / "frozen", tmp_path / "golden"
    (golden_copy / "overhill").mkdir(parents=True)
    shutil.copytree(frozen.FOLDER, frozen_copy)
    shutil.copy(golden.FOLDER / "overhill" / "golden.json", golden_copy / "overhill" / "golden.json")
    return frozen_copy, golden_copy


def spoil(folder: Path, **figures: object) -> None:
    """Other figures for the tiny fight under one policy than it has."""
    found = frozen.read("overhill", folder)
    found["parts"]["duel-skeleton"]["plain"] |= figures
    frozen.write("overhill", found, folder)


@pytest.mark.soak
@pytest.mark.parametrize("group", groups())
def test_every_shipped_result_is_as_it_was_frozen(group: str, capsys: pytest.CaptureFixture[str]) -> None:
    status = frozen.main(["check", "--only", group])

    assert status == 0, capsys.readouterr().out


@pytest.mark.parametrize("group", groups())
def test_every_scenario_and_kind_of_study_is_frozen(group: str) -> None:
    assert sorted(frozen.read(group)["parts"]) == sorted(name for _, name in frozen.parts_of(group))
    assert frozen.read(group)["heading"] == frozen.heading_of(group)


def test_a_tiny_fight_is_as_it_was_frozen(capsys: pytest.CaptureFixture[str]) -> None:
    assert frozen.main(["check", "--only", TINY]) == 0
    assert "nothing moved" in capsys.readouterr().out


def test_one_other_digest_fails_the_check(places: tuple[Path, Path], capsys: pytest.CaptureFixture[str]) -> None:
    spoil(places[0], digest="0" * 24)

    status = frozen.main(["check", "--only", TINY], *places)

    told = capsys.readouterr().out
    assert status == 1
    assert "overhill/duel-skeleton, plain: other tables or texts behind the same figures" in told
    assert "1 thing moved" in told


def test_other_results_under_the_same_version_are_not_accepted(
    places: tuple[Path, Path], capsys: pytest.CaptureFixture[str]
) -> None:
    spoil(places[0], digest="0" * 24, wins=61.3)
    before = (places[0] / "overhill.json").read_bytes()

    status = frozen.main(["accept", "--only", TINY], *places)

    told = capsys.readouterr().out
    assert status == 1
    assert "overhill/duel-skeleton, plain: wins 61.3 % -> 100.0 %" in told
    assert "Raise `version` of overhill" in told
    assert (places[0] / "overhill.json").read_bytes() == before


def test_the_results_of_another_fight_are_accepted_and_what_moved_is_told(
    places: tuple[Path, Path], capsys: pytest.CaptureFixture[str]
) -> None:
    now = frozen.read("overhill")
    spoil(places[0], digest="0" * 24, fight="0" * 12, wins=61.3)

    status = frozen.main(["accept", "--only", TINY], *places)

    assert status == 0
    assert "overhill/duel-skeleton, plain: wins 61.3 % -> 100.0 %" in capsys.readouterr().out
    assert frozen.read("overhill", places[0]) == now
    assert frozen.main(["check", "--only", TINY], *places) == 0


def test_a_new_version_gets_its_golden_digest_and_an_old_one_keeps_its_own(
    places: tuple[Path, Path], capsys: pytest.CaptureFixture[str]
) -> None:
    version = str(ruleset("overhill").version)
    right = golden.read("overhill")
    without = json.loads(json.dumps(right))
    del without["digests"][version]
    golden.write("overhill", without, places[1])

    assert frozen.main(["accept", "--only", TINY], *places) == 0
    assert f"golden.json of overhill (version {version})" in capsys.readouterr().out
    assert golden.read("overhill", places[1])["digests"] == right["digests"]

    wrong = right | {"digests": {**right["digests"], version: "0" * 32}}
    golden.write("overhill", wrong, places[1])

    assert frozen.main(["accept", "--only", TINY], *places) == 1
    assert f"the golden digest of version {version} moved" in capsys.readouterr().out
    assert golden.read("overhill", places[1]) == wrong


def test_a_name_that_nothing_has_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as stop:
        frozen.main(["check", "--only", "overhil"])

    assert stop.value.code == 2
    assert "nothing is called 'overhil'" in capsys.readouterr().err
