"""The state of a batch of fights: heroes, models, who stands where, who has which marker."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sim.core.batch import Batch
from sim.core.facts import EncounterFacts
from sim.core.lanes import Lanes, Mask, Small, Tiny, Wide
from sim.rulesets.brimstone import data
from sim.rulesets.brimstone.build import Plot
from sim.rulesets.brimstone.ground import Ground
from sim.rulesets.brimstone.plans import Plan

Words = NDArray[np.uint64]

MODEL, GROUP, LINE, CARD, EVENT, NEWCOMER = 1_000, 2_000, 3_000, 4_000, 5_000, 20_000  # actors, besides heroes

BLEEDING, BURNING, DEATH_MARK, ENSNARED, POISON, STUNNED, WEBBED, VENOM, ENTANGLED = range(len(data.MARKERS))
BANDAGES, HERBS, WHISKEY, TONIC, DYNAMITE, HATCHET, SHIV, FINE_CIGAR, FLASH, SPICE = range(len(data.TOKENS))
MELEE, RANGED, MELEE_OR_RANGED, SHOOTOUT, IMMOBILE = range(len(data.BEHAVIOURS))
LARGE = data.SIZES.index("L")

BY_ENEMIES, BY_HEROES, BY_DARKNESS, BY_FLIGHT, BY_CAP = range(5)  # what ended a fight
CAUSES = ("enemies", "heroes", "darkness", "fled", "cap")

MODEL_ROWS = {
    **dict.fromkeys(("profile", "spot", "hurt", "serial", "fuse"), 0),
    **dict.fromkeys(("alive", "marked"), False),
    **dict.fromkeys(("kind", "target"), -1),
}  # the arrays of models and what they hold where there is none


@dataclass(frozen=True, slots=True)
class Facts(EncounterFacts):
    """What is the same in all runs of an encounter."""

    plot: Plot
    plans: tuple[Plan, ...]  # by hero
    ground: Ground | None
    figure: dict[str, Small]  # figure -> (profiles,)
    any_has: frozenset[str]  # figures that are not 0 in some profile
    kind_has: dict[int, frozenset[str]]  # kind -> figures that are not 0 in some of its profiles
    one_profile: dict[int, int]  # kind -> its profile, for kinds that have the same one in every run
    dice_cap: int
    modes: int  # most modes of a hero
    unit_row: dict[int, int]  # kind -> row in the cast
    ability_row: dict[tuple[int, str], int]  # (row of the unit, name) -> row in the cast's abilities
    stage: int
    flee_turn: int
    enemy_tile: int
    ambush: bool
    darkness: int
    markers: bool  # some hero may have a status marker
    mixed: bool  # more than one profile may be met in a run
    reuse: bool  # slots may be used twice: creation numbers and slots part


@dataclass(slots=True)
class State(Batch):
    """A batch of fights. Axis 0: hero, slot or kind; the last axis: run."""

    facts: Facts

    # Heroes: figures (they differ from run to run with `level_model` = chart)
    init: Tiny  # (heroes, runs)
    th_ranged: Tiny
    th_melee: Tiny
    health: Small
    sanity: Small
    defense: Tiny
    willpower: Tiny
    agility: Tiny
    strength: Tiny
    max_grit: Tiny
    move_bonus: Tiny
    shot_bonus: Tiny
    dice: Tiny  # (heroes, modes, runs) dice of every mode, after the cap

    # Heroes: what changes
    cell: Small  # (heroes, runs) -1 without a board; a KO'd hero's marker stays
    standing: Mask
    dead: Mask
    removed: Mask
    wounds: Small
    sdmg: Small
    grit: Tiny
    status: Tiny  # (markers, heroes, runs)
    bag: Tiny  # (tokens, heroes, runs)
    fortune: Tiny  # (heroes, runs) Fortune tokens
    fortune_used: Mask  # this turn
    holdouts: Tiny  # (heroes, runs) hold-out pistols left
    acted: Mask  # activated this turn
    ever_acted: Mask
    free_used: Tiny
    moves: Small  # movement points of this activation
    slip: Tiny  # (runs,) the highest Escape number that the hero who acts may leave; 0 without an Escape roll
    blasts: Tiny  # own Dynamite tokens exploded so far
    cigar: Mask  # Fine Cigar: Armor 3+ until the end of the turn
    spice: Tiny  # Spice: damage that the next hit gains; 0 for none
    rescuer: Mask  # has earned the XP of Help
    double_shot: Mask  # used this turn
    fanned: Mask  # Pistol Fanning used this turn
    barred: Mask  # knocked out this turn: no activation even if brought back (BF-T5)

    # Models
    kind: Tiny  # (slots, runs) -1 if never used
    profile: Small
    spot: Small  # (slots, runs) cell; -1 without a board
    hurt: Small  # wounds on the model
    alive: Mask
    target: Tiny  # (slots, runs) hero, -1 for none
    serial: Small  # (slots, runs) creation number
    fuse: Small  # (slots, runs) order of death of a model that has still to explode; 0 for none
    marked: Mask  # (slots, runs) wounded by the attack in progress (BF-F8)
    created: Small  # (runs,) models created so far

    # Kinds
    held: Small  # (kinds, runs) profile of the kind, -1 before it is known
    bonus_turn: Small  # (kinds, runs) the turn with the ambush bonus; 0 for none
    first_turn: Small  # (kinds, runs) the first turn of the group
    appeared: Small  # (kinds, runs) order of first appearance
    made: Small  # (kinds, runs) models created
    killed: Small
    group_dealt: Wide

    # Bitboards
    hero_bits: Words  # (words, runs) standing heroes
    enemy_bits: Words  # (words, runs) living models

    # The fight
    cause: Tiny  # (runs,)
    tokens: Tiny  # (runs,) revive tokens left
    cards: Small  # threat cards
    marker: Small  # darkness
    depth: Small
    ignored: Small
    flash_until: Small  # (runs,) Initiative is 2 lower for enemies up to this turn
    just_ended: Mask  # (runs,) over, but without its aftermath yet
    broken_off: Mask  # (runs,) the activations of this turn are over

    # Per hero counts
    xp: Wide  # (heroes, runs)
    corruption: Small
    kills: Small
    dealt: Wide
    taken: Wide
    sanity_taken: Wide
    ko_count: Small
    healed: Wide
    restored: Wide  # wounds and sanity damage undone by revive tokens
    grit_gained: Small
    grit_spent: Small
    tokens_used: Small
    injuries: Tiny
    madness: Tiny
    loot: Tiny
    revivals: Tiny
    hp_end: Small
    mind_end: Small

    @property
    def heroes(self) -> int:
        """How many heroes there are, standing or not."""
        return len(self.cell)

    @property
    def slots(self) -> int:
        """How many places for models there are."""
        return len(self.alive)

    def make_room(self, slots: int) -> None:
        """More rows for models, as soon as some run needs them: rows that nobody fills cost time in every rule."""
        missing = slots - self.slots
        if missing <= 0:
            return
        for name, blank in MODEL_ROWS.items():
            table = getattr(self, name)
            rows = np.full((missing, self.size), blank, dtype=table.dtype)
            setattr(self, name, np.concatenate([table, rows]))

    def match(self, other: Any) -> None:
        """Give both batches as many rows for models as the larger one has."""
        self.make_room(other.slots)
        other.make_room(self.slots)

    @property
    def ground(self) -> Ground | None:
        """The board; None without one."""
        return self.facts.ground

    def figure(self, name: str, profile: NDArray[Any]) -> Small:
        """A figure of the models with these profiles."""
        return self.facts.figure[name].take(profile)

    def of_kind(self, name: str, kind: int, at: Lanes) -> Any:
        """A figure of a kind in these lanes: a plain number where it is the same in every run."""
        one = self.facts.one_profile.get(kind)
        if one is not None:
            return int(self.facts.figure[name][one])
        return self.facts.figure[name].take(self.held[kind].take(at))

    def kind_may(self, kind: int, name: str) -> bool:
        """Whether the kind can have this ability or figure at all in this fight."""
        return name in self.facts.kind_has[kind]

    def health_left(self, hero: int, at: Lanes) -> Small:
        """(lanes,). BF-U1: remaining Health."""
        left: Small = self.health[hero].take(at) - self.wounds[hero].take(at)
        return left - 3 * self.status[BLEEDING, hero].take(at)

    def sanity_left(self, hero: int, at: Lanes) -> Small:
        """(lanes,). BF-U1: remaining Sanity."""
        left: Small = self.sanity[hero].take(at) - self.sdmg[hero].take(at)
        return left


def all_rows(table: NDArray[Any], at: Lanes) -> NDArray[Any]:
    """(rows, lanes). All rows for these lanes, which may repeat; `cut` is for lanes that do not."""
    return table.take(at, axis=-1)


def pair(table: NDArray[Any], one: NDArray[Any], other: NDArray[Any]) -> NDArray[Any]:
    """(lanes,). `table[one, other]` of a (cells, cells) table, quicker."""
    return table.reshape(-1).take(one.astype(np.int64) * table.shape[1] + other)
