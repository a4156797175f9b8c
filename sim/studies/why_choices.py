"""What choices and house rules make of a fight, beside what luck makes of it: tables that `why` adds if asked to."""

from __future__ import annotations

from typing import Any

from sim.core.policy import split_dial
from sim.results.statistics import CONFIDENCE
from sim.scenario import Scenario
from sim.studies.answer import Column, StudyTable
from sim.studies.cards import Card, Fight
from sim.studies.measures import Tally
from sim.studies.moves import all_switches
from sim.studies.pool import Pool
from sim.studies.sensitivity import Seen, dead_labels, dead_table, moves_table, ranked_moves

SLIPS = (0.0, 0.1, 0.2, 0.4, 1.0)  # shares of the rounds in which a hero slips
Added = tuple[list[StudyTable], list[str], dict[str, Any]]  # tables, sentences, and the same for programs


def under_every_policy(fight: Scenario, seed: int, runs: int, pool: Pool, confidence: float = CONFIDENCE) -> Added:
    """The fight under every policy of the game: what is known of the outcome when only the policy is known."""
    names = list(fight.ruleset.policies)
    cards = [Card((Fight(fight.changed(policy=name), seed),)) for name in names]
    tallies = [score.fights[0] for score in pool.play(cards, 0, runs)]
    rates = {name: tally.estimate("win_rate", confidence) for name, tally in zip(names, tallies, strict=True)}
    ranked = sorted(rates, key=lambda name: -rates[name].value if rates[name].known else 1.0)
    made = share_of_choices(tallies)
    about = "The same fight and luck under every policy of the game."
    columns = (Column("policy", "policy"), Column("win_rate", "win rate, %", "share"))
    rows: list[dict[str, Any]] = [{"policy": name, "win_rate": rates[name]} for name in ranked]
    worst, best = (f"{100 * rates[name].value:.0f} % wins ({name})" for name in (ranked[-1], ranked[0]))
    sentence = (
        f"Choices: from {worst} to {best}; for a party that plays by any one of the policies, which one decides "
        f"{100 * made:.0f} % of the outcome, and luck the rest."
    )
    dial, curve = _dial(fight, seed, runs, pool, confidence)
    facts = {"choices": {"share": made, "win_rates": {name: one.value for name, one in rates.items()}, "dial": curve}}
    tables = [StudyTable("choices", "Do choices matter", about, columns, rows)]
    return [*tables, *([dial] if dial.rows else [])], [sentence], facts


def _dial(
    fight: Scenario, seed: int, runs: int, pool: Pool, confidence: float
) -> tuple[StudyTable, list[dict[str, float]]]:
    """The skill dial: the win rate when a hero does anything legal, by lot, in a share of its rounds."""
    slips = [slip for slip in SLIPS if split_dial(fight.policy)[1] is None]  # a policy that slips already has its own
    fights = [Fight(fight.changed(policy=f"{fight.policy}@{slip:g}") if slip else fight, seed) for slip in slips]
    scores = pool.play([Card((one,)) for one in fights], 0, runs)
    rows: list[dict[str, Any]] = [
        {"slips": slip, "win_rate": score.fights[0].estimate("win_rate", confidence)}
        for slip, score in zip(slips, scores, strict=True)
    ]
    about = (
        f"The same luck, but in such a share of its rounds a hero does anything legal by lot: {fight.policy}@0.2 slips "
        "in a fifth. A steep curve is a fight in which good play pays."
    )
    columns = (Column("slips", "slips in", "share"), Column("win_rate", "win rate, %", "share"))
    known = [{"slips": row["slips"], "win_rate": row["win_rate"].value} for row in rows]
    return StudyTable("dial", "What a slip costs", about, columns, rows), known


def share_of_choices(tallies: list[Tally]) -> float:
    """The variance of the win rate over the policies, of the variance of the outcome if each is as likely.

    What the rates owe to their finite numbers of runs is taken off.
    """
    known = [(tally.ended[0] / tally.encounters, tally.encounters) for tally in tallies if tally.encounters > 1]
    if len(known) < 2:
        return 0.0
    mean = sum(rate for rate, _ in known) / len(known)
    whole = mean * (1 - mean)
    between = sum((rate - mean) ** 2 for rate, _ in known) / len(known)
    noise = sum(rate * (1 - rate) / (n - 1) for rate, n in known) * (len(known) - 1) / len(known) ** 2
    return max(0.0, between - noise) / whole if whole else 0.0


def under_every_rule(fight: Scenario, seed: int, runs: int, pool: Pool, confidence: float = CONFIDENCE) -> Added:
    """Every switch of the game set to each of its other values, with the same luck."""
    moves, _ = all_switches(fight)
    base = Fight(fight, seed)
    scores = pool.play([Card((base, Fight(move.fight, seed)), ((0, 1),)) for move in moves], 0, runs)
    pairs = [score.pairs[0] for score in scores]
    dead = dead_labels(moves, pairs)
    rows = ranked_moves(moves, Seen.at_once(pairs), "win_rate", confidence)
    first = [row["move"] for row in rows if row["matters"]][:3]
    sentence = f"House rules that move it most: {'; '.join(first)}." if first else "No house rule moves the win rate."
    tables = [moves_table(rows, dead, "win_rate", switches=True), dead_table(rows, dead, switches=True)]
    return tables, [sentence], {"rules": [row["move"] for row in rows], "idle_rules": dead}
