"""How the scripted players play (section 10)."""

from __future__ import annotations

from tests.oracle.second_era import data
from tests.oracle.second_era.engage import engage, gather, may_move, may_roll
from tests.oracle.second_era.places import (
    Reach,
    closest_hex,
    engageable,
    firing_hexes,
    nearest,
    reach,
    safest,
    span,
    threat,
    weakest,
)
from tests.oracle.second_era.state import Battle, Creature, Hero
from tests.oracle.second_era.track import enter

# ---------------------------------------------------------------------------------------------------------------------
# Common blocks
# ---------------------------------------------------------------------------------------------------------------------


def offensive(hero: Hero) -> list[str]:
    """gather(offensive list) in the primary form."""
    return gather(hero, data.OFFENSIVE[hero.plan.form], hero.plan.form, hero.plan.form)


def recycle(battle: Battle, hero: Hero) -> None:
    """Before Recovery: fill the track up to CD with active dice, the earliest placed first, Purge never."""
    while len(hero.track) < hero.cooldown:
        spot = next((place for place, (die, _) in enumerate(hero.active) if die != "purge"), -1)
        if spot < 0:
            return
        enter(battle, hero, hero.active.pop(spot)[0])


def recycles(hero: Hero) -> bool:
    """Whether the policy recycles now."""
    policy = hero.plan.policy
    if policy == "focus_fire":
        return not offensive(hero)
    return policy in ("random", "aggressive")


def move(battle: Battle, hero: Hero, goal: int, steps: int) -> None:
    """SE-A1: walk to a hex that lies within reach; staying is no move. No policy moves more than SE-A2 allows."""
    if goal == hero.hex:
        return
    hero.moved = True
    hero.hexes += steps
    battle.place(hero, goal)
    if battle.trace is not None:
        battle.tell(f"{hero.name} moves to {battle.board.spots[goal]}")


def move_to_safest(battle: Battle, hero: Hero) -> None:
    if may_move(hero):
        choices = reach(battle, hero, hero.stamina)
        goal = safest(battle, hero, choices)
        move(battle, hero, goal, choices[goal])


def engage_hexes(battle: Battle, hero: Hero, choices: Reach) -> list[int]:
    """C: the hexes of reach(a) with somebody to engage in the primary form; Dazed, only its own."""
    if hero.has("Daze"):
        choices = {hero.hex: 0}
    return firing_hexes(battle, hero, *span(battle, hero, hero.plan.form), choices)


def heal_first(battle: Battle, hero: Hero) -> bool:
    """heal first: the healer's prayers, if the party misses 2 or more. Says whether it engaged."""
    if hero.plan.archetype != "healer" or not may_roll(hero):
        return False
    if sum(friend.health - friend.hp for friend in battle.standing_heroes()) < 2:
        return False
    if not gather(hero, data.HEALING, "magic", "pray"):
        return False
    engage(battle, hero, "magic", None, gather(hero, data.PRAYERS, "magic"))
    return True


def cloak(battle: Battle, hero: Hero) -> None:
    """cloak: the nightblade hides at the end of its actions."""
    if hero.plan.archetype != "nightblade" or hero.has("Stealth") or not may_roll(hero):
        return
    dice = gather(hero, ("shadow_cloak",), "light", "cloak")
    if dice and battle.enemies_left():
        engage(battle, hero, "light", None, dice)


def defend(battle: Battle, hero: Hero) -> None:
    """The defensive engage of P2 (5), without its look at the hit points."""
    dice = gather(hero, ("combat",), "defensive", "defensive")
    if dice and may_roll(hero) and len(hero.active) < data.ACTIVE_SLOTS:
        engage(battle, hero, "defensive", None, dice)


def edge_closer(battle: Battle, hero: Hero) -> None:
    """P2 (3): toward the nearest enemy over hexes with a threat of at most 1."""
    goal = nearest(battle, hero)
    if goal is None or not may_move(hero):
        return
    choices = reach(battle, hero, hero.stamina)
    calm = {h: steps for h, steps in choices.items() if threat(battle, h) <= 1}
    if calm:
        h = closest_hex(battle, goal, calm)
        move(battle, hero, h, calm[h])


# ---------------------------------------------------------------------------------------------------------------------
# P0 random
# ---------------------------------------------------------------------------------------------------------------------

Option = tuple[str, Creature | None, tuple[str, ...]]  # form, target, die types


def play_random(battle: Battle, hero: Hero) -> None:
    turn = hero.turns_this_round - 1
    choices = reach(battle, hero, hero.stamina)
    hexes = sorted(choices)
    goal = hexes[battle.luck.below(len(hexes), "P0-1", battle.round, hero.actor, turn)]
    move(battle, hero, goal, choices[goal])
    for attempt in range(2):
        options = random_options(battle, hero)
        if not options or not may_roll(hero):
            return
        pick = battle.luck.below(len(options), "P0-2", battle.round, hero.actor, 10 * turn + attempt)
        form, target, types = options[pick]
        engage(battle, hero, form, target, gather(hero, types, form))
        if attempt == 0 and battle.luck.below(2, "P0-4", battle.round, hero.actor, turn) == 0:
            return


def random_options(battle: Battle, hero: Hero) -> list[Option]:
    """P0 (2): what it could do now, in the order of the draw points."""
    options: list[Option] = []
    for form in ("light", "heavy", "ranged", "magic"):
        types = data.OFFENSIVE[form]
        if gather(hero, types, form, form):
            options += [(form, enemy, types) for enemy in engageable(battle, hero, form, hero.hex)]
    if gather(hero, ("combat",), "defensive", "defensive"):
        options.append(("defensive", None, ("combat",)))
    if gather(hero, data.PRAYERS, "magic", "pray"):
        options.append(("magic", None, data.PRAYERS))
    if gather(hero, ("shadow_cloak",), "light", "cloak"):
        options.append(("light", None, ("shadow_cloak",)))
    return options


# ---------------------------------------------------------------------------------------------------------------------
# P1 aggressive
# ---------------------------------------------------------------------------------------------------------------------


def play_aggressive(battle: Battle, hero: Hero) -> None:
    if heal_first(battle, hero):
        return
    form = hero.plan.form
    if not offensive(hero):
        enemies = engageable(battle, hero, "light", hero.hex)
        dice = gather(hero, data.OFFENSIVE["light"], "light", "light")
        if enemies and dice and hero.available.get("combat", 0):
            engage(battle, hero, "light", weakest(enemies), dice)
        cloak(battle, hero)
        return
    choices = reach(battle, hero, hero.stamina)
    hexes = engage_hexes(battle, hero, choices)
    if not hexes:
        charge(battle, hero)
        charge(battle, hero)
        return
    goal = min(hexes, key=lambda h: (choices[h], h))
    move(battle, hero, goal, choices[goal])
    engage_weakest(battle, hero, form)
    if hero.plan.archetype != "nightblade":
        engage_weakest(battle, hero, form)
    cloak(battle, hero)


def charge(battle: Battle, hero: Hero) -> None:
    """P1 (3): a whole move toward the nearest enemy."""
    goal = nearest(battle, hero)
    if goal is not None:
        choices = reach(battle, hero, hero.stamina)
        h = closest_hex(battle, goal, choices)
        move(battle, hero, h, choices[h])


def engage_weakest(battle: Battle, hero: Hero, form: str) -> bool:
    """Engage the weakest enemy with all offensive dice, if there are both."""
    if not may_roll(hero):
        return False
    dice = offensive(hero)
    enemies = engageable(battle, hero, form, hero.hex) if dice else []
    if enemies:
        engage(battle, hero, form, weakest(enemies), dice)
    return bool(enemies)


# ---------------------------------------------------------------------------------------------------------------------
# P2 cautious
# ---------------------------------------------------------------------------------------------------------------------


def heal_and_hide(battle: Battle, hero: Hero) -> bool:
    """P2 (1): a healer that healed goes to the safest hex and stops."""
    if not heal_first(battle, hero):
        return False
    move_to_safest(battle, hero)
    return True


def play_cautious(battle: Battle, hero: Hero) -> None:
    if heal_and_hide(battle, hero):
        return
    form = hero.plan.form
    engaged = False
    if offensive(hero):
        if engageable(battle, hero, form, hero.hex):
            engaged = engage_weakest(battle, hero, form)
            if form in ("ranged", "magic"):
                move_to_safest(battle, hero)
        else:
            choices = reach(battle, hero, hero.stamina)
            hexes = engage_hexes(battle, hero, choices)
            if hexes:
                goal = min(hexes, key=lambda h: (threat(battle, h), choices[h], h))
                move(battle, hero, goal, choices[goal])
                engaged = engage_weakest(battle, hero, form)
    if not engaged and not hero.has("Daze"):
        edge_closer(battle, hero)
    cloak(battle, hero)
    if hero.hp < hero.health:
        defend(battle, hero)


# ---------------------------------------------------------------------------------------------------------------------
# P3 focus_fire
# ---------------------------------------------------------------------------------------------------------------------


def killable(dice: list[str], enemy: Creature) -> bool:
    """mean(dice, t) >= hp(t), in sixths."""
    blocked = max(0, enemy.defense - dice.count("snipe"))
    return sum(data.DICE[die].mean6 for die in dice) >= 6 * (enemy.hp + blocked)


def best_shot(battle: Battle, hero: Hero, hexes: list[int], choices: Reach, dice: list[str]) -> tuple[int, Creature]:
    """P3 (2): the hex and the enemy with the lowest key."""
    if hero.hex in hexes:
        hexes = [hero.hex]
    best: tuple[int, ...] | None = None
    shot: tuple[int, Creature] | None = None
    for h in hexes:
        danger = threat(battle, h)
        if best is not None and danger > best[0]:
            continue
        for enemy in engageable(battle, hero, hero.plan.form, h):
            wasted = not killable(dice, enemy)
            key = (danger, wasted, enemy.hp + enemy.defense, -enemy.combat, choices[h], h, enemy.number)
            if best is None or key < best:
                best, shot = key, (h, enemy)
    assert shot is not None
    return shot


def play_focus_fire(battle: Battle, hero: Hero) -> None:
    if heal_and_hide(battle, hero):
        return
    form, night = hero.plan.form, hero.plan.archetype == "nightblade"
    engaged = False
    dice = offensive(hero)
    if dice:
        choices = reach(battle, hero, hero.stamina)
        hexes = engage_hexes(battle, hero, choices)
        if hexes:
            h, enemy = best_shot(battle, hero, hexes, choices, dice)
            move(battle, hero, h, choices[h])
            engage(battle, hero, form, enemy, dice)
            engaged = True
            if not night:
                finish_off(battle, hero, form)
    if engaged and not hero.moved and (night or form in ("ranged", "magic")):
        move_to_safest(battle, hero)
    if not engaged and not hero.has("Daze"):
        if offensive(hero):
            edge_closer(battle, hero)
        else:
            move_to_safest(battle, hero)
    cloak(battle, hero)
    if hero.hp < hero.health:
        defend(battle, hero)


def finish_off(battle: Battle, hero: Hero, form: str) -> None:
    """P3 (3): once more, if the dice left can kill somebody."""
    dice = offensive(hero)
    if not dice or not may_roll(hero):
        return
    prey = [enemy for enemy in engageable(battle, hero, form, hero.hex) if killable(dice, enemy)]
    if prey:
        engage(battle, hero, form, min(prey, key=lambda enemy: (-enemy.combat, enemy.hp, enemy.number)), dice)


# ---------------------------------------------------------------------------------------------------------------------
# P4 hold_entrance, and the choice among policies
# ---------------------------------------------------------------------------------------------------------------------


def play_hold_entrance(battle: Battle, hero: Hero) -> None:
    if battle.round >= 4:
        play_focus_fire(battle, hero)
        return
    engaged = heal_first(battle, hero)
    if not engaged and offensive(hero):
        choices = reach(battle, hero, hero.stamina)
        home = {h: n for h, n in choices.items() if h == hero.hex or h in battle.board.on_entrance_tile}
        hexes = engage_hexes(battle, hero, home)
        if hexes:
            goal = min(hexes, key=lambda h: (choices[h], h))
            move(battle, hero, goal, choices[goal])
            engaged = engage_weakest(battle, hero, hero.plan.form)
    if not engaged:
        defend(battle, hero)
    cloak(battle, hero)


POLICIES = {
    "random": play_random,
    "aggressive": play_aggressive,
    "cautious": play_cautious,
    "focus_fire": play_focus_fire,
    "hold_entrance": play_hold_entrance,
}


def act(battle: Battle, hero: Hero) -> None:
    """The actions of a turn; with no enemy left only the healer heals."""
    if battle.enemies_left():
        POLICIES[hero.plan.policy](battle, hero)
    else:
        heal_and_hide(battle, hero)
