"""The turns of enemies and companions: start, engage, skills, end (sections 4, 6.2, 6.4, 7.6)."""

from __future__ import annotations

from tests.oracle.second_era import data
from tests.oracle.second_era.damage import guard_value, heal, hit
from tests.oracle.second_era.movement import cover, move_step, swift_steps
from tests.oracle.second_era.places import closest_hex, firing_hexes, nearest, reach, targetable
from tests.oracle.second_era.state import Battle, Creature, Hero, Unit
from tests.oracle.second_era.track import enter, gain_fatigue, gain_status, lose_status, take_lowest

# ---------------------------------------------------------------------------------------------------------------------
# Turns
# ---------------------------------------------------------------------------------------------------------------------


def enemy_turn(battle: Battle, enemy: Creature) -> None:
    """SE-E3 to SE-E6: start, Move step, Engage step (SE-E5), end."""
    begin(battle, enemy)
    if not enemy.in_play:
        return
    move_step(battle, enemy)
    if enemy.skill("Rush") and not cover(battle, enemy, enemy.hex):
        move_step(battle, enemy, 1)  # SE-K18
    else:
        targets = choose_targets(battle, enemy)
        dazed = enemy.moved and enemy.has("Daze")
        if targets and not (dazed and battle.switches["daze_engage"] == "skip"):
            engage_all(battle, enemy, targets, rolls=not dazed)
    finish(battle, enemy)


def companion_turn(battle: Battle, companion: Creature) -> None:
    """SE-R9 and the companion rule of section 10; a waiting companion deploys first (SE-S6)."""
    if companion.hex < 0:
        entrance = battle.free_entrance()
        if entrance < 0:
            return
        battle.place(companion, entrance)
    begin(battle, companion)
    if not companion.in_play:
        return
    steps = swift_steps(battle) if companion.skill("Swift") else data.COMPANION_STEPS
    targets = companion_move(battle, companion, steps)
    if targets:
        engage_all(battle, companion, targets, rolls=True)
    elif companion.skill("Rush"):
        companion_move(battle, companion, steps)
    finish(battle, companion)


def companion_move(battle: Battle, companion: Creature, steps: int) -> list[Unit]:
    """The closest hex with a target, else toward the nearest enemy. Returns the targets."""
    most = companion.range
    if companion.has("Blind") and battle.switches["blind_rule"] == "errata":
        most = 1
    choices = reach(battle, companion, steps)
    open_to_engage = {companion.hex: 0} if companion.has("Daze") else choices
    hexes = firing_hexes(battle, companion, 1, most, open_to_engage)
    if hexes:
        goal = min(hexes, key=lambda h: (choices[h], h))
        go(battle, companion, goal)
        enemies = targetable(battle, companion, goal, 1, most)
        count = 1 if companion.has("Blind") else companion.targets
        return list(sorted(enemies, key=lambda enemy: (enemy.hp, enemy.number))[:count])
    prey = nearest(battle, companion)
    if prey is not None:
        go(battle, companion, closest_hex(battle, prey, choices))
    return []


def go(battle: Battle, companion: Creature, h: int) -> None:
    if h != companion.hex:
        companion.moved = True
        battle.place(companion, h)


def begin(battle: Battle, unit: Creature) -> None:
    """SE-E3: adj0, Bane, then start-of-turn skills."""
    battle.start_turn(unit)
    if unit.has("Bane"):
        hit(battle, unit, None, 1, true=True)  # SE-F1
    if unit.in_play and unit.skill("Recover"):
        heal(unit, len(battle.heroes))  # SE-K16


def finish(battle: Battle, unit: Creature) -> None:
    """SE-E6: end-of-turn skills in chip order, then Daze leaves."""
    for skill in unit.skills:
        if skill in END_SKILLS and unit.in_play and unit.skill(skill):
            END_SKILLS[skill](battle, unit)
    unit.statuses.discard("Daze")


# ---------------------------------------------------------------------------------------------------------------------
# Engage
# ---------------------------------------------------------------------------------------------------------------------


def choose_targets(battle: Battle, enemy: Creature) -> list[Unit]:
    """SE-E7, SE-E8, SE-E9, SE-T4: candidates by HP, ties by the party's choice, as many as it may target."""
    candidates = cover(battle, enemy, enemy.hex)
    count = 1 if enemy.has("Blind") else enemy.targets
    if len(candidates) > 1:
        sign = -1 if enemy.strongest else 1
        if battle.best:
            candidates.sort(key=lambda unit: (sign * unit.hp, -guard_value(unit), unit.slot))
        else:
            if len({unit.hp for unit in candidates}) < len(candidates):
                by_actor = {unit.actor: unit for unit in candidates}
                order = battle.luck.order(list(by_actor), "SE-E9", battle.round, enemy.actor)
                candidates = [by_actor[actor] for actor in order]
            candidates.sort(key=lambda unit: sign * unit.hp)
    return candidates[:count]


def engage_all(battle: Battle, unit: Creature, targets: list[Unit], rolls: bool) -> None:
    """SE-E10 to SE-E12: one roll for all targets, damage one by one, then the skills that follow the engage.

    Every skill works on every target (SE-E13); only targets are engaged (SE-T6). Effects come one at a time in chip
    order (SE-F7), and none from a unit that has been defeated (SE-K28). An enemy may have no skills (SE-E14).
    """
    if unit.skill("Disrupt"):
        disrupt(battle, targets)
    faces = roll_dice(battle, unit, combat_dice(battle, unit, targets)) if rolls else []
    if battle.trace is not None:
        battle.tell(f"{unit.name} engages {', '.join(target.name for target in targets)} and rolls {faces}")
    true = unit.skill("Arcane") > 0  # SE-K2
    total = sum(faces)
    if unit.has("Maim") and not true:
        total //= 2  # SE-F5
    dodge = faces.count(0)
    for target in targets:
        if not unit.in_play:
            return
        if target.in_play:
            strike(battle, unit, target, total, true, dodge)
    for target in targets:
        for skill in unit.skills:
            if skill in AFTER_SKILLS and unit.in_play and target.in_play and unit.skill(skill):
                AFTER_SKILLS[skill](battle, unit, target)


def combat_dice(battle: Battle, unit: Creature, targets: list[Unit]) -> int:
    """How many dice it rolls: Vindictive and Smite in chip order (SE-K23, SE-K24, I23)."""
    count = unit.combat
    for skill in unit.skills:
        if skill == "Vindictive" and unit.skill(skill):
            count += len(battle.standing_heroes())
        elif skill == "Smite" and unit.skill(skill) and len(targets) < len(battle.opponents(unit)):
            count *= 2
    return count


def roll_dice(battle: Battle, unit: Creature, count: int) -> list[int]:
    """SE-E10; Aggressive rerolls every 0 once (SE-K1)."""
    table = battle.prepared.enemy_faces
    faces = [table[battle.luck.die(6, "SE-E10", battle.round, unit.actor, d) - 1] for d in range(count)]
    if unit.skill("Aggressive"):
        for d, face in enumerate(faces):
            if face == 0:
                faces[d] = table[battle.luck.die(6, "SE-K1", battle.round, unit.actor, d) - 1]
    return faces


def strike(battle: Battle, unit: Creature, target: Unit, total: int, true: bool, dodge: int) -> None:
    """SE-E11: the total as one instance; Bladed adds 2 against an adjacent target (SE-K22)."""
    if unit.skill("Bladed") and battle.adjacent(unit, target):
        total += 2
    hit(battle, target, unit, total, true, dodge)


def disrupt(battle: Battle, targets: list[Unit]) -> None:
    """SE-K21: each target adventurer exhausts the active die with the lowest X."""
    for target in targets:
        if isinstance(target, Hero) and target.active:
            enter(battle, target, take_lowest(target))


# ---------------------------------------------------------------------------------------------------------------------
# Skills after an engage and at the end of a turn
# ---------------------------------------------------------------------------------------------------------------------


def inflict_bane(battle: Battle, unit: Creature, target: Unit) -> None:
    gain_status(battle, target, "Bane", unit)  # SE-K3


def inflict_maim(battle: Battle, unit: Creature, target: Unit) -> None:
    gain_status(battle, target, "Maim", unit)  # SE-K4


def inflict_daze(battle: Battle, unit: Creature, target: Unit) -> None:
    gain_status(battle, target, "Daze", unit)  # SE-K5


def intimidate(battle: Battle, unit: Creature, target: Unit) -> None:
    """SE-K6: Fear comes, or goes if it was there."""
    if target.has("Fear"):
        lose_status(battle, target, "Fear")
    else:
        gain_status(battle, target, "Fear", unit)


def enfeeble(battle: Battle, unit: Creature, target: Unit) -> None:
    """SE-K7: n L for an adventurer."""
    if isinstance(target, Hero):
        gain_fatigue(battle, target, data.LIGHT, unit.skill("Enfeeble"))


AFTER_SKILLS = {
    "Bane": inflict_bane,
    "Maim": inflict_maim,
    "Daze": inflict_daze,
    "Intimidate": intimidate,
    "Enfeeble": enfeeble,
}


def ritual(battle: Battle, unit: Creature) -> None:
    """SE-K15: every ally in its sight heals n."""
    for ally in battle.enemies if unit.is_enemy else battle.party:
        if ally is not unit and ally.in_play and battle.board.sees[unit.hex][ally.hex]:
            heal(ally, unit.skill("Ritual"))


def bide(battle: Battle, unit: Creature) -> None:
    """SE-K17: heals 2 if it stayed where it was."""
    if not unit.moved:
        heal(unit, 2)


def necrotic(battle: Battle, unit: Creature) -> None:
    """SE-K20: 1 true damage to everybody next to it."""
    for other in [other for other in battle.units if battle.adjacent(other, unit)]:
        if unit.in_play:
            hit(battle, other, unit, 1, true=True)


def retreat(battle: Battle, unit: Creature) -> None:
    """SE-K26: a turn without any damage taken gives Stealth and 1 HP."""
    if not battle.damage_taken:
        gain_status(battle, unit, "Stealth", unit)
        heal(unit, 1)


def decay(battle: Battle, unit: Creature) -> None:
    """SE-K27: 1 true damage to itself."""
    hit(battle, unit, None, 1, true=True)


END_SKILLS = {"Ritual": ritual, "Bide": bide, "Necrotic": necrotic, "Retreat": retreat, "Decay": decay}
