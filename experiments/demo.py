"""What Fairfight is for, in a minute: a fight in the balance of each game, a comparison, a level curve and a replay.

    make demo

writes a report of each to reports/demo, and reports/demo/index.html, which leads to all of them.
"""

from __future__ import annotations

import sys
from pathlib import Path

import sim
from sim.report.file_sets import write_text
from sim.report.landing import answer_card, landing_page, result_card, telling_card
from sim.scenario.changes import title_in_full

RUNS = 4_000
SEED = 7
FIGHTS = {  # changed where the fight as written is not in the balance
    "overhill": ("overhill/playtest-1", {"enemies.skeleton.count": 7}),
    "p52": ("p52/apprentice-den", {}),
    "brimstone": ("brimstone/high_noon", {"enemies.undead_outlaws.count": 7}),
    "second_era": ("second_era/se_patrol", {}),
}
VARIANTS = {
    "one more skeleton": {"set": {"enemies.skeleton.count": 6}},
    "armour for the zombies": {"set": {"enemies.zombie.defence": 4}},
    "an expert plays": {"policy": "focus_expert"},
}
LEVELS = range(1, 9)
LEAD = "A fight in the balance of each game, what changes it, how it grows with the party, and one run move by move."


def show(folder: Path, runs: int = RUNS) -> Path:
    """Plays everything, prints the verdicts and writes the reports; the landing page."""
    cards = []
    for game, (name, changes) in FIGHTS.items():
        result = sim.run(name, set=changes, runs=runs, seed=SEED, out=folder / game, fresh=True)
        say(title_in_full(result.scenario), result.verdict)
        cards.append(result_card(result, f"{game}/index.html"))

    title = "What makes the crypt swarm harder?"
    answer = sim.compare(
        "overhill/crypt-swarm", VARIANTS, runs=runs, seed=SEED, title=title, out=folder / "compare", fresh=True
    )
    say(title, *answer.verdicts)
    cards.append(answer_card(answer, "compare/index.html"))

    title = "Does the level ladder keep playtest 1 fair?"
    policies = ["plain", "focus_expert"]
    out = folder / "levels"
    answer = sim.scale(
        "overhill/playtest-1-ladder", LEVELS, policies=policies, runs=runs, seed=SEED, title=title, out=out, fresh=True
    )
    say(title, *answer.verdicts)
    cards.append(answer_card(answer, "levels/index.html"))

    name, changes = FIGHTS["overhill"]
    telling = sim.replay(name, set=changes, pick="loss", seed=SEED, runs=runs)
    title = f"A typical loss, move by move. {telling.title}"
    write_text(folder / "replay.html", telling.page())
    card = telling_card(telling, title, sim.load(name).ruleset.title, "replay.html")
    say(title, card.verdict, *card.details)
    cards.append(card)
    return write_text(folder / "index.html", landing_page("Fairfight: is it a fair fight?", LEAD, cards))


def say(title: str, *sentences: str) -> None:
    """A finding on the terminal."""
    print(title)
    for sentence in sentences:
        print(f"  {sentence}")
    print(flush=True)


if __name__ == "__main__":
    folder = Path(sys.argv[1]) if len(sys.argv) > 1 else Path("reports/demo")
    print(f"Everything is in {show(folder)}: open it in a browser.")
