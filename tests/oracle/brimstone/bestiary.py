"""Section 2.2, 11.4, 11.5: what an enemy type is, and the types."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, eq=False)
class Kind:
    """2.2: an enemy type. Damage is `dice` D6 plus a fixed part; 0 in a To Hit number means none."""

    name: str
    base: str  # whose Elite chart and Brutal side it uses
    init: int
    move: int
    escape: int
    th_melee: int
    th_ranged: int
    combat: int
    damage_dice: int
    damage: int
    defense: int
    health: int
    xp_a: int
    xp_b: int
    size: str
    behaviour: str
    range: int = 0  # of the weapon; 0 means no weapon
    shots: int = 0
    shot_dice: int = 0
    shot_damage: int = 0
    # 11.4: keywords
    fear: int = 0
    terror: int = 0
    uterror: int = 0
    smash: bool = False
    six: int = 1
    hail: int = 1
    burst: bool = False
    nightmare: int = 0
    flight: bool = False
    swarm: bool = False
    pack: bool = False
    flail: tuple[int, int] | None = None
    tough: bool = False
    crit_floor: int | None = None
    endurance: int | None = None
    armor: int = 0
    cover: int = 0
    zealot: bool = False
    dodge: bool = False
    tail: int = 0
    cursed: bool = False
    hordes: bool = False
    spawn: tuple[int, str] | None = None
    explode: int = 0
    regen: int = 0
    # 11.5: what only Elite results give
    always_ambush: bool = False
    on_wound: tuple[str, ...] = ()
    on_melee_wound: tuple[str, ...] = ()
    gun_ward: int = 0  # Defense against guns and Hatchet
    taint: bool = False  # end of move next to it: a Corruption Hit
    drag: bool = False  # start next to it: Agility 5+ or D6 hits
    daunt: bool = False  # heroes on its tile need 1 more To Hit
    spawn_rolls: int = 1
    six_pierces: bool = False  # natural 6 ignores Armor
    free_shot: bool = False
    again_on_one: bool = False  # re-rolls its To Hit 1s
    horror_bonus: int = 0
    double_first: bool = False
    tail_each: bool = False
    tail_d3: bool = False
    cut: bool = False  # failed Escape next to it: 3 hits of damage 2
    six_shot_bonus: int = 0  # ranged natural 6: more damage
    opening: bool = False  # first turn of the group: Initiative 6, Shots + 2
    # what the scenario says
    changed: frozenset[str] = frozenset()
    brutal: bool | None = None
    elites: tuple[int, ...] = ()
    # an own type of the scenario, as it is; None: what is printed for `base`
    own: bool = False
    chart: tuple[dict[str, Any] | None, ...] | None = None
    brutal_chart: tuple[dict[str, Any] | None, ...] | None = None
    side: dict[str, Any] | None = None
    any_elite: dict[str, Any] | None = None

    @property
    def passes(self) -> bool:
        """BF-E9."""
        return self.flight or self.swarm

    @property
    def threat(self) -> int:
        """BF-P12, in twelfths."""
        attacks = [(self.combat, 7 * self.damage_dice + 2 * self.damage)]
        if self.range:
            attacks.append((self.shots, 7 * self.shot_dice + 2 * self.shot_damage))
        if self.flail:
            attacks.append((self.flail[0], 7 * self.damage_dice + 2 * self.damage))
        dice, twice_mean = max(attacks)
        numbers = [number for number in (self.th_melee, self.th_ranged) if number]
        return dice * (7 - min(numbers)) * twice_mean if numbers else 0


def _kind(name: str, row: str, weapon: tuple[int, int, int] | None = None, **abilities: Any) -> Kind:
    """A row of 11.5: Init Move Esc Melee Ranged Combat Damage Def Health XP-A XP-B Size Behaviour."""
    cells = row.split()
    numbers = [0 if cell in ("-", "D6") else int(cell) for cell in cells[:11]]
    init, move, escape, th_melee, th_ranged, combat, damage, defense, health, xp_a, xp_b = numbers
    reach, shots, shot_damage = weapon or (0, 0, 0)
    return Kind(
        name,
        name,
        init,
        move,
        escape,
        th_melee,
        th_ranged,
        combat,
        int(cells[6] == "D6"),
        damage,
        defense,
        health,
        xp_a,
        xp_b,
        cells[11],
        cells[12],
        range=reach,
        shots=shots,
        shot_damage=shot_damage,
        **abilities,
    )


DROWNED: dict[str, Any] = {"fear": 1, "armor": 5, "cursed": True, "hordes": True, "any_elite": {"th_melee": 4}}
TYPES: list[Kind] = [
    #                        I  M E Me Ra C Da Df He XP  each
    _kind("void_spiders", "  6  8 4 4  -  2 2  0  3  10  0 S melee", swarm=True),
    _kind("scourge_rats", "  8 12 3 3  -  1 3  1  3  15  0 S melee", swarm=True, pack=True),
    _kind("hellbats", "      6 12 3 3  -  3 1  2  1  10  0 S melee", flight=True, nightmare=1),
    _kind("stranglers", "    4  6 6 3  -  4 1  2  3  25  0 M melee", six=3),
    _kind("tentacles", "     2  6 4 4  -  3 3  2  4  30  0 M melee", smash=True),
    _kind("hungry_dead", "   1  2 4 4  -  1 3  4  1  20  0 M melee", fear=1),
    _kind("corpse_pile", "   0  0 1 -  -  0 -  2  6  10  5 M immobile", fear=1, spawn=(4, "hungry_dead")),
    _kind("drowned_dead", "  2  2 4 5  5  3 3  4  2  15  0 M melee", **DROWNED),
    _kind("xenocyte_impalers", " 8 9 4 3 - 3 3  2  5  25  0 M melee", swarm=True, dodge=True, tail=5),
    _kind("slashers", "      4  5 3 3  -  2 D6 4  6  15  5 L melee", fear=2, crit_floor=2),
    _kind("night_terrors", " 3  5 3 5  -  4 4  3 12  10  5 L melee", terror=2),
    _kind("goliath", "       2  6 4 3  -  0 3  3 24  10  5 L melee", uterror=3, flail=(3, 3), tough=True),
    _kind("crimson_hand", "  3  5 3 5  4  2 3  2  3  30  0 M melee_or_ranged", (10, 1, 5), endurance=3, zealot=True),
    _kind("bandits", "       5  6 3 4  5  2 2  3  3  15  0 M shootout", (6, 3, 2), hail=3),
    _kind("undead_outlaws", " 2 4 3 4  4  1 3  4  5  45  0 M shootout", (6, 4, 2), fear=2),
    _kind("auto_turrets", "  5  0 1 -  4  0 -  3 12  10  5 M immobile", (12, 3, 2), burst=True, explode=3),
    _kind("gulch_snipers", " 3  4 3 -  4  0 -  2  3  15  0 M ranged", (8, 2, 2)),
]
TYPE_NUMBER = {kind.name: number for number, kind in enumerate(TYPES)}
