"""What a policy does at the start of an activation besides BF-P7: Fine Cigar, Flash, Spice, treating others, BF-H5."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from .saves import Saves
from .targets import Targets
from .units import Hero


class StartLine(NamedTuple):
    """One ordered line of a policy. It is carried out once if its condition holds and the act is possible."""

    do: str  # a token, treat or buy_move
    when: Callable[[StartLines, Hero], bool] = lambda fight, hero: True
    token: str = ""  # of treat
    share: tuple[int, int] = (1, 3)  # of treat: the patient has no more than this part left


class StartLines(Targets, Saves):
    """The start lines of a policy, asked after the Move roll, BF-H3 and BF-P7, and before movement."""

    def start_lines(self, hero: Hero) -> int:
        """Every line that applies, in order; the movement points bought (BF-H5)."""
        bought = 0
        for line in START_LINES.get(hero.policy, ()):
            if hero.standing and line.when(self, hero):
                bought += self.start_line(hero, line)
        return bought

    def start_line(self, hero: Hero, line: StartLine) -> int:
        """One line whose condition holds, if the act is possible; the movement points bought."""
        if line.do == "buy_move":
            return self.buy_move(hero)
        if line.do == "treat":
            self.treat(hero, line.token, line.share)
        elif not self.still_works(hero, line.do):
            self.use_token(hero, line.do)
        return 0

    def still_works(self, hero: Hero, token: str) -> bool:
        """Whether an earlier token of the kind makes another one useless."""
        if token == "fine_cigar":
            return hero.cigar_turn == self.turn
        if token == "flash":
            return self.turn + 1 in self.flashed
        return hero.spice > 0

    def treat(self, user: Hero, token: str, share: tuple[int, int]) -> None:
        """BF-H26: the token for the first hero beside the user, in posse order, who is in need of it."""
        for patient in self.beside(user):
            if self.needs(patient, token, share):
                self.use_token(user, token, on=patient)
                return

    def beside(self, user: Hero) -> list[Hero]:
        """The other standing heroes adjacent to one (BF-G3); without a board all of them."""
        others = [hero for hero in self.standing if hero is not user]
        return others if self.board.none else [hero for hero in others if hero.sq in self.board.near[user.sq]]

    def needs(self, patient: Hero, token: str, share: tuple[int, int]) -> bool:
        """Little enough is left, and the token would do something."""
        part, whole = share
        if token == "tonic":
            return self.wants_tonic(patient)
        if token == "whiskey":
            return patient.sdmg > 0 and patient.mind * whole <= patient.sanity * part
        return patient.wounds > 0 and patient.hp * whole <= patient.health * part

    def buy_move(self, hero: Hero) -> int:
        """BF-H5."""
        if self.board.none or hero.grit < 1 or self.switches["grit_use"] == "off":
            return 0
        self.spend_grit(hero)
        points = self.die(6, "BF-H5", hero.number)
        if self.trace is not None:
            self.say(f"{hero.name} buys {points} movement points")
        return points

    def can_attack(self, hero: Hero) -> bool:
        """BF-P2: a mode is available where the hero stands."""
        return any(self.legal_targets(mode, hero.sq) for mode in hero.sheet.modes)


START_LINES: dict[str, tuple[StartLine, ...]] = {
    "provider": (
        StartLine("flash", lambda fight, hero: fight.turn == 1),
        StartLine("fine_cigar", lambda fight, hero: len(fight.adjacent_enemies(hero.sq)) >= 1),
        StartLine("treat", token="herbs", share=(1, 3)),
        StartLine("treat", token="bandages", share=(1, 2)),
        StartLine("treat", token="whiskey", share=(1, 2)),
        StartLine("treat", token="tonic"),
        StartLine("spice", lambda fight, hero: fight.can_attack(hero) and hero.hp >= 4),
        StartLine("buy_move", lambda fight, hero: hero.grit >= 2 and not fight.can_attack(hero)),
    )
}
