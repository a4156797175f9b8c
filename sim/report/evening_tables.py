"""The tables of an evening: where parties end, and what is left of those who come through."""

from __future__ import annotations

from collections.abc import Iterable

from sim.core.evening import LEVELS, Evening
from sim.core.evening_scenes import FightScene, askable
from sim.report.table import Cell, Column, Table, mean_cell, rate_cell, whole, words
from sim.results.result import Result
from sim.results.scenes import FRESH_RUNS, WITHOUT_RUNS, SceneResult, scaled
from sim.results.statistics import Estimate
from sim.scenario.wording import readable


def evening_tables(result: Result) -> Iterable[Table]:
    """Scene by scene; nothing for a result that is no evening."""
    if result.in_scenes:
        yield scenes_table(result)
        yield left_table(result)
        if any(scene.missing for scene in result.scenes):
            yield missing_table(result)


def scenes_table(result: Result) -> Table:
    """Who comes to each scene, and how hard it is as they arrive and for a party that is fresh."""
    fresh, without = (min(result.runs_played, most) for most in (FRESH_RUNS, WITHOUT_RUNS))
    ends = [  # how evenings end besides a loss, where some do
        (name, key)
        for name, key in (("out of time", "drawn"), ("turned back", "turned_back"))
        if any(getattr(scene, key) for scene in result.scenes)
    ]
    table = Table(
        "scenes",
        "Scene by scene",
        "Shares in percent with their 95 % intervals: of all evenings, or of those who came to the scene. Fresh: the "
        f"same scene with a party that has just begun, on the luck of the first {fresh:,} runs. Without it: how many "
        f"come through an evening that leaves the scene out, on the first {without:,} runs.",
        (
            Column("scene", number=False),
            Column("come to it", "of all, %"),
            Column("as they arrive", "come through it, %"),
            Column("fresh", "come through it, %"),
            Column("without it, %", where_wide=True),
            Column("health left, %"),
            Column("lost", "end here"),
            *(Column(name, "end here", where_wide=True) for name, _ in ends),
        ),
    )
    for scene in result.scenes:
        table.add(
            words(f"{scene.number} {scene.name}"),
            rate_cell(scene.reached),
            rate_cell(scene.through),
            _maybe(scene.fresh),
            _maybe(scene.without),
            mean_cell(scaled(scene.hp_left, 100)),
            whole(scene.lost),
            *(whole(getattr(scene, key)) for _, key in ends),
        )
    return table


def left_table(result: Result) -> Table:
    """What those have left who came through a scene: heroes, and what the game counts."""
    names = list(dict.fromkeys(name for scene in result.scenes for name in scene.left))
    names = [name for name in names if any(_counts(scene, name) for scene in result.scenes)]
    columns = [Column("after", number=False), Column("rounds in it"), *(Column(readable(name)) for name in names)]
    about = "Means with their 95 % margins, of those who came through the scene; what is less than before was used up."
    table = Table("left", "What is left after each scene", about, tuple(columns))
    if had := _at_the_start(result):
        cells = [words(f"{had[name]:g}" if name in had else "–") for name in names]
        table.add(words("0 at the start"), words("–", note=True), *cells)
    for scene in result.scenes:
        cells = [mean_cell(scene.left[name]) for name in names]
        table.add(words(f"{scene.number} {scene.name}"), mean_cell(scene.rounds), *cells)
    return table


def _at_the_start(result: Result) -> dict[str, float]:
    """What a party has that is fresh; nothing for a gauntlet, which counts other things."""
    evening = result.scenario.encounter()
    if not isinstance(evening, Evening):
        return {}
    first = next(scene for scene in evening.scenes if isinstance(scene, FightScene))
    return {name: float(values[0]) for name, values in askable(evening.game, first).items()} | {LEVELS: 0.0}


def missing_table(result: Result) -> Table:
    """Who is down or dead after each fight, hero by hero."""
    heroes = list(dict.fromkeys(name for scene in result.scenes for name in scene.missing))
    columns = (Column("after", number=False), *(Column(readable(name)) for name in heroes))
    about = "Share in percent of the parties that came through the fight in which the hero is down or dead at its end."
    table = Table("missing", "Who is missing after each fight", about, columns)
    for scene in result.scenes:
        if scene.missing:
            table.add(words(f"{scene.number} {scene.name}"), *(rate_cell(scene.missing[name]) for name in heroes))
    return table


def _counts(scene: SceneResult, name: str) -> bool:
    """Whether there ever is any of it."""
    return name in scene.left and scene.left[name].known and scene.left[name].value > 0


def _maybe(estimate: Estimate | None) -> Cell:
    return words("–", note=True) if estimate is None else rate_cell(estimate)
