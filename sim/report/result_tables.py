"""What the tables of a result say."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from sim.core.outcomes import Outcome
from sim.report.evening_tables import evening_tables
from sim.report.table import Cell, Column, Table, as_typed, mean_cell, rate_cell, whole, words
from sim.results.result import WHEN, Result
from sim.results.statistics import Estimate, rate
from sim.results.summary import ENCOUNTERS, FIGHTS
from sim.scenario.wording import readable

_SPLIT = {"win": "wins", "loss": "losses"}


def counted(result: Result) -> str:
    """What is counted: 'fight', or 'evening' where several fights make one."""
    return "evening" if result.in_scenes else "fight"


def _split(result: Result) -> dict[str, str]:
    return {"all": f"all {counted(result)}s"} | _SPLIT


def whens(result: Result) -> dict[str, str]:
    """The kinds of fights that a table is split by: draws only where there are some."""
    return _split(result) | ({"draw": "draws"} if result.sums.ended(Outcome.DRAW) else {})


def outcomes_table(result: Result) -> Table:
    """How the encounters ended."""
    table = Table(
        "outcomes",
        "How it ends",
        "Share of encounters in percent, with its 95 % interval. Draws reached the round cap.",
        (Column("outcome", number=False), Column("runs"), Column("share in %")),
    )
    for outcome in ENCOUNTERS:
        ended = result.sums.ended(outcome)
        if ended or outcome not in (Outcome.AVOIDED, Outcome.TURNED_BACK):
            name = outcome.name.lower().replace("_", " ")
            table.add(words(name), whole(ended), rate_cell(rate(ended, result.sums.encounters)))
    if empty := result.sums.ended(Outcome.EMPTY):
        table.add(words("empty"), whole(empty), words("left out", "nobody to fight: no rate counts these runs", True))
    return table


def fight_table(result: Result, game_counts: bool = True) -> Table:
    """How the fights went, as a whole; with or without what only this game counts."""
    table = Table(
        "fight",
        f"How the {counted(result)}s go",
        f"Means per {counted(result)} with their 95 % margins; shares in percent with their intervals."
        + _what_hit_points_are(result),
        (Column("measure", number=False), *(Column(title) for title in whens(result).values())),
    )

    def add(title: str, cell: Callable[[Estimate], Cell], number: Callable[[str], Estimate]) -> None:
        table.add(words(title), *(cell(number(when)) for when in whens(result)))

    add("rounds", mean_cell, lambda when: result.ending("rounds", when))
    add("party hit points left", mean_cell, lambda when: result.ending("party_hp", when))
    add("heroes that go down", mean_cell, result.heroes_down)
    add("nobody goes down, %", rate_cell, result.nobody_down)
    add("xp", mean_cell, lambda when: result.count("xp", when))
    for name, about in result.cast.plain_counts.items() if game_counts else ():
        if result.count(name).value == 0 and result.count(name).why:
            continue  # it never happened: a row of zeros tells nothing
        add(about, mean_cell, lambda when, name=name: result.count(name, when))  # type: ignore[misc]
    return table


def rooms_table(result: Result) -> Table:
    """How it went in each room of a gauntlet; without rows for a fight in one place."""
    table = Table(
        "rooms",
        "Room by room",
        "Share of encounters in percent that came to the room, and of those the share that won it; rounds per fight "
        "there, and the party's hit points left when it was won, before any rest; with 95 % intervals and margins.",
        (
            Column("room", number=False),
            Column("reached, %"),
            Column("won, %"),
            Column("rounds"),
            Column("hit points left"),
        ),
    )
    for room in result.rooms if not result.in_scenes else ():  # the scenes of an evening have a table of their own
        cells = (rate_cell(room.reached), rate_cell(room.won), mean_cell(room.rounds), mean_cell(room.hp))
        table.add(words(room.name), *cells)
    return table


def downs_table(result: Result) -> Table:
    """Who goes down, and what is left of them."""
    deadly = _down_is_dead(result)
    return _rates_table(
        result,
        "downs",
        "Who goes down and dies" if deadly else "Who goes down",
        f"Share of {counted(result)}s in percent in which the unit goes down at least once"
        + (" (whoever did was dead at the end)" if deadly else "")
        + ", and its hit points left when it wins; where a game counts blows beyond 0, they count below 0 here."
        + _what_hit_points_are(result),
        result.down_rate,
        ("hit points left", "in wins", lambda row: result.unit_mean("hp", row, "win")),
    )


def deaths_table(result: Result) -> Table | None:
    """Who dies; None where no hero ever does, or where those who go down do, which is one table."""
    if not result.sums.dead[result.cast.party].any() or _down_is_dead(result):
        return None
    return _rates_table(
        result,
        "deaths",
        "Who dies",
        f"Share of {counted(result)}s in percent at whose end the unit is dead.",
        result.death_rate,
        None,
    )


def _down_is_dead(result: Result) -> bool:
    """Whether heroes died, and as often as they went down, in fights of every outcome."""
    down, dead = (table[result.cast.party][:, list(FIGHTS)] for table in (result.sums.down, result.sums.dead))
    return bool(dead.any()) and bool((down == dead).all())


def _rates_table(
    result: Result,
    name: str,
    title: str,
    about: str,
    number: Callable[[int, str], Estimate],
    further: tuple[str, str, Callable[[int], Estimate]] | None,
) -> Table:
    columns = [Column("hero", number=False)]
    columns += [Column(split, f"share of {counted(result)}s in %") for split in whens(result).values()]
    if further is not None:
        columns.append(Column(further[1], further[0]))
    table = Table(name, title, about, tuple(columns))
    for row in result.cast.party:
        cells = [rate_cell(number(row, when)) for when in whens(result)]
        if further is not None:
            cells.append(mean_cell(further[2](row)))
        table.add(words(result.cast.units[row].name), *cells)
    return table


def damage_table(result: Result) -> Table:
    """Damage dealt and taken by each unit."""
    columns = [Column("unit", number=False)]
    columns += [Column(split, "damage dealt") for split in _split(result).values()]
    columns += [Column(split, "damage taken") for split in _split(result).values()]
    table = Table(
        "damage",
        "Damage by unit",
        f"Per fight in which the unit takes part, with 95 % margins.{_what_damage_counts(result)}",
        tuple(columns),
    )
    for row, unit in enumerate(result.cast.units):
        dealt = [mean_cell(result.unit_mean("damage_dealt", row, when)) for when in _split(result)]
        taken = [mean_cell(result.unit_mean("damage_taken", row, when)) for when in _split(result)]
        table.add(words(unit.name), *dealt, *taken, section=unit.side)
    return table


def _what_hit_points_are(result: Result) -> str:
    """One more sentence where the hit points left are not simply those at the end of the fight."""
    said = result.scenario.ruleset.hit_points_left
    return f" {said}" if said else ""


def _what_damage_counts(result: Result) -> str:
    """One more sentence where the two sides' damage is not the same thing."""
    party, enemy = result.scenario.ruleset.party_damage, result.scenario.ruleset.enemy_damage
    return "" if party == enemy else f" What the party deals counts {party}, what the enemies deal {enemy}."


def deeds_table(result: Result) -> Table:
    """Kills and healing of each unit, and how often it takes part."""
    table = Table(
        "deeds",
        "Kills and healing",
        "Per fight in which the unit takes part, with 95 % margins; presence as a share of all fights in percent.",
        (Column("unit", number=False), *map(Column, ("kills", "healing", "times down", "takes part, %"))),
    )
    fights = result.sums.ended(*FIGHTS)
    for row, unit in enumerate(result.cast.units):
        means = [mean_cell(result.unit_mean(name, row)) for name in ("kills", "healing", "downs")]
        there = result.appearances(row)
        takes_part = rate_cell(rate(there, fights)) if there < fights else Cell("always", 1.0, "by the scenario")
        table.add(words(unit.name), *means, takes_part, section=unit.side)
    return table


def abilities_table(result: Result) -> Table:
    """What each unit does with what it can do; abilities that were never used are in the warnings."""
    columns = [Column("unit: ability", number=False), Column("uses", "per fight")]
    columns += [Column("hits", "per use"), Column("damage", "per use", where_wide=True)]
    columns += [Column(split, "damage per fight") for split in _split(result).values()]
    table = Table(
        "abilities",
        "Damage by ability",
        f"With 95 % margins. {result.scenario.ruleset.a_hit} Abilities that were never used are left out."
        + _what_damage_counts(result),
        tuple(columns),
    )
    for row, ability in enumerate(result.cast.abilities):
        if not result.sums.used[row].any():
            continue
        unit = result.cast.units[ability.unit]
        damage = [mean_cell(result.ability_mean("damage", row, when)) for when in _split(result)]
        per_use = [mean_cell(result.per_use(name, row)) for name in ("hits", "damage")]
        uses = mean_cell(result.ability_mean("uses", row))
        table.add(words(f"{unit.name}: {ability.name}"), uses, *per_use, *damage, section=unit.side)
    return table


def survival_table(result: Result) -> Table:
    """Who is still up after so many rounds."""
    heroes = result.cast.party
    table = Table(
        "survival",
        "Still up after so many rounds",
        f"Share of {counted(result)}s in percent in which the hero has not gone down by the end of the round, with its "
        "interval.",
        (Column("round"), *(Column(readable(result.cast.units[row].name)) for row in heroes)),
    )
    curves = [result.survival(row) for row in heroes]
    for round_, cells in enumerate(zip(*curves, strict=True)):
        table.add(whole(round_), *(rate_cell(estimate) for estimate in cells))
    return table


def histogram_table(result: Result, of: str, title: str, about: str) -> Table:
    """How many fights ended with each value of `rounds` or `party_hp`."""
    split = {when: title for when, title in whens(result).items() if when != "all"}
    first = Column("hit points left" if of == "party_hp" else of)
    table = Table(f"{of}-histogram", title, about, (first, *map(Column, split.values())))
    columns = [dict(zip(*map(list, result.sums.endings.histogram(of, WHEN[when])), strict=True)) for when in split]
    for value in sorted(set().union(*columns)):
        table.add(whole(int(value)), *(whole(int(column.get(value, 0))) for column in columns))
    return table


PICK_MEANINGS = {  # which runs are worth looking at, and what they show
    "median": "a typical fight",
    "closest": "the closest win",
    "loss": "a typical loss",
    "worst": "the worst for the party",
    "draw": "a typical draw",
    "best": "the best for the party",
}


def picks_table(result: Result) -> Table:
    """The runs worth looking at."""
    table = Table(
        "picks",
        "Runs worth looking at",
        "Play one of them move by move with the command beside it.",
        (Column("what it shows", number=False), Column("run"), Column("command", number=False)),
    )
    for name, run in result.picks.items():
        table.add(words(PICK_MEANINGS[name]), whole(run), as_typed(result.replay_command(run)))
    return table


def met_table(result: Result) -> Table | None:
    """Wins by what chance brings into the fight, the hardest first; None where it brings nothing."""
    if not result.cast.met:
        return None
    wins = (Column("with it", "wins in %"), Column("without it", "wins in %"))
    columns = (Column("met", number=False), Column("share in %"), *wins)
    about = "Shares in percent with their 95 % intervals: how often chance brings it, and wins with and without it."
    table = Table("met", "Who is met", about, columns)
    rows = [(*result.wins_by_met(what), what) for what in range(len(result.cast.met)) if result.sums.met[what].any()]
    for there, apart, what in sorted(rows, key=lambda row: (row[0].value, row[2])):
        table.add(words(readable(result.cast.met[what])), *map(rate_cell, (result.met_rate(what), there, apart)))
    return table


def few_tables(result: Result) -> Iterable[Table]:
    """What a terminal shows if not asked for more: how it ends, how it goes, who goes down, who deals the damage."""
    yield outcomes_table(result)
    yield fight_table(result, game_counts=False)
    yield rooms_table(result)
    yield from evening_tables(result)
    yield downs_table(result)
    yield damage_table(result)


def main_tables(result: Result) -> Iterable[Table]:
    """All tables that a terminal can show, in order."""
    yield outcomes_table(result)
    yield fight_table(result)
    yield rooms_table(result)
    yield from evening_tables(result)
    yield downs_table(result)
    if (deaths := deaths_table(result)) is not None:
        yield deaths
    if (met := met_table(result)) is not None:
        yield met
    yield damage_table(result)
    yield abilities_table(result)
    yield picks_table(result)
