"""Fights made by hand for the tests of the viewer: a board of every kind, and everything that a table can show."""

from __future__ import annotations

from dataclasses import replace

from sim.core.board import Board, disk, hex_board, square_board, zone_board
from sim.core.telling import ROUND_ENDS, START, Event, Roll, Scene, Token
from sim.replays.replay import Telling

SQUARES = square_board(".....w\n.##..w\n..O...\n......", {"w": "water", "O": "obstructed"})
HEXES = hex_board(
    {"cave": disk((0, 0), 2), "ford": disk((4, -1), 1)}, impassable=[(1, 0)], features={"difficult": [(0, 1), (-1, 1)]}
)
ZONES = zone_board(["monsters", "front guard", "rear guard"])
BOARDS: dict[str, Board | None] = {"square": SQUARES, "hex": HEXES, "zones": ZONES, "none": None}

ALRIK = Token("alrik", "party", 12, 12, 0, name="Alrik", proper=True)
PRIEST = Token("priest", "party", 8, 8, 1, notes=("2 prayers left",))
GHOULS = Token("ghoul", "enemy", 3, 3, 2, count=3)
OGRE = Token("ogre_1", "enemy", 20, 20, 2)


def staged(
    kind: str = "square", names: tuple[str, str] = ("alrik", "ogre_1"), scenario: str = "stage/fight"
) -> Telling:
    """A fight in two rounds: a blow, a spell that freezes, a fall, a healing, one who arrives, one who leaves."""
    board = BOARDS[kind]
    hero, ogre = replace(ALRIK, key=names[0], name=names[0]), replace(OGRE, key=names[1])
    few = replace(GHOULS, hp=1, count=1)
    table = [
        (0, START, "", (), (), (hero, PRIEST, GHOULS, ogre)),
        (1, "strikes", hero.key, (ogre.key,), (BLOW,), (hero, PRIEST, GHOULS, replace(ogre, hp=14))),
        (1, "freezes", ogre.key, (hero.key,), (CARDS,), (frozen(hero), PRIEST, GHOULS, replace(ogre, hp=14))),
        (1, "falls", "ghoul", ("priest",), (), (frozen(hero), fallen(PRIEST), GHOULS, replace(ogre, hp=14))),
        (1, ROUND_ENDS, "", (), (), (frozen(hero), fallen(PRIEST), GHOULS, replace(ogre, hp=14))),
        (2, "heals", hero.key, (hero.key,), (), (replace(hero, hp=9, place=2), fallen(PRIEST), GHOULS, ogre)),
        (2, "strikes", hero.key, ("ghoul",), (BLOW,), (replace(hero, place=2), fallen(PRIEST), few, ogre)),
        (2, "arrives", "", (), (), (replace(hero, place=2), fallen(PRIEST), ogre, Token("imp", "enemy", 1, 1, 2))),
        (2, ROUND_ENDS, "", (), (), (replace(hero, place=2), fallen(PRIEST), ogre, Token("imp", "enemy", 1, 1, 2))),
    ]  # fmt: skip
    events, words = [], []
    for turn, (number, kind_of_event, who, whom, rolls, tokens) in enumerate(table):
        scene = Scene(tokens, board, (f"darkness {number} of 15",))
        events.append(Event(number, turn, "ST-1", kind_of_event, who, whom, rolls, {}, scene))
        words.append(
            ""
            if kind_of_event in (START, ROUND_ENDS)
            else f"{who or 'Somebody'} {kind_of_event} {' '.join(whom)}".strip()
        )
    rules = ("stage", "default", "bold", {}, "0" * 8)
    return Telling(scenario, "A staged fight", *rules, 7, 48, "loss", 2, tuple(events), tuple(words), ())


BLOW = Roll(("5", "2", "6"), 6, needed="4 or more", counted=(True, False, True), chance=0.875, purpose="to hit",
            came=2.0, expected=1.5, measure="hits")  # fmt: skip
CARDS = Roll(("10♥", "K♠"), cards=True, needed="a red card", counted=(True, False), chance=0.75)


def frozen(token: Token) -> Token:
    return replace(token, hp=token.hp - 4, marks=("frozen", "prone"))


def fallen(token: Token) -> Token:
    return replace(token, hp=0, down=True, place=2)
