"""Points that buy nothing are told, before the battle and with its results."""

from __future__ import annotations

from pathlib import Path

import pytest

import sim
from sim.cli import main
from sim.rulesets.second_era import RULESET

LOST = "80 of 240 enemy points buy nobody: the numbered hexes are full after 8 of the pool."


def remarks(name: str, **values: object) -> list[str]:
    return RULESET.remarks(sim.load(f"second_era/{name}", set=values).model)


@pytest.mark.rule("SE-S3", "SE-L1")
def test_enemy_points_without_a_hex_and_experience_beyond_the_list_are_told() -> None:
    pool, experience = remarks("se_clash_scaled", level=60)

    assert pool == LOST
    assert experience.startswith("Points that buy nothing, since the purchase list is at its end: 40 of 58 of the kn")


@pytest.mark.rule("SE-S3")
def test_w15_two_points_of_128_are_lost_on_eight_hexes() -> None:
    (pool,) = remarks("se_clash_scaled", **{"pool.points": 128})

    assert pool.startswith("2 of 128 enemy points buy nobody")


def test_a_battle_that_is_played_as_written_has_no_remark() -> None:
    assert [remarks(path.stem) for path in sorted(RULESET.folder.glob("scenarios/*.toml"))] == [[]] * 12
    assert remarks("se_patrol", level=3) == []  # a point that does not suffice for the next entry is saved, not lost


def test_check_run_and_show_tell_of_them(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "clash.toml"
    base = sim.load("second_era/se_clash_scaled").source
    assert base is not None
    file.write_text(Path(base).read_text(encoding="utf-8").replace("level = 8", "level = 60"), encoding="utf-8")

    with pytest.raises(SystemExit):
        main(["check", str(file)])
    checked = capsys.readouterr().out
    with pytest.raises(SystemExit):
        main(["show", str(file)])
    shown = capsys.readouterr().out
    result = sim.run(sim.load(file), runs=5, progress=False)

    assert f"note: {LOST}" in checked
    assert LOST in shown
    assert LOST in [caution.text for caution in result.warnings if caution.code == "not_as_written"]


def test_scale_tells_at_which_levels_points_buy_nothing() -> None:
    answer = sim.scale("second_era/se_clash_scaled", [8, 30, 50, 60], runs=20, progress=False)

    told = [warning for warning in answer.warnings if "buy nobody" in warning]
    assert told[-1] == f"Level 60: {LOST}"
    assert not any(warning.startswith("Level 8:") for warning in answer.warnings)
