"""The story of a run as text: who stands where, and what happened, a line an event."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from textwrap import wrap
from typing import TYPE_CHECKING

from sim.core.board import picture
from sim.core.telling import ROUND_ENDS, SCENE_BEGINS, START, Roll, Scene, Token
from sim.replays.fortune import fortune_in_words
from sim.replays.short_names import short_names
from sim.results.verdict import counted
from sim.scenario.wording import readable

if TYPE_CHECKING:
    from sim.replays.replay import Telling

WIDTH = 79  # of a window of 80 columns
HARD_SPACE = "\xa0"


def lines(telling: Telling, *, rules: bool = False) -> Iterator[str]:
    """The story in plain words; with `rules` the id of the rule stands before every line."""
    policy = readable(telling.policy)
    yield f"{telling.title} ({telling.scenario}), policy {policy}, {telling.which}"
    short = short_names(telling.keys)
    told = None
    chances = {one.round: f" (the party wins {one.in_words()} from here)" for one in telling.chances}
    for event, words in zip(telling.events, telling.words, strict=True):
        if event.kind == START:
            yield from _start(event.after, short)
            continue
        if event.kind == ROUND_ENDS:
            yield from _board(event.after, short)
            continue
        if event.kind == SCENE_BEGINS:
            told = event.round
            yield from ("", words, "-" * len(words))
            continue
        if event.round != told:
            told = event.round
            yield ""
            yield (f"Round {told}" if told else "Before the fight") + chances.get(told, "")
        rolled = "; ".join(_after_a_semicolon(roll_in_words(roll), at) for at, roll in enumerate(event.rolls))
        before = f"  {event.rule:<8} " if rules else "  "
        yield from _wrapped(words + (f". {rolled}." if rolled else "."), before)
    yield ""
    when = f"after {counted(telling.rounds, 'round')}" if telling.rounds else "before the first round"
    yield f"The end: {readable(telling.outcome)} {when}."
    yield from _wrapped(
        "Left: " + ", ".join(f"{readable(unit['name'])} {unit['hp']}" for unit in telling.units) + ".", ""
    )
    yield from _titled("What decided it", [point.words for point in telling.turning_points])
    yield from _titled("Luck of the fight", fortune_in_words(telling.fortune, telling.names))


def _titled(title: str, sentences: Sequence[str]) -> Iterator[str]:
    """Some sentences under a title; nothing where there are none."""
    if sentences:
        yield ""
        yield title
        for sentence in sentences:
            yield from _wrapped(f"{sentence}.", "  ")


def roll_in_words(roll: Roll) -> str:
    """What lay on the table, what was needed, and the chance that it had.

    >>> roll_in_words(Roll(("5", "2"), 6, needed="4 or more", chance=0.75, purpose="to hit"))
    'Rolled 5 and 2 on d6 to hit (4 or more needed, 75 %)'
    """
    faces = " and ".join(filter(None, [", ".join(roll.faces[:-1]), *roll.faces[-1:]])) or "nothing"
    die = f" on d{roll.sides}" if roll.sides else ""
    purpose = f" {roll.purpose}" if roll.purpose.startswith(("to ", "for ", "with ")) else f" for {roll.purpose}"
    asked = [f"{roll.needed} needed"] if roll.needed else []
    asked += [f"{100 * roll.chance:.0f} %"] if roll.chance is not None else []
    return (
        f"{'Turned up' if roll.cards else 'Rolled'} {faces}{die}"
        + (purpose if roll.purpose else "")
        + (f" ({', '.join(asked)})" if asked else "")
    )


def _after_a_semicolon(words: str, place: int) -> str:
    """The first of several begins a sentence, the others go on with it."""
    return words if place == 0 else words[0].lower() + words[1:]


def _start(scene: Scene, short: dict[str, str]) -> Iterator[str]:
    """The legend and the board as the fight begins."""
    yield ""
    yield "Who fights"
    for token in scene.tokens:
        yield from _wrapped(f"{short[token.key]:<4} {_in_full(token)}", "  ", hang=7)
    yield from _board(scene, short, legend=True)


def standing(scene: Scene) -> Iterator[str]:
    """Where everybody stands, with the short names and the letters of the map explained; nothing without a board."""
    if scene.board is None:
        return
    short = short_names([token.key for token in scene.tokens])
    called = [f"{short[token.key]} {readable(token.name or token.key)}" for token in scene.tokens]
    yield from _wrapped(", ".join(called), "  ")
    yield from _board(scene, short, legend=True)


def _in_full(token: Token) -> str:
    name = readable(token.name or token.key)
    side = "" if token.side == "party" else ", enemy"
    group = f", {token.count} of them" if token.count is not None else ""
    health = "" if token.count is not None else f", {token.hp} of {token.max_hp} hit points"
    extra = "".join(f", {readable(note)}" for note in (*token.marks, *token.notes))
    return f"{name}{side}{group}{health}{extra}"


def _board(scene: Scene, short: dict[str, str], *, legend: bool = False) -> Iterator[str]:
    board = scene.board
    if board is None:
        return
    marks: dict[int, str] = {}
    for token in scene.tokens:
        if token.place is not None and not token.down:
            group = f"x{token.count}" if token.count is not None else ""
            sep = " " if board.kind == "zones" else ","
            marks[token.place] = sep.join(filter(None, [marks.get(token.place, ""), short[token.key] + group]))
    yield ""
    yield from (f"    {row}" for row in picture(board, marks, coordinates=True).splitlines())
    if legend and board.kind != "zones":
        meanings = letters_of(board.letters, {name: list(has) for name, has in board.features.items()})
        yield from _wrapped(", ".join(["# no way through" if board.walls else "", *meanings]).strip(", "), "    ")
    if scene.notes:
        yield from _wrapped("; ".join(scene.notes), "    ")


def letters_of(letters: Sequence[str], features: dict[str, list[bool]]) -> list[str]:
    """What the letters of a map mean, where they stand for anything."""
    meanings = []
    for letter in sorted(set(letters) - {"."}):
        cells = [cell for cell, drawn in enumerate(letters) if drawn == letter]
        named = [readable(name) for name, has in features.items() if all(has[cell] for cell in cells)]
        if named:
            meanings.append(f"{letter} {' and '.join(named)}")
    return meanings


def _wrapped(text: str, before: str, hang: int = 0) -> list[str]:
    if not text:
        return []
    whole = text.replace(" %", f"{HARD_SPACE}%")  # a number and its unit stay together
    rows = wrap(whole, WIDTH, initial_indent=before, subsequent_indent=" " * (hang or len(before) + 2))
    return [row.replace(HARD_SPACE, " ") for row in rows]
