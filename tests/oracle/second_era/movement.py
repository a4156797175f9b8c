"""How an enemy moves (section 6.3). How many it could target or hurt plays no part (SE-M5, SE-M12)."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from tests.oracle.second_era.board import walk_from
from tests.oracle.second_era.damage import guard_value
from tests.oracle.second_era.data import FAR
from tests.oracle.second_era.places import strongest_only
from tests.oracle.second_era.state import Battle, Creature, Unit


class Mover:
    """An enemy in one Move step: who it is, how far it walks, whom it can see anywhere."""

    def __init__(self, battle: Battle, enemy: Creature, step: int) -> None:
        self.battle = battle
        self.enemy = enemy
        self.step = step  # 0, or 1 for the second Move step of Rush
        self.steps = movement(battle, enemy)
        self.blind = enemy.has("Blind")
        self.reach = reach_of(battle, enemy)
        self.open = in_the_open(battle, enemy)

    def cover(self, h: int) -> list[Unit]:
        """cover(h): the units that the enemy could engage from hex h."""
        return cover(self.battle, self.enemy, h, self.open)


def movement(battle: Battle, enemy: Creature) -> int:
    """m of 6.3; Swift reads the round counter (SE-K19)."""
    return swift_steps(battle) if enemy.skill("Swift") else battle.switches["enemy_move"]


def swift_steps(battle: Battle) -> int:
    """The round counter, 6 in fatigue rounds (SE-R1, I27)."""
    start = battle.switches["fatigue_from"]
    if start != "off" and battle.round >= start:
        return 6
    return min(battle.round, 6)


def reach_of(battle: Battle, enemy: Creature) -> int:
    """SE-T3; 1 for a Blind unit (SE-F2)."""
    if enemy.has("Blind") and battle.switches["blind_rule"] == "errata":
        return 1
    return enemy.range


def in_the_open(battle: Battle, enemy: Creature) -> list[Unit]:
    """A of 6.3: opposing units that no effect hides."""
    return [unit for unit in battle.opponents(enemy) if not battle.hidden_from(unit, enemy)]


def cover(battle: Battle, enemy: Creature, h: int, units: list[Unit] | None = None) -> list[Unit]:
    """Units of A within range of h and seen from h; for a Blind enemy the strongest of them."""
    near = battle.board.within(h, 1, reach_of(battle, enemy))
    covered = [unit for unit in (in_the_open(battle, enemy) if units is None else units) if unit.hex in near]
    return strongest_only(covered) if enemy.has("Blind") else covered


def move_step(battle: Battle, enemy: Creature, step: int = 0) -> None:
    """SE-E4: one Move step."""
    mover = Mover(battle, enemy, step)
    if mover.cover(enemy.hex):
        return  # SE-M1
    if mover.blind:
        move_blind(mover)
        return
    steps, tied = closest_destinations(mover)
    older_text = battle.switches["dest_tiebreak"] == "nearest_unit"
    if not tied or (older_text and len(tied) > 1):
        fall_back(mover, closest_unit(mover, battle.opponents(enemy)))
    else:
        walk(mover, choose_hex(mover, narrow(mover, tied), "SE-M4"), steps)


# ---------------------------------------------------------------------------------------------------------------------
# Where to
# ---------------------------------------------------------------------------------------------------------------------


def closest_destinations(mover: Mover) -> tuple[int, list[int]]:
    """SE-M2, SE-T5: the fewest steps to a free hex with somebody in range and sight; such hexes, in (q, r) order."""
    board = mover.battle.board
    wanted: set[int] = set()
    for unit in mover.open:
        wanted |= board.within(unit.hex, 1, mover.reach)
    return first_reached(mover, wanted)


def first_reached(mover: Mover, wanted: set[int]) -> tuple[int, list[int]]:
    """The wanted hexes that a walk from the enemy's hex reaches first, and after how many steps."""
    neighbours, occupied = mover.battle.board.neighbours, mover.battle.occupied
    seen = {mover.enemy.hex}
    edge = [mover.enemy.hex]
    steps = 0
    while edge:
        steps += 1
        further = []
        for h in edge:
            for other in neighbours[h]:
                if other not in seen and other not in occupied:
                    seen.add(other)
                    further.append(other)
        found = sorted(h for h in further if h in wanted)
        if found:
            return steps, found
        edge = further
    return steps, []


def narrow(mover: Mover, tied: list[int]) -> list[int]:
    """SE-M3 and the variants of `dest_tiebreak`."""
    if len(tied) == 1:
        return tied
    covers = {h: mover.cover(h) for h in tied}
    rule = mover.battle.switches["dest_tiebreak"]
    if rule == "most_targets":
        tied = lowest(tied, lambda h: -len(covers[h]))
    found = [unit.hp for h in tied for unit in covers[h]]
    wanted = max(found) if mover.enemy.strongest else min(found)
    tied = [h for h in tied if any(unit.hp == wanted for unit in covers[h])]
    if rule == "priority_near":
        ranges = mover.battle.board.range
        tied = lowest(tied, lambda h: min(ranges[h][unit.hex] for unit in covers[h] if unit.hp == wanted))
    return tied


def lowest(hexes: Iterable[int], key: Callable[[int], int]) -> list[int]:
    """The hexes with the lowest key, in the order given."""
    keyed = [(key(h), h) for h in hexes]
    least = min(value for value, _ in keyed)
    return [h for value, h in keyed if value == least]


def choose_hex(mover: Mover, tied: list[int], purpose: str, index: int | None = None) -> int:
    """SE-M4: the party's choice among hexes in (q, r) order."""
    if len(tied) == 1:
        return tied[0]
    battle = mover.battle
    if battle.best:
        return min(tied, key=lambda h: (len(mover.cover(h)), h))
    place = mover.step if index is None else index
    return tied[battle.luck.below(len(tied), purpose, battle.round, mover.enemy.actor, place)]


# ---------------------------------------------------------------------------------------------------------------------
# Walking
# ---------------------------------------------------------------------------------------------------------------------


def walk(mover: Mover, goal: int, distance: int) -> None:
    """SE-M6 to SE-M8: along a shortest unoccupied route, never past the goal.

    Only a walk that does not arrive needs the route.
    """
    if distance <= mover.steps:
        go(mover, goal)
        return
    battle, place = mover.battle, mover.enemy.hex
    neighbours = battle.board.neighbours
    away = walk_from(neighbours, goal, battle.occupied.keys() - {place}, distance)
    for s in range(mover.steps):
        closer = [h for h in neighbours[place] if away.get(h, FAR) == away[place] - 1]
        place = choose_hex(mover, closer, "SE-M8", 100 * mover.step + s)
    go(mover, place)


def go(mover: Mover, h: int) -> None:
    """Stand on the hex that was chosen."""
    if h == mover.enemy.hex:
        return
    mover.enemy.moved = True
    mover.battle.place(mover.enemy, h)
    if mover.battle.trace is not None:
        mover.battle.tell(f"{mover.enemy.name} moves to {mover.battle.board.spots[h]}")


# ---------------------------------------------------------------------------------------------------------------------
# No destination
# ---------------------------------------------------------------------------------------------------------------------


def closest_unit(mover: Mover, units: list[Unit], strongest: bool | None = None) -> Unit | None:
    """SE-M9: the closest unit by range, hidden ones included, then priority, then the party's choice."""
    battle, enemy = mover.battle, mover.enemy
    ranges = battle.board.range[enemy.hex]
    least = min((ranges[unit.hex] for unit in units), default=FAR)
    if least >= FAR:
        return None
    tied = [unit for unit in units if ranges[unit.hex] == least]
    hps = [unit.hp for unit in tied]
    wanted = max(hps) if (enemy.strongest if strongest is None else strongest) else min(hps)
    tied = [unit for unit in tied if unit.hp == wanted]
    if len(tied) == 1:
        return tied[0]
    if battle.best:
        return min(tied, key=lambda unit: (-guard_value(unit), unit.slot))
    return tied[battle.luck.below(len(tied), "SE-M9", battle.round, enemy.actor, mover.step)]


def fall_back(mover: Mover, unit: Unit | None) -> None:
    """SE-M10, SE-M11: as near to the unit as this turn allows (greedy), or toward the nearest hex of all (planned)."""
    if unit is None:
        return
    battle = mover.battle
    planned = battle.switches["fallback_move"] == "planned"
    choices = walk_from(
        battle.board.neighbours, mover.enemy.hex, battle.occupied, FAR if planned else mover.steps
    )
    ranges = battle.board.range[unit.hex]
    tied = lowest(sorted(choices), lambda h: ranges[h])
    tied = lowest(tied, lambda h: choices[h])
    goal = choose_hex(mover, tied, "SE-M10")
    walk(mover, goal, choices[goal])


def move_blind(mover: Mover) -> None:
    """SE-F2: to stand next to the closest other unit, the strongest of several."""
    battle = mover.battle
    unit = closest_unit(mover, mover.open, strongest=True)
    if unit is None:
        fall_back(mover, closest_unit(mover, battle.opponents(mover.enemy)))
        return
    steps, tied = first_reached(mover, set(battle.board.within(unit.hex, 1, 1)))
    if tied:
        walk(mover, choose_hex(mover, tied, "SE-M4"), steps)
    else:
        fall_back(mover, unit)
