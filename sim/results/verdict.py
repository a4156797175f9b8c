"""What the numbers say, in words: how hard the fight is, and what looks off.

The bands are ours, made for games in which the players are meant to win most of the time and to feel the risk;
docs/reading-a-report.md shows them as a table. A win rate is put in a band by its estimate; when its interval reaches
into a neighbouring band, the sentence says so.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeAlias

from sim.core.outcomes import Cast, Outcome
from sim.results.adjusted import Adjusted
from sim.results.statistics import CONFIDENCE, Estimate, mean, rate
from sim.results.summary import FIGHTS, Summary
from sim.scenario.wording import in_words, readable

RateOf: TypeAlias = Callable[[int, int], Estimate]  # successes and runs -> a rate with its interval


@dataclass(frozen=True, slots=True)
class Band:
    """A range of win rates and what to call it."""

    least: float  # win rates from here up to the next band
    name: str
    meaning: str  # completes the sentence "The party wins ... of its fights: ..."


BANDS = (
    Band(0.00, "hopeless", "hopeless for the party"),
    Band(0.05, "deadly", "deadly, only luck saves the party"),
    Band(0.15, "hard", "hard, the party is the underdog"),
    Band(0.35, "even", "an even fight that could go either way"),
    Band(0.65, "fair", "a fair challenge that the party should win"),
    Band(0.85, "easy", "easy, the party is rarely in danger of losing"),
    Band(0.95, "far too easy", "far too easy for a fair fight"),
)


TOO_WIDE = 0.5  # an interval that names no band: half of all win rates lie in it
DRAWS_MATTER = 0.03  # from this share on, fights that nobody wins are part of what a fight is
OPEN_ENDS = {"fought": Outcome.AVOIDED, "decided": Outcome.DRAW}  # what an encounter is that does not end so


def band(win_rate: float) -> Band:
    """The band of a win rate."""
    return next(band for band in reversed(BANDS) if win_rate >= band.least)


def percent(share: float, margin: float = 0.0) -> str:
    """A share in percent, with as many decimals as its margin deserves.

    >>> percent(0.98574, 0.003), percent(0.99987, 0.0001), percent(0.5, 0.2)
    ('98.6', '99.99', '50')
    """
    decimals = 0 if margin >= 0.02 else 2 if 0 < margin < 0.0005 else 1
    return f"{100 * share:.{decimals}f}"


def counted(number: int, what: str) -> str:
    """A number of things.

    >>> counted(1, "run"), counted(1200, "run")
    ('1 run', '1,200 runs')
    """
    return f"{number:,} {what}" if number == 1 else f"{number:,} {what}s"


_OTHER_ENDS = {
    "loses": Outcome.LOSS,
    "draws": Outcome.DRAW,
    "avoids": Outcome.AVOIDED,
    "turns back on": Outcome.TURNED_BACK,
}


def headline(summary: Summary, rate: RateOf = rate, evening: bool = False) -> str:
    """The first sentence of every report: how often the party wins, loses and draws, and what that means.

    Whoever watches the runs come in gives another `rate`, whose intervals are valid all the time.
    """
    if summary.encounters == 0:
        return f"There was nobody to fight in any of {counted(summary.runs, 'run')}."
    win = rate(summary.ended(Outcome.WIN), summary.encounters)
    what = "evenings" if evening else "encounters" if summary.ended(Outcome.AVOIDED) else "fights"
    interval = f"{percent(win.low, win.margin)} to {percent(win.high, win.margin)}"
    others = [
        f"{verb} {_share(summary, outcome)}"
        for verb, outcome in _OTHER_ENDS.items()
        if outcome in (Outcome.LOSS, Outcome.DRAW) or summary.ended(outcome)
    ]
    verb = "comes through" if evening else "wins"
    wins = f"{verb} {percent(win.value, win.margin)} % of {what} ({100 * CONFIDENCE:.0f} % interval {interval})"
    return f"The party {wins}, {in_words(others)}: {_meaning(summary, rate)}."


def adjusted(found: Adjusted) -> str:
    """The win rate with the known luck taken out, and what that is worth.

    >>> adjusted(Adjusted(Estimate(0.6412, 0.6312, 0.6512, 9000), 2.13))
    'With the known luck of dice and cards taken out: 64.1 % (63.1 to 65.1), as sharp as 2.1 times as many runs.'
    """
    win = found.rate
    ends = f"{percent(win.low, win.margin)} to {percent(win.high, win.margin)}"
    known = f"With the known luck of dice and cards taken out: {percent(win.value, win.margin)} % ({ends})"
    return f"{known}, as sharp as {found.gain:.1f} times as many runs."


def _share(summary: Summary, outcome: Outcome) -> str:
    """How many encounters end so: 'none', or a share, rounded as the win rate is wherever it is said."""
    number = summary.ended(outcome)
    if number == 0:
        return "none"
    text = percent(number / summary.encounters, rate(summary.ended(Outcome.WIN), summary.encounters).margin)
    return f"{text} %" if float(text) else f"less than {'0.1' if '.' in text else '1'} %"


def _meaning(summary: Summary, rate: RateOf) -> str:
    """What the shares mean together: where many encounters are not decided, the band is that of the others.

    A win rate alone would call a fight hard in which the party never loses and a quarter is never decided.
    """
    left_out = [said for said, outcome in OPEN_ENDS.items() if matters(summary, outcome)]
    if not left_out:
        return _place(rate(summary.ended(Outcome.WIN), summary.encounters))
    decided = summary.ended(Outcome.WIN, Outcome.LOSS)
    if not decided:
        return "nobody ever wins or loses"
    won = rate(summary.ended(Outcome.WIN), decided)
    share = {0.0: "none", 1.0: "all"}.get(won.value, f"{percent(won.value, won.margin)} %")
    return f"of those that are {in_words(left_out)} the party wins {share}, {_place(won)}"


def matters(summary: Summary, outcome: Outcome) -> bool:
    """Whether so many encounters end in this way that a verdict without it would mislead."""
    return summary.ended(outcome) > DRAWS_MATTER * summary.encounters


def why_undecided(summary: Summary, cast: Cast, remedy: str) -> str:
    """Who could not finish whom, and what would end it; empty where draws are few."""
    if not matters(summary, Outcome.DRAW):
        return ""
    return f"{_share(summary, Outcome.DRAW)} reach the round cap: {_who_was_left(summary, cast)}. {remedy}"


def _who_was_left(summary: Summary, cast: Cast) -> str:
    """Who could not finish whom: the unit of either side that is most often still there at the end of a draw."""
    alive = summary.present[:, Outcome.DRAW] - summary.dead[:, Outcome.DRAW]  # (units,)

    def left(side: str) -> str:
        row = max((row for row, unit in enumerate(cast.units) if unit.side == side), key=lambda row: int(alive[row]))
        share = int(alive[row]) / summary.ended(Outcome.DRAW)
        return f"{readable(cast.units[row].name)} ({'always' if share == 1 else f'in {percent(share, 0.02)} %'})"

    return f"still there are most often {left('party')} and {left('enemy')}"


def _place(win: Estimate) -> str:
    """The band of a win rate in words, and the neighbouring band that its interval reaches into."""
    if win.high - win.low > TOO_WIDE:
        return "too few fights yet to say what kind of fight this is"
    lowest, highest, here = band(win.low), band(win.high), band(win.value)
    return here.meaning + ("" if lowest is highest else f" (on the edge to {_other(lowest, highest, here).name})")


def _other(lowest: Band, highest: Band, here: Band) -> Band:
    return lowest if here is highest else highest


def price(summary: Summary, cast: Cast) -> str:
    """The second sentence: how long it takes and what it costs; empty if nobody fought."""
    if summary.ended(*FIGHTS) == 0:
        return ""
    rounds = mean(*summary.endings.sums("rounds", FIGHTS))
    nobody = rate(int(summary.fallen[0, list(FIGHTS)].sum()), summary.ended(*FIGHTS))
    lasts = decimals(rounds)
    what = "An evening" if cast.kinds else "A fight"
    parts = [f"{what} lasts {lasts} {'round' if lasts == '1' else 'rounds'}"]
    left = mean(*summary.endings.sums("party_hp", [Outcome.WIN]))
    if left.known:
        parts.append(f"a won one leaves the party {_hit_points(left, cast)}")
    down = Estimate(1 - nobody.value, 1 - nobody.high, 1 - nobody.low, nobody.n)
    parts.append(f"somebody goes down in {percent(down.value, down.margin)} %")
    return "; ".join(parts) + "."


def _hit_points(left: Estimate, cast: Cast) -> str:
    most = [cast.units[row].max_hp for row in cast.party]
    known = [hp for hp in most if hp is not None]
    if len(known) < len(most) or not sum(known):
        return f"{decimals(left)} hit points"
    return f"{decimals(left)} of its {sum(known)} hit points"


def decimals(number: Estimate) -> str:
    """A number with as many decimals as its margin deserves.

    >>> decimals(Estimate(3.14159, 3.10, 3.18, 500)), decimals(Estimate(250.4, 230.0, 270.8, 9))
    ('3.14', '250')
    """
    return f"{number.value:.{places(number)}f}"


def places(number: Estimate) -> int:
    """How many decimals a number deserves: up to the first digit that its margin leaves in doubt, at most three."""
    margin = number.margin
    if not margin > 0:  # no interval, or the same in every run
        return 0 if float(number.value).is_integer() else 2
    shown = 0
    while shown < 3 and margin * 10**shown < 0.95:
        shown += 1
    return shown


STALEMATE = "stalemate"  # the count by which a game names its stalemates
LEFT_OUT = "ignored"  # the count by which a game names enemies for whom there was no place


@dataclass(frozen=True, slots=True)
class Caution:
    """Something that looks off and that a designer should know before trusting the numbers."""

    code: str  # for programs: round_cap, never_used, never_acted, ...
    text: str  # for people

    def __str__(self) -> str:
        return self.text


def cautions(summary: Summary, cast: Cast) -> list[Caution]:
    """What looks off in the sums of a fight."""
    found = []
    encounters = summary.encounters
    if encounters == 0:
        return [Caution("nobody_to_fight", "There was nobody to fight in any run, so there is no win rate.")]
    if empty := summary.ended(Outcome.EMPTY):
        of_all = f"{empty:,} of {counted(summary.runs, 'run')} ({percent(empty / summary.runs)} %)"
        found.append(Caution("empty", f"{of_all} had nobody to fight; no rate counts them."))
    if draws := summary.ended(Outcome.DRAW):
        of_all = f"{draws:,} of {counted(encounters, 'encounter')} ({_share(summary, Outcome.DRAW)})"
        meaning = "counts as a draw" if draws == 1 else "count as draws"
        ended = f"reached the round cap and {meaning}: neither side could end the fight in time."
        found.append(Caution("round_cap", f"{of_all} {ended}"))
        found += _stalemates(summary, cast, draws)
    if encounters < 200:
        were = "was" if encounters == 1 else "were"
        only = f"Only {counted(encounters, 'encounter')} {were} played: every interval is wide."
        found.append(Caution("few_runs", only))
    found += _without_a_place(summary, cast)
    found += _idle(summary, cast)
    return found


def _without_a_place(summary: Summary, cast: Cast) -> list[Caution]:
    """Enemies that a game had to leave out: it counts them under that name."""
    if LEFT_OUT not in cast.counts:
        return []
    row = 1 + list(cast.counts).index(LEFT_OUT)  # xp is the first row
    left_out = int(summary.counts.total[row].sum())
    if not left_out:
        return []
    per_fight = f"{left_out / summary.encounters:.2g} per fight"
    return [Caution(LEFT_OUT, f"Some enemies were left out: {cast.counts[LEFT_OUT]}, {per_fight}.")]


def _stalemates(summary: Summary, cast: Cast, draws: int) -> list[Caution]:
    """Draws that a game knows to be stalemates: it counts them under that name."""
    if STALEMATE not in cast.counts:
        return []
    row = 1 + list(cast.counts).index(STALEMATE)  # xp is the first row
    stale = int(summary.counts.total[row].sum())
    if not stale:
        return []
    run = summary.picks().get("draw")
    meaning = cast.counts[STALEMATE].removeprefix("stalemates: ")
    if draws == 1:
        which = f"This draw is a stalemate ({meaning})"
    else:
        are = "is a stalemate" if stale == 1 else "are stalemates"
        which = f"{'All' if stale == draws else f'{stale:,}'} of these {draws:,} draws {are} ({meaning})"
    return [Caution("stalemate", f"{which}; run {run} is a draw to replay.")]


def _idle(summary: Summary, cast: Cast) -> list[Caution]:
    """Units that never did anything, and abilities of their own that those who did left unused."""
    found = []
    unused = []
    appeared = summary.present[:, list(FIGHTS)].sum(axis=1)
    uses = summary.ability_sums("uses").total.sum(axis=1)
    did = summary.unit_sums("damage_dealt").total.sum(axis=1) + summary.unit_sums("healing").total.sum(axis=1)
    for row, unit in enumerate(cast.units):
        who = readable(unit.name)
        own = [at for at, ability in enumerate(cast.abilities) if ability.unit == row]
        if not appeared[row]:
            found.append(Caution("never_appeared", f"{who} took part in no fight."))
        elif not did[row] and not any(uses[at] for at in own):
            fights = counted(int(appeared[row]), "fight")
            found.append(Caution("never_acted", f"{who} took part in {fights} and never acted."))
        elif idle := [cast.abilities[at].name for at in own if not uses[at] and not cast.abilities[at].common]:
            unused.append(f"{who}: {', '.join(map(readable, idle))}")
    if unused:
        found.append(Caution("never_used", f"Abilities that were never used: {'; '.join(unused)}."))
    return found
