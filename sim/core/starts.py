"""Where a scenario file says that somebody begins: which key of the file says it, or why none can."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Start:
    """What a file can say of where one token of the opening table stands."""

    path: str = ""  # 'heroes[0].square', as `--set` takes it; 'enemies[0].squares[2]' may be one more entry of its list
    line: tuple[tuple[int, int], ...] = ()  # of such a list: where all of it stand now, written down with this one
    words: Mapping[int, str] | None = None  # by cell, where places have names: {2: "front"}; None for coordinates
    why_not: str = ""  # a sentence, where the file can say nothing


UNSAID = Start(why_not="A file of this game says nothing of where anybody begins.")
