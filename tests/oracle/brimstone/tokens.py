"""BF-H26, BF-P7, 11.3: the tokens that are not attacks."""

from __future__ import annotations

from .harm import Harm
from .rulebook import TOKEN_SHARE
from .units import Hero


class Tokens(Harm):
    """Side bag tokens."""

    def use_tokens(self, hero: Hero) -> None:
        """BF-P7."""
        if hero.policy == "random_legal":
            return
        part, whole = TOKEN_SHARE[hero.policy]
        if hero.hp * whole <= hero.health * part:
            self.use_token(hero, "bandages")
        if hero.hp * whole <= hero.health * part:
            self.use_token(hero, "herbs")
        if hero.mind * whole <= hero.sanity * part:
            self.use_token(hero, "whiskey")
        if self.wants_tonic(hero):
            self.use_token(hero, "tonic")

    def wants_tonic(self, hero: Hero) -> bool:
        """No Grit left, and able to hold some."""
        return hero.grit == 0 and hero.max_grit > 0 and self.switches["grit_use"] == "on"

    def use_token(
        self, user: Hero, token: str, on: Hero | None = None, purpose: str | None = None, index: int = 0
    ) -> bool:
        """11.3: the tokens that are not attacks, for the user or for another hero. False if the user has none.

        The user rolls the dice; `purpose` and `index` are their address where it is not the usual one.
        """
        if not user.bag.get(token):
            return False
        user.bag[token] -= 1
        user.tokens_used += 1
        hero = on or user
        purpose = purpose or (token if hero is user else f"treat/{token}")
        me = user.number
        if self.trace is not None:
            self.say(f"{user.name} uses {token}" + (f" on {hero.name}" if hero is not user else ""))
        if token == "bandages":
            self.heal_other(user, hero, self.heal_wounds(hero, self.die(6, purpose, me, index)))
        elif token == "herbs":
            points = self.die(6, purpose, me, index) + self.die(6, purpose, me, index + 1)
            self.heal_other(user, hero, self.heal_wounds(hero, points))
        elif token == "whiskey":
            self.heal_other(user, hero, self.heal_sanity(hero, self.die(6, purpose, me, index)))
        elif token == "tonic":
            self.gain_grit(hero)
        elif token == "fine_cigar":
            hero.cigar_turn = self.turn
        elif token == "flash":
            self.flashed |= {self.turn, self.turn + 1}
        elif token == "spice":
            hero.spice += self.die(3, purpose, me, index)
            self.direct_wounds(hero, 1, "spice", 0)
        return True

    def heal_other(self, user: Hero, hero: Hero, points: int) -> None:
        """BF-H26: XP for healing somebody else."""
        if hero is not user:
            self.gain_xp(user, 5 * points)
