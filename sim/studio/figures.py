"""A fight as it stands now: in words, bars and tables."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime

from sim.core.outcomes import Outcome
from sim.report.result_tables import damage_table, downs_table, fight_table
from sim.report.table import Table
from sim.results.result import Provenance, Result
from sim.results.sequences import rate_sequence
from sim.results.statistics import CONFIDENCE, Estimate
from sim.results.verdict import counted, decimals, headline, percent, price, why_undecided
from sim.scenario import Scenario
from sim.scenario.changes import changes_in_words
from sim.studies.measures import MEASURES, RATES
from sim.studies.words import interval, verdict
from sim.studio.address import Address, Kept
from sim.studio.playing import MARGIN, Comparing, Watching, watched_rate

_NAMES = {
    "win": Outcome.WIN,
    "draw": Outcome.DRAW,
    "loss": Outcome.LOSS,
    "avoided": Outcome.AVOIDED,
    "turned back": Outcome.TURNED_BACK,
}
_PICKS = {
    "median": "a typical fight",
    "best": "the best for the party",
    "worst": "the worst for the party",
    "closest": "the closest win",
    "loss": "a typical loss",
    "draw": "a typical draw",
}


@dataclass(frozen=True, slots=True)
class Bar:
    """A share of the encounters."""

    name: str
    value: float  # percent
    low: float
    high: float
    text: str  # '64.5 %'
    span: str  # '63.0 to 65.9'


@dataclass(frozen=True, slots=True)
class Tile:
    """One of the large numbers."""

    value: str
    unit: str
    label: str


@dataclass(frozen=True, slots=True)
class Pick:
    """A run worth looking at."""

    run: int
    label: str


@dataclass(frozen=True, slots=True)
class News:
    """What is known of a fight now."""

    verdict: str
    price: str
    state: str  # 'resting', 'playing'
    told: str  # how far it is
    bars: tuple[Bar, ...] = ()
    tiles: tuple[Tile, ...] = ()
    warnings: tuple[str, ...] = ()
    tables: tuple[Table, ...] = ()
    picks: tuple[Pick, ...] = ()
    problem: str = ""


def news_of(watching: Watching, scenario: Scenario, precision: float) -> News:
    """What is known of a fight now, for somebody who asks for this precision."""
    if watching.summary is None or watching.cast is None:
        return News("", "", "playing", "The first fights are being played …", problem=watching.problem)
    summary, resting = watching.summary, watching.rests_at(precision)
    result = result_of(watching, scenario)
    why = why_undecided(summary, watching.cast, scenario.ruleset.against_draws)
    bars = tuple(
        bar_of(name, watched_rate(summary, outcome))
        for name, outcome in _NAMES.items()
        if outcome not in (Outcome.AVOIDED, Outcome.TURNED_BACK) or summary.ended(outcome)
    )
    return News(
        verdict=" ".join(filter(None, [headline(summary, rate_sequence, bool(watching.cast.kinds)), why])),
        price=price(summary, watching.cast),
        state="resting" if resting else "playing",
        told=_told(watching, precision, resting),
        bars=bars if summary.encounters else (),
        tiles=_tiles(result),
        warnings=tuple(caution.text for caution in result.warnings if resting),
        tables=tuple(table for table in (fight_table(result), downs_table(result), damage_table(result)) if table.rows),
        picks=tuple(Pick(run, _PICKS[name]) for name, run in result.picks.items() if name in _PICKS),
        problem=watching.problem,
    )


def result_of(watching: Watching, scenario: Scenario) -> Result:
    """The result of what was played so far: the same that `fairfight run --runs n` gives."""
    assert watching.summary is not None
    assert watching.cast is not None
    provenance = Provenance(
        seed=watching.seed,
        asked_runs=watching.runs,
        precision=None,
        reached=True,
        stopped=False,
        jobs=watching.crew.size,
        started=datetime.now(UTC).isoformat(timespec="seconds"),
        elapsed_s=watching.seconds,
        peak_memory_bytes={},
        command=None,
    )
    return Result(scenario, watching.cast, watching.summary, provenance)


def bar_of(name: str, share: Estimate) -> Bar:
    """A share as a bar."""
    if not share.known:
        return Bar(name, 0, 0, 100, "–", "nothing played yet")
    low, high = percent(share.low, share.margin), percent(share.high, share.margin)
    value = percent(share.value, share.margin)
    return Bar(name, 100 * share.value, 100 * share.low, 100 * share.high, f"{value} %", f"{low} to {high} %")


def _told(watching: Watching, precision: float, resting: bool) -> str:
    played = counted(watching.runs, "evening" if watching.scenario.is_adventure else "fight")
    win = watching.win_rate
    if win is None or not win.known:
        return f"{played} played."
    reach = f"known to ±{100 * win.margin:.{1 if win.margin >= 0.01 else 2}f} points"
    if watching.known(precision):
        return f"Resting: {played} played, the win rate is {reach}."
    if resting:
        return f"Resting: {played} were the limit, the win rate is {reach}, not to ±{precision:g}."
    return f"Playing: {played} so far, the win rate is {reach}; it goes on to ±{precision:g}."


def _tiles(result: Result) -> tuple[Tile, ...]:
    rounds, left, nobody = result.ending("rounds"), result.ending("party_hp", "win"), result.nobody_down()
    tiles = []
    if rounds.known:
        tiles.append(Tile(decimals(rounds), "rounds", "a fight lasts"))
    if left.known:
        tiles.append(Tile(decimals(left), "hit points", "left to the party after a win"))
    if nobody.known:
        tiles.append(Tile(percent(nobody.value, nobody.margin), "%", "of fights see nobody go down"))
    return tuple(tiles)


# ------------------------------------------------------------------------------------------------------------- compare


@dataclass(frozen=True, slots=True)
class Versus:
    """B against A."""

    name: str  # of A
    verdict: str
    told: str
    rows: tuple[tuple[str, str], ...] = ()  # what differs, and by how much
    problem: str = ""


def versus_of(comparing: Comparing, baseline: Kept) -> Versus:
    """What is known of this fight against A."""
    if comparing.pair is None:
        return Versus(baseline.name, "", "The first pairs are being played …", problem=comparing.problem)
    pair = comparing.pair
    difference = comparing.difference()
    said = verdict("This fight", pair, difference, MARGIN, CONFIDENCE, "win_rate")
    if comparing.decided:
        told = f"Decided after {counted(pair.runs, 'pair')} of fights with the same luck."
    else:
        told = f"{counted(pair.runs, 'pair')} of fights with the same luck so far."
    rows = tuple(
        (about.title, interval(comparing.difference(name), CONFIDENCE, name))
        for name, about in MEASURES.items()
        if name in RATES or comparing.difference(name).known
    )
    return Versus(baseline.name, said, told, rows, comparing.problem)


@dataclass(frozen=True, slots=True)
class KeptRow:
    """A variant in the list."""

    place: int
    name: str
    changes: str
    bar: Bar | None
    is_a: bool
    open_query: str  # the address that shows it
    problem: str = ""


def kept_row(address: Address, place: int, scenario: Scenario | None, watching: Watching | None) -> KeptRow:
    """A variant that was kept, with what is known of it."""
    kept = address.kept[place]
    there = address.changed(kept.variant).query
    if scenario is None or watching is None:
        return KeptRow(place, kept.name, "", None, place == address.against, there, "cannot be opened any more")
    changes = "; ".join(changes_in_words(scenario)) or "as the file says"
    if kept.variant.fight != address.variant.fight:
        changes = f"{scenario.title}: {changes}"
    win = watching.win_rate
    bar = None if win is None else bar_of("win", win)
    return KeptRow(place, kept.name, changes, bar, place == address.against, there, watching.problem)
