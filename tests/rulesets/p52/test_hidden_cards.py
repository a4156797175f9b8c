"""A run that goes on with other luck: what nobody has seen is dealt anew, what was seen stays."""

from __future__ import annotations

from itertools import chain

import numpy as np
import pytest

from sim.core.branch import at_start_of, branched
from sim.core.engine import play
from sim.rulesets.p52.state import PILE, State
from sim.scenario import from_dict, load

AGAIN = 40


def stamina(s: State, run: int) -> list[list[int]]:
    """The stamina cards of every hero, top first."""
    return [
        [int(s.pile[hero, (s.pile_top[hero, run] + place) % PILE, run]) for place in range(s.cards[hero, run])]
        for hero in range(s.heroes)
    ]


def discards(s: State, run: int) -> set[int]:
    assert s.deck is not None
    pile = {int(card) for card in s.deck.piles[run, : s.deck.left[run]]}
    return set(range(52)) - pile - set(chain(*stamina(s, run)))


@pytest.mark.rule("P52-R3", "P52-U4")
@pytest.mark.parametrize(("name", "round"), [("p52/great-room", 1), ("p52/great-room", 7), ("p52/mountain-pass", 4)])
def test_draw_pile_and_stamina_cards_are_shuffled_together(name: str, round: int) -> None:
    encounter = load(name).encounter()
    runs = np.flatnonzero(play(encounter, 1, np.arange(6)).rounds >= round)[:3]
    trunk = at_start_of(encounter, 1, runs, round)
    s = trunk.state

    copies = branched(trunk, np.repeat(np.arange(len(runs)), AGAIN), np.tile(np.arange(AGAIN), len(runs)))

    assert copies.deck is not None
    assert s.deck is not None
    for lane in range(copies.size):
        mine = lane // AGAIN
        assert [len(cards) for cards in stamina(copies, lane)] == [len(cards) for cards in stamina(s, mine)]
        assert discards(copies, lane) == discards(s, mine)
        assert copies.deck.left[lane] == s.deck.left[mine]
        assert copies.deck.in_hands()[lane] == len(list(chain(*stamina(copies, lane))))
    tops = {int(copies.deck.piles[lane, copies.deck.left[lane] - 1]) for lane in range(AGAIN)}
    assert len(tops) > 10
    assert (copies.hp[:, :AGAIN] == s.hp[:, :1]).all()


@pytest.mark.rule("P52-S2")
def test_the_rest_of_the_enemy_deck_is_shuffled_and_the_enemies_met_stay() -> None:
    fight = load("p52/random-space").resolved()
    one = {"enemy_deck": fight.pop("enemy_deck")}
    encounter = from_dict(fight | {"encounters": [one, one]}).encounter()
    trunk = at_start_of(encounter, 1, np.arange(2), 2)
    s = trunk.state

    copies = branched(trunk, np.repeat([0, 1], AGAIN), np.tile(np.arange(AGAIN), 2))

    for lane in range(copies.size):
        mine = lane // AGAIN
        assert copies.dealt[:4, lane].tolist() == s.dealt[:4, mine].tolist()
        assert sorted(copies.dealt[:, lane]) == sorted(s.dealt[:, mine])
    assert len({tuple(copies.dealt[4:8, lane].tolist()) for lane in range(AGAIN)}) > AGAIN // 2
