"""Threat lists and their cards: which list a posse draws from, and what its cards may bring (BF-S2, BF-S3)."""

from __future__ import annotations

from collections import Counter
from typing import Any

from sim.rulesets.brimstone import data
from sim.rulesets.brimstone.dice_texts import most
from sim.rulesets.brimstone.schema import BrimstoneScenario


def posse_list(heroes: int, allies: int) -> str:
    """BF-S2: the threat list for a posse of this size; 3 allies count as one hero."""
    number = heroes + allies // 3
    return "low" if number <= 2 else "med" if number <= 4 else "high"


def card_list(name: str, from_posse: str, small: bool) -> str:
    """BF-S2: the list that a name stands for; Epic is High for one or two heroes."""
    name = from_posse if name in ("auto", "posse") else name
    return "high" if name == "epic" and small else name


def most_cards(name: str, from_posse: str, small: bool) -> int:
    """The most cards that one entry of `threat` can mean: itself and all that it may call for."""
    name, _, place = name.partition(":")
    cards = data.threats()[name if place else card_list(name, from_posse, small)]
    drawn = [cards[int(place) - 1]] if place else cards
    return 1 + max(sum(most_cards(more, from_posse, small) for more in card.get("cards", ())) for card in drawn)


def card_types(scenario: BrimstoneScenario) -> set[str]:
    """The types that the cards may bring."""
    allies = sum(hero.ally for hero in scenario.heroes)
    heroes = len(scenario.heroes) - allies
    from_posse, small = posse_list(heroes, allies), heroes + allies // 3 <= 2
    found: set[str] = set()
    seen: set[str] = set()
    queue = list(scenario.threats)
    for name in queue:
        name, _, place = name.partition(":")
        name = name if place else card_list(name, from_posse, small)
        if (name + place) in seen:
            continue
        seen.add(name + place)
        cards = data.threats()[name]
        for card in [cards[int(place) - 1]] if place else cards:
            found |= {kind for kind, _ in card.get("enemies", [])}
            queue += card.get("cards", [])
    return found


def drawable_cards(threats: list[str], from_posse: str, small: bool) -> list[tuple[str, int]]:
    """The cards that chance may bring, (list, number from 1), in the order of the lists as they are first called."""
    found: dict[tuple[str, int], None] = {}
    seen: set[str] = set()
    queue = list(threats)
    for called in queue:
        if called in seen:
            continue
        seen.add(called)
        name, _, place = called.partition(":")
        name = name if place else card_list(name, from_posse, small)
        for number, card in enumerate(data.threats()[name], start=1):
            if not place:
                found.setdefault((name, number))
            if not place or number == int(place):
                queue += card.get("cards", [])
    return list(found)


def card_words(card: dict[str, Any]) -> str:
    """What a card brings, in words.

    >>> card_words({"enemies": [["slashers", "D3"], ["goliath", 1]], "cards": ["posse", "posse"]})
    'D3 slashers, 1 goliath, 2 cards for the posse'
    """
    brings = [f"{number} {name.replace('_', ' ')}" for name, number in card.get("enemies", ())]
    for name, number in Counter(card.get("cards", ())).items():
        of = "for the posse" if name == "posse" else f"of {name}"
        brings.append(f"{number} {'card' if number == 1 else 'cards'} {of}")
    return ", ".join(brings)


def largest_card(name: str, from_posse: str, small: bool) -> int:
    """The most models that one card can bring, further cards included."""
    name, _, place = name.partition(":")
    cards = data.threats()[name if place else card_list(name, from_posse, small)]

    def models(card: dict[str, Any]) -> int:
        own = sum(most(text) for _, text in card.get("enemies", ()))
        return own + sum(largest_card(more, from_posse, small) for more in card.get("cards", ()))

    return models(cards[int(place) - 1]) if place else max(models(card) for card in cards)
