"""Exact odds of small fights: every face of every die is followed, nothing is sampled.

The rules are told here a second time, in scalar words and without the engine, so that the two check each other.

    party.py        who stands where: the heroes as small tuples, formation, stepping up
    memory.py       what monsters remember of who killed how many
    odds.py         what one roll can do: hits of an attack, health lost to an attack
    setup.py        how the fight can begin
    hero_turns.py   all ways in which a hero phase can go
    enemy_turns.py  all ways in which a monster phase can go
    chain.py        the round starts as states of a Markov chain, and its solution
    solver.py       which fights are taken on, and the answer
"""

from sim.rulesets.overhill.exact.solver import solve

__all__ = ["solve"]
