"""A page of cards that leads to several reports: a picture, the verdict and a link for each."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from sim.replays.replay import Telling
from sim.report.page import render
from sim.report.result_figures import outcome
from sim.report.study_figures import answer_drawings
from sim.report.svg import Drawing, drawn
from sim.results.result import Result
from sim.scenario.changes import title_in_full
from sim.scenario.wording import readable
from sim.studies.answer import Answer


@dataclass(frozen=True, slots=True)
class Card:
    """One report: what it is about, what it says, how it looks, and where it is."""

    kicker: str  # which game, which question
    title: str
    verdict: str
    details: tuple[str, ...]  # sentences under the verdict
    link: str  # from the landing page to the report
    picture: Drawing | None = None
    excerpt: str = ""  # lines of a story, where there is no picture


def landing_page(title: str, lead: str, cards: Sequence[Card]) -> str:
    """The page as HTML, self-contained but for its links to the reports."""
    pictures = [_apart(card.picture, place) if card.picture is not None else "" for place, card in enumerate(cards)]
    pairs = zip(cards, pictures, strict=True)
    return render("landing.html.jinja", page_title=title, title=title, lead=lead, cards=pairs)


def result_card(result: Result, link: str) -> Card:
    """How a fight ends."""
    scenario = result.scenario
    details = (result.price,) if result.price else ()
    kicker = f"{scenario.ruleset.title} · one fight"
    sketch = outcome(result)
    picture = None if sketch is None else drawn(sketch)
    return Card(kicker, title_in_full(scenario), result.verdict, details, link, picture)


def answer_card(answer: Answer, link: str) -> Card:
    """What a study has found; with wins, draws and losses of every fight that it sets side by side."""
    drawings = answer_drawings(answer)
    details = [*answer.verdicts[1:], *(_endings(answer) if answer.question == "compare" else ())]
    kicker = f"{answer.scenario.ruleset.title} · {answer.question}"
    title = answer.title or title_in_full(answer.scenario)
    return Card(kicker, title, answer.verdicts[0], tuple(details), link, drawings[0] if drawings else None)


def telling_card(telling: Telling, title: str, game: str, link: str, lines: int = 14) -> Card:
    """The first lines of a story."""
    told = [line for line in list(telling.lines())[1:] if line.strip()]
    end = next(line for line in reversed(told) if line.startswith("The end"))
    left = ", ".join(f"{readable(unit['name'])} {unit['hp']}" for unit in telling.units)
    details = (f"Left at the end: {left}.",)
    return Card(f"{game} · replay", title, end, details, link, excerpt="\n".join([*told[:lines], "…"]))


def _endings(answer: Answer) -> list[str]:
    """Wins, draws and losses of each fight of a comparison."""
    found = []
    for row in answer.frame("fights").to_dict("records"):
        shares = {"wins": row["win_rate"], "draws": row["draw_rate"], "losses": row["loss_rate"]}
        said = ", ".join(f"{what} {100 * share:.0f} %" for what, share in shares.items())
        changed = "" if row["changes"] == "nothing" else f" ({row['changes']})"
        found.append(f"{row['variant']}{changed}: {said}.")
    return found


def _apart(picture: Drawing, place: int) -> str:
    """The drawing with ids of its own: two of one name may stand on a page."""
    marks = r'(\bid="|url\(#|href="#|aria-labelledby=")'
    return re.sub(marks + re.escape(picture.name) + "-", rf"\1card-{place}-{picture.name}-", picture.svg)
