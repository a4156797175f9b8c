"""One encounter as it stands: heroes, enemies, the deck and the counts (P52-U16)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Protocol

from .board import Board, mask
from .build import EnemySheet
from .kit import Kit

if TYPE_CHECKING:
    from .prepare import Prepared

ENEMIES = 1_000  # enemy j is actor ENEMIES + j, hero h is actor h
TABLE = 9_999  # what belongs to nobody
STAGE = 1_000  # the encounters of a gauntlet lie this many rounds apart


class Luck(Protocol):
    """What the referee asks of `AddressedLuck` or `PythonLuck`."""

    def below(self, n: int, purpose: str, round: int, actor: int, index: int = 0) -> int: ...
    def die(self, sides: int, purpose: str, round: int, actor: int, index: int = 0) -> int: ...
    def order(self, items: Sequence[int], purpose: str, round: int, actor: int) -> list[int]: ...


class Counts:
    """What a unit did and suffered (P52-X6)."""

    __slots__ = (
        "abilities", "attacks", "core_gain", "damage_dealt", "damage_taken", "deaths", "defences", "defended",
        "down_round", "downs", "drops", "friendly_damage", "healing", "hits", "items_used", "kills", "stamina_used",
        "stuns", "xp",
    )  # fmt: skip

    def __init__(self) -> None:
        self.attacks = self.hits = self.defences = self.defended = 0
        self.damage_dealt = self.damage_taken = self.friendly_damage = self.healing = 0
        self.kills = self.downs = self.stuns = self.deaths = self.drops = 0
        self.stamina_used = self.items_used = self.xp = self.core_gain = 0
        self.down_round = -1
        self.abilities: dict[str, list[int]] = {}  # name -> uses, hits, damage

    def ability(self, name: str) -> list[int]:
        row = self.abilities.get(name)
        if row is None:
            row = self.abilities[name] = [0, 0, 0]
        return row


class Hero:
    """A hero in play (2.1)."""

    __slots__ = (
        "actor", "aim", "aim_at", "arrows", "counts", "earned", "foes", "foes_by_ability", "hits_this_round", "hp", "k",
        "kit", "knife_at", "lost_turns", "max_hp", "number", "parried", "sharp_arrows", "sheet", "spot", "stamina",
        "stance", "stock", "wade",
    )  # fmt: skip

    def __init__(self, number: int, kit: Kit) -> None:
        sheet = kit.sheet
        self.number = self.actor = number
        self.kit, self.sheet = kit, sheet
        self.hp, self.max_hp = sheet.hp, sheet.max_hp
        self.stock = dict(sheet.consumables)
        self.arrows, self.sharp_arrows = sheet.arrows, sheet.sharp_arrows
        self.stamina: list[int] = []  # card ids, top first; with deck_mode=iid only their number matters
        self.counts = Counts()
        self.spot = 0
        self.enter_encounter(0)

    def enter_encounter(self, spot: int) -> None:
        """P52-S2, P52-X5: stance, aim and frozen turns are cleared, a thrown knife is back."""
        self.spot = spot
        self.knife_at: int | None = None  # the spot where the thrown knife lies; None: in hand
        self.clear()
        self.k = self.hits_this_round = 0
        self.earned = 0  # XP of this encounter's actions
        self.foes: set[int] = set()  # enemies attacked (P52-X2)
        self.foes_by_ability: dict[str, set[int]] = {}  # P52-X4
        self.parried: dict[str, int] = {}  # successes by defence (P52-X4)

    def clear(self) -> None:
        self.aim = self.stance = self.lost_turns = 0
        self.aim_at: Enemy | None = None
        self.wade: int | None = None

    @property
    def alive(self) -> bool:
        return self.hp >= 0

    @property
    def stunned(self) -> bool:
        """P52-C20."""
        return self.hp == 0

    def armour(self, kind: str) -> int:
        """P52-C14."""
        return self.sheet.magic_armour if kind == "magic" else self.sheet.armour

    def aim_on(self, enemy: Enemy) -> int:
        return self.aim if self.aim_at is enemy else 0


class Enemy:
    """An enemy in play (2.2)."""

    __slots__ = (
        "actor", "bow_ready", "burn", "burn_by", "burn_item", "card", "counts", "falls", "fled", "gone", "hp", "iced",
        "last_attacker", "lost_turns", "max_hp", "number", "sheet", "spot", "wade",
    )  # fmt: skip

    def __init__(self, number: int, sheet: EnemySheet, spot: int) -> None:
        self.number, self.actor = number, ENEMIES + number
        self.sheet, self.card, self.spot = sheet, sheet.card, spot
        self.hp, self.max_hp = sheet.hp, sheet.max_hp
        self.last_attacker: Hero | None = None
        self.lost_turns = self.burn = self.fled = self.falls = 0
        self.burn_by: Hero | None = None
        self.burn_item = ""
        self.iced = False  # the mountain's Ice Elixir: until next attacked
        self.wade: int | None = None
        self.bow_ready = True
        self.gone = ""  # defeated or routed
        self.counts = Counts()

    @property
    def frozen(self) -> bool:
        return self.lost_turns > 0 or self.iced

    @property
    def weak(self) -> bool:
        """P52-E1."""
        return 4 * self.hp < self.max_hp


class Deck:
    """The action deck (P52-R1 to R5, R8)."""

    __slots__ = ("discard", "draw", "flips", "iid", "luck", "reshuffle_at", "shuffles")

    def __init__(self, luck: Luck, switches: dict[str, Any]) -> None:
        self.luck = luck
        self.iid = switches["deck_mode"] == "iid"
        self.reshuffle_at: int = switches["reshuffle_at"]
        self.flips = self.shuffles = 0
        self.discard: list[int] = []
        self.draw: list[int] = []  # the top card is the last one
        if not self.iid:
            self.draw = luck.order(range(52), "P52-R3", 0, TABLE)[::-1]  # P52-S3

    def refill(self) -> None:
        """P52-R3."""
        if len(self.draw) <= self.reshuffle_at and self.discard:
            self.shuffles += 1
            cards = sorted(self.draw + self.discard)
            self.draw = self.luck.order(cards, "P52-R3", self.shuffles, TABLE)[::-1]
            self.discard = []

    def flip(self) -> int:
        """P52-R2."""
        if self.iid:
            self.flips += 1
            return self.luck.die(13, "P52-R8", 0, TABLE, self.flips - 1)
        self.refill()
        card = self.draw.pop()
        self.discard.append(card)
        return card % 13 + 1

    def give(self, hero: Hero) -> None:
        """A stamina draw, to the bottom of the hero's pile (P52-U4, P52-R5)."""
        if self.iid:
            hero.stamina.append(0)
        elif len(self.draw) + len(self.discard) >= 10:
            self.refill()
            hero.stamina.append(self.draw.pop())

    def play(self, hero: Hero) -> int:
        """P52-R4: the top stamina card, revealed and discarded."""
        card = hero.stamina.pop(0)
        hero.counts.stamina_used += 1
        if self.iid:
            return self.flip()
        self.discard.append(card)
        return card % 13 + 1


class Fight:
    """One encounter of one run."""

    __slots__ = (
        "average", "board", "deck", "enemies", "flip", "heroes", "luck", "order", "outcome", "prepared", "pushes",
        "round", "rounds_before", "stage", "switches", "trace",
    )  # fmt: skip

    def __init__(
        self, prepared: Prepared, luck: Luck, deck: Deck, stage: int, board: Board, heroes: list[Hero],
        enemies: list[Enemy], rounds_before: int, trace: list[str] | None,
    ) -> None:  # fmt: skip
        self.prepared, self.luck, self.deck, self.board = prepared, luck, deck, board
        self.flip = deck.flip
        self.switches, self.average = prepared.switches, prepared.average
        self.stage, self.round, self.rounds_before = stage, 0, rounds_before
        self.heroes, self.enemies = heroes, enemies
        self.order: list[Hero | Enemy] = []
        self.pushes = 0  # asked for in this round (P52-C26)
        self.outcome = ""
        self.trace = trace

    @property
    def address(self) -> int:
        """The round of an address."""
        return STAGE * self.stage + self.round

    def lot(self, n: int, purpose: str, actor: int, index: int = 0) -> int:
        """P52-R9: one of n candidates; nothing is asked if there is no choice."""
        return 0 if n == 1 else self.luck.below(n, purpose, self.address, actor, index)

    def tell(self, *words: Any) -> None:
        if self.trace is not None:
            self.trace.append(" ".join(str(word) for word in (f"r{self.address}", *words)))

    def living(self) -> list[Hero]:
        return [hero for hero in self.heroes if hero.hp >= 0]

    def standing(self) -> list[Enemy]:
        return [enemy for enemy in self.enemies if not enemy.gone]

    def enemies_at(self, spot: int) -> list[Enemy]:
        return [enemy for enemy in self.enemies if enemy.spot == spot and not enemy.gone]

    def heroes_at(self, spot: int) -> list[Hero]:
        return [hero for hero in self.heroes if hero.spot == spot and hero.hp >= 0]

    def hero_mask(self) -> int:
        """The spots with living heroes."""
        return mask([hero.spot for hero in self.heroes if hero.hp >= 0])

    def enemy_mask(self) -> int:
        """The spots with living enemies."""
        return mask([enemy.spot for enemy in self.enemies if not enemy.gone])

    def sees(self, a: int, b: int) -> bool:
        """P52-U10, P52-U11."""
        return a == b or self.board.sight[a][b]

    def check_end(self) -> bool:
        """P52-T5, P52-X1: after every event; a win goes before a loss."""
        if not self.outcome:
            if all(enemy.gone for enemy in self.enemies):
                self.outcome = "win"
            elif all(hero.hp < 0 for hero in self.heroes):
                self.outcome = "loss"
        return bool(self.outcome)
