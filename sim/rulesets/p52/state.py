"""The state of a batch of fights: who stands where, with how many hit points and cards (section 2)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sim.core.batch import Batch
from sim.core.board import Bits
from sim.core.deck import Deck
from sim.core.facts import EncounterFacts
from sim.core.lanes import Lanes, Mask, Small, Tiny, Whole, cut, each
from sim.rulesets.p52.attack_tables import Best, Defence, HeroAttack
from sim.rulesets.p52.bestiary import EnemyAttack, EnemyFacts
from sim.rulesets.p52.build import HeroFacts
from sim.rulesets.p52.ground import Ground

STANDING, DEFEATED, ROUTED = 0, 1, 2  # what became of an enemy
PILE = 10  # places of a stamina pile: five cards, and five more of a Stamina Boost
NOWHERE = -1
MOST_ENEMIES = 32  # in one encounter: a bit for each, and a power of two
IN_HAND = -1  # where a knife is that was not thrown


@dataclass(frozen=True, slots=True)
class Space:
    """One encounter of the scenario: its board and who waits there (P52-S2)."""

    title: str
    ground: Ground
    slots: int  # enemies
    spots: tuple[int, ...]  # by slot
    types: tuple[tuple[int, ...], ...]  # by slot: the types it may be; one for a listed enemy
    listed: int  # so many slots are listed, the others drawn
    kinds: Whole | None  # (slots, 1) the types, if all are listed
    sturdy: NDArray[np.int32]  # (types,) 0 for those with the most hit points of all that may wait here, then 1, 2, ...
    attack_at: NDArray[np.int16]  # (types, loaded, spots * spots): row of the attack, -1 if there is none
    start: tuple[int, ...]  # by hero: where it begins


@dataclass(frozen=True, slots=True)
class Kit:
    """One hero with its tables."""

    facts: HeroFacts
    attacks: tuple[HeroAttack, ...]  # without Double Tap
    best: Best  # (stocks, types, conditions, ranges) best attack on one enemy alone
    areas: tuple[HeroAttack, ...]  # attacks whose worth depends on who stands where, Charge left out
    areas_most: int  # the longest range of those; -1 if there are none
    charge: HeroAttack | None
    tap: HeroAttack | None
    defence: Defence
    against_beast: Defence  # every target 2 higher (P52-E15)
    support: dict[str, Any]  # heal, healing_glow, revive, threaten -> Support
    items: dict[str, Any]  # consumables that it may use
    has_knife: bool
    reaches: Mask  # (ranges,) some attack is legal at this range, whatever is at hand
    plan: Any  # plans.Plan
    throw: int  # throw range


@dataclass(frozen=True, slots=True)
class Support:
    """Heal, Healing Glow, Revive or Threaten: (params, totals), the amount or MISS; params are ranges or counts."""

    name: str
    row: int
    target: Small  # (params,)
    amount: Small  # (params, totals)
    most: int  # range


@dataclass(frozen=True, slots=True)
class Facts(EncounterFacts):
    """What is the same in all runs of a scenario."""

    kits: tuple[Kit, ...]
    level: int  # L
    types: tuple[EnemyFacts, ...]
    attacks: tuple[EnemyAttack, ...]  # of all types, one after the other
    attack_row: tuple[int, ...]  # by attack: row in the ledger's abilities
    attack_of: tuple[int, ...]  # by type: its first attack
    raw: Small  # (attacks, passing, ranges, flips) flattened
    ranges: int  # length of the ranges axis
    king: Small  # (most raw + 1,) what a King makes of damage
    spaces: tuple[Space, ...]
    deck_cards: tuple[int, ...]  # types of the enemy deck
    flip_rows: dict[str, list[int]]  # attacks, enemy_attacks, defences -> rows of the ability table
    stock_names: tuple[str, ...]  # consumables, in table order
    max_hp: Small  # (heroes, 1)
    lift: Small  # (heroes, 1)
    type_max_hp: Small  # (types,)
    type_xp: NDArray[np.int32]  # (types,)
    type_defence: Tiny  # (types, kinds)
    type_boss: Mask  # (types,)
    type_calico: Mask  # (types,)
    calicos: bool  # whether there is any
    attack_kind: Tiny  # (attacks,)
    freezes: Mask  # (attacks,)
    pushes: Mask  # (attacks,)
    loads: Mask  # (attacks,)
    ledger_row: NDArray[np.int64]  # (attacks,)
    knives: bool  # whether anybody can throw a knife
    burns: bool  # whether anybody carries a fire elixir
    freezers: bool  # whether anybody can freeze enemies
    ices: bool  # whether anybody can freeze until attacked (mountain)


@dataclass(slots=True)
class State(Batch):
    """All fights of a batch; a unit stands on a spot and blocks nobody (P52-U7).

    Player in roster order, enemies in the order of their slots; the last axis is the run.
    """

    facts: Facts
    space: Space  # the encounter that is being played now; runs of other stages wait
    deck: Deck | None  # None with deck_mode = iid
    flips: NDArray[np.int32]  # (runs,) values drawn with deck_mode = iid
    stage: Tiny  # (runs,) which encounter of the gauntlet
    stage_round: Small  # (runs,) round of that encounter
    on: Mask  # (runs,) the encounter goes on
    dealt: NDArray[np.int16]  # (deck cards, runs) types in the order of the enemy deck

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
    earned: NDArray[np.int32]  # (heroes, runs) XP of this encounter
    xp: NDArray[np.int32]  # (heroes, runs)
    end_hp: NDArray[np.int32]  # (types, runs) hit points of enemies of finished encounters
    met: Mask  # (types, runs) enemies that were met
    fallen: Mask  # (types, runs) defeated or routed
    tally: dict[str, NDArray[np.int32]]  # name -> (runs,)

    @property
    def heroes(self) -> int:
        """How many heroes there are, dead ones included."""
        return len(self.hp)

    def when(self, at: Lanes) -> Any:
        """P52-R9: the round of an address of luck; the stage counts thousands."""
        if len(self.facts.spaces) == 1:
            return self.round
        return self.stage.take(at).astype(np.int64) * 1000 + self.stage_round.take(at)

    def unit_of(self, enemy: int, at: Lanes) -> int:
        """The unit that an enemy of the first of these lanes is, for the recorder, who listens to one run."""
        return int(self.heroes + self.kind[enemy, at[0]])

    def here(self, enemy: int, at: Lanes) -> Mask:
        """(lanes,). Whether an enemy is neither defeated nor routed."""
        return self.gone[enemy].take(at) == STANDING

    def living(self, at: Lanes) -> Mask:
        """(heroes, lanes). P52-C20, C21: stunned heroes live."""
        return cut(self.hp, at) >= 0

    def standing_foes(self, at: Lanes) -> Mask:
        """(slots, lanes). Enemies that are neither defeated nor routed."""
        return cut(self.gone, at) == STANDING

    def is_frozen(self, enemy: Any, at: Lanes) -> Mask:
        """(lanes,). P52-E12: it neither acts nor defends; one enemy for all lanes, or one per lane."""
        if not self.facts.freezers:
            return np.zeros(len(at), dtype=bool)
        held: Mask = each(self.frozen, enemy, at) > 0
        return held | each(self.iced, enemy, at) if self.facts.ices else held

    def stock_of(self, hero: int, at: Lanes) -> Whole:
        """(lanes,). Arrows and knife at hand, as a row of the attack tables."""
        kit = self.facts.kits[hero]
        code = np.zeros(len(at), dtype=np.int64)
        if any(attack.weapon == "bow" for attack in kit.attacks):
            sharp, basic = self.sharp[hero].take(at) > 0, self.arrows[hero].take(at) > 0
            code += 2 * (basic | sharp) + 2 * sharp
        if kit.has_knife:
            code += self.knife_at[hero].take(at) == IN_HAND
        return code

    def count(self, name: str, at: Lanes, by: Any = 1) -> None:
        """P52-X6: one of the run's own columns."""
        self.tally[name][at] += by

    def heroes_set(self, at: Lanes) -> Bits:
        """(words, lanes). The spots of living heroes."""
        return self.space.ground.board.bits.union(cut(self.spot, at), self.living(at))

    def foes_set(self, at: Lanes) -> Bits:
        """(words, lanes). The spots of enemies."""
        slots = self.space.slots
        return self.space.ground.board.bits.union(cut(self.foe_spot[:slots], at), self.standing_foes(at)[:slots])
