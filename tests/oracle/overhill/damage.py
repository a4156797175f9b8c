"""Health lost and regained, and monsters removed."""

from __future__ import annotations

from tests.oracle.overhill.state import Fight, Group, Hero, hero_number, tell


def lose_health(fight: Fight, hero: Hero, amount: int) -> None:
    """OU-D4, OU-Z2: health never falls below 0; at 0 the hero is down, and the fight lost with the last one."""
    lost = min(amount, hero.health)
    hero.health -= lost
    hero.damage_taken += lost
    if fight.trace is not None:
        tell(fight, f"{hero.name} loses {lost}, has {hero.health}")
    if hero.health == 0:
        hero.paralysed = 0
        hero.blessed.clear()
        if hero_number(fight) == 0:
            fight.outcome = "loss"


def regain_health(fight: Fight, hero: Hero, amount: int) -> None:
    """OU-D11, OU-Y4: up to the maximum; a hero who was down stands again and acts from the next round on."""
    if hero.health == 0:
        hero.rose_in = fight.round
    gained = min(amount, hero.max_health - hero.health)
    hero.health += gained
    hero.restored += gained
    if fight.trace is not None:
        tell(fight, f"{hero.name} regains {gained}, has {hero.health}")


def remove_monsters(fight: Fight, hero: Hero, group: Group, hits: int) -> None:
    """OU-A1, OU-U7: each hit removes one monster, surplus hits are lost and not counted."""
    killed = min(hits, group.n)
    group.n -= killed
    hero.kills += killed
    fight.kills_now[hero.index][group.index] += killed
    if fight.trace is not None:
        tell(fight, f"{hero.name} removes {killed} of {group.sheet.name}, {group.n} left")
