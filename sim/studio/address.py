"""What the page shows, as the address in the browser's bar.

The whole state of a page is its address: the fight, what was changed in it (as `--set` takes it), the luck, how precise
it is to be, and the variants that were kept. A reload, the back button, a second tab and a link need no more than that.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from urllib.parse import parse_qsl, urlencode

from sim.scenario.values import KeyPath, key_path

PRECISIONS = (2.0, 1.0, 0.5, 0.2)  # points to either side that a page can ask for
LARGEST_SEED = 2**64 - 1
MOST_KEPT = 12  # variants in the list


@dataclass(frozen=True, slots=True)
class Variant:
    """A fight with changes."""

    fight: str  # a name as in `fairfight list`, or the path of a file in the folder
    sets: tuple[str, ...] = ()  # 'enemies[0].count=7', in the order in which they count

    def with_value(self, path: str, typed: str) -> Variant:
        """The same with one value set: it takes the place of what was set there, or inside of it."""
        return replace(self, sets=(*self.without(path).sets, f"{path}={typed}"))

    def without(self, path: str) -> Variant:
        """The same with nothing set at a path, or inside of what stands there."""
        gone = key_path(path)
        kept = tuple(setting for setting in self.sets if path_of(setting)[: len(gone)] != gone)
        return replace(self, sets=kept)

    def typed_at(self, path: str) -> str | None:
        """What was typed for a path; None if nothing was."""
        wanted = key_path(path)
        return next((value_of(setting) for setting in self.sets if path_of(setting) == wanted), None)


@dataclass(frozen=True, slots=True)
class Kept:
    """A variant that was kept, under a name."""

    name: str
    variant: Variant


@dataclass(frozen=True, slots=True)
class Address:
    """Everything that a page shows."""

    variant: Variant
    seed: int = 1
    precision: float = 1.0
    target: float = 0.65  # of the win rate, where a page looks for a value
    kept: tuple[Kept, ...] = ()
    against: int | None = None  # which of them is A
    seen: str = ""  # the digest of the file when the work began; empty for fights that are no files of the folder

    @classmethod
    def of(cls, query: str) -> Address:
        """The state that an address holds. What is no number, or out of bounds, is as if it were not there."""
        pairs = parse_qsl(query, keep_blank_values=True)
        first = dict(reversed(pairs))
        kept = tuple(_kept(text) for key, text in pairs if key == "keep")[:MOST_KEPT]
        against = _whole(first.get("against", ""), 0, len(kept) - 1)
        seed = _whole(first.get("seed", ""), 0, LARGEST_SEED)
        return cls(
            variant=Variant(first.get("fight", ""), tuple(text for key, text in pairs if key == "set")),
            seed=1 if seed is None else seed,
            precision=_number(first.get("precision", ""), PRECISIONS[-1], PRECISIONS[0], 1.0),
            target=_number(first.get("target", ""), 0.01, 0.99, 0.65),
            kept=kept,
            against=against,
            seen=first.get("seen", ""),
        )

    @property
    def query(self) -> str:
        """The state as an address holds it; what is as always is left out."""
        pairs = [("fight", self.variant.fight), *(("set", setting) for setting in self.variant.sets)]
        usual = Address(self.variant)
        for name in ("seed", "precision", "target", "against", "seen"):
            value = getattr(self, name)
            if value != getattr(usual, name):
                pairs.append((name, f"{value:g}" if isinstance(value, float) else str(value)))
        pairs += [("keep", _kept_text(kept)) for kept in self.kept]
        return urlencode(pairs)

    @property
    def baseline(self) -> Kept | None:
        """The variant that is A; None if there is none."""
        return None if self.against is None else self.kept[self.against]

    def changed(self, variant: Variant) -> Address:
        """The same page with another variant."""
        return replace(self, variant=variant)

    def keeping(self, name: str) -> Address:
        """The same page with its variant kept, and now A."""
        if len(self.kept) >= MOST_KEPT:
            return self
        kept = (*self.kept, Kept(name, self.variant))
        return replace(self, kept=kept, against=len(kept) - 1)

    def dropping(self, place: int) -> Address:
        """The same page without one of the variants that were kept."""
        kept = tuple(one for at, one in enumerate(self.kept) if at != place)
        against = self.against
        if against is not None and place <= against:
            against = None if place == against else against - 1
        return replace(self, kept=kept, against=against)


def path_of(setting: str) -> KeyPath:
    """The path of 'path=value'."""
    return key_path(setting.partition("=")[0].strip())


def value_of(setting: str) -> str:
    """The value of 'path=value', as it was typed."""
    return setting.partition("=")[2]


def next_name(kept: Iterable[Kept]) -> str:
    """What the next variant is called: A, B, C ..."""
    taken = {one.name for one in kept}
    return next(name for name in (chr(ord("A") + at) for at in range(26)) if name not in taken)


def _kept(text: str) -> Kept:
    pairs = parse_qsl(text, keep_blank_values=True)
    first = dict(reversed(pairs))
    sets = tuple(value for key, value in pairs if key == "set")
    return Kept(first.get("name", "?")[:60], Variant(first.get("fight", ""), sets))


def _kept_text(kept: Kept) -> str:
    settings = [("set", setting) for setting in kept.variant.sets]
    return urlencode([("name", kept.name), ("fight", kept.variant.fight), *settings])


def _whole(text: str, least: int, most: int) -> int | None:
    return int(text) if text.isdecimal() and len(text) <= 20 and least <= int(text) <= most else None


def _number(text: str, least: float, most: float, otherwise: float) -> float:
    try:
        value = float(text)
    except ValueError:
        return otherwise
    return value if least <= value <= most else otherwise
