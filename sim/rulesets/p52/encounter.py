"""A P52 scenario ready to be played, and what it yields (P52-X6)."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from sim.core.deck import Deck
from sim.core.engine import Encounter
from sim.core.lanes import Lanes, cut
from sim.core.ledger import Ledger
from sim.core.luck import TABLE, Luck
from sim.core.outcomes import Ending, Outcome
from sim.core.telling import Recorder
from sim.rulesets.p52.facts import COUNTED, COUNTS, SUCCESSES, make_facts
from sim.rulesets.p52.plan import Plan
from sim.rulesets.p52.player import Player
from sim.rulesets.p52.rules.cards import CARDS, give_card
from sim.rulesets.p52.rules.rounds import enter_space, go_on, play_round
from sim.rulesets.p52.schema import P52Scenario
from sim.rulesets.p52.state import IN_HAND, NOWHERE, PILE, Facts, State


class P52Encounter(Encounter[State]):
    """A compiled scenario. Holds facts and look-up tables; all that changes is in the State."""

    def __init__(self, scenario: P52Scenario, switches: dict[str, Any], plans: list[Plan]) -> None:
        self.facts = make_facts(scenario, switches, plans)
        self.cast = self.facts.cast
        self.heroes = Player()

    def start(self, luck: Luck, tell: Recorder | None) -> State:
        """P52-S3, P52-S4: shuffle, deal, and enter the first space."""
        s = blank_state(self.facts, luck, tell)
        at = np.arange(s.size)
        dealt = min(self.facts.switches["stamina_start"], self.facts.switches["stamina_max"])
        for hero in range(s.heroes):
            for _ in range(dealt):
                give_card(s, hero, at)  # P52-S4
        enter_space(s, self.heroes, at, 0)
        go_on(s, self.heroes, at)
        return s

    def play_round(self, s: State) -> None:
        """Section 4."""
        play_round(s, self.heroes)

    def ending(self, s: State, at: Lanes, book: Ledger) -> Ending:
        """P52-X6: what is counted per run."""
        heroes, units = s.heroes, len(self.cast.units)
        hp = np.zeros((units, len(at)), dtype=np.int32)
        dead = np.zeros((units, len(at)), dtype=bool)
        present = np.ones((units, len(at)), dtype=bool)
        hp[:heroes] = cut(s.hp, at)
        dead[:heroes] = hp[:heroes] < 0
        hp[heroes:] = cut(s.end_hp, at)
        dead[heroes:] = cut(s.fallen, at)
        present[heroes:] = cut(s.met, at)
        xp = cut(s.xp, at)
        alive = ~dead[:heroes]
        counts = {name: s.tally[name][at] for name in s.tally} | self.flips(book)
        counts["xp_dead"] = (xp * ~alive).sum(axis=0, dtype=np.int32)
        return Ending(
            xp=(xp * alive).sum(axis=0, dtype=np.int32),
            counts={name: counts[name] for name in COUNTS},
            hp=hp,
            present=present,
            dead=dead,
        )

    def flips(self, book: Ledger) -> dict[str, NDArray[np.int32]]:
        """P52-X6: attack flips and defence attempts with their successes, which are the uses of those abilities."""
        counts = {}
        for name, rows in self.facts.flip_rows.items():
            counts[name] = book.uses[rows].sum(axis=0, dtype=np.int32)
            counts[SUCCESSES[name]] = book.hits[rows].sum(axis=0, dtype=np.int32)
        return counts


def blank_state(facts: Facts, luck: Luck, tell: Recorder | None) -> State:
    """P52-U16, P52-S3: everybody as the scenario says, nobody placed yet, the deck shuffled."""
    runs = len(luck.keys)
    heroes, types = len(facts.kits), len(facts.types)
    slots = max(space.slots for space in facts.spaces)
    abilities = len(facts.cast.abilities)
    sheets = [kit.facts for kit in facts.kits]

    def fill(rows: Any, value: Any, kind: Any) -> NDArray[Any]:
        shape = (rows, runs) if isinstance(rows, int) else (*rows, runs)
        return np.full(shape, value, dtype=kind)

    def each(values: list[int], kind: Any = np.int16) -> NDArray[Any]:
        return np.repeat(np.array(values, dtype=kind).reshape(-1, 1), runs, axis=1)

    stock = np.array(
        [[sheet.consumables.get(name, 0) for sheet in sheets] for name in facts.stock_names], dtype=np.int16
    )
    deck = None if facts.is_on("deck_mode", "iid") else Deck.shuffled(luck, CARDS, "P52-R3", TABLE)
    cards = np.array(facts.deck_cards, dtype=np.int16)
    dealt = cards[luck.order(len(cards), "P52-S2", 0, TABLE)] if len(cards) else np.zeros((0, runs), dtype=np.int16)
    return State(
        luck=luck,
        live=np.ones(runs, dtype=bool),
        outcome=np.full(runs, Outcome.DRAW, dtype=np.int8),
        rounds=np.zeros(runs, dtype=np.int16),
        ledger=Ledger.blank(heroes + types, abilities, runs),
        round=0,
        tell=tell,
        facts=facts,
        space=facts.spaces[0],
        deck=deck,
        flips=np.zeros(runs, dtype=np.int32),
        stage=np.zeros(runs, dtype=np.int8),
        stage_round=np.zeros(runs, dtype=np.int16),
        on=np.ones(runs, dtype=bool),
        dealt=dealt,
        # heroes
        hp=each([sheet.hp for sheet in sheets]),
        spot=fill(heroes, 0, np.int16),
        pile=fill((heroes, PILE), 0, np.uint8),
        pile_top=fill(heroes, 0, np.int8),
        cards=fill(heroes, 0, np.int8),
        aim=fill(heroes, 0, np.int8),
        aim_at=fill(heroes, NOWHERE, np.int8),
        stance=fill(heroes, 0, np.int8),
        lost=fill(heroes, 0, np.int8),
        wade=fill(heroes, NOWHERE, np.int16),
        received=fill(heroes, 0, np.int8),
        struck=fill(heroes, 0, np.int16),
        arrows=each([sheet.arrows for sheet in sheets]),
        sharp=each([sheet.sharp_arrows for sheet in sheets]),
        knife_at=fill(heroes, IN_HAND, np.int16),
        stock=np.repeat(stock[:, :, None], runs, axis=2),
        # enemies
        foe_hp=fill(slots, 0, np.int16),
        foe_spot=fill(slots, 0, np.int16),
        kind=fill(slots, 0, np.int16),
        gone=fill(slots, 0, np.int8),
        last=fill(slots, NOWHERE, np.int8),
        frozen=fill(slots, 0, np.int8),
        iced=fill(slots, False, bool),
        burn=fill(slots, 0, np.int8),
        burner=fill(slots, 0, np.int8),
        burn_row=fill(slots, 0, np.int16),
        foe_wade=fill(slots, NOWHERE, np.int16),
        loaded=fill(slots, True, bool),
        fled=fill(slots, 0, np.int16),
        falls=fill(slots, 0, np.int16),
        # the order of play and the party as a whole
        order=fill(heroes + slots, 0, np.int8),
        standing=np.zeros(runs, dtype=np.int8),
        alive=np.full(runs, heroes, dtype=np.int8),
        pushed=np.zeros(runs, dtype=np.int16),
        favoured=np.zeros(runs, dtype=np.int8),
        passing_king=np.zeros(runs, dtype=bool),
        # what is counted
        foes_met=fill(heroes, 0, np.uint32),
        foes_by=fill(abilities, 0, np.uint32),
        saves=fill(abilities, 0, np.int16),
        earned=fill(heroes, 0, np.int32),
        xp=fill(heroes, 0, np.int32),
        end_hp=fill(types, 0, np.int32),
        met=fill(types, False, bool),
        fallen=fill(types, False, bool),
        tally={name: np.zeros(runs, dtype=np.int32) for name in COUNTED},
    )
