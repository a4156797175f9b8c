"""sensitivity: which number matters most? Every number of every unit, one step up and one step down.

Or which rule: every switch of the game, set to each of its other values.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Unpack

from sim.errors import InputError, Problem
from sim.results.statistics import CONFIDENCE, Estimate, holm, rate, sign_test
from sim.scenario.values import spell
from sim.scenario.wording import readable
from sim.studies.answer import Answer, Column, StudyTable
from sim.studies.cards import Fight
from sim.studies.leaders import KEPT_BACK, Order, about_order, said_place, settled_order
from sim.studies.measures import MEASURES, RATES, PairTally, typical_effort
from sim.studies.moves import Move, all_moves, all_switches
from sim.studies.options import check_options
from sim.studies.points import scale_of
from sim.studies.race import ALL_RUNS, STOPPED, Race, looks_to
from sim.studies.standing import LEADERS, Ranking
from sim.studies.variants import AnyScenario, as_fight
from sim.studies.words import amount, points
from sim.studies.work import Work, delivered, pool_for

RUNS = 10_000  # of every variant at most, if nobody says otherwise
BESIDE = ("win_rate", "rounds", "heroes_down")  # what a switch changes is told in these beside the measure


def sensitivity(
    scenario: AnyScenario,
    *,
    runs: int = RUNS,
    measure: str = "win_rate",
    only: str | None = None,
    switches: bool = False,
    full: bool = False,
    seed: int = 1,
    confidence: float = CONFIDENCE,
    **work: Unpack[Work],
) -> Answer:
    """Every number of every unit moved by one step up and down, with the same luck; ranked.

    What is clearly small, does nothing or is decided is played no further: the runs go where the ranking is open.
    Leaders whose order is open get further runs, and what these cannot tell apart is said.

    Args:
        runs: of the fight and of every variant, at most; of leaders up to three times as many.
        measure: what the numbers are ranked by.
        only: leave out paths that do not contain this text: 'enemies', 'skeleton', 'max_health'.
        switches: move the switches of the game instead, each to all of its other values.
        full: give every variant all its runs, also where it is clear, and nobody more.
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
        looks = looks_to(runs, full)
        pairs = [(0, at) for at in range(1, len(fights))]
        race = Race(names, fights, pool, pairs, kept_back=KEPT_BACK if len(looks) > 1 else 0.0)
        ranking = Ranking(measure, confidence, [range(1, len(fights))])
        race.run(looks, ranking.settled, ranking.line)
        order = settled_order(race, ranking, runs)
        seen = Seen.of(race)
        dead = dead_labels(moves, seen.pairs)
        rows = placed(ranked_moves(moves, seen, measure, confidence), moves, order)
        matters = any(row["matters"] for row in rows)  # otherwise there is no ranking to speak of
        open_places = order.open_places() if matters else []
        candidates = [names[at] for at in order.other_candidates()] if matters else []
        answer = Answer(
            question="sensitivity",
            scenario=base,
            verdicts=_verdicts(rows, dead, measure, switches, about_order(open_places, candidates)),
            tables=[
                moves_table(rows, dead, measure, switches),
                dead_table(rows, dead, switches),
                _fixed_table(fixed, switches),
            ],
            settings={
                "seed": seed,
                "runs": runs,
                "measure": measure,
                "confidence": confidence,
                "only": only,
                **({"switches": True} if switches else {}),
                **({"full": True} if full else {}),
                "looks": list(race.looks),
                "interval": "paired, each by itself" + (", valid at all looks" if len(race.looks) > 1 else ""),
                "correction": f"'matters' holds for all {len(moves)} moves together (Holm)",
                "places": "hold for all moves together, those of leaders on further runs of their own (Holm)",
            },
            effort=pool.effort(typical_effort(seen.pairs, measure)),
            facts={
                "dead": dead,
                "ranking": [row["move"] for row in rows],
                "open_places": [list(span) for span in open_places],
                "may_lead_too": candidates,
            },
        )
        return delivered(answer, pool, work)


@dataclass(frozen=True, slots=True)
class Seen:
    """What was seen of every move."""

    pairs: Sequence[PairTally]
    shares: Sequence[float]  # of the chance of a mistake, at the look at which it was played no further
    until: Sequence[str]  # why it was played no further

    @classmethod
    def of(cls, race: Race) -> Seen:
        """What a race has shown of its fights beside the first."""
        moves = [at for _, at in race.pairs]
        pairs, shares = [race.scores[0, at] for at in moves], [race.share_of(at) for at in moves]
        return cls(pairs, shares, [race.until[at] for at in moves])

    @classmethod
    def at_once(cls, pairs: Sequence[PairTally]) -> Seen:
        """Where all were played to the end without a look on the way."""
        return cls(pairs, [1.0] * len(pairs), [ALL_RUNS] * len(pairs))


def _chance(pair: PairTally, measure: str) -> float:
    """How likely such a difference is if the number does not matter."""
    if measure in RATES and pair.same_encounters:
        return sign_test(pair.gained(RATES[measure]), pair.lost(RATES[measure]))
    difference = pair.difference(measure, 0.6827)  # one standard error either way
    error = (difference.high - difference.low) / 2
    if math.isnan(error):
        return 1.0  # hardly any pair in which both fought: nothing is known
    return math.erfc(abs(difference.value) / error / math.sqrt(2)) if error > 0 else float(difference.value == 0)


def dead_labels(moves: Sequence[Move], pairs: Sequence[PairTally]) -> list[str]:
    """What was moved without any effect, whichever way."""
    alive = {move.label for move, pair in zip(moves, pairs, strict=True) if pair.unlike}
    return sorted({move.label for move in moves} - alive, key=str.casefold)


def ranked_moves(moves: Sequence[Move], seen: Seen, measure: str, confidence: float) -> list[dict[str, Any]]:
    """A row for every move, the largest difference first; what matters holds for all of them together."""
    chances = [min(1.0, _chance(pair, measure) / share) for pair, share in zip(seen.pairs, seen.shares, strict=True)]
    stand = holm(chances, confidence)
    rows = []
    for move, pair, share, until, matters in zip(moves, seen.pairs, seen.shares, seen.until, stand, strict=True):
        sure = 1 - (1 - confidence) * share
        rows.append(
            {
                "move": move.name,
                "number": move.label,
                "path": spell(move.path),
                "from": move.was,
                "to": move.value,
                "difference": pair.difference(measure, sure),
                **{other: pair.difference(other, sure) for other in BESIDE if other != measure},
                "unit": "points" if scale_of(measure) == 100 else MEASURES[measure].unit,
                "matters": matters,
                "unlike": pair.unlike / pair.runs,
                "at_most": rate(pair.unlike, pair.runs, sure).high,
                "sharpening": pair.sharpening(measure),
                "runs": pair.runs,
                "until": until,
            }
        )

    def size(row: dict[str, Any]) -> float:
        difference: Estimate = row["difference"]
        return abs(difference.value) if difference.known else -1.0

    return sorted(rows, key=size, reverse=True)


def placed(rows: list[dict[str, Any]], moves: Sequence[Move], order: Order) -> list[dict[str, Any]]:
    """The rows with the first few places, where anything matters at all."""
    places = order.places() if any(row["matters"] for row in rows) else {}
    number = {(spell(move.path), move.value): at for at, move in enumerate(moves, start=1)}
    for row in rows:
        at = number[row["path"], row["to"]]
        row["place"] = said_place(places[at]) if at in places else ""
    return rows


def _verdicts(
    rows: list[dict[str, Any]], dead: list[str], measure: str, switches: bool, of_order: Sequence[str]
) -> list[str]:
    write = points if scale_of(measure) == 100 else amount
    sentences = []
    for row in rows[:5]:
        difference: Estimate = row["difference"]
        if row["matters"]:
            margin = difference.margin
            size = f"{write(difference.value, margin)} ± {write(margin, margin, False)}"
            sentences.append(f"{readable(row['move'])}: {size} {row['unit']}.")
    if sentences:
        sentences += of_order
    if not sentences:
        what = "No switch" if switches else "No single step"
        sentences.append(f"{what} changes the {MEASURES[measure].title} beyond the noise.")
    if dead:
        runs, share = _least_known(rows, dead)
        what = "Rules that changed no fight here" if switches else "Dead here, no fight depends on them"
        bound = f"none of {runs:,} runs went another way; of all at most {100 * share:.2g} % may"
        sentences.append(f"{what}: {', '.join(dead)} ({bound}).")
    return sentences


def _least_known(rows: Sequence[dict[str, Any]], dead: Sequence[str]) -> tuple[int, float]:
    """Of what has no effect: the fewest runs that any of it was played, and the share of fights it may change yet."""
    without = [row for row in rows if row["number"] in dead]
    return min(row["runs"] for row in without), max(row["at_most"] for row in without)


def moves_table(rows: list[dict[str, Any]], dead: list[str], measure: str, switches: bool) -> StudyTable:
    """What every move did, those without any effect left out."""
    beside = [Column(name, MEASURES[name].title, _change(name)) for name in BESIDE if name != measure]
    columns = (
        *([Column("place", "place")] if any(row.get("place") for row in rows) else []),
        Column("move", "rule and value" if switches else "number and step"),
        Column("from", "from", "" if switches else "value"),
        Column("to", "to", "" if switches else "value"),
        Column("difference", MEASURES[measure].title, "by measure"),
        Column("unit", "in"),
        *(beside if switches else []),
        Column("matters", "matters"),
        Column("unlike", "fights that differ", "share"),
        Column("sharpening", "luck saves", "times"),
        Column("runs", "runs", "count"),
        Column("until", "played until"),
        Column("path", "path"),
    )
    about = "Against the fight as it is, with the same luck; intervals one by one, 'matters' holds for all together."
    if any(row["until"] not in (ALL_RUNS, STOPPED) for row in rows):
        about += (
            f" What is clearly small (surely not among the first {LEADERS}), decided or without effect was played no "
            "further; the intervals hold wherever that was."
        )
    title = "What each rule does" if switches else "What one step does"
    return StudyTable("moves", title, about, columns, [row for row in rows if row["number"] not in dead])


def _change(measure: str) -> str:
    """How the change of a measure is read."""
    return "points" if measure in RATES else f"change of {MEASURES[measure].unit}"


def dead_table(rows: Sequence[dict[str, Any]], dead: Sequence[str], switches: bool) -> StudyTable:
    """What was moved without any effect, in how many runs, and what it may do yet."""
    title, what = ("Rules that changed no fight here", "switch") if switches else ("Dead numbers", "number")
    about = f"No fight went another way when these were {'set otherwise' if switches else 'moved up or down'}."
    columns = (
        Column("number", what),
        Column("runs", "runs without any effect", "count"),
        Column("at_most", "fights that may differ at most", "share"),
    )
    table = StudyTable("dead", title, about, columns)
    for name in dead:
        runs, share = _least_known(rows, [name])
        table.rows.append({"number": name, "runs": runs, "at_most": share})
    return table


def _fixed_table(fixed: list[tuple[str, str]], switches: bool) -> StudyTable:
    columns = (Column("number", "switch" if switches else "number"), Column("why", "why"))
    rows: list[dict[str, Any]] = [{"number": name, "why": why} for name, why in fixed]
    about = "Numbers that the game lets be neither more nor less."
    if switches:
        about = "Switches that were not set otherwise."
    return StudyTable("fixed", "Not moved", about, columns, rows)
