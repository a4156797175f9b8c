"""Fights for tests: one run, set up by hand, with the cards in a wanted order."""

from __future__ import annotations

from typing import Any

import numpy as np

from sim.core.luck import Luck
from sim.core.telling import Event, Recorder
from sim.rulesets.p52 import RULESET
from sim.rulesets.p52.encounter import P52Encounter
from sim.rulesets.p52.schema import P52Scenario
from sim.rulesets.p52.state import State
from sim.scenario import Scenario, from_dict

ONE = np.array([0])  # the only lane of a batch of one


def written(
    heroes: list[dict[str, Any]],
    enemies: list[dict[str, Any]],
    board: str = "one",
    policy: str = "brawler",
    preset: str = "p52-1.4",
    **more: Any,
) -> dict[str, Any]:
    """A scenario as a file would say it; switches by name."""
    keys = ("encounters", "enemy_deck", "exit", "entrance", "level", "policies", "monsters", "classes")
    own = {key: more.pop(key) for key in keys if key in more}
    return {
        "ruleset": "p52",
        "title": "A test",
        "policy": policy,
        "preset": preset,
        "board": board,
        "heroes": heroes,
        **({"enemies": enemies} if enemies else {}),
        "switches": {"drop_mode": "off", **more},
        **own,
    }


def scenario_of(*args: Any, **more: Any) -> Scenario:
    """The same, checked."""
    return from_dict(written(*args, **more))


def compiled(*args: Any, **more: Any) -> P52Encounter:
    """The same, ready to be played."""
    encounter = RULESET.compile(P52Scenario.model_validate(written(*args, **more)))
    assert isinstance(encounter, P52Encounter)
    return encounter


def begin(*args: Any, seed: int = 1, runs: int = 1, **more: Any) -> tuple[P52Encounter, State]:
    """A fight before its first round, and its state."""
    encounter = compiled(*args, **more)
    tell = None
    if runs == 1:
        tell = Recorder(names=[unit.name for unit in encounter.cast.units])
    return encounter, encounter.start(Luck.of(seed, np.arange(runs)), tell)


def stack(s: State, *values: int) -> None:
    """The next cards of every run have these values."""
    assert s.deck is not None
    s.deck.left[:] = s.deck.cards
    for place, value in enumerate(values):
        s.deck.piles[:, -1 - place] = value - 1


def hold(s: State, hero: int, *values: int) -> None:
    """The hero's stamina pile has these values, top first."""
    assert s.deck is not None
    s.cards[hero] = len(values)
    s.pile_top[hero] = 0
    for place, value in enumerate(values):
        s.pile[hero, place] = value - 1
        s.deck.out[0] |= np.uint64(1) << np.uint64(value - 1)


def next_round(encounter: P52Encounter, s: State) -> None:
    """One round, as the engine plays it."""
    s.round += 1
    s.rounds[s.live] = s.round
    encounter.play_round(s)


def told(s: State, *kinds: str, **facts: Any) -> list[Event]:
    """The events of these kinds with these facts."""
    assert s.tell is not None
    return [event for event in s.tell.events if event.kind in kinds and facts.items() <= event.facts.items()]


def flips(s: State, what: str) -> int:
    """How many attacks, enemy_attacks or defences there have been in the first run."""
    return int(s.ledger.uses[s.facts.flip_rows[what], 0].sum())


def foe(card: str, x: int = 0, y: int = 0, **more: Any) -> dict[str, Any]:
    """An enemy of a scenario."""
    return {"card": card, "spot": [x, y], **more}


def hero(role: str, level: int = 1, at: tuple[int, int] | None = None, **more: Any) -> dict[str, Any]:
    """A hero of a scenario."""
    return {"class": role, "level": level, **({"spot": list(at)} if at else {}), **more}
