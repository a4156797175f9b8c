"""The policies (section 10): which action a hero takes."""

from __future__ import annotations

from collections.abc import Callable

from . import actions
from .bestiary import ELIXIRS
from .expect import best_attack, expected
from .kit import HeroAttack
from .state import Enemy, Fight, Hero

Pair = tuple[int, HeroAttack, Enemy]  # 169 times ED, ability, primary target


# ---------------------------------------------------------------------------------------------------------------------
# Shared definitions (10.1)
# ---------------------------------------------------------------------------------------------------------------------


def attackable(fight: Fight, hero: Hero) -> list[Pair]:
    """P52-Y2: best_attack on every enemy that can be attacked now, in index order."""
    found = []
    for enemy in fight.standing():
        best = best_attack(fight, hero, enemy)
        if best is not None:
            found.append((best[1], best[0], enemy))
    return found


def smart(hero: Hero, hits: int) -> bool:
    """P52-Y4: is a stamina card worth it when `hits` of 13 cards succeed without one?"""
    return bool(hero.stamina) and (2 * hits <= 13 or len(hero.stamina) >= 5)


def attack_stamina(fight: Fight, hero: Hero, attack: HeroAttack, enemy: Enemy) -> bool:
    """A stamina card with this attack? By the attack rule of the hero's policy."""
    policy = hero.sheet.policy
    if policy == "brawler":
        return bool(hero.stamina)
    if policy == "guardian":
        return False
    r = fight.board.range[hero.spot][enemy.spot]
    n = len(fight.enemies_at(enemy.spot))
    return smart(hero, len(attack.hit_values(attack.target(r, n), hero.aim_on(enemy))))


def support_hits(fight: Fight, target: int) -> int:
    """How many of 13 cards reach the target of a support ability."""
    return max(0, min(13, 14 - target - (fight.switches["hero_hit"] == "greater")))


def strike(fight: Fight, hero: Hero, attack: HeroAttack, enemy: Enemy) -> None:
    """Attack by the policy's stamina rule, then Double Tap whenever it is legal."""
    dealt = actions.attack(fight, hero, attack, enemy, attack_stamina(fight, hero, attack, enemy))
    tap(fight, hero, attack, enemy, dealt)


def tap(fight: Fight, hero: Hero, first: HeroAttack, enemy: Enemy, dealt: int) -> None:
    second = hero.kit.double_tap
    if second is not None and actions.may_tap(fight, hero, first, enemy, dealt):
        actions.hero_attack(
            fight, hero, second, enemy, attack_stamina(fight, hero, second, enemy), like=first
        )


def approach(fight: Fight, hero: Hero, goal: int) -> bool:
    """P52-Y5."""
    walks = actions.walks_of(fight, hero)
    to_go = fight.board.hero_to_go[goal]
    movement = hero.sheet.movement
    best = min(((to_go[spot] + (way.cost > movement), spot) for spot, way in walks.items()), default=None)
    if best is None or best[0] >= to_go[hero.spot]:
        return False
    actions.move(fight, hero, best[1], walks)
    return True


def nearest(fight: Fight, hero: Hero) -> Enemy:
    """P52-Y6."""
    steps = fight.board.steps[hero.spot]
    return min(fight.standing(), key=lambda enemy: (steps[enemy.spot], enemy.hp, enemy.number))


def stunned_turn(fight: Fight, hero: Hero) -> None:
    """P52-Y7."""
    item = actions.healing_item(hero, hero)
    spells = fight.switches["stunned_self_spell"] == "on"
    if item is not None:
        actions.give_item(fight, hero, item, hero)
    elif spells and hero.kit.knows("heal"):
        actions.heal(fight, hero, hero)
    elif spells and hero.kit.knows("healing_glow"):
        actions.healing_glow(fight, hero, only_self=True)
    else:
        actions.take_stance(hero)


def quaffs(fight: Fight, hero: Hero, percent: int) -> bool:
    """P52-Y8."""
    if 100 * hero.hp > percent * hero.max_hp:
        return False
    item = actions.healing_item(hero, hero)
    if item is None:
        return False
    actions.give_item(fight, hero, item, hero)
    return True


def charges(fight: Fight, hero: Hero) -> bool:
    """Charge onto the spot of nearest(h), if it is 1 or 2 steps away and worth it."""
    charge = hero.kit.charge
    if charge is None:
        return False
    enemy = nearest(fight, hero)
    if not 1 <= fight.board.steps[hero.spot][enemy.spot] <= 2:
        return False
    if expected(fight, hero, charge, enemy, enemy.spot, hero.aim_on(enemy)) <= 0:
        return False
    carry_out_charge(fight, hero, charge, enemy)
    return True


def carry_out_charge(fight: Fight, hero: Hero, charge: HeroAttack, enemy: Enemy) -> None:
    if actions.charge_to(fight, hero, enemy):
        stamina = attack_stamina(fight, hero, charge, enemy)
        dealt = actions.hero_attack(fight, hero, charge, enemy, stamina)
        tap(fight, hero, charge, enemy, dealt)


def best_pair(pairs: list[Pair]) -> Pair:
    """The largest ED; ties: lowest enemy hp, ability order, index."""
    return min(pairs, key=lambda pair: (-pair[0], pair[2].hp, pair[1].order, pair[2].number))


# ---------------------------------------------------------------------------------------------------------------------
# The policies (10.2)
# ---------------------------------------------------------------------------------------------------------------------


def brawler(fight: Fight, hero: Hero) -> None:
    """P52-Y11; also rule 5 of the medic, who does not charge."""
    pairs = attackable(fight, hero)
    reach = fight.board.range[hero.spot]
    if pairs:
        _, attack, enemy = min(pairs, key=lambda pair: (reach[pair[2].spot], pair[2].hp, pair[2].number))
        strike(fight, hero, attack, enemy)
        return
    if hero.sheet.policy == "brawler" and charges(fight, hero):
        return
    if not approach(fight, hero, nearest(fight, hero).spot):
        actions.pass_turn(fight, hero)


def guardian(fight: Fight, hero: Hero) -> None:
    """P52-Y12."""
    if quaffs(fight, hero, 40):
        return
    pairs = attackable(fight, hero)
    if pairs:
        _, attack, enemy = best_pair(pairs)
        strike(fight, hero, attack, enemy)
        return
    rooted = all(enemy.sheet.movement == 0 for enemy in fight.standing())
    if (fight.round >= 6 or rooted) and approach(fight, hero, nearest(fight, hero).spot):
        return
    actions.take_stance(hero)


def sniper(fight: Fight, hero: Hero) -> None:
    """P52-Y13."""
    if quaffs(fight, hero, 30):
        return
    pairs = attackable(fight, hero)
    reach, steps = fight.board.range[hero.spot], fight.board.steps[hero.spot]
    near = [pair for pair in pairs if reach[pair[2].spot] <= 1]
    if near:
        _, attack, enemy = min(near, key=lambda pair: (pair[2].hp, pair[2].number))
        strike(fight, hero, attack, enemy)
        return
    if pairs:
        aimed = [pair for pair in pairs if pair[2] is hero.aim_at]
        _, attack, enemy = min(aimed or pairs, key=lambda pair: (pair[2].hp, steps[pair[2].spot], pair[2].number))
        if hero.aim_on(enemy) < 2 and all(steps[other.spot] > 2 for other in fight.standing()):
            actions.aim(fight, hero, enemy)
        else:
            strike(fight, hero, attack, enemy)
        return
    walks = actions.walks_of(fight, hero)
    posts = [(way.cost, spot) for spot, way in walks.items() if shoots_from(fight, hero, spot)]
    if posts:
        actions.move(fight, hero, min(posts)[1], walks)
    elif not approach(fight, hero, nearest(fight, hero).spot):
        actions.pass_turn(fight, hero)


def shoots_from(fight: Fight, hero: Hero, spot: int) -> bool:
    """Would an attack at R >= 2 be legal from this spot, without aim?"""
    return any(
        fight.board.range[spot][enemy.spot] >= 2 and best_attack(fight, hero, enemy, spot=spot, aim=0)
        for enemy in fight.standing()
    )


def medic(fight: Fight, hero: Hero) -> None:
    """P52-Y14."""
    if not (revives(fight, hero) or glows(fight, hero) or mends(fight, hero)):
        brawler(fight, hero)


def revives(fight: Fight, hero: Hero) -> bool:
    if not hero.kit.knows("revive") or hero.kit.support_target("revive") > 9:
        return False
    dead = next((other for other in fight.heroes if other.hp < 0 and fight.sees(hero.spot, other.spot)), None)
    if dead is None:
        return False
    hits = support_hits(fight, hero.kit.support_target("revive"))
    actions.revive(fight, hero, dead, smart(hero, hits))
    return True


def glows(fight: Fight, hero: Hero) -> bool:
    hurt = [other for other in fight.living() if 2 * other.hp <= other.max_hp]
    if len(hurt) < 2 or not hero.kit.knows("healing_glow"):
        return False
    actions.healing_glow(fight, hero)
    return True


def mends(fight: Fight, hero: Hero) -> bool:
    """Rule 4: Heal or an item for the worst wounded hero in sight."""
    reach = fight.board.range[hero.spot]
    seen = [o for o in fight.living() if reach[o.spot] <= 10 and fight.sees(hero.spot, o.spot)]
    worst = worst_wounded(seen)
    if 2 * worst.hp > worst.max_hp:
        return False
    if heals(hero, reach[worst.spot]):
        actions.heal(fight, hero, worst)
        return True
    item = actions.healing_item(hero, worst)
    if worst.spot != hero.spot or item is None:
        return False
    actions.give_item(fight, hero, item, worst)
    return True


def worst_wounded(heroes: list[Hero]) -> Hero:
    """The lowest hp / max_hp, compared without rounding; the first of equals."""
    worst = heroes[0]
    for other in heroes[1:]:
        if other.hp * worst.max_hp < worst.hp * other.max_hp:
            worst = other
    return worst


def heals(hero: Hero, r: int) -> bool:
    """Heal is known and its target is at most 9."""
    return hero.kit.knows("heal") and hero.kit.support_target("heal", r) <= 9


def focus_fire(fight: Fight, hero: Hero) -> None:
    """P52-Y15."""
    if quaffs(fight, hero, 30) or throws(fight, hero) or saves(fight, hero):
        return
    pairs = attackable(fight, hero)
    if scares(fight, hero, max((pair[0] for pair in pairs), default=0)):
        return
    focus = party_focus(fight)
    if pairs:
        on_focus = [pair for pair in pairs if pair[2] is focus]
        _, attack, enemy = best_pair(on_focus or pairs)
        strike(fight, hero, attack, enemy)
        return
    if charges(fight, hero) or takes_post(fight, hero, focus) or approach(fight, hero, focus.spot):
        return
    actions.pass_turn(fight, hero)


def party_focus(fight: Fight) -> Enemy:
    """The enemy all go for: attackable by anyone, lowest hp, highest max_hp, index."""
    able = [hero for hero in fight.heroes if hero.hp > 0]
    enemies = fight.standing()
    found = [enemy for enemy in enemies if any(best_attack(fight, hero, enemy) for hero in able)]
    return min(found or enemies, key=lambda enemy: (enemy.hp, -enemy.max_hp, enemy.number))


def throws(fight: Fight, hero: Hero) -> bool:
    """An elixir on two or more enemies, or on a boss."""
    item = next((item for item in ELIXIRS if item in hero.stock and actions.usable(hero, item)), None)
    if item is None:
        return False
    far, reach = actions.throw_range(hero), fight.board.range[hero.spot]
    best: tuple[int, int] | None = None
    for spot in {enemy.spot for enemy in fight.standing()}:
        there = fight.enemies_at(spot)
        worth_it = len(there) >= 2 or any(enemy.sheet.boss for enemy in there)
        if worth_it and reach[spot] <= far and fight.sees(hero.spot, spot):
            best = min(best or (-len(there), spot), (-len(there), spot))
    if best is None:
        return False
    actions.throw_elixir(fight, hero, item, best[1])
    return True


def saves(fight: Fight, hero: Hero) -> bool:
    """Rule 3: Heal for a hero at a quarter or less."""
    reach = fight.board.range[hero.spot]
    found = [
        other for other in fight.living()
        if 4 * other.hp <= other.max_hp and reach[other.spot] <= 10
        and fight.sees(hero.spot, other.spot) and heals(hero, reach[other.spot])
    ]  # fmt: skip
    if not found:
        return False
    actions.heal(fight, hero, worst_wounded(found))
    return True


def scares(fight: Fight, hero: Hero, best_expected: int) -> bool:
    """Rule 4: Threaten where it is worth more than every attack; values in 169ths."""
    if not hero.kit.knows("threaten"):
        return False
    far = 0 if hero.kit.data_set == "mountain" else 20
    reach = fight.board.range[hero.spot]
    best: tuple[int, int, int] | None = None  # minus the value, spot, successful cards
    for spot in sorted({enemy.spot for enemy in fight.standing()}):
        scared = actions.routable(fight, spot)
        if not scared or reach[spot] > far or not fight.sees(hero.spot, spot):
            continue
        hits = support_hits(fight, hero.kit.support_target("threaten", reach[spot], len(scared)))
        choice = (-13 * hits * sum(enemy.hp for enemy in scared), spot, hits)
        best = min(best or choice, choice)
    if best is None or -best[0] <= best_expected:
        return False
    actions.threaten(fight, hero, best[1], smart(hero, best[2]))
    return True


def takes_post(fight: Fight, hero: Hero, focus: Enemy) -> bool:
    """Rule 6: a spot from which the focus is attackable: hidden first, then far, cheap, low."""
    walks = actions.walks_of(fight, hero)
    posts = [
        (not fight.board.hidden[spot], -fight.board.range[spot][focus.spot], way.cost, spot)
        for spot, way in walks.items()
        if best_attack(fight, hero, focus, spot=spot, aim=0)
    ]
    if not posts:
        return False
    actions.move(fight, hero, min(posts)[3], walks)
    return True


POLICIES: dict[str, Callable[[Fight, Hero], None]] = {
    "brawler": brawler,
    "guardian": guardian,
    "sniper": sniper,
    "medic": medic,
    "focus_fire": focus_fire,
}
