"""Whole fights: the exact duel, every reference scenario, switch and enemy, and random ones."""

from __future__ import annotations

import math
from collections import Counter
from fractions import Fraction
from functools import cache
from typing import Any

import pytest

from tests.oracle import brimstone as bf
from tests.oracle.brimstone.chances import OnceLuck
from tests.oracle.brimstone.start_lines import START_LINES
from tests.oracle.luck import AddressedLuck
from tests.oracle.random_brimstone import random_scenario

F = Fraction


def exact_duel(hero_first: bool) -> float:
    """WE24: Lawman (Health 12, 2 dice at 4+, Defense 4+) against a Tentacle (Health 4, Defense 2, 3 dice, damage 3)."""
    one = Counter({0: F(1, 2)})
    for roll in range(1, 7):
        one[max(0, roll - 2)] += F(1, 3) * F(1, 6)
        one[roll] += F(1, 6) * F(1, 6)
    blow: Counter[int] = Counter()
    for first, p in one.items():
        for second, q in one.items():
            blow[first + second] += p * q
    bite = {3 * k: math.comb(3, k) * F(1, 3) ** k * F(2, 3) ** (3 - k) for k in range(4)}

    @cache
    def hero_to_act(health: int, enemy: int) -> Fraction:
        """The chance to win. The turn in which nothing happens leads back here."""
        win, stay = F(0), F(0)
        for dealt, p in blow.items():
            if dealt >= enemy:
                win += p
                continue
            for taken, q in bite.items():
                if dealt == 0 and taken == 0:
                    stay += p * q
                elif taken < health:
                    win += p * q * hero_to_act(health - taken, enemy - dealt)
        return win / (1 - stay)

    if hero_first:
        return float(hero_to_act(12, 4))
    return float(sum(q * hero_to_act(12 - taken, 4) for taken, q in bite.items() if taken < 12))


@pytest.mark.rule("BF-G10", "BF-T10")
def test_we24_the_duel_exactly() -> None:
    assert exact_duel(hero_first=True) == pytest.approx(0.857590, abs=5e-7)
    assert exact_duel(hero_first=False) == pytest.approx(0.738479, abs=5e-7)


@pytest.mark.parametrize(
    ("policy", "init", "runs"),
    [("focus_fire", 4, 6000), ("random_legal", 4, 6000), ("aggressive", 1, 6000), ("cautious", 1, 3000)],
)
def test_we24_the_referee_agrees_with_the_exact_duel(policy: str, init: int, runs: int) -> None:
    scenario = bf.SCENARIOS["duel"] | {"heroes": [{"class": "lawman", "bag": {}, "init": init, "policy": policy}]}
    prepared = bf.prepare(scenario)

    wins = sum(bf.play(prepared, AddressedLuck(24, run)).outcome == "win" for run in range(runs))

    expected = exact_duel(hero_first=init == 4)
    assert abs(wins / runs - expected) < 4 * math.sqrt(expected * (1 - expected) / runs)


@pytest.mark.parametrize("name", sorted(bf.SCENARIOS))
@pytest.mark.parametrize("policy", bf.POLICIES)
def test_reference_scenarios_end(name: str, policy: str) -> None:
    prepared = bf.prepare(bf.SCENARIOS[name] | {"policy": policy})

    for run in range(5):
        result = checked(prepared, 1, run)
        assert result.outcome in ("win", "loss", "draw")
        assert 1 <= result.rounds <= 30


@pytest.mark.parametrize("level", range(1, 9))
def test_high_noon_at_every_level(level: int) -> None:
    for model in ("fixed", "chart"):
        scenario = bf.SCENARIOS["high_noon"] | {
            "policy": "focus_fire",
            "level": level,
            "switches": {"level_model": model},
        }
        prepared = bf.prepare(scenario)
        for run in range(3):
            checked(prepared, level, run)


@pytest.mark.parametrize("name", sorted(bf.SWITCHES))
def test_every_value_of_every_switch_plays(name: str) -> None:
    values = bf.SWITCHES[name][1] if name != "round_cap" else (5, 100)
    for value in values:
        for scenario in ("rat_ambush", "goliath_gate"):
            prepared = bf.prepare(bf.SCENARIOS[scenario] | {"policy": "bomber", "switches": {name: value}})
            for run in range(2):
                checked(prepared, 7, run)


@pytest.mark.parametrize("kind", [kind.name for kind in bf.TYPES])
def test_every_enemy_with_every_elite_result_fights_every_class(kind: str) -> None:
    classes = sorted(bf.CLASSES)
    for brutal in (False, True):
        for number in range(1, 7):
            posse = [{"class": classes[(number + i) % 12], "policy": bf.POLICIES[i]} for i in range(4)]
            line = {"type": kind, "count": 4, "brutal": brutal, "elites": [number]}
            prepared = bf.prepare({"width": 8, "height": 8, "heroes": posse, "enemies": [line]})
            checked(prepared, number, 0)


@pytest.mark.parametrize("block", range(8))
def test_random_scenarios_play_and_no_address_is_asked_twice(block: int) -> None:
    for seed in range(20 * block, 20 * block + 20):
        prepared = bf.prepare(random_scenario(seed))
        for run in range(2):
            result = checked(prepared, seed, run)
            assert result == bf.play(prepared, AddressedLuck(seed, run))


def test_random_scenarios_bring_every_start_line_into_play(monkeypatch: pytest.MonkeyPatch) -> None:
    done: Counter[str] = Counter()
    use_token, buy_move = bf.Fight.use_token, bf.Fight.buy_move

    def counted_token(fight: bf.Fight, user: bf.Hero, token: str, on: bf.Hero | None = None, **more: Any) -> bool:
        used = use_token(fight, user, token, on=on, **more)
        done[token if on is None else f"treat {token}"] += used
        return used

    def counted_move(fight: bf.Fight, hero: bf.Hero) -> int:
        points = buy_move(fight, hero)
        done["buy_move"] += points > 0
        return points

    monkeypatch.setattr(bf.Fight, "use_token", counted_token)
    monkeypatch.setattr(bf.Fight, "buy_move", counted_move)
    for seed in range(150):
        scenario = random_scenario(seed)
        if scenario.get("policy") == "provider":
            bf.play(bf.prepare(scenario), AddressedLuck(seed, 0))

    wanted = {line.do if line.do != "treat" else f"treat {line.token}" for line in START_LINES["provider"]}
    assert {do: done[do] for do in wanted if done[do] < 3} == {}


def checked(prepared: bf.Prepared, seed: int, run: int) -> bf.Result:
    """A run in which everything adds up and no address was asked twice.

    Only where more models were made than there are slots, a newcomer may act in the slot, and so with the dice, of a
    model that acted and died in the same turn.
    """
    luck = OnceLuck(seed, run)
    result = bf.play(prepared, luck)
    check_sums(result)
    made = sum(group.created for group in result.groups.values())
    assert not luck.twice or made > 40, f"asked twice: {sorted(luck.twice)}"
    return result


def check_sums(result: bf.Result) -> None:
    """What must hold after any fight."""
    for hero in result.heroes:
        assert 0 <= hero.hp <= hero.health
        assert 0 <= hero.mind <= hero.sanity
        assert hero.standing or hero.ko_count
        assert hero.ally <= (hero.xp == 0 and hero.loot == 0)
    alive = [enemy for enemy in result.enemies if enemy.alive]
    assert all(enemy.hp > 0 for enemy in alive)
    created = sum(group.created for group in result.groups.values())
    killed = sum(group.killed for group in result.groups.values())
    assert created - killed == len(alive)
    assert (not alive) == (result.outcome == "win")
    assert result.xp == sum(hero.xp for hero in result.heroes)
    if result.cause == "heroes":
        assert not any(hero.standing for hero in result.heroes)
    squares = [hero.square for hero in result.heroes if hero.standing] + [enemy.square for enemy in alive]
    assert len(set(squares)) == len(squares) or set(squares) <= {0, 1}
