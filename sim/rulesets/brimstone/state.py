"""The state of a batch of fights: heroes, models, who stands where, who has which marker."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from sim.core.batch import Batch, Blank, beginning
from sim.core.board import Bits
from sim.core.lanes import SMALL, Lanes, Mask, Row, Small, Tiny, Wide, cut, lookup
from sim.core.luck import Luck
from sim.core.telling import Recorder
from sim.rulesets.brimstone import data
from sim.rulesets.brimstone.data import BLEEDING
from sim.rulesets.brimstone.facts import Facts
from sim.rulesets.brimstone.ground import Ground

MODEL, GROUP, LINE, CARD, EVENT, NEWCOMER = 1_000, 2_000, 3_000, 4_000, 5_000, 20_000  # actors, besides heroes

PAST = ("xp", "corruption", "injuries", "madness")  # what adds up over an evening

MODEL_ROWS = {
    **dict.fromkeys(("profile", "spot", "hurt", "serial", "number", "fuse"), 0),
    **dict.fromkeys(("alive", "marked"), False),
    **dict.fromkeys(("kind", "target"), -1),
}  # the arrays of models and what they hold where there is none


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

    figures: Small  # (figures, heroes, runs) as `data.CARRIED_FIGURES` has them; none unless rolled by chart
    raised: Tiny  # (heroes, runs) the level up to which the chart has been rolled (`level_model` = chart)

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
    number: Small  # (slots, runs) which of its kind it is, from 1
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
    group_frightened: Wide  # (kinds, runs) sanity damage placed

    # Bitboards
    hero_bits: Bits  # (words, runs) standing heroes
    enemy_bits: Bits  # (words, runs) living models

    # The fight
    cause: Tiny  # (runs,)
    tokens: Tiny  # (runs,) revive tokens left
    cards: Small  # threat cards
    drawn: Mask  # (cards that may be drawn, runs) which of them were
    marker: Small  # darkness
    depth: Small
    ignored: Small
    flash_until: Small  # (runs,) Initiative is 2 lower for enemies up to this turn
    just_ended: Mask  # (runs,) over, but without its aftermath yet
    broken_off: Mask  # (runs,) the activations of this turn are over

    past: Wide  # (counts, heroes, runs) what was earned in earlier fights, as `PAST` has it; none in the first

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
    def has_board(self) -> bool:
        """Whether the fight has a board at all (BF-G10)."""
        return self.facts.ground is not None

    @property
    def ground(self) -> Ground:
        """The board; only for fights that have one."""
        assert self.facts.ground is not None
        return self.facts.ground

    def figure(self, name: str, profile: Row) -> Small:
        """A figure of the models with these profiles."""
        return lookup(self.facts.figure[name], profile)

    def of_kind(self, name: str, kind: int, at: Lanes) -> int | Small:
        """A figure of a kind in these lanes: a plain number where it is the same in every run."""
        one = self.facts.one_profile.get(kind)
        if one is not None and name not in self.facts.varied:
            return int(self.facts.figure[name][one])
        return self.figure(name, cut(self.held[kind], at))

    def kind_has(self, name: str, kind: int, at: Lanes) -> Mask:
        """(lanes,). Where the kind has this ability or figure."""
        figure = self.of_kind(name, kind, at)
        return np.full(len(at), figure > 0) if isinstance(figure, int) else figure > 0

    def kind_may(self, kind: int, name: str) -> bool:
        """Whether the kind can have this ability or figure at all in this fight."""
        return name in self.facts.kind_has[kind]

    def health_left(self, hero: int, at: Lanes) -> Small:
        """(lanes,). BF-U1: remaining Health."""
        left: Small = cut(self.health[hero], at) - cut(self.wounds[hero], at)
        return left - 3 * cut(self.status[BLEEDING, hero], at)

    def sanity_left(self, hero: int, at: Lanes) -> Small:
        """(lanes,). BF-U1: remaining Sanity."""
        left: Small = cut(self.sanity[hero], at) - cut(self.sdmg[hero], at)
        return left


def blank_state(facts: Facts, luck: Luck, tell: Recorder | None) -> State:
    """A state with nobody in it: heroes without figures, and room for one model."""
    heroes, kinds = len(facts.plot.heroes), len(facts.plot.kinds)
    words = 1 if facts.ground is None else facts.ground.bits.words
    blank = Blank(len(luck.keys), facts.cast.variants)
    return State(
        **beginning(luck, facts.cast, tell),
        facts=facts,
        **_blank_figures(blank, heroes, facts.modes, rolled=facts.is_on("level_model", "chart")),
        **_blank_heroes(blank, heroes),
        **_blank_counts(blank, heroes),
        **_blank_models(blank, models=1),
        profile=np.zeros((1, blank.runs), dtype=profile_numbers(facts)),
        held=np.zeros((kinds, blank.runs), dtype=profile_numbers(facts)),
        bonus_turn=blank.small(kinds),
        first_turn=blank.small(kinds),
        appeared=blank.small(kinds),
        made=blank.small(kinds),
        killed=blank.small(kinds),
        group_dealt=blank.wide(kinds),
        group_frightened=blank.wide(kinds),
        hero_bits=np.zeros((words, blank.runs), dtype=np.uint64),
        enemy_bits=np.zeros((words, blank.runs), dtype=np.uint64),
        cause=blank.tiny(),
        tokens=blank.tiny(),
        cards=blank.small(),
        drawn=blank.mask(len(facts.cards)),
        marker=blank.small(),
        depth=blank.small(),
        ignored=blank.small(),
        flash_until=blank.small(),
        just_ended=blank.mask(),
        broken_off=blank.mask(),
    )


def profile_numbers(facts: Facts) -> type[np.signedinteger[Any]]:
    """The numbers that hold every profile: small ones, unless very many variants stand side by side."""
    return np.int16 if facts.profiles_each * facts.cast.variants <= SMALL else np.int32


def _blank_figures(blank: Blank, heroes: int, modes: int, rolled: bool) -> dict[str, Any]:
    """The figures of heroes."""
    return {
        "init": blank.tiny(heroes),
        "th_ranged": blank.tiny(heroes),
        "th_melee": blank.tiny(heroes),
        "health": blank.small(heroes),
        "sanity": blank.small(heroes),
        "defense": blank.tiny(heroes),
        "willpower": blank.tiny(heroes),
        "agility": blank.tiny(heroes),
        "strength": blank.tiny(heroes),
        "max_grit": blank.tiny(heroes),
        "move_bonus": blank.tiny(heroes),
        "shot_bonus": blank.tiny(heroes),
        "dice": blank.tiny(heroes, modes),
        "figures": blank.small(len(data.CARRIED_FIGURES) if rolled else 0, heroes),
        "raised": blank.tiny(heroes, value=1) if rolled else blank.tiny(0),
    }


def _blank_heroes(blank: Blank, heroes: int) -> dict[str, Any]:
    """What changes about heroes."""
    return {
        "cell": blank.small(heroes),
        "standing": blank.mask(heroes),
        "dead": blank.mask(heroes),
        "removed": blank.mask(heroes),
        "wounds": blank.small(heroes),
        "sdmg": blank.small(heroes),
        "grit": blank.tiny(heroes),
        "status": blank.tiny(len(data.MARKERS), heroes),
        "bag": blank.tiny(len(data.TOKENS), heroes),
        "fortune": blank.tiny(heroes),
        "fortune_used": blank.mask(heroes),
        "holdouts": blank.tiny(heroes),
        "acted": blank.mask(heroes),
        "ever_acted": blank.mask(heroes),
        "free_used": blank.tiny(heroes),
        "moves": blank.small(heroes),
        "slip": blank.tiny(),
        "blasts": blank.tiny(heroes),
        "cigar": blank.mask(heroes),
        "spice": blank.tiny(heroes),
        "rescuer": blank.mask(heroes),
        "double_shot": blank.mask(heroes),
        "fanned": blank.mask(heroes),
        "barred": blank.mask(heroes),
    }


def _blank_counts(blank: Blank, heroes: int) -> dict[str, Any]:
    """What is counted by hero."""
    return {
        "past": blank.wide(0, heroes),
        "xp": blank.wide(heroes),
        "corruption": blank.small(heroes),
        "kills": blank.small(heroes),
        "dealt": blank.wide(heroes),
        "taken": blank.wide(heroes),
        "sanity_taken": blank.wide(heroes),
        "ko_count": blank.small(heroes),
        "healed": blank.wide(heroes),
        "restored": blank.wide(heroes),
        "grit_gained": blank.small(heroes),
        "grit_spent": blank.small(heroes),
        "tokens_used": blank.small(heroes),
        "injuries": blank.tiny(heroes),
        "madness": blank.tiny(heroes),
        "loot": blank.tiny(heroes),
        "revivals": blank.tiny(heroes),
        "hp_end": blank.small(heroes),
        "mind_end": blank.small(heroes),
    }


def _blank_models(blank: Blank, models: int) -> dict[str, Any]:
    """Room for models."""
    return {
        "kind": blank.tiny(models, value=-1),
        "spot": blank.small(models),
        "hurt": blank.small(models),
        "alive": blank.mask(models),
        "target": blank.tiny(models, value=-1),
        "serial": blank.small(models),
        "number": blank.small(models),
        "fuse": blank.small(models),
        "marked": blank.mask(models),
        "created": blank.small(),
    }
