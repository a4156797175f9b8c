"""The policy `random_legal` (P52-Y10): any legal action, category first."""

from __future__ import annotations

from collections.abc import Callable

from . import actions
from .bestiary import HEALING_ITEMS
from .expect import has_what_it_needs, in_reach
from .kit import HeroAttack
from .state import Enemy, Fight, Hero

Act = Callable[[], None]


def random_legal(fight: Fight, hero: Hero) -> None:
    """P52-Y10: uniformly among the categories that are not empty, then uniformly inside."""
    walks = actions.walks_of(fight, hero, through=True)
    categories: list[list[Act]] = [
        [lambda: actions.pass_turn(fight, hero)],
        [lambda: actions.take_stance(hero)],
        [lambda spot=spot: actions.move(fight, hero, spot, walks) for spot in walks],
        attacks(fight, hero),
        aims(fight, hero),
        supports(fight, hero),
    ]
    offered = [category for category in categories if category]
    chosen = offered[fight.lot(len(offered), "P52-Y10", hero.actor, 0)]
    chosen[fight.lot(len(chosen), "P52-Y10", hero.actor, 1)]()


def attacks(fight: Fight, hero: Hero) -> list[Act]:
    """All legal pairs, ability by ability; Charge at its line of the table."""
    if hero.stunned:
        return []
    abilities = list(hero.kit.attacks)
    if hero.kit.charge is not None:
        abilities.append(hero.kit.charge)
        abilities.sort(key=lambda attack: attack.order)
    found: list[Act] = []
    for attack in abilities:
        for enemy in fight.standing():
            if legal(fight, hero, attack, enemy):
                found.append(lambda attack=attack, enemy=enemy: carry_out(fight, hero, attack, enemy))
    return found


def legal(fight: Fight, hero: Hero, attack: HeroAttack, enemy: Enemy) -> bool:
    if attack.name == "charge":
        return 1 <= fight.board.steps[hero.spot][enemy.spot] <= 2
    return in_reach(fight.board, attack, hero.spot, enemy.spot) and has_what_it_needs(fight, hero, attack)


def carry_out(fight: Fight, hero: Hero, attack: HeroAttack, enemy: Enemy) -> None:
    """With a stamina card one time in four."""
    if attack.name == "charge" and not actions.charge_to(fight, hero, enemy):
        return
    stamina = bool(hero.stamina) and fight.luck.below(4, "P52-Y10", fight.address, hero.actor, 2) == 0
    actions.attack(fight, hero, attack, enemy, stamina)


def aims(fight: Fight, hero: Hero) -> list[Act]:
    if hero.stunned:
        return []
    seen = [enemy for enemy in fight.standing() if fight.sees(hero.spot, enemy.spot)]
    return [lambda enemy=enemy: actions.aim(fight, hero, enemy) for enemy in seen]


def supports(fight: Fight, hero: Hero) -> list[Act]:
    """Healing items on living heroes of the spot, Heal, Healing Glow; a stunned hero only helps itself (P52-H11)."""
    found: list[Act] = []
    stunned = hero.stunned
    near = [hero] if stunned else fight.heroes_at(hero.spot)
    for item in HEALING_ITEMS:
        if item in hero.stock and actions.usable(hero, item):
            found += [lambda item=item, other=other: actions.give_item(fight, hero, item, other) for other in near]
    if stunned and fight.switches["stunned_self_spell"] == "off":
        return found
    if hero.kit.knows("heal"):
        reach = fight.board.range[hero.spot]
        treated = [o for o in fight.living() if reach[o.spot] <= 10 and fight.sees(hero.spot, o.spot)]
        if stunned:
            treated = [hero]
        found += [lambda other=other: actions.heal(fight, hero, other) for other in treated]
    if hero.kit.knows("healing_glow"):
        found.append(lambda: actions.healing_glow(fight, hero, only_self=stunned))
    return found
