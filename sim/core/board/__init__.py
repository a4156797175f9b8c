"""Boards: squares, hexes and zones behind one small interface. See docs/boards.md."""

from sim.core.board.bits import Bitboards, Bits
from sim.core.board.board import Board
from sim.core.board.distances import FAR, axial, chebyshev, manhattan
from sim.core.board.figure import draw
from sim.core.board.hexes import disk, hex_board, hex_board_from_map
from sim.core.board.maps import MOST_CELLS, open_map
from sim.core.board.reach import Reach
from sim.core.board.sight import hex_sight, open_sight, square_sight, tile_sight
from sim.core.board.square import square_board
from sim.core.board.text import picture
from sim.core.board.zones import zone_board

__all__ = [
    "FAR",
    "MOST_CELLS",
    "Bitboards",
    "Bits",
    "Board",
    "Reach",
    "axial",
    "chebyshev",
    "disk",
    "draw",
    "hex_board",
    "hex_board_from_map",
    "hex_sight",
    "manhattan",
    "open_map",
    "open_sight",
    "picture",
    "square_board",
    "square_sight",
    "tile_sight",
    "zone_board",
]
