"""The limit: players written in C, the third referee and the yardstick of how fast a fight can be played.

`overhill.c` and `p52.c` play two kinds of fights with the luck of `luck.h`, one run after another, and agree with the
engine run by run. They are written from the rule text and the draw points in each game's README, and are built with the
system's compiler when they are first asked for.

    player = player_of(sim.load("overhill/playtest-1"))      # Unknown says why a fight cannot be played
    played = player.play(seed=1, runs=np.arange(1000))       # outcome, rounds, hp

What they do not do: keep the ledger (who did what to whom, uses and hits of abilities, xp), tell replays, or know any
other ability, unit, switch or policy than those of the fights that they are for. Those are refused in words.
"""

from tests.limit.player import NoCompiler, Played, Player, Unknown, compiler, player_of

__all__ = ["NoCompiler", "Played", "Player", "Unknown", "compiler", "player_of"]
