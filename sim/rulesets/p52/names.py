"""What things are called when a fight is told: enemies by their cards, weapons, abilities and items."""

from __future__ import annotations

from sim.rulesets.p52 import data

RANKS = {"J": "jack", "Q": "queen", "K": "king"}
FACES = {1: "A", 11: "J", 12: "Q", 13: "K"}
SIGNS = {"hearts": "♥", "diamonds": "♦", "spades": "♠", "clubs": "♣"}
CALLED = {  # with the article that a sentence needs; what is missing here is called by its plain name
    "grapple": "bare hands",
    "hand_to_hand": "bare hands",
    "knife": "the knife",
    "knife_use": "the knife",
    "knife_throw": "a thrown knife",
    "bow": "the bow",
    "bow_skills": "the bow",
    "sword": "the sword",
    "sword_play": "the sword",
    "two_handed": "the two-handed weapon",
    "staff": "the staff",
    "pike": "the pike",
    "fire_ball": "a fire ball",
    "fire ball": "a fire ball",
    "ice_storm": "an ice storm",
    "tidal_wave": "a tidal wave",
    "meteor_strike": "a meteor strike",
    "power_thrust": "a power thrust",
    "double_tap": "a double tap",
    "charge": "the charge",
    "cave beast": "a cave beast",
    "creature": "a creature",
    "body_block": "the body block",
    "block": "the block",
    "shield_block": "the shield block",
    "parry": "the parry",
    "counter_spell": "the counter spell",
    "dodge": "the dodge",
    "medicinal_herbs": "medicinal herbs",
    "dragons_blood": "dragon's blood",
    "healing_potion": "a healing potion",
    "reviving_potion": "a reviving potion",
    "fire_elixir": "a fire elixir",
    "strong_fire_elixir": "a strong fire elixir",
    "ice_elixir": "an ice elixir",
    "strong_ice_elixir": "a strong ice elixir",
    "water_elixir": "a water elixir",
    "strong_water_elixir": "a strong water elixir",
    "heal": "Heal",
    "healing_glow": "Healing Glow",
    "revive": "Revive",
    "threaten": "Threaten",
}


def called(name: str) -> str:
    """A weapon, ability or item as it stands in a sentence.

    >>> called("knife_throw"), called("ice magic")
    ('a thrown knife', 'ice magic')
    """
    return CALLED.get(name, name.replace("_", " "))


def enemy_in_words(card: str) -> str:
    """An enemy as players call it.

    >>> [enemy_in_words(card) for card in ("Q clubs", "K minor", "calico", "warlock", "mountain J hearts")]
    ['queen of clubs', 'minor king', 'Calico', 'warlock', 'jack of hearts']
    """
    rank, _, suit = card.removeprefix("mountain ").partition(" ")
    if card == "calico":
        return "Calico"
    if rank not in RANKS or not suit:
        return card
    return f"minor {RANKS[rank]}" if suit == "minor" else f"{RANKS[rank]} of {suit}"


def face(value: int, suit: int | None) -> str:
    """A card as it lies on the table: '10♣', or its value alone where cards have no suit.

    >>> face(13, 0), face(10, 3), face(1, None)
    ('K♥', '10♣', 'A')
    """
    return FACES.get(value, str(value)) + ("" if suit is None else SIGNS[data.SUITS[suit]])
