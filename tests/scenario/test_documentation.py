"""The page for designers says what is so."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from sim.errors import ScenarioError
from sim.scenario import load

PAGE = (Path(__file__).parents[2] / "docs" / "scenario-files.md").read_text(encoding="utf-8")


def test_the_smallest_fight_and_the_bad_one_are_what_the_page_says(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    smallest, bad = re.findall(r"```toml\n(.*?)```", PAGE, re.DOTALL)
    monkeypatch.chdir(tmp_path)

    Path("gate.toml").write_text(smallest)
    assert load("gate.toml").title == "Skeletons at the gate"

    Path("gate.toml").write_text(bad)
    with pytest.raises(ScenarioError) as caught:
        load("gate.toml")
    told = re.findall(r"^    (gate\.toml:\d+: .*)$", PAGE, re.MULTILINE)
    assert str(caught.value).splitlines() == told


def test_every_override_on_the_page_leads_somewhere(tmp_path: Path) -> None:
    smallest = re.findall(r"```toml\n(.*?)```", PAGE, re.DOTALL)[0]
    path = tmp_path / "gate.toml"
    path.write_text(smallest)
    settings = re.findall(r"--set (?!PATH)([^\s`\"]+=[^\s`\"]+)", PAGE)

    assert len(settings) >= 5
    for setting in settings:
        load(path, sets=[setting])


@pytest.mark.parametrize(
    ("scenario", "path", "value"),
    [
        ("playtest-1", "level", 2),
        ("playtest-1", "switches.monster_damage", "one"),
        ("playtest-1", "policy_options.engage", "attack"),
        ("playtest-1", "heroes.0.level", 2),
        ("playtest-1", "heroes[0].level", 2),
        ("playtest-1", "enemies.skeleton.count", 2),
        ("playtest-1", "heroes.priest.level", 2),
        ("playtest-1", "heroes.*.level", 2),
        ("gobbo-dungeon", "encounter.rows.0.enemies.gobbo.count", 2),
    ],
)
def test_the_paths_of_its_table_lead_somewhere(scenario: str, path: str, value: object) -> None:
    assert f"`{path}`" in PAGE
    changed = load(f"overhill/{scenario}", sets=[f"{path}={value}"])

    assert changed.content != load(f"overhill/{scenario}").content
