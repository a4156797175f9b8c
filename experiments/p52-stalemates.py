"""How often does the flee rule of P52 leave a fight undecided, and what does `flee_limit` change?

A stalemate is a draw at the round cap with only weak, fleeing enemies left. Run with

    python experiments/p52-stalemates.py

It prints the table of which experiments/README.md shows the rows that matter; the same seed gives the same numbers.
"""

from __future__ import annotations

import sim
from sim.results.statistics import rate

RUNS = 2_000
SEED = 1
LEVELS = (2, 3, 4, 6, 12)
FIGHTS = {
    "hall": "p52/hall-scaling",
    "corridor": "p52/corridor-ambush",
    "great room": "p52/great-room",
}


def stalemates(name: str, policy: str, level: int, limit: str | int) -> str:
    """Share of fights that end in a stalemate, with its interval, and a run to replay."""
    changes = {"heroes.*.level": level, "switches.flee_limit": limit}
    result = sim.run(name, runs=RUNS, seed=SEED, policy=policy, set=changes, keep="runs", progress=False)
    found = result.runs[result.runs["stalemate"] > 0]
    share = rate(len(found), RUNS)
    run = f", run {found['run'].iloc[0]}" if len(found) else ""
    return f"{100 * share.value:.1f} ({100 * share.low:.1f}-{100 * share.high:.1f}){run}"


def main() -> None:
    """Print the table."""
    print("| board | policy | level | no limit | limit 2 | limit 0 |")
    print("|---|---|---|---|---|---|")
    for board, name in FIGHTS.items():
        for policy in ("brawler", "focus_fire"):
            for level in LEVELS:
                cells = [stalemates(name, policy, level, limit) for limit in ("none", 2, 0)]
                print(f"| {board} | {policy} | {level} | " + " | ".join(cells) + " |", flush=True)


if __name__ == "__main__":
    main()
