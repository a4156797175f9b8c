"""The state of a batch of fights: who stands where, with how many hit points and cards (P52-U1 to P52-U16)."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from sim.core.batch import Batch, Blank, beginning
from sim.core.board import Bits
from sim.core.deck import Deck, Kinds
from sim.core.lanes import Lanes, Mask, Row, Small, Tiny, Whole, Wide, add, columns, cut, each
from sim.core.luck import TABLE, Luck
from sim.core.telling import Recorder
from sim.rulesets.p52.facts import COUNTED, Facts, Space

STANDING, DEFEATED, ROUTED = 0, 1, 2  # what became of an enemy
CARDS = 52
VALUES = Kinds(np.arange(CARDS) % 13)  # P52-R1: the cards of one value are alike
PILE = 10  # places of a stamina pile: five cards, and five more of a Stamina Boost
NOWHERE = -1
IN_HAND = -1  # where a knife is that was not thrown
STAGE = 1_000  # rounds of one encounter, at most: see `State.when`


@dataclass(slots=True)
class State(Batch):
    """All fights of a batch; a unit stands on a spot and blocks nobody (P52-U7).

    Heroes in roster order, enemies in the order of their slots; the last axis is the run.
    """

    facts: Facts
    space: Space  # the encounter that is being played now; runs of other stages wait
    deck: Deck | None  # None with deck_mode = iid
    flips: Wide  # (runs,) values drawn with deck_mode = iid
    stage: Tiny  # (runs,) which encounter of the gauntlet
    stage_round: Small  # (runs,) round of that encounter
    on: Mask  # (runs,) the encounter goes on
    dealt: Small  # (deck cards, runs) types in the order of the enemy deck

    hp: Small  # (heroes, runs)
    spot: Small  # (heroes, runs)
    pile: NDArray[np.uint8]  # (heroes, places, runs) stamina cards, a ring
    pile_top: Tiny  # (heroes, runs) place of the top card
    cards: Tiny  # (heroes, runs) how many
    aim: Tiny  # (heroes, runs)
    aim_at: Tiny  # (heroes, runs) enemy, -1 for none
    stance: Tiny  # (heroes, runs)
    lost: Tiny  # (heroes, runs) turns still to lose
    wade: Small  # (heroes, runs) spot, -1 for none
    received: Tiny  # (heroes, runs) k of P52-E7
    struck: Small  # (heroes, runs) hits in this round
    arrows: Small  # (heroes, runs)
    sharp: Small  # (heroes, runs)
    knife_at: Small  # (heroes, runs) spot of the thrown knife, IN_HAND
    stock: Small  # (consumables, heroes, runs)

    foe_hp: Small  # (slots, runs)
    foe_spot: Small  # (slots, runs)
    kind: Small  # (slots, runs) type
    gone: Tiny  # (slots, runs) STANDING, DEFEATED, ROUTED
    last: Tiny  # (slots, runs) last attacker, -1 for none
    frozen: Tiny  # (slots, runs) turns still to lose
    iced: Mask  # (slots, runs) frozen until attacked (mountain)
    burn: Tiny  # (slots, runs)
    burner: Tiny  # (slots, runs) who threw it
    burn_row: Small  # (slots, runs) the elixir, as a row of the ledger's abilities
    foe_wade: Small  # (slots, runs)
    loaded: Mask  # (slots, runs) bow ready
    fled: Small  # (slots, runs)
    falls: Small  # (slots, runs) fall flips so far
    order: Tiny  # (units, runs) units in the order of play: heroes, then slots
    standing: Tiny  # (runs,) enemies left
    alive: Tiny  # (runs,) heroes not dead
    pushed: Small  # (runs,) pushes asked for in this round
    favoured: Tiny  # (runs,) who goes first in round 1 (P52-S6): 1 heroes, 2 enemies, 0 nobody
    passing_king: Mask  # (runs,) the last passing attack was flipped with a King (P52-H3)

    foes_met: NDArray[np.uint32]  # (heroes, runs) one bit per enemy attacked (P52-X2)
    foes_by: NDArray[np.uint32]  # (abilities, runs) the same by ability (P52-X4)
    saves: Small  # (abilities, runs) successes of a defence in this encounter
    earned: Wide  # (heroes, runs) XP of this encounter
    xp: Wide  # (heroes, runs) of all encounters, and of an evening's fights before this one
    brought_xp: Wide  # (heroes, runs) the part that was brought along from the scene before
    brought_dead: Mask  # (heroes, runs) who came here dead
    end_hp: Wide  # (types, runs) hit points of enemies of finished encounters
    met: Mask  # (types, runs) enemies that were met
    fallen: Mask  # (types, runs) defeated or routed
    tally: dict[str, Wide]  # name -> (runs,)
    room_rounds: Small  # (rooms, runs) rounds in each encounter that is over; no rooms without a gauntlet
    room_hp: Wide  # (rooms, runs) hit points of the party at its end

    @property
    def heroes(self) -> int:
        """How many heroes there are, dead ones included."""
        return len(self.hp)

    def when(self, at: Lanes) -> int | Whole:
        """P52-R9: the round of an address of luck; the stage counts thousands."""
        if len(self.facts.spaces) == 1:
            return self.round
        stage: Whole = np.multiply(cut(self.stage, at), STAGE, dtype=np.int64)
        return stage + cut(self.stage_round, at)

    def unit_of(self, enemy: int, at: Lanes) -> int:
        """The unit that an enemy of the first of these lanes is, for the recorder, who listens to one run."""
        return int(self.heroes + self.kind[enemy, at[0]])

    def units_of(self, enemy: Row, at: Lanes) -> Whole:
        """(lanes,). The rows of enemies in the tables of units: one enemy for all lanes, or one per lane."""
        return np.add(self.heroes, each(self.kind, enemy, at), dtype=np.int64)

    def left(self, hero: int, at: Lanes) -> Small:
        """(lanes,). The hit points of a hero as people count them: none for the dead."""
        return np.maximum(cut(self.hp[hero], at), 0)

    def foe_left(self, enemy: Row, at: Lanes) -> Small:
        """(lanes,). The same of an enemy; one for all lanes, or one per lane."""
        return np.maximum(each(self.foe_hp, enemy, at), 0)

    def here(self, enemy: Row, at: Lanes) -> Mask:
        """(lanes,). Whether an enemy is neither defeated nor routed; one for all lanes, or one per lane."""
        gone = cut(self.gone[enemy], at) if isinstance(enemy, int) else each(self.gone, enemy, at)
        return gone == STANDING

    def living(self, at: Lanes) -> Mask:
        """(heroes, lanes). P52-C20, C21: stunned heroes live."""
        return cut(self.hp, at) >= 0

    def standing_foes(self, at: Lanes) -> Mask:
        """(slots, lanes). Enemies of this encounter that are neither defeated nor routed."""
        return cut(self.gone[: self.space.slots], at) == STANDING

    def foe_spots(self, at: Lanes) -> Small:
        """(slots, lanes). Where the enemies of this encounter stand."""
        return cut(self.foe_spot[: self.space.slots], at)

    def foe_kinds(self, at: Lanes) -> Small:
        """(slots, lanes). The types of the enemies of this encounter."""
        return cut(self.kind[: self.space.slots], at)

    def is_frozen(self, enemy: Row, at: Lanes) -> Mask:
        """(lanes,). P52-E12: it neither acts nor defends; one enemy for all lanes, or one per lane."""
        if not self.facts.freezers:
            return np.zeros(len(at), dtype=bool)
        held: Mask = each(self.frozen, enemy, at) > 0
        return held | each(self.iced, enemy, at) if self.facts.ices else held

    def aim_on(self, hero: int, enemy: Row, at: Lanes) -> Tiny:
        """(lanes,). P52-H5: the aim bonus of an attack of a hero on an enemy."""
        return cut(self.aim[hero], at) * (cut(self.aim_at[hero], at) == enemy)

    def stock_of(self, hero: int, at: Lanes) -> Whole:
        """(lanes,). Arrows and knife at hand, as a row of the attack tables; lanes may repeat."""
        kit = self.facts.kits[hero]
        code = np.zeros(len(at), dtype=np.int64)
        if kit.has_bow:
            sharp, basic = columns(self.sharp[hero], at) > 0, columns(self.arrows[hero], at) > 0
            code += 2 * (basic | sharp) + 2 * sharp
        if kit.has_knife:
            code += columns(self.knife_at[hero], at) == IN_HAND
        return code

    def count(self, name: str, at: Lanes, by: int | Whole | Mask = 1) -> None:
        """P52-X6: one of the run's own columns."""
        add(self.tally[name][None], 0, at, by)

    def heroes_set(self, at: Lanes) -> Bits:
        """(words, lanes). The spots of living heroes."""
        return self.space.ground.board.bits.union(cut(self.spot, at), self.living(at))

    def foes_set(self, at: Lanes) -> Bits:
        """(words, lanes). The spots of enemies."""
        return self.space.ground.board.bits.union(self.foe_spots(at), self.standing_foes(at))


def blank_state(facts: Facts, luck: Luck, tell: Recorder | None) -> State:
    """P52-U16, P52-S3: everybody as the scenario says, nobody placed yet, the deck shuffled."""
    blank = Blank(len(luck.keys), facts.cast.variants)
    heroes, types, abilities = len(facts.kits), len(facts.types), len(facts.cast.abilities)
    slots = max(space.slots for space in facts.spaces)
    sheets = [kit.facts for kit in facts.kits]
    return State(
        **beginning(luck, facts.cast, tell),
        facts=facts,
        space=facts.spaces[0],
        deck=None if facts.is_on("deck_mode", "iid") else Deck.shuffled(luck, CARDS, "P52-R3", TABLE, VALUES),
        flips=blank.wide(),
        stage=blank.tiny(),
        stage_round=blank.small(),
        on=blank.mask(value=True),
        dealt=deal_enemies(facts, luck),
        # heroes
        hp=blank.alike([sheet.hp for sheet in sheets]),
        spot=blank.small(heroes),
        pile=blank.alike(np.zeros((heroes, PILE)), np.uint8),
        pile_top=blank.tiny(heroes),
        cards=blank.tiny(heroes),
        aim=blank.tiny(heroes),
        aim_at=blank.tiny(heroes, value=NOWHERE),
        stance=blank.tiny(heroes),
        lost=blank.tiny(heroes),
        wade=blank.small(heroes, value=NOWHERE),
        received=blank.tiny(heroes),
        struck=blank.small(heroes),
        arrows=blank.alike([sheet.arrows for sheet in sheets]),
        sharp=blank.alike([sheet.sharp_arrows for sheet in sheets]),
        knife_at=blank.small(heroes, value=IN_HAND),
        stock=blank.alike([[sheet.consumables.get(name, 0) for sheet in sheets] for name in facts.stock_names]),
        # enemies
        foe_hp=blank.small(slots),
        foe_spot=blank.small(slots),
        kind=blank.small(slots),
        gone=blank.tiny(slots, value=STANDING),
        last=blank.tiny(slots, value=NOWHERE),
        frozen=blank.tiny(slots),
        iced=blank.mask(slots),
        burn=blank.tiny(slots),
        burner=blank.tiny(slots),
        burn_row=blank.small(slots),
        foe_wade=blank.small(slots, value=NOWHERE),
        loaded=blank.mask(slots, value=True),
        fled=blank.small(slots),
        falls=blank.small(slots),
        # the order of play and the party as a whole
        order=blank.tiny(heroes + slots),
        standing=blank.tiny(),
        alive=blank.tiny(value=heroes),
        pushed=blank.small(),
        favoured=blank.tiny(),
        passing_king=blank.mask(),
        # what is counted
        foes_met=blank.alike(np.zeros(heroes), np.uint32),
        foes_by=blank.alike(np.zeros(abilities), np.uint32),
        saves=blank.small(abilities),
        earned=blank.wide(heroes),
        xp=blank.wide(heroes),
        brought_xp=blank.wide(heroes),
        brought_dead=blank.mask(heroes),
        end_hp=blank.wide(types),
        met=blank.mask(types),
        fallen=blank.mask(types),
        tally={name: blank.wide() for name in COUNTED},
        room_rounds=blank.small(len(facts.cast.rooms)),
        room_hp=blank.wide(len(facts.cast.rooms)),
    )


def deal_enemies(facts: Facts, luck: Luck) -> Small:
    """P52-S2: (deck cards, runs). The types in the order in which the enemy deck deals them."""
    cards = np.array(facts.deck_cards, dtype=np.int16)
    if not len(cards):
        return np.zeros((0, len(luck.keys)), dtype=np.int16)
    return cards[luck.order(len(cards), "P52-S2", 0, TABLE)]
