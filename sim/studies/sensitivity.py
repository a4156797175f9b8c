"""sensitivity: which number matters most? Every number of every unit, one step up and one step down.

Or which rule: every switch of the game, set to each of its other values.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Unpack

from sim.errors import InputError, Problem
from sim.results.statistics import CONFIDENCE, Estimate, holm, sign_test
from sim.scenario import Scenario, from_dict
from sim.scenario.overrides import NAMES
from sim.scenario.values import KeyPath, is_list_of_tables, spell
from sim.scenario.wording import nth, readable
from sim.studies.answer import Answer, Column, StudyTable
from sim.studies.cards import Fight
from sim.studies.measures import MEASURES, RATES, PairTally, typical_effort
from sim.studies.options import check_options
from sim.studies.points import scale_of
from sim.studies.race import Race
from sim.studies.variants import AnyScenario, as_fight
from sim.studies.words import amount, points
from sim.studies.work import Work, delivered, pool_for

RUNS = 10_000  # of every variant, if nobody says otherwise
BESIDE = ("win_rate", "rounds", "heroes_down")  # what a switch changes is told in these beside the measure
WHERE = ("spot", "spots", "square", "hex")  # lists of numbers that say where somebody stands
FARTHEST = 4  # steps looked ahead for a value that the game takes: dice go 4, 6, 8


@dataclass(frozen=True, slots=True)
class Move:
    """A number moved by one step, or a switch set to another value."""

    path: KeyPath
    label: str  # skeleton defence
    was: Any
    value: Any
    fight: Scenario

    @property
    def name(self) -> str:
        """'skeleton defence +1', 'monster damage: one'."""
        return f"{self.label}: {self.value}" if self.path[0] == "switches" else f"{self.label} {self.step}"

    @property
    def up(self) -> bool:
        """Whether a number goes up."""
        return bool(self.value > self.was)

    @property
    def step(self) -> str:
        """Of a number: '+1'."""
        return f"{self.value - self.was:+g}"


def sensitivity(
    scenario: AnyScenario,
    *,
    runs: int = RUNS,
    measure: str = "win_rate",
    only: str | None = None,
    switches: bool = False,
    seed: int = 1,
    confidence: float = CONFIDENCE,
    **work: Unpack[Work],
) -> Answer:
    """Every number of every unit moved by one step up and down, with the same luck; ranked.

    Args:
        runs: of the fight and of every variant.
        measure: what the numbers are ranked by.
        only: leave out paths that do not contain this text: 'enemies', 'skeleton', 'max_health'.
        switches: move the switches of the game instead, each to all of its other values.
        work: processes, folder, cluster: see `sim.studies.work.Work`; nothing of it changes the answer.
    """
    base = as_fight(scenario)
    check_options(runs=runs, precision=None, margin=1.0, measure=measure, confidence=confidence, seed=seed)
    moves, fixed = (all_switches if switches else all_moves)(base, only)
    if not moves:
        where = f" whose path contains '{only}'" if only else ""
        what = "switch" if switches else "number"
        raise InputError(Problem("only", f"{base.name} has no {what}{where} that can be moved"))
    fights = [Fight(base, seed), *(Fight(move.fight, seed) for move in moves)]
    names = ["baseline", *(move.name for move in moves)]
    with pool_for("sensitivity", [base], seed, work, short_answers=True) as pool:
        race = Race(names, fights, pool, [(0, at) for at in range(1, len(fights))])
        race.play_to(runs)
        pairs = [race.scores[0, at] for at in range(1, len(fights))]
        dead = dead_labels(moves, pairs)
        rows = ranked_moves(moves, pairs, measure, confidence)
        answer = Answer(
            question="sensitivity",
            scenario=base,
            verdicts=_verdicts(rows, dead, measure, switches),
            tables=[
                moves_table(rows, dead, measure, switches),
                dead_table(dead, switches),
                _fixed_table(fixed, switches),
            ],
            settings={
                "seed": seed,
                "runs": runs,
                "measure": measure,
                "confidence": confidence,
                "only": only,
                **({"switches": True} if switches else {}),
                "interval": "paired, each by itself",
                "correction": f"'matters' holds for all {len(pairs)} moves together (Holm)",
            },
            effort=pool.effort(typical_effort(pairs, measure)),
            facts={"dead": dead, "ranking": [row["move"] for row in rows]},
        )
        return delivered(answer, pool, work)


def all_moves(scenario: Scenario, only: str | None = None) -> tuple[list[Move], list[tuple[str, str]]]:
    """Every number of every unit, up and down, and those that cannot be moved with the reason."""
    resolved = scenario.resolved()
    moves: list[Move] = []
    fixed: list[tuple[str, str]] = []
    for path, label, value in unit_numbers(scenario.in_full()):
        if only and only not in spell(path) and readable(only) not in label:
            continue
        reasons = []
        for direction in (+1, -1):
            found = _moved(scenario, resolved, path, label, value, direction)
            if isinstance(found, Move):
                moves.append(found)
            else:
                reasons.append(found)
        if len(reasons) == 2:
            fixed.append((label, reasons[0]))
    return moves, fixed


def all_switches(scenario: Scenario, only: str | None = None) -> tuple[list[Move], list[tuple[str, str]]]:
    """Every switch set to each of its other values, and those that have none that this fight takes, with the reason.

    A switch that takes a whole number goes one up and one down.
    """
    moves: list[Move] = []
    fixed: list[tuple[str, str]] = []
    for name, switch in scenario.ruleset.switchboard.switches.items():
        path: KeyPath = ("switches", name)
        label, was = readable(name), scenario.settings[name]
        if only and only not in spell(path) and readable(only) not in label:
            continue
        values: list[Any] = list(switch.values)
        if switch.kind == "whole" and isinstance(was, int):
            values = [value for value in (was - 1, was + 1) if switch.least <= value <= switch.most]
        reason = "has no list of values to try" if not values else "the fight takes no other value"
        found = []
        for value in values:
            if value == was:
                continue
            try:
                found.append(Move(path, label, was, value, scenario.changed(values={spell(path): value})))
            except InputError as error:
                reason = error.problems[0].message
        moves += found
        if not found:
            fixed.append((label, reason))
    return moves, fixed


LEFT_ALONE = ("switches", "policies", "policy_options")  # tables of a scenario whose numbers are no unit's


def unit_numbers(resolved: dict[str, Any]) -> Iterator[tuple[KeyPath, str, float]]:
    """Every number in an entry of a list of tables (heroes, enemies, rows of a table), with a name for people.

    Where somebody stands is no strength: such numbers can be set, swept and tuned, and are not ranked.
    """

    def walk(value: Any, path: KeyPath, label: str, inside: bool) -> Iterator[tuple[KeyPath, str, float]]:
        if isinstance(value, bool):
            return
        if isinstance(value, (int, float)) and inside:
            yield path, label, value
        elif isinstance(value, dict):
            for key, part in value.items():
                yield from walk(part, (*path, key), f"{label} {readable(str(key))}".strip(), inside)
        elif is_list_of_tables(value):
            called = [_called(entry, str(path[-1]), at) for at, entry in enumerate(value)]
            for at, entry in enumerate(value):
                twice = called.count(called[at]) > 1
                name = f"{called[at]} {called[: at + 1].count(called[at])}" if twice else called[at]
                for key, part in entry.items():
                    yield from walk(part, (*path, at, key), f"{readable(name)} {readable(key)}", True)
        elif isinstance(value, list) and inside and path[-1] not in WHERE:
            for at, part in enumerate(value):
                yield from walk(part, (*path, at), f"{label} ({nth(at)})", True)

    for key, value in resolved.items():
        if key == "scenes":
            for at, scene in enumerate(value):
                name = scene.get("name") or f"scene {at + 1}"
                for part, content in scene.get("fight", {}).items():
                    if part not in LEFT_ALONE:
                        for path, label, number in walk(content, (key, at, "fight", part), "", False):
                            yield path, f"{label} in {readable(name)}", number
        elif key not in LEFT_ALONE:
            yield from walk(value, (key,), "", False)


def _called(entry: dict[str, Any], list_name: str, at: int) -> str:
    return next((str(entry[key]) for key in NAMES if isinstance(entry.get(key), str)), f"{list_name}[{at}]")


def _moved(
    scenario: Scenario, resolved: dict[str, Any], path: KeyPath, label: str, value: float, direction: int
) -> Move | str:
    """The nearest value in a direction that the game takes; or why there is none.

    The number is set in the scenario as it was written, so that what follows from it follows (health from the maximum);
    where its place differs from that in the resolved fight, in the resolved one.
    """
    reason = "the game takes no other value"
    unit = 1 if float(value).is_integer() else 10.0 ** -len(str(value).partition(".")[2])
    base = scenario
    if not _same_place(scenario.data, resolved, path):
        base = from_dict(resolved, name=scenario.name, source=scenario.source)
    for stride in range(1, FARTHEST + 1):
        new = round(value + direction * stride * unit, 12)
        try:
            fight = base.changed(values={spell(path): new})
        except InputError as error:
            if stride == 1:
                reason = error.problems[0].message
            continue
        if fight.digest != scenario.digest:
            return Move(path, label, value, new, fight)
        reason = "changes nothing in the resolved fight"
    return reason


def _same_place(data: Any, resolved: Any, path: KeyPath) -> bool:
    """Whether the lists on the way are the same ones in the file as in the resolved fight."""
    for step in path[:-1]:
        if isinstance(step, int):
            if not isinstance(data, list) or len(data) != len(resolved):
                return False
            data = data[step]
        else:
            data = data.get(step, {}) if isinstance(data, dict) else {}
        resolved = resolved[step]
    return isinstance(data, dict)


def _chance(pair: PairTally, measure: str) -> float:
    """How likely such a difference is if the number does not matter."""
    if measure in RATES and pair.same_encounters:
        return sign_test(pair.gained(RATES[measure]), pair.lost(RATES[measure]))
    difference = pair.difference(measure, 0.6827)  # one standard error either way
    error = (difference.high - difference.low) / 2
    if math.isnan(error):
        return 1.0  # hardly any pair in which both fought: nothing is known
    return math.erfc(abs(difference.value) / error / math.sqrt(2)) if error > 0 else float(difference.value == 0)


def dead_labels(moves: list[Move], pairs: list[PairTally]) -> list[str]:
    """What was moved without any effect, whichever way."""
    alive = {move.label for move, pair in zip(moves, pairs, strict=True) if pair.unlike}
    return sorted({move.label for move in moves} - alive)


def ranked_moves(moves: list[Move], pairs: list[PairTally], measure: str, confidence: float) -> list[dict[str, Any]]:
    """A row for every move, the largest difference first; what matters holds for all of them together."""
    stand = holm([_chance(pair, measure) for pair in pairs], confidence)
    rows = []
    for move, pair, matters in zip(moves, pairs, stand, strict=True):
        rows.append(
            {
                "move": move.name,
                "number": move.label,
                "path": spell(move.path),
                "from": move.was,
                "to": move.value,
                "difference": pair.difference(measure, confidence),
                **{other: pair.difference(other, confidence) for other in BESIDE if other != measure},
                "unit": "points" if scale_of(measure) == 100 else MEASURES[measure].unit,
                "matters": matters,
                "unlike": pair.unlike / pair.runs,
                "sharpening": pair.sharpening(measure),
            }
        )

    def size(row: dict[str, Any]) -> float:
        difference: Estimate = row["difference"]
        return abs(difference.value) if difference.known else -1.0

    return sorted(rows, key=size, reverse=True)


def _verdicts(rows: list[dict[str, Any]], dead: list[str], measure: str, switches: bool) -> list[str]:
    write = points if scale_of(measure) == 100 else amount
    sentences = []
    for row in rows[:5]:
        difference: Estimate = row["difference"]
        if row["matters"]:
            margin = difference.margin
            size = f"{write(difference.value, margin)} ± {write(margin, margin, False)}"
            sentences.append(f"{row['move']}: {size} {row['unit']}.")
    if not sentences:
        what = "No switch" if switches else "No single step"
        sentences.append(f"{what} changes the {MEASURES[measure].title} beyond the noise.")
    if dead:
        what = "Rules that changed no fight here" if switches else "Dead here, no fight depends on them"
        sentences.append(f"{what}: {', '.join(dead)}.")
    return sentences


def moves_table(rows: list[dict[str, Any]], dead: list[str], measure: str, switches: bool) -> StudyTable:
    """What every move did, those without any effect left out."""
    beside = [Column(name, MEASURES[name].title, _change(name)) for name in BESIDE if name != measure]
    columns = (
        Column("move", "rule and value" if switches else "number and step"),
        Column("from", "from", "" if switches else "value"),
        Column("to", "to", "" if switches else "value"),
        Column("difference", MEASURES[measure].title, "by measure"),
        Column("unit", "in"),
        *(beside if switches else []),
        Column("matters", "matters"),
        Column("unlike", "fights that differ", "share"),
        Column("sharpening", "luck saves", "times"),
        Column("path", "path"),
    )
    about = "Against the fight as it is, with the same luck; intervals one by one, 'matters' holds for all together."
    title = "What each rule does" if switches else "What one step does"
    return StudyTable("moves", title, about, columns, [row for row in rows if row["number"] not in dead])


def _change(measure: str) -> str:
    """How the change of a measure is read."""
    return "points" if measure in RATES else f"change of {MEASURES[measure].unit}"


def dead_table(dead: list[str], switches: bool) -> StudyTable:
    """What was moved without any effect."""
    title, what = ("Rules that changed no fight here", "switch") if switches else ("Dead numbers", "number")
    about = f"No fight went another way when these were {'set otherwise' if switches else 'moved up or down'}."
    return StudyTable("dead", title, about, (Column("number", what),), [{"number": name} for name in dead])


def _fixed_table(fixed: list[tuple[str, str]], switches: bool) -> StudyTable:
    columns = (Column("number", "switch" if switches else "number"), Column("why", "why"))
    rows: list[dict[str, Any]] = [{"number": name, "why": why} for name, why in fixed]
    about = "Numbers that the game lets be neither more nor less."
    if switches:
        about = "Switches that were not set otherwise."
    return StudyTable("fixed", "Not moved", about, columns, rows)
