"""Where random numbers are asked for: the offsets that the README's table of draw points agrees on."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

ENEMIES = 1_000  # group g is actor ENEMIES + g, hero h is actor h
TABLE = 9_999  # what belongs to nobody
SECOND_DIE = 1_000  # advantage and disadvantage: the second die lies this far behind the first
PARALYSIS_LENGTH = 2_000  # OU-D7: the d4 lies this far behind the vigor die
BASH_ATTACK = 5_000  # OU-F6: the extra attack on hero h counts as attack BASH_ATTACK + h of its group


class Luck(Protocol):
    """What the referee asks of `AddressedLuck` or `PythonLuck`."""

    def below(self, n: int, purpose: str, round: int, actor: int, index: int = 0) -> int: ...
    def die(self, sides: int, purpose: str, round: int, actor: int, index: int = 0) -> int: ...
    def order(self, items: Sequence[int], purpose: str, round: int, actor: int) -> list[int]: ...
