"""What `improve` has to say: the verdicts and warnings of a search for better play, in words."""

from __future__ import annotations

from sim.results.statistics import Estimate
from sim.scenario.wording import readable
from sim.studies.answer import StudyTable
from sim.studies.enemy_side import EnemySide
from sim.studies.fresh_test import Tested
from sim.studies.measures import RATES, SELDOM, Tally
from sim.studies.party_side import PartySide
from sim.studies.policy_search import Search
from sim.studies.sides import room_left
from sim.studies.words import interval, points, shown

SMALL = 0.1  # of the win rate: so little left is worth a sentence
AnySide = PartySide | EnemySide


def verdicts(search: Search, side: AnySide, tested: Tested, gain: Estimate | None, confidence: float) -> list[str]:
    """Whether something better was found, step by step what; or that there was nothing, and how much there can be."""
    if gain is not None and gain.low > 0:
        each = zip(tested.steps, tested.each, strict=False)
        steps = [
            f"{number}. {step.words}: {interval(pair.difference('win_rate', confidence), confidence)}."
            for number, (step, pair) in enumerate(each, start=1)
        ]
        return [_found(side, tested, gain), *steps, *_what_is_left(tested.tallies[-1], side, confidence)]
    before = ended(tested.tallies[0])
    if isinstance(side, EnemySide) and not side.has_choices:
        leaves = f"The rules of {search.base.ruleset.title} leave the enemies of this fight nothing to choose"
        return [f"{leaves}: there is nothing to look for ({before})."]
    party = side.sign > 0
    as_now = f"{readable(side.now)} stays" if party else "the enemies stay as they are"
    stays = f"{'better' if party else 'harder'} was found: {as_now}"
    said = [f"Nothing {stays} ({before})."]
    if search.won_always and party:
        said.append("It wins every fight that was looked at: there is nothing left to win.")
    elif search.won_always:
        said.append("The party wins no fight that was looked at: there is nothing left to take.")
    elif search.exhausted:
        where = "words that the game's policies know" if party else "ways that the rules leave open"
        said.append(f"Every single change of {'it' if party else 'them'}, in the {where}, was tried.")
    if gain is not None:
        where = "on fresh luck" if tested.fresh else "so far"
        said.append(f"The best of what was tried is no better for sure {where}: {interval(gain, confidence)}.")
    return said + _what_is_left(tested.tallies[0], side, confidence)


def _found(side: AnySide, tested: Tested, gain: Estimate) -> str:
    before, after = (ended(tally) for tally in (tested.tallies[0], tested.tallies[-1]))
    size = points(gain.value, gain.margin, sign=False)
    if side.sign > 0:
        ends = f"{points(gain.low, gain.margin)} to {points(gain.high, gain.margin)}"
        so = f"{after}; as {readable(side.now)}, {before}"
        return f"The party can win at least {size} points more ({ends}) by playing so: {so}."
    ends = f"{points(gain.low, gain.margin, sign=False)} to {points(gain.high, gain.margin, sign=False)}"
    so = f"{after}; against {readable(side.now)}, {before}"
    return f"The enemies can take at least {size} points off the party's wins ({ends}) by behaving so: {so}."


def _what_is_left(tally: Tally, side: AnySide, confidence: float) -> list[str]:
    """How much there is to be had at all, where that is little."""
    left = room_left(tally, side.sign, confidence)
    if left > SMALL:
        return []
    what = "left to win" if side.sign > 0 else "left to take"
    return [f"Whatever else is tried, at most {points(left, sign=False)} points are {what} ({100 * confidence:.3g} %)."]


def ended(tally: Tally) -> str:
    """'64.2 % (63.1 to 65.3) won, 1.2 % drawn', and how often a party turned back or no fight took place, if ever."""
    words = {"draw_rate": "drawn"} | {name: about.short for name, about in SELDOM.items() if tally.ended[RATES[name]]}
    others = [f"{100 * tally.estimate(name).value:.1f} % {word}" for name, word in words.items()]
    return ", ".join([f"{shown(tally.estimate('win_rate'), 'win_rate')} won", *others])


def about_a_run(turned: StudyTable, run: int | None, seed: int) -> list[str]:
    """Where a fight that turned can be seen."""
    if run is None:
        return []
    was, now = (row["ended"] for row in turned.rows)
    return [f"{turned.title}: run {run} of seed {seed} was {was}, and is {now} now: {turned.rows[0]['command']}"]


def warnings(search: Search, tested: Tested, better: bool) -> list[str]:
    """What somebody must know who takes it over."""
    said = []
    if not tested.fresh and tested.steps:
        said.append("What was found has not been put to the test on fresh luck: the search was stopped before.")
    own = [str(hero["policy"]) for hero in search.base.data.get("heroes", []) if hero.get("policy")]
    if own and search.side.sign > 0:
        said.append(f"Heroes with a policy of their own keep it: {', '.join(own)}.")
    if better and tested.tallies[-1].estimate("draw_rate").low > tested.tallies[0].estimate("draw_rate").high:
        said.append("There are more draws than before.")
    return said
