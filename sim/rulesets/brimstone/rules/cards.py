"""Threat cards, counts and Elite abilities of the start (BF-S2 to BF-S5)."""

from __future__ import annotations

from typing import Any

import numpy as np

from sim.core.choose import draw_lot, pick
from sim.core.lanes import Lanes, anyone, keep, put, which
from sim.core.luck import TABLE
from sim.rulesets.brimstone import data
from sim.rulesets.brimstone.rules.arrivals import Counts, roll_count
from sim.rulesets.brimstone.state import CARD, GROUP, LINE, State
from sim.rulesets.brimstone.threats import card_list, card_words, most_cards


def hold_elites(s: State) -> None:
    """BF-S5: every kind's Elite abilities, drawn from the results not yet held; always round 0."""
    bestiary = s.facts.plot.bestiary
    for kind in bestiary.wanted:
        given = bestiary.kinds[kind].elites
        base = sum(1 << number for number in given)
        results = np.array(bestiary.open_results(kind), dtype=np.int64)
        draws = bestiary.draws(kind)
        if draws in (0, len(results)):
            held = base + sum(1 << int(number) for number in results[:draws])
            s.held[kind] = bestiary.by_mask[kind, held]
            continue
        left = np.ones((len(results), s.size), dtype=bool)
        masks = np.full(s.size, base, dtype=np.int64)
        for i in range(draws):
            chosen = pick(left, lot=draw_lot(s.luck, "BF-S5", 0, GROUP + kind, len(given) + i, s.everyone))
            put(left, chosen, s.everyone, False)
            masks += 1 << results[chosen]
        table = np.full(128, -1, dtype=np.int16)
        for (owner, mask), profile in bestiary.by_mask.items():
            if owner == kind:
                table[mask] = profile
        s.held[kind] = table[masks]
    if s.facts.profiles_each and s.variant is not None:
        s.held += s.variant * s.held.dtype.type(s.facts.profiles_each)


def starting_enemies(s: State) -> Counts:
    """(kinds, runs). BF-S3: the listed enemies, which count as one card, and those of the cards drawn."""
    plot = s.facts.plot
    wanted = np.zeros((len(plot.kinds), s.size), dtype=np.int16)
    for line in plot.lines:
        wanted[line.kind] += roll_count(s, line.count, LINE + line.number, 0, s.everyone).astype(np.int16)
    s.cards += anyone(wanted > 0)
    draw_cards(s, wanted)
    return wanted


def draw_cards(s: State, wanted: Counts) -> None:
    """BF-S2, BF-S3: the cards of the scenario, then those that they call for, one after the other."""
    plot = s.facts.plot
    if not plot.threats:
        return
    small = plot.small
    names: list[str] = []

    def code(name: str) -> int:
        name = name if ":" in name else card_list(name, plot.posse_list, small)
        if name not in names:
            names.append(name)
        return names.index(name)

    most = sum(most_cards(name, plot.posse_list, small) for name in plot.threats)
    queue = np.full((most, s.size), -1, dtype=np.int16)
    for place, name in enumerate(plot.threats):
        queue[place] = code(name)
    length = np.full(s.size, len(plot.threats), dtype=np.int64)
    for card in range(most):
        for row in np.unique(queue[card]):
            if row < 0:
                continue
            at = which(queue[card] == row)
            name, _, place = names[row].partition(":")
            cards = data.threats()[name]
            if place:
                drawn = np.full(len(at), int(place) - 1)
            else:
                drawn = s.luck.below(len(cards), "BF-S2", 0, TABLE, card, at)
            for number in np.unique(drawn):
                drawing = keep(at, drawn == number)
                if not place:
                    s.drawn[s.facts.cards[name, int(number) + 1], drawing] = True
                if s.tell:
                    brings = card_words(cards[number])
                    s.tell.event("BF-S2", "draws_card", drawing, card=int(number) + 1, of=name, brings=brings)
                play_card(s, cards[number], card, drawing, wanted)
                for more in cards[number].get("cards", ()):
                    put(queue, length[drawing], drawing, code(more))
                    length[drawing] += 1


def play_card(s: State, card: dict[str, Any], number: int, at: Lanes, wanted: Counts) -> None:
    """BF-S3: what a card brings; it counts for loot if it adds at least one enemy."""
    added = np.zeros(len(at), dtype=np.int64)
    for entry, (name, text) in enumerate(card.get("enemies", ())):
        kind = s.facts.plot.bestiary.number[name]
        models = roll_count(s, text, CARD + number, 10 * entry, at)
        wanted[kind, at] += models.astype(np.int16)
        added += models
    s.cards[at] += added > 0
