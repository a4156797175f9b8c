"""The end of the fight: won, lost or drawn, and what is counted."""

from __future__ import annotations

import numpy as np

from sim.core.lanes import Lanes, Wide, anyone, anywhere, columns, cut, keep, put, which, written
from sim.core.ledger import Ledger
from sim.core.outcomes import Ending, Outcome
from sim.rulesets.overhill.facts import Facts
from sim.rulesets.overhill.state import State


def check_win(s: State) -> None:
    """OU-Z1: with no monster left and a hero standing the encounter is won at once."""
    won = which(s.live & ~anyone(s.n > 0))
    if len(won):
        s.decide(won, Outcome.WIN)
        if s.tell:
            s.tell.event("OU-Z1", "won", won)


def check_loss(s: State, at: Lanes) -> None:
    """OU-Z2: the encounter is lost at once if nobody stands any more."""
    lost = keep(at, ~anyone(s.standing(at)))
    if len(lost):
        s.decide(lost, Outcome.LOSS)
        if s.tell:
            s.tell.event("OU-Z2", "lost", lost)


def check_cap(s: State) -> None:
    """OU-R7, OU-Z3: at the round cap it is a draw."""
    if s.round >= s.facts.switches["round_cap"]:
        undecided = which(s.live)
        s.decide(undecided, Outcome.DRAW)
        if s.tell and len(undecided):
            s.tell.event("OU-R7", "round_cap", undecided)


# What is counted.


def count_up(s: State, at: Lanes, book: Ledger) -> Ending:
    """OU-Z4: what is counted per run. Damage and kills of a hero are those of its abilities."""
    facts, heroes = s.facts, s.heroes
    units = len(facts.cast.units)
    hp = np.zeros((units, len(at)), dtype=np.int32)
    present = np.zeros((units, len(at)), dtype=bool)
    dead = np.zeros((units, len(at)), dtype=bool)
    hp[:heroes] = cut(s.health, at)
    present[:heroes] = True
    book.damage_dealt, book.damage_taken = written(book.damage_dealt), written(book.damage_taken)
    for deed, ability in enumerate(facts.cast.abilities):
        book.damage_dealt[ability.unit] += book.damage[deed]
    book.kills[:heroes] = book.damage_dealt[:heroes]  # every hit removes a monster
    book.damage_taken[:heroes] = cut(s.began, at) + cut(s.regained, at) - hp[:heroes]
    for group in range(s.groups):
        met = which(cut(s.started[group], at) > 0)  # places in `at`
        fought = at if len(met) == len(at) else columns(at, met)
        started, left = cut(s.started[group], fought), cut(s.n[group], fought)
        row = s.unit_of(group, fought)
        empty = left == 0
        for table, value in (
            *((hp, left), (present, True), (dead, empty), (book.damage_taken, started - left)),
            *((book.downs, empty), (book.down_round, cut(s.emptied[group], fought))),
        ):
            if isinstance(row, int):
                table[row][anywhere(met, len(at))] = value
            else:
                put(table, row, met, value)
    return Ending(xp=experience(s, at), counts=counts(s, at, book), hp=hp, present=present, dead=dead)


def counts(s: State, at: Lanes, book: Ledger) -> dict[str, Wide]:
    """OU-Z4: the game's own columns."""
    return {
        "standing": s.standing_count(at).astype(np.int32),
        "dodged": dodged(s.facts, book),
        "mishaps": columns(s.mishaps, at),
        "lapses": columns(s.lapses, at),
        "restored": book.healing[: s.heroes].sum(axis=0, dtype=np.int32),
        "friendly": columns(s.friendly, at),
    }


def dodged(facts: Facts, book: Ledger) -> Wide:
    """(lanes,). OU-Z4: attacks of monsters that did not hit."""
    heroes = len(facts.heroes)
    deeds = [row for row, ability in enumerate(facts.cast.abilities) if ability.unit >= heroes]
    return sum((book.uses[row] - book.hits[row] for row in deeds), np.zeros(book.uses.shape[-1], dtype=np.int32))


def experience(s: State, at: Lanes) -> Wide:
    """(lanes,). OU-Z5: xp of the killed monsters, if at least one hero stands at the end."""
    killed = (cut(s.started, at) - cut(s.n, at)).astype(np.int32)
    return (killed * cut(s.xp, at)).sum(axis=0, dtype=np.int32) * s.standing(at).any(axis=0)
