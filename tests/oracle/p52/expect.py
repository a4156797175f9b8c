"""Expected damage and the choices that rest on it (P52-Y1 to Y3)."""

from __future__ import annotations

from .board import Board
from .kit import Defence, HeroAttack
from .state import Enemy, Fight, Hero


def defence_modifier(enemy: Enemy, attack: HeroAttack) -> int:
    """D of P52-C4, with Calico's own against ice and water (P52-E18)."""
    sheet = enemy.sheet
    if attack.kind == "melee":
        return sheet.melee_defence
    if attack.kind == "ranged":
        return sheet.ranged_defence
    return -1 if attack.water and sheet.fears_water else sheet.magic_defence


def victims(fight: Fight, attack: HeroAttack, enemy: Enemy) -> list[tuple[Enemy, int]]:
    """The enemies an attack affects, in index order, each with its share: damage // share, 0 = side effect only."""
    area, centre = attack.area, enemy.spot
    if area == "one":
        return [(enemy, 1)]
    around = fight.board.around[centre]
    found = []
    for other in fight.enemies:
        if other.gone:
            continue
        if other is enemy:
            found.append((other, 1))
        elif other.spot == centre:
            found.append((other, {"spot": 1, "fire": 2, "meteor": 1, "ice": 0, "frost": 0, "wave": 0}[area]))
        elif other.spot in around and area not in ("spot", "wave"):
            found.append((other, {"fire": 4, "meteor": 1, "ice": 0, "frost": 0}[area]))
    return found


def caught(fight: Fight, attack: HeroAttack, enemy: Enemy, caster: Hero, spot: int) -> list[tuple[Hero, int]]:
    """The heroes in the area with their shares, the caster standing on `spot`; 0 = hit for 0 (Ice Storm)."""
    area, centre = attack.area, enemy.spot
    if area not in ("fire", "ice", "meteor"):
        return []
    share = {"fire": 2, "ice": 0, "meteor": 1}[area]
    around = fight.board.around[centre]
    found = []
    for hero in fight.heroes:
        where = spot if hero is caster else hero.spot
        if hero.hp >= 0 and (where == centre or (area == "meteor" and where in around)):
            found.append((hero, share))
    return found


def sums(
    attack: HeroAttack, target: int, r: int, aim: int, extra: int, modifier: int, frozen: bool, share: int, weak: bool
) -> tuple[int, int]:
    """Over the 169 pairs (v, d): the damage to one victim, and how many pairs hit and are not fully defended."""
    key = (target, r, aim, extra, modifier, frozen, share, weak)
    found = attack.known.get(key)
    if found is None:
        found = attack.known[key] = count_pairs(attack, *key)
    return found


def count_pairs(
    attack: HeroAttack, target: int, r: int, aim: int, extra: int, modifier: int, frozen: bool, share: int, weak: bool
) -> tuple[int, int]:
    damage = through = 0
    for v in attack.hit_values(target, aim):
        total = v + aim
        base = attack.damage(total - target, r, extra)
        if frozen:
            full, tied = 13, 0
        else:
            full = min(13, max(0, total + modifier - 1))
            tied = int(1 <= total + modifier <= 13)
        damage += full * victim_damage(attack, base, v, False, share, weak)
        damage += tied * victim_damage(attack, base, v, True, share, weak)
        through += full + tied
    return damage, through


def victim_damage(attack: HeroAttack, base: int, v: int, tied: bool, share: int, weak: bool) -> int:
    """P52-C5: what one victim suffers that did not defend fully."""
    if share == 0:
        return 0
    damage = base * 3 // 2 if weak else base
    if v == 13 and not (tied and attack.soft_tie):
        damage *= 2
    damage //= share
    return damage // 2 if tied else damage


def arrow_bonus(fight: Fight, hero: Hero) -> int:
    """Sharp arrows first; unlimited ones are as sharp as the hero's stock."""
    if fight.switches["arrows"] == "unlimited":
        return 2 if hero.sheet.sharp_arrows > 0 else 0
    return 2 if hero.sharp_arrows > 0 else 0


def has_what_it_needs(fight: Fight, hero: Hero, attack: HeroAttack) -> bool:
    """An arrow for the bow, the knife in hand."""
    if attack.needs == "arrow":
        return fight.switches["arrows"] == "unlimited" or hero.arrows + hero.sharp_arrows > 0
    return attack.needs != "knife" or hero.knife_at is None


def in_reach(board: Board, attack: HeroAttack, a: int, b: int) -> bool:
    r = board.range[a][b]
    return attack.least <= r <= attack.most and (r == 0 or board.sight[a][b])


def can_push(fight: Fight, pusher_spot: int, spot: int) -> bool:
    """P52-C26."""
    steps = fight.board.steps[pusher_spot]
    return any(steps[other] > steps[spot] for other in fight.board.next_to[spot])


def expected(fight: Fight, hero: Hero, attack: HeroAttack, enemy: Enemy, spot: int, aim: int) -> int:
    """P52-Y1: 169 times ED of an attack on this primary target made from `spot`."""
    r = 0 if attack.name == "charge" else fight.board.range[spot][enemy.spot]
    extra = arrow_bonus(fight, hero) if attack.needs == "arrow" else 0
    area = attack.area
    if area == "ice" and any(
        (spot if other is hero else other.spot) == enemy.spot and other.hp >= 0 for other in fight.heroes
    ):
        return 0
    if area in ("one", "ice", "wave", "frost"):
        target = attack.target(r, 1)
        damage, through = one_victim(attack, target, r, aim, extra, enemy, 1)
        if area == "wave" and not can_push(fight, spot, enemy.spot):
            damage += 2 * fight.average * through
        return damage
    hit = victims(fight, attack, enemy)
    target = attack.target(r, len(hit))
    damage = sum(one_victim(attack, target, r, aim, extra, other, share)[0] for other, share in hit)
    for _, share in caught(fight, attack, enemy, hero, spot):
        damage -= 13 * sum(
            attack.damage(v + aim - target, r, extra) // share for v in attack.hit_values(target, aim)
        )
    return damage


def one_victim(
    attack: HeroAttack, target: int, r: int, aim: int, extra: int, enemy: Enemy, share: int
) -> tuple[int, int]:
    weak = attack.water and enemy.sheet.fears_water
    return sums(attack, target, r, aim, extra, defence_modifier(enemy, attack), enemy.frozen, share, weak)


def best_attack(
    fight: Fight, hero: Hero, enemy: Enemy, attacks: list[HeroAttack] | None = None,
    spot: int | None = None, aim: int | None = None,
) -> tuple[HeroAttack, int] | None:  # fmt: skip
    """P52-Y2: the legal attack with the largest ED > 0, and 169 times that ED; the first of equals in table order."""
    here = hero.spot if spot is None else spot
    bonus = hero.aim_on(enemy) if aim is None else aim
    best: tuple[HeroAttack, int] | None = None
    for attack in hero.kit.attacks if attacks is None else attacks:
        if in_reach(fight.board, attack, here, enemy.spot) and has_what_it_needs(fight, hero, attack):
            value = expected(fight, hero, attack, enemy, here, bonus)
            if value > (best[1] if best else 0):
                best = (attack, value)
    return best


def legal_defences(hero: Hero, kind: str) -> list[Defence]:
    """P52-C15: those that fit the attack, in the order of P52-Y3."""
    unfit = ("body_block", "shield_block", "parry", "block") if kind == "magic" else ("counter_spell",)
    return [
        defence
        for defence in hero.kit.defences
        if defence.name not in unfit and not (defence.needs_knife and hero.knife_at is not None)
    ]


def best_defence(hero: Hero, raw: int, kind: str, harder: int) -> Defence | None:
    """P52-Y3."""
    key = (raw, kind == "magic", hero.stance, harder, hero.knife_at is None)
    known = hero.kit.known_defences
    if key not in known:
        found = legal_defences(hero, kind)
        known[key] = min(found, key=lambda d: worth(hero, d, raw, kind, harder)) if found else None
    return known[key]


def worth(hero: Hero, defence: Defence, raw: int, kind: str, harder: int) -> tuple[int, int]:
    """13 times the mean damage with this defence, then minus the number of successful cards."""
    armour, target = hero.armour(kind), defence.target(harder)
    taken = successes = 0
    for v in range(1, 14):
        o = v + hero.stance - target
        if o >= 0:
            successes += 1
            taken += defence.taken(raw, o, armour, 7 if defence.iron else 0)
        else:
            taken += max(0, raw - armour)
    return taken, -successes
