"""The answer to `why`: sentences, tables, and the same for programs."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

from sim.core.chance import NOBODY
from sim.core.outcomes import Outcome
from sim.results.statistics import Estimate
from sim.scenario.wording import readable, upper_first
from sim.studies.answer import Answer, Column, Effort, StudyTable
from sim.studies.company import EARLY_FALL, apart, cause_test, features_of
from sim.studies.feel import CLEAR, COMEBACK, EXCITEMENT, LEADS, OUTSIDER, TAIL
from sim.studies.measures import EVERY_MEASURE
from sim.studies.shares import EVER_THE_SAME, share
from sim.studies.why_findings import Findings, Shared

HALF, MOST = 0.5, 0.9  # shares of a fight that people ask for
SIDES = {"party": "the party", "enemy": "the enemies", NOBODY: "nobody (the table)"}
MOST_FEATURES = 15  # rows of what losses have in common
MOST_NAMED = 6  # groups in a sentence; the table has them all
FEW = 50  # fights of the rarer kind, below which shares are known badly
HARDLY = 0.02  # a group whose total share is surely below this hardly matters
NUMBER_WORDS = ("nobody", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine")

MEANINGS = {
    "closeness": "health share left to the winner, on average: the less, the closer it was",
    COMEBACK: f"fights won by a side that once stood below 1 in {OUTSIDER} at the start of a round",
    TAIL: f"rounds played after the chance of winning had first left {100 // CLEAR} to {100 - 100 // CLEAR} %",
    EXCITEMENT: "by how much the chance of winning moves in a fight, all moves added up (1 is once from 0 to 100 %)",
    LEADS: "how often the favourite changes in a fight",
}


UNITS = {"closeness": "%", COMEBACK: "%", TAIL: "%", EXCITEMENT: "per fight", LEADS: "per fight"}


EVENINGS = {  # of an adventure: in this order
    "rounds": "scenes",
    "a round": "a scene",
    "fights": "evenings",
    "a fight": "an evening",
    "fight": "evening",
}


def _told_of(found: Findings, text: str) -> str:
    """A text about fights and their rounds; of an adventure about evenings, whose chances go from scene to scene."""
    for fight, evening in EVENINGS.items() if found.fight.is_adventure else ():
        text = text.replace(fight, evening)
    return text


def answer_of(found: Findings, effort: Effort, precision: float | None, confidence: float) -> Answer:
    """What was found, in words, in tables and for programs."""
    feel = dict(_feel(found, confidence))
    warnings = list(_warnings(found))
    return Answer(
        question="why",
        scenario=found.fight,
        verdicts=list(_verdicts(found, feel, confidence)),
        tables=[
            *(_share_tables(found, confidence) if _undecided(found) else []),
            _feel_table(found, feel),
            _downs_table(found, confidence),
            _losses_table(found, confidence),
        ],
        settings={
            "seed": found.seed,
            "runs": found.runs,
            "precision": precision,
            "curves": 0 if found.curves is None else found.curves.fights + found.curves.over,
            "continuations": found.again,
            "confidence": confidence,
        },
        effort=effort,
        warnings=warnings,
        on_top=contract(found, feel, confidence),
    )


# --------------------------------------------------------------------------------------------------------- for programs


def contract(found: Findings, feel: dict[str, Estimate], confidence: float) -> dict[str, Any]:
    """What scripts read: win_rate, setup, resolution, chance, sides, units, feel."""
    assert found.tally is not None
    win_rate = found.tally.estimate("win_rate", confidence)
    rounds = {end: _ends(share(pair, confidence)) for end, pair in found.rounds.items()}
    return {
        "win_rate": win_rate.value,
        "win_rate_low": win_rate.low,
        "win_rate_high": win_rate.high,
        "setup": rounds.get(0),
        "resolution": [{"round": end} | ends for end, ends in rounds.items() if end],
        "chance": [{"group": name} | _alone_and_total(one, confidence) for name, one in found.groups.items()],
        "sides": [{"side": name} | _alone_and_total(one, confidence) for name, one in found.sides.items()],
        "units": [
            {"unit": actor.name, "side": actor.side} | _alone_and_total(one, confidence)
            for actor, one in found.actors.items()
        ],
        "losses": [
            {key: row[key] for key in ("feature", "losses", "wins")}
            | {"difference": row["difference"].value, "low": row["difference"].low, "high": row["difference"].high}
            for row in _losses_rows(found, confidence)
        ],
        "feel": {
            name: {"value": one.value, "low": one.low, "high": one.high, "bias": _bias(found, name)}
            for name, one in feel.items()
        },
    }


def _ends(estimate: Estimate) -> dict[str, float]:
    return {"share": estimate.value, "low": estimate.low, "high": estimate.high}


def _alone_and_total(one: Shared, confidence: float) -> dict[str, float]:
    total = one.total(confidence)
    ends = {"total": total.value, "total_low": total.low, "total_high": total.high}
    return _ends(one.alone(confidence)) | ends


# ------------------------------------------------------------------------------------------------------------- in words


def _verdicts(found: Findings, feel: dict[str, Estimate], confidence: float) -> Iterator[str]:
    assert found.tally is not None
    if not _undecided(found):
        rate = found.tally.estimate("win_rate", confidence)
        how = "" if not rate.known else f" (the party wins {100 * rate.value:.0f} %)"
        yield f"Chance decides nothing here: {EVER_THE_SAME} in {found.runs:,} runs{how}."
        return
    few = _few_of_a_kind(found)
    if few:
        yield few
    yield _when_decided(found, confidence)
    yield from _which_draws(found, confidence)
    yield _whose_luck(found, confidence)
    yield from _how_it_feels(found, feel)
    yield from _in_losses(found, confidence)


def _few_of_a_kind(found: Findings) -> str:
    """That everything below rests on a few fights, where it does; nothing where there are enough."""
    assert found.tally is not None
    encounters, wins = found.tally.encounters, found.tally.ended[Outcome.WIN]
    rarer = min(wins, encounters - wins)
    if rarer >= FEW:
        return ""
    kind = "wins" if rarer == wins else _told_of(found, "fights that were not won")
    return f"With only {rarer} {kind} in {encounters:,} what follows is a first guess; the intervals say how rough."


def _when_decided(found: Findings, confidence: float) -> str:
    """'Half decided after round 2, nine tenths after round 5 of 6.4.'"""
    assert found.endings is not None
    shares = {end: share(pair, confidence).value for end, pair in found.rounds.items()}
    what, step = ("an evening", "scene") if found.fight.is_adventure else ("a fight", "round")
    length = f"; {what} lasts {found.endings.mean_rounds:.1f} rounds on average."
    half, most = (next((end for end, value in shares.items() if value >= part), None) for part in (HALF, MOST))
    last = f"{_percent(max(shares.values()))} {_after(max(shares), step)}"
    if half is None:
        return f"Open for long: {last}{length}"
    if half == most:
        return f"Nine tenths decided {_after(half, step)}{length}"
    end = last if most is None else f"nine tenths {_after(most, step)}"
    return f"Half decided {_after(half, step)}, {end}{length}"


def _after(end: int, step: str) -> str:
    return f"after {step} {end}" if end else f"before the first {step}"


def _which_draws(found: Findings, confidence: float) -> Iterator[str]:
    ranked = sorted(found.groups.items(), key=lambda entry: -entry[1].total(confidence).value)
    drawn = [(name, one) for name, one in ranked if not one.idle]
    first = [f"{name} ({_both(one, confidence)})" for name, one in drawn[:3]]
    if first:
        yield f"What decides it: {_listed(first)}; in all counts what they do together with other draws."
    hardly = [name for name, one in drawn if one.total(confidence).high < HARDLY]
    if hardly:
        yield f"Hardly matters (below {_percent(HARDLY)} in all): {_listed(hardly)}."
    if never := [name for name, one in ranked if one.idle]:
        more = [f"{len(never) - MOST_NAMED} more"] if len(never) > MOST_NAMED else []
        yield f"Never matters here: {_listed(never[:MOST_NAMED] + more)}."


def _whose_luck(found: Findings, confidence: float) -> str:
    sides = [f"{SIDES[name]} ({_both(one, confidence)})" for name, one in found.sides.items() if not one.idle]
    ranked = sorted(found.actors.items(), key=lambda entry: -entry[1].total(confidence).value)
    told = f"Whose luck: {_listed(sides)}."
    if not ranked or ranked[0][1].idle:
        return told
    actor, most = ranked[0]
    return f"{told} Of single units most: {readable(actor.name)} ({_both(most, confidence)})."


def _how_it_feels(found: Findings, feel: dict[str, Estimate]) -> Iterator[str]:
    close = feel["closeness"]
    if close.known:
        yield f"The winner has {_percent(close.value)} of its health left on average. {_who_went_down(found)}"
    if TAIL in feel and feel[TAIL].known:
        tail, comeback = _percent(feel[TAIL].value), _percent(feel[COMEBACK].value)
        moved = 100 * feel[EXCITEMENT].value
        yield (
            f"{tail} of all {_told_of(found, 'rounds')} are played when it is already clear; in {comeback} of the "
            f"{_told_of(found, 'fights')} the winner's chance had once been below 1 in {OUTSIDER}; the chance of "
            f"winning moves by {moved:.0f} points in all, and the favourite changes {feel[LEADS].value:.1f} times."
        )


def _who_went_down(found: Findings) -> str:
    """'Nobody goes down in 40 % of fights, one hero in 31 %, all but one in 6 %.'"""
    assert found.endings is not None
    heroes = len(found.endings.downs) - 1
    parts = [f"Nobody goes down in {_percent(found.endings.went_down(0).value)} of {_told_of(found, 'fights')}"]
    if heroes > 1:
        parts.append(f"one hero in {_percent(found.endings.went_down(1).value)}")
    if heroes > 2:
        parts.append(f"all but one in {_percent(found.endings.went_down(heroes - 1).value)}")
    return ", ".join(parts) + "."


def _in_losses(found: Findings, confidence: float) -> Iterator[str]:
    """What keeps company with losing, the strongest first."""
    rows = [row for row in _losses_rows(found, confidence) if row["difference"].low > 0]
    early = [row for row in rows if row["feature"].startswith(EARLY_FALL)]
    rows = [row for row in rows if row not in early[1:]]  # one of them says it
    parts = [
        f"{row['feature']} ({_percent(row['losses'])} of losses, {_percent(row['wins'])} of wins)" for row in rows[:3]
    ]
    if parts:
        yield f"Losses keep company with this, which need not be their cause: {_listed(parts)}."


def _warnings(found: Findings) -> Iterator[str]:
    assert found.tally is not None
    encounters, wins = found.tally.encounters, found.tally.ended[Outcome.WIN]
    rarer = min(wins, encounters - wins)
    if 0 < rarer < FEW:
        which = "won" if rarer == wins else "not won"
        yield (
            f"Only {rarer} of {encounters:,} {_told_of(found, 'fights')} were {which}: the shares say what decides "
            "these few, and are known badly. More --runs help."
        )
    if found.curves is not None and found.again < 100:
        yield f"With {found.again} continuations chance itself looks like drama; see the column 'too much by'."


def _both(one: Shared, confidence: float) -> str:
    return f"{_percent(one.alone(confidence).value)} alone, {_percent(one.total(confidence).value)} in all"


def _percent(value: float) -> str:
    return f"{100 * value:.0f} %"


def _listed(parts: list[str]) -> str:
    return parts[0] if len(parts) == 1 else ", ".join(parts[:-1]) + (" and " if parts[:-1] else "") + parts[-1]


# ------------------------------------------------------------------------------------------------------------ in tables


def _undecided(found: Findings) -> bool:
    """Whether there is anything for chance to decide."""
    return any(share(pair).known for pair in found.rounds.values())


def _share_tables(found: Findings, confidence: float) -> list[StudyTable]:
    """When, by which draws, and by whose luck it is decided."""
    return [
        _rounds_table(found, confidence),
        _shares_table("chance", "Which dice or cards decide", "group", found.groups, confidence),
        _sides_table(found, confidence),
        _units_table(found, confidence),
    ]


def _rounds_table(found: Findings, confidence: float) -> StudyTable:
    step = "scene" if found.fight.is_adventure else "round"
    about = f"Share of the outcome that is decided when a {step} is over: what the luck up to there alone decides."
    columns = (Column("round", f"after {step}"), Column("share", "decided, %", "share"))
    rows: list[dict[str, Any]] = [
        {"round": end if end else "the start", "share": share(pair, confidence)} for end, pair in found.rounds.items()
    ]
    return StudyTable("resolution", "When is it decided", about, columns, rows)


def _shares_table(name: str, title: str, what: str, sets: dict[str, Shared], confidence: float) -> StudyTable:
    about = "Alone: what these draws decide by themselves. In all: with what they do together with other draws."
    columns = (Column(what, what), Column("share", "alone, %", "share"), Column("total", "in all, %", "share"))
    ranked = sorted(sets.items(), key=lambda entry: (entry[1].idle, -entry[1].total(confidence).value))
    rows: list[dict[str, Any]] = [
        {what: key, "share": one.alone(confidence), "total": one.total(confidence)}
        for key, one in ranked
        if not one.idle
    ]
    rows += [{what: key, "share": "never", "total": "never"} for key, one in ranked if one.idle]
    return StudyTable(name, title, about, columns, rows)


def _sides_table(found: Findings, confidence: float) -> StudyTable:
    named = {SIDES[name]: one for name, one in found.sides.items()}
    return _shares_table("sides", "Whose luck, by side", "side", named, confidence)


def _units_table(found: Findings, confidence: float) -> StudyTable:
    about = (
        "The draws that a unit asks for. A blow is asked for by one of the two, in most games by whoever strikes; a "
        "deck of cards is nobody's."
    )
    columns = (
        Column("unit", "unit"),
        Column("side", "side"),
        Column("share", "alone, %", "share"),
        Column("total", "in all, %", "share"),
    )
    ranked = sorted(found.actors.items(), key=lambda entry: (entry[1].idle, -entry[1].total(confidence).value))
    rows: list[dict[str, Any]] = []
    for actor, one in ranked:
        shares = {"share": one.alone(confidence), "total": one.total(confidence)}
        rows.append(
            {"unit": actor.name, "side": actor.side} | (shares if not one.idle else dict.fromkeys(shares, "never"))
        )
    return StudyTable("units", "Whose luck, unit by unit", about, columns, rows)


def _feel(found: Findings, confidence: float) -> Iterator[tuple[str, Estimate]]:
    """Every measure of how it feels."""
    assert found.endings is not None
    yield "closeness", found.endings.closeness(confidence)
    if found.curves is not None:
        for name in (COMEBACK, TAIL, EXCITEMENT, LEADS):
            yield name, found.curves.estimate(name, found.again, confidence)


def _bias(found: Findings, name: str) -> float | None:
    """What a measure shows too much for want of continuations; None where it does not rest on them."""
    if found.curves is None or name == "closeness":
        return None
    bias = found.curves.bias(name, found.again)
    return None if math.isnan(bias) else round(bias, 4)


def _feel_table(found: Findings, feel: dict[str, Estimate]) -> StudyTable:
    curves = 0 if found.curves is None else found.curves.fights
    about = (
        f"Closeness from {found.runs:,} runs, the rest from {curves} along which the chance of winning was followed by "
        f"{found.again} continuations {_told_of(found, 'a round')}. Too much by: the most that is owed to their finite "
        "number, about."
    )
    columns = (
        Column("measure", "measure"),
        Column("value", "value", "by measure"),
        Column("bias", "too much by", "by measure"),
        Column("unit", "in"),
        Column("meaning", "what it says"),
    )
    of_scenes = found.fight.is_adventure  # a page would give a measure the title that it has in a fight
    rows: list[dict[str, Any]] = [
        {
            "measure": _told_of(found, EVERY_MEASURE[name].title) if of_scenes else name.replace("_", " "),
            "value": one,
            "bias": _bias(found, name),
            "unit": _told_of(found, UNITS[name]),
            "meaning": _told_of(found, MEANINGS[name]),
        }
        for name, one in feel.items()
    ]
    return StudyTable("feel", "How does it feel", about, columns, rows)


def _downs_table(found: Findings, confidence: float) -> StudyTable:
    assert found.endings is not None
    columns = (Column("heroes", "heroes that went down"), Column("share", _told_of(found, "of the fights, %"), "share"))
    names = [
        NUMBER_WORDS[number] if number < len(NUMBER_WORDS) else str(number)
        for number in range(len(found.endings.downs))
    ]
    rows: list[dict[str, Any]] = [
        {"heroes": name, "share": found.endings.went_down(number, confidence)} for number, name in enumerate(names)
    ]
    return StudyTable("downs", "How many went down", _told_of(found, "At some time of the fight."), columns, rows)


def _losses_rows(found: Findings, confidence: float) -> list[dict[str, Any]]:
    """Everything that is more or less frequent in losses than in wins beyond the noise, the strongest first."""
    ends = found.endings
    assert ends is not None
    if min(ends.wins, ends.losses) < FEW:
        return []
    rows: list[dict[str, Any]] = []
    for feature, lost, won in zip(features_of(found.fight.encounter().cast), ends.in_losses, ends.in_wins, strict=True):
        difference = apart(lost, ends.losses, won, ends.wins, confidence)
        if difference.low > 0 or difference.high < 0:
            test = cause_test(found.fight, feature.ability) if feature.ability else ""
            shares = {"losses": lost / ends.losses, "wins": won / ends.wins}
            rows.append({"feature": feature.text} | shares | {"difference": difference, "test": test})
    return sorted(rows, key=lambda row: -abs(row["difference"].value))


def _losses_table(found: Findings, confidence: float) -> StudyTable:
    about = (
        f"How often something is so in {_told_of(found, 'fights')} that were not won, and in wins: company, not cause. "
        f"{upper_first(_told_of(found, 'a fight'))} that goes badly brings heroes down as much as the other way round. "
        "The last column, if there is one, tests a cause."
    )
    columns: tuple[Column, ...] = (
        Column("feature", "what"),
        Column("losses", "in losses", "share"),
        Column("wins", "in wins", "share"),
        Column("difference", "apart", "points"),
        Column("test", "test it"),
    )
    rows = _losses_rows(found, confidence)[:MOST_FEATURES]
    if not any(row["test"] for row in rows):
        columns = columns[:-1]
    return StudyTable("losses", "What losses have in common", about, columns, rows)
