"""scale: how does the fight go from level to level, for several parties and policies; and where does it break?"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Any, Unpack

from sim.errors import InputError, Problem, ScenarioError
from sim.results.statistics import CONFIDENCE, Aim, Estimate, each_of
from sim.results.verdict import DRAWS_MATTER, band
from sim.scenario import Scenario
from sim.scenario.changes import variant_in_words
from sim.scenario.overrides import places
from sim.scenario.wording import in_words, readable
from sim.studies.answer import Answer, Column, StudyTable
from sim.studies.cards import Card, Fight, Score
from sim.studies.course import asked
from sim.studies.known_luck import COLUMN, about_tables, best_pilot, estimator, rate_of
from sim.studies.measures import EVERY_MEASURE, Tally, is_share, told_beside, typical_effort
from sim.studies.options import check_options
from sim.studies.points import aim_for, looks_for, remarks_on, scale_of, usual_precision
from sim.studies.pool import Pool
from sim.studies.variants import AnyScenario, as_fight, knob_values, variant
from sim.studies.words import interval, shown
from sim.studies.work import Work, delivered, pool_for

AS_IT_IS = "as it is"  # what the fight itself is called beside other parties
LEVEL_PATHS = ("level", "party_level", "heroes.*.level", "party.*.level")  # where games keep it, tried in this order


def level_path(scenario: Scenario) -> str:
    """The path of the party's level; an InputError that says so where none is found."""
    for path in LEVEL_PATHS:
        if places(scenario.data, path, scenario.ruleset):
            return path
    known = ", ".join(LEVEL_PATHS)
    raise InputError(Problem("level", f"{scenario.name} has none of {known}; say where its level stands with `level`"))


@dataclass(frozen=True, slots=True)
class Climb:
    """Every line from level to level."""

    lines: list[str]  # their names
    levels: list[int]
    scores: list[Score]  # of each line; its fights are the levels, its pairs the steps
    confidence: float
    measure: str = "win_rate"  # what the precision is about, told beside the win rate

    @property
    def each(self) -> float:
        """The confidence that every step needs so that all of them hold together."""
        return each_of((len(self.levels) - 1) * len(self.lines), self.confidence)

    @property
    def breaks(self) -> list[dict[str, Any]]:
        """The steps at which the fight gets harder beyond the noise."""
        found = []
        for name, score in zip(self.lines, self.scores, strict=True):
            for (before, after), pair in zip(pairwise(self.levels), score.pairs, strict=True):
                difference = pair.difference("win_rate", self.each)
                if _harder(difference):
                    found.append({"line": name, "from": before, "to": after, "points": 100 * difference.value})
        return found


def _harder(difference: Estimate) -> bool:
    return difference.known and difference.high < 0


def scale(
    scenario: AnyScenario,
    levels: Sequence[int],
    *,
    level: str | None = None,
    enemy_level: str | None = None,
    enemy_levels: Sequence[int] | None = None,
    parties: Mapping[str, Any] | None = None,
    policies: Sequence[str] = (),
    runs: int | None = None,
    precision: float | None = None,
    measure: str = "win_rate",
    seed: int = 1,
    confidence: float = CONFIDENCE,
    max_runs: int = 200_000,
    **work: Unpack[Work],
) -> Answer:
    """The fight at every level, all levels with the same luck.

    Args:
        levels: of the party, ascending.
        level: the path of the party's level; found by itself in most games.
        enemy_level: the path of the enemies' level, in games that separate the two; it then goes up with the party's.
        enemy_levels: the enemies' level at each of the party's; the same if not given.
        parties: name -> change of the fight (other heroes, other gear); one line each beside the fight as it is, which
            has a line of its own unless one of them is that fight.
        policies: one line each, for every party.
        runs: exactly so many of each point; None plays until the measure is known to the precision.
        precision: points either way (units for measures that are no shares); 1 if not given, along curves 4 or 0.05.
        measure: what the precision is about, and told from level to level beside the win rate.
        work: processes, folder, cluster: see `sim.studies.work.Work`; nothing of it changes the answer.
    """
    base = as_fight(scenario)
    check_options(
        runs=runs, precision=precision, margin=1.0, measure=measure, confidence=confidence, seed=seed, course=True
    )
    ascending = sorted(dict.fromkeys(levels))
    if len(ascending) < 2:
        raise InputError(Problem("levels", f"expected at least two levels, found {list(levels)}"))
    lines = _lines(base, ascending, level, enemy_level, enemy_levels, parties or {}, policies)
    steps = tuple(pairwise(range(len(ascending))))
    cards = [Card(tuple(Fight(fight, seed, asked=asked(measure)) for fight in line), steps) for line in lines.values()]
    with pool_for("scale", [base], seed, work, short_answers=True) as pool:
        wanted = usual_precision(measure) if precision is None else precision
        half_width = wanted / scale_of(measure)
        aim = aim_for(measure, half_width, max_runs)
        climb = Climb(list(lines), ascending, _play(pool, cards, runs, measure, aim), confidence, measure)
        settings = {
            "seed": seed,
            "runs": climb.scores[0].fights[0].runs,
            "precision": None if runs is not None else wanted,
            "measure": None if measure == "win_rate" else measure,
            "confidence": confidence,
            "confidence_of_each_step": climb.each,
            "levels": ascending,
            "level": level or level_path(base),
            "enemy_level": enemy_level,
            "lines": list(lines),
            "parties": {name: variant_in_words(variant(base, change), base) for name, change in (parties or {}).items()}
            or None,
            "interval": "win rates by themselves; steps paired with the same luck, all together (Bonferroni)",
            "interval_of": _estimators(climb),
        }
        answer = _answer(base, climb, settings, None if runs is not None else half_width, pool)
        answer.warnings.extend(_not_as_written(ascending, lines))
        return delivered(answer, pool, work)


def _lines(
    scenario: Scenario,
    levels: list[int],
    level: str | None,
    enemy_level: str | None,
    enemy_levels: Sequence[int] | None,
    parties: Mapping[str, Any],
    policies: Sequence[str],
) -> dict[str, list[Scenario]]:
    """Name -> the fight at every level; all problems at once."""
    if enemy_levels is not None and len(enemy_levels) != len(levels):
        raise InputError(Problem("enemy_levels", f"expected {len(levels)} levels, found {len(enemy_levels)}"))
    lines: dict[str, list[Scenario]] = {}
    problems: list[Problem] = []
    if AS_IT_IS in parties:
        problems.append(Problem(f"parties.{AS_IT_IS}", "is the name of the fight as it is; call the party otherwise"))
    for party, change in _with_the_fight_itself(scenario, parties).items():
        for policy in policies or [""]:
            name = policy if policy and not parties else ", ".join(filter(None, (party, policy)))
            try:
                base = variant(scenario, change, party)
                base = base.changed(policy=policy) if policy else base
                path = level or level_path(base)
                lines[name] = []
                for at, value in enumerate(levels):
                    values = {path: value}
                    if enemy_level is not None:
                        values[enemy_level] = value if enemy_levels is None else enemy_levels[at]
                    lines[name].append(base.changed(values=values))
            except InputError as error:
                problems += error.problems
    if problems:
        raise ScenarioError(list(dict.fromkeys(problems)))
    return lines


def _with_the_fight_itself(scenario: Scenario, parties: Mapping[str, Any]) -> dict[str, Any]:
    """The parties, and before them the fight as it is, unless one of them is just that."""
    for party, change in parties.items():
        with suppress(InputError):  # told when its line is made
            if variant(scenario, change, party).digest == scenario.digest:
                return dict(parties)
    return {AS_IT_IS: scenario, **parties}


def _play(pool: Pool, cards: list[Card], runs: int | None, measure: str, aim: Aim) -> list[Score]:
    """Every line on the same runs, so that levels can be set against each other; each line until it is known."""
    ahead = looks_for(measure, aim.most)
    first = next(ahead)
    scores = pool.play(cards, 0, first if runs is None else min(runs, first))
    if measure == "win_rate" and pool.stopped is None:
        cards = [_with_account(card, score) for card, score in zip(cards, scores, strict=True)]
        pool.seen |= set(cards)  # of these the first runs are known
    if runs is not None:
        if runs <= scores[0].fights[0].runs or pool.stopped is not None:
            return scores
        more = pool.play(cards, scores[0].fights[0].runs, runs)
        return [known + added for known, added in zip(scores, more, strict=True)]
    for look in ahead:
        vague = [at for at, score in enumerate(scores) if _widest(score, measure) > aim.half_width]
        if not vague or pool.stopped is not None:
            break
        more = pool.play_spans([(cards[at], scores[at].fights[0].runs, look) for at in vague])
        for at, score in zip(vague, more, strict=True):
            scores[at] = scores[at] + score
    return scores


def _with_account(card: Card, score: Score) -> Card:
    """The same fights with account kept of the luck, learned at the level that is most even."""
    fights = [fight.scenario for fight in card.fights]
    pilot = best_pilot(zip(fights, score.fights, strict=True))
    return replace(card, fights=tuple(replace(fight, pilot=pilot) for fight in card.fights))


def _widest(score: Score, measure: str) -> float:
    """The margin of the level that is known least, of those of which anything can be known."""
    known = [tally.sharpest(measure) for tally in score.fights]
    return max((one.margin for one in known if one.known), default=0.0)


def _answer(
    scenario: Scenario, climb: Climb, settings: dict[str, Any], half_width: float | None, pool: Pool
) -> Answer:
    breaks = climb.breaks
    return Answer(
        question="scale",
        scenario=scenario,
        verdicts=_verdicts(climb, breaks),
        tables=[_levels_table(climb), _steps_table(climb)],
        settings=settings,
        effort=pool.effort(typical_effort([pair for score in climb.scores for pair in score.pairs], climb.measure)),
        warnings=_warnings(climb, half_width),
        facts={"breaks": breaks},
    )


def _estimators(climb: Climb) -> str:
    """Which rates the precision is about."""
    found = {estimator(tally.adjusted()) for score in climb.scores for tally in score.fights}
    return in_words(sorted(found, reverse=True))


def _levels_table(climb: Climb) -> StudyTable:
    tallies = [tally for score in climb.scores for tally in score.fights]
    measures, beside = told_beside(climb.measure, tallies), about_tables(tallies)
    columns = (
        Column("line", "line"),
        Column("level", "level", "value"),
        Column("runs", "runs", "count"),
        *(Column(name, about.short, about.unit) for name, about in measures.items()),
        *([COLUMN] if beside else []),
    )
    about = f"Win rate of all encounters, the rest per fight.{beside}"
    table = StudyTable("levels", "Level by level", about, columns)
    for name, score in zip(climb.lines, climb.scores, strict=True):
        for value, tally in zip(climb.levels, score.fights, strict=True):
            row: dict[str, Any] = {"line": name, "level": value, "runs": tally.runs}
            row |= {m: tally.estimate(m, climb.confidence) for m in measures}
            table.rows.append(row | ({COLUMN.name: rate_of(tally.adjusted(climb.confidence))} if beside else {}))
    return table


def _steps_table(climb: Climb) -> StudyTable:
    measures = tuple(dict.fromkeys(("win_rate", "rounds", "damage_taken", "heroes_down", climb.measure)))
    columns = (
        Column("line", "line"),
        Column("step", "level"),
        *(Column(name, EVERY_MEASURE[name].short, "points" if is_share(name) else "change") for name in measures),
        Column("break", "gets harder"),
    )
    about = "Each level against the one before, with the same luck; all intervals hold together."
    table = StudyTable("steps", "From level to level", about, columns)
    for name, score in zip(climb.lines, climb.scores, strict=True):
        for (before, after), pair in zip(pairwise(climb.levels), score.pairs, strict=True):
            row: dict[str, Any] = {"line": name, "step": f"{before} → {after}"}
            row |= {measure: pair.difference(measure, climb.each) for measure in measures}
            table.rows.append(row | {"break": "harder" if _harder(row["win_rate"]) else ""})
    return table


def _verdicts(climb: Climb, breaks: list[dict[str, Any]]) -> list[str]:
    sentences = []
    levels = climb.levels
    for name, score in zip(climb.lines, climb.scores, strict=True):
        ends = f"{readable(name)}: {_course(levels, score.fights)}"
        if climb.measure != "win_rate":
            ends += f"; {_ends_of(climb, score)}"
        own = [one for one in breaks if one["line"] == name]
        if not own:
            sentences.append(f"{ends}; no level makes the fight harder beyond the noise.")
            continue
        where = []
        for one in own:
            pair = score.pairs[levels.index(one["from"])]
            where.append(f"level {one['to']} ({interval(pair.difference('win_rate', climb.each), climb.each)})")
        sentences.append(f"{ends}; it gets harder at {', '.join(where)}.")
    return sentences


def _ends_of(climb: Climb, score: Score) -> str:
    """'share decided after round 1 12.1 % (11.0 to 13.2) at level 1, 30.2 % (29.1 to 31.3) at level 9'."""
    known = {
        level: found
        for level, tally in zip(climb.levels, score.fights, strict=True)
        if (found := tally.estimate(climb.measure, climb.confidence)).known
    }
    title = EVERY_MEASURE[climb.measure].title
    if not known:
        return f"{title} cannot be told at any level"
    told = sorted({min(known), max(known)})
    ends = [f"{shown(known[level], climb.measure)} at level {level}" for level in told]
    return f"{title} {in_words(ends)}"


def _course(levels: Sequence[int], fights: Sequence[Tally]) -> str:
    """What a designer wants to know first: where the fight is fair, then its ends, then how much stays undecided."""
    rates = [tally.estimate("win_rate").value for tally in fights]
    fair = [str(level) for level, rate in zip(levels, rates, strict=True) if band(rate).name == "fair"]
    levels_of_it = f"{'level' if len(fair) == 1 else 'levels'} {in_words(fair)}"
    where = f"a fair challenge at {levels_of_it}" if fair else "a fair challenge at no level"
    ends = f"{100 * rates[0]:.1f} % wins at level {levels[0]}, {100 * rates[-1]:.1f} % at level {levels[-1]}"
    drawn = [tally.estimate("draw_rate").value for tally in fights]
    most = max(range(len(drawn)), key=lambda at: drawn[at])
    stuck = f", up to {100 * drawn[most]:.0f} % draws (level {levels[most]})" if drawn[most] > DRAWS_MATTER else ""
    return f"{where}; {ends}{stuck}"


def _warnings(climb: Climb, half_width: float | None) -> list[str]:
    found = remarks_on(climb.measure, [tally for score in climb.scores for tally in score.fights])
    for name, score in zip(map(readable, climb.lines), climb.scores, strict=True):
        widest = _widest(score, climb.measure)
        if half_width is not None and widest > half_width:
            limit, times = f"{name}: {score.fights[0].runs:,} runs were the limit", scale_of(climb.measure)
            unit = "points, " if times == 100 else ""
            what = "win rates are" if climb.measure == "win_rate" else f"{EVERY_MEASURE[climb.measure].title} is"
            found.append(f"{limit}; the {what} known to ±{times * widest:.2f} {unit}not ±{times * half_width:g}.")
        same = [
            f"{before} and {after}"
            for (before, after), pair in zip(pairwise(climb.levels), score.pairs, strict=True)
            if pair.unlike == 0
        ]
        if same:
            found.append(f"{name}: every fight goes exactly the same way at levels {'; '.join(same)}.")
    return found


def _not_as_written(levels: Sequence[int], lines: Mapping[str, Sequence[Scenario]]) -> list[str]:
    """What is not played as it is written at the lowest and at the highest level that has such a thing."""
    found: dict[int, dict[str, None]] = {}
    for line in lines.values():
        for level, fight in zip(levels, line, strict=True):
            for remark in fight.ruleset.remarks(fight.model):
                found.setdefault(level, {})[remark] = None
    ends = sorted({min(found), max(found)}) if found else []
    return [f"Level {level}: {remark}" for level in ends for remark in found[level]]


def levels_from(text: str) -> list[int]:
    """Levels as typed: 1..10, or 1,3,5."""
    values = knob_values(text, text)
    if not all(isinstance(value, int) for value in values):
        raise InputError(Problem("levels", f"expected whole numbers such as 1..10 or 1,3,5, found {text!r}"))
    return [int(value) for value in values]
