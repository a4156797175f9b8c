"""Enemies and items (11.4 to 11.6) as literals."""

from __future__ import annotations

from typing import NamedTuple

TOP = 1_000_000  # P52-E13: an initiative above everyone


class Strike(NamedTuple):
    """One attack of an enemy: formulas in L, R and O."""

    name: str
    kind: str  # melee, ranged, magic
    least: int
    most: int
    target: str | int
    damage: str | int
    effects: frozenset[str] = frozenset()
    way: str = ""  # melee, ranged, creature or beast, where a scenario says so


class EnemyEntry(NamedTuple):
    """A line of 11.5 or 11.6, or a type that a scenario makes of such lines."""

    max_hp: str | int
    strikes: tuple[Strike, ...]  # in the order of preference (P52-E12a): ranged, creature, melee
    initiative: str | int
    movement: str | int
    melee: int
    magic: int
    ranged: int
    xp: int = 0
    traits: frozenset[str] = frozenset()
    when_weak: str = "flees"  # 6.1, or what 6.4 says of the bosses
    when_fallen: str = "stays_down"
    beast: Strike | None = None  # P52-E15
    target_order: str | None = None
    name: str | None = None


def strike(name: str, kind: str, least: int, most: int, target: str, damage: str, *effects: str) -> Strike:
    return Strike(name, kind, least, most, target, damage, frozenset(effects))


GRAPPLE = strike("grapple", "melee", 0, 0, "12-L", "L+O")
STAFF = strike("staff", "melee", 0, 1, "12-L", "L+O+2")

CALICO: dict[str, EnemyEntry] = {
    "J hearts": EnemyEntry(
        "9*L", (GRAPPLE, strike("bow", "ranged", 2, 6, "9-L+R", "2*L+O-R")), "L+9", 0, 1, 1, 0),
    "J diamonds": EnemyEntry(
        "7*L", (strike("bow", "ranged", 2, 6, "8-L+R", "2*L+O-R"),), "L+10", 1, 1, 1, -1,
        traits=frozenset({"attacks_again", "keeps_away"})),  # P52-E12c
    "J spades": EnemyEntry(
        "6*L", (GRAPPLE, strike("bow", "ranged", 2, 6, "9-L+R", "3*L+O-R")), "L+10", 0, 1, 1, -1),
    "J clubs": EnemyEntry(
        "8*L", (strike("knife", "melee", 0, 0, "10-L", "2*L+O"),), "L+8", 2, -1, 1, 1),
    "Q hearts": EnemyEntry(
        "10*L", (strike("ice magic", "magic", 2, 5, "9-L+R", "2*L+O", "freezes"),), "L+8", 1, -1, -1, 1),
    "Q diamonds": EnemyEntry(
        "8*L", (STAFF, strike("water magic", "magic", 2, 5, "8-L+R", "2*L+O", "pushes")), "L+10", 1, 0, -1, 1),
    "Q spades": EnemyEntry(
        "7*L", (STAFF, strike("fire magic", "magic", 2, 5, "9-L+R", "3*L+O")), "L+10", 1, 1, -1, 0),
    "Q clubs": EnemyEntry(
        "6*L", (strike("pike", "melee", 0, 1, "10-L", "2*L+O"),), "L+9", 2, -1, -2, 1),
    "K hearts": EnemyEntry(
        "12*L", (strike("sword", "melee", 0, 0, "10-L", "3*L+O"),), "L+8", 2, -1, 2, 0),
    "K diamonds": EnemyEntry(
        "9*L", (strike("sword", "melee", 0, 0, "8-L", "2*L+O"),
                strike("bow", "ranged", 2, 4, "9-L+R", "2*L+O-R", "must_be_readied")), "L+9", 2, -1, 1, 1),
    "K spades": EnemyEntry(
        "8*L", (strike("staff", "melee", 0, 1, "10-L", "3*L+O"),
                strike("bow", "ranged", 2, 4, "10-L+R", "2*L+O", "must_be_readied")), "L+9", 2, -1, 1, 1),
    "K clubs": EnemyEntry(
        "8*L", (strike("pike", "melee", 0, 1, "9-L", "2*L+O+3"),), "L+11", 3, -1, 2, 0),
}  # fmt: skip

BOSSES: dict[str, EnemyEntry] = {
    "apprentice": EnemyEntry(
        "12*L", (strike("staff", "melee", 0, 0, "7-L", "L+O+3"),
                 strike("fire ball", "magic", 1, 5, "9-L+R", "2*L+O")), str(TOP), 2, 1, -1, 0,
        7, frozenset({"boss", "no_start_flip"}), when_weak="fights_on"),  # P52-S7, P52-E14
    "calico": EnemyEntry(
        "25*L", (strike("staff", "melee", 0, 0, "10-L", "2*O+L"),
                 strike("fire ball", "magic", 1, 3, "8-L+R", "3*L+O")), str(TOP), 2, 1, 0, 1,
        7, frozenset({"boss", "extra_turn", "floats", "fears_water"}), "flees_and_heals", "reappears",  # P52-E13 to E18
        strike("cave beast", "melee", 0, 99, "11-L", "2*L")),  # P52-E15
}  # fmt: skip

SUITS = ("hearts", "diamonds", "spades", "clubs")
FACE_CARDS = tuple(f"{rank} {suit}" for rank in "JQK" for suit in SUITS)  # the 12-card enemy deck

MOUNTAIN_RANKS = {
    "J": EnemyEntry("5*L", (strike("bow", "ranged", 0, 6, "7-L+R", "2*L+O-R"),), "L+10", 0, -1, -1, 0),
    "Q": EnemyEntry("10*L", (strike("magic", "magic", 0, 5, "9-L+R", "3*L+O"),), "L+9", 1, -2, 1, -1),
    "K": EnemyEntry("15*L", (strike("sword", "melee", 0, 0, "8-L", "2*L+O+4"),), "L+8", 1, 1, -1, -1),
}
WARLOCK = EnemyEntry(
    "25*L",
    (
        strike("sword", "melee", 0, 0, "10-L", "2*O+L"),
        strike("fire magic", "magic", 1, 3, "7+R", "3*L+O"),
        strike("creature", "ranged", 4, 999, "13-L", "2*L+O", "needs_no_sight", "spreads"),
    ),
    "L+12", 2, 0, 0, -1, 7, frozenset({"boss"}), "heals", "rises",
)  # fmt: skip


def mountain_card(rank: str, suit: str) -> EnemyEntry:
    """11.6: the rank with the bonus of its suit; `minor` has all four."""
    entry = MOUNTAIN_RANKS[rank]
    only = entry.strikes[0]
    if suit in ("diamonds", "minor"):
        only = only._replace(target=only.target + "-1")
    if suit in ("spades", "minor"):
        only = only._replace(damage=only.damage + ("+3*L" if rank == "J" else "+2*L"))
    max_hp = entry.max_hp
    if suit in ("hearts", "minor"):
        max_hp = f"({max_hp})*2" if rank == "Q" else f"({max_hp})*3//2"
    movement = int(entry.movement) + (suit in ("clubs", "minor"))
    found = entry._replace(max_hp=max_hp, strikes=(only,), movement=movement)
    return found._replace(xp=7, traits=frozenset({"boss"})) if suit == "minor" else found


DEFEAT_XP = {"J": 3, "Q": 5, "K": 7}  # P52-X2; bosses 7


def with_xp(cards: dict[str, EnemyEntry]) -> dict[str, EnemyEntry]:
    return {card: entry._replace(xp=entry.xp or DEFEAT_XP[card[0]]) for card, entry in cards.items()}


MOUNTAIN = with_xp({f"{rank} {suit}": mountain_card(rank, suit) for rank in "JQK" for suit in (*SUITS, "minor")})
OF_THE_DRAFT = {f"mountain {card}": MOUNTAIN[card] for card in FACE_CARDS}
ENEMIES = {
    "calico": {**with_xp(CALICO), **BOSSES},
    "mountain": {**MOUNTAIN, **BOSSES, "warlock": WARLOCK},
}
LIKENED = {  # what a type of one's own may be like: the cards of the data set, and everything else there is
    data_set: {**MOUNTAIN, "warlock": WARLOCK, **OF_THE_DRAFT, **cards} for data_set, cards in ENEMIES.items()
}


# ---------------------------------------------------------------------------------------------------------------------
# Items (11.4). Weights in pounds as printed
# ---------------------------------------------------------------------------------------------------------------------


class Gear(NamedTuple):
    """A line of the item table; what an item does not have is 0 or None."""

    slot: str
    weight: int
    needs: dict[str, int]
    bonus: int = 0  # I
    target: int = 0  # Tm
    parry: tuple[int, int] | None = None  # modifier, bonus
    armour: int = 0
    magic_armour: int = 0
    shoes: int = 0
    use: str = ""  # sword, two_handed, knife, bow, wand: what it makes possible
    hands: int = 1  # 2: no side weapon and no shield; 3: a bow, which allows a side weapon


CALICO_GEAR = {
    "light_sword": Gear("main", 2, {"Lt": 2}, 2, parry=(0, 1), use="sword"),
    "scimitar": Gear("main", 2, {"Lt": 3, "Bc": 2}, 4, parry=(-1, 2), use="sword"),
    "staff": Gear("main", 3, {"Lt": 3, "Bc": 2}, 3, parry=(0, 1), use="two_handed", hands=2),
    "hunting_knife": Gear("side", 1, {}, 1, use="knife"),
    "stiletto_knife": Gear("side", 1, {"Bc": 3}, 2, parry=(1, 1), use="knife"),
    "long_bow": Gear("main", 3, {"Bc": 2}, 1, use="bow", hands=3),
    "recurve_bow": Gear("main", 2, {"Bc": 3, "Th": 2}, 2, -1, use="bow", hands=3),
    "magic_wand": Gear("main", 1, {"Th": 4}, 2, -1, use="wand"),
    "enchanted_staff": Gear("main", 1, {"Th": 5, "Ld": 3}, 3, -2, use="wand", hands=2),
    "leather_shield": Gear("shield", 2, {"Lt": 2, "Bc": 2}),
    "iron_shield": Gear("shield", 4, {"Lt": 4, "Bc": 3}),
    "leather_cap": Gear("head", 1, {"Th": 2}, armour=1, magic_armour=1),
    "leather_jacket": Gear("torso", 2, {"Ld": 2}, armour=1, magic_armour=1),
    "leather_bracers": Gear("arms", 1, {"Bc": 3}, armour=1, magic_armour=1),
    "leather_greaves": Gear("legs", 1, {"Lt": 2}, armour=1, magic_armour=1),
    "iron_helmet": Gear("head", 2, {"Th": 3}, armour=2, magic_armour=2),
    "iron_chest_plate": Gear("torso", 3, {"Ld": 3}, armour=2, magic_armour=2),
    "iron_bracers": Gear("arms", 1, {"Bc": 4}, armour=2, magic_armour=2),
    "iron_greaves": Gear("legs", 2, {"Lt": 3}, armour=2, magic_armour=2),
    "enchanted_helmet": Gear("head", 1, {"Th": 4}, armour=3, magic_armour=5),
    "enchanted_chest_plate": Gear("torso", 1, {"Th": 3, "Ld": 3}, armour=3, magic_armour=5),
    "enchanted_bracers": Gear("arms", 0, {"Th": 3, "Bc": 4}, armour=3, magic_armour=5),
    "enchanted_greaves": Gear("legs", 1, {"Th": 3, "Lt": 3}, armour=3, magic_armour=5),
    "nice_shoes": Gear("feet", 1, {}, shoes=1),
    "quick_shoes": Gear("feet", 1, {"Ld": 3}, shoes=2),
}
MOUNTAIN_GEAR = ("sharp_dagger", "fine_bow", "piercing_sword", "decent_armour", "good_armour", "enchanted_armour")
MOUNTAIN_WEAPONS = {"sharp_dagger": "knife_use", "fine_bow": "bow_skills", "piercing_sword": "sword_play"}

CONSUMABLES: dict[str, dict[str, dict[str, int]]] = {  # what using them requires
    "calico": {
        "medicinal_herbs": {}, "healing_potion": {}, "reviving_potion": {"Ld": 3}, "dragons_blood": {"Ld": 3},
        "phoenix_feather": {},
        "fire_elixir": {"Th": 2, "Bc": 2}, "strong_fire_elixir": {"Th": 4, "Bc": 2},
        "ice_elixir": {"Th": 2, "Lt": 2}, "strong_ice_elixir": {"Th": 4, "Lt": 2},
        "water_elixir": {"Th": 2, "Mv": 2}, "strong_water_elixir": {"Th": 4, "Mv": 2},
        "stamina_boost": {"Bc": 2, "Mv": 2},
    },
    "mountain": {"healing_potion": {}, "reviving_potion": {}, "fire_elixir": {}, "ice_elixir": {}},
}  # fmt: skip
HEALING_ITEMS = ("medicinal_herbs", "healing_potion", "reviving_potion", "dragons_blood")  # weakest first
ELIXIRS = (
    "fire_elixir", "strong_fire_elixir", "ice_elixir", "strong_ice_elixir", "water_elixir", "strong_water_elixir",
)  # fmt: skip
HEALS_PER_LEVEL = {"medicinal_herbs": 5, "healing_potion": 10, "reviving_potion": 20}

# P52-D6: (level, item), later entries replace the slot if their requirements are met
STANDARD_WEAPONS: dict[str, tuple[tuple[int, str], ...]] = {
    "fighter": ((1, "light_sword"), (5, "leather_shield"), (12, "scimitar"), (13, "iron_shield")),
    "rogue": ((1, "long_bow"), (2, "hunting_knife"), (6, "recurve_bow"), (8, "stiletto_knife")),
    "wizard": ((3, "magic_wand"), (13, "enchanted_staff")),
    "cleric": ((3, "magic_wand"), (5, "leather_shield")),
    "captain": ((1, "hunting_knife"), (3, "light_sword"), (5, "leather_shield"), (8, "stiletto_knife"),
                (12, "scimitar"), (13, "iron_shield")),
}  # fmt: skip
ARMOUR_TIERS: tuple[tuple[int, tuple[str, ...]], ...] = (  # P52-D7: from this level on, one piece per slot
    (3, ("leather_cap", "leather_jacket", "leather_bracers", "leather_greaves")),
    (9, ("iron_helmet", "iron_chest_plate", "iron_bracers", "iron_greaves")),
    (15, ("enchanted_helmet", "enchanted_chest_plate", "enchanted_bracers", "enchanted_greaves")),
)
MOUNTAIN_CLASS_WEAPON = {"fighter": "piercing_sword", "captain": "piercing_sword", "rogue": "fine_bow"}  # P52-D9
