"""studio: the workbench in the browser."""

from __future__ import annotations

import webbrowser
from pathlib import Path
from threading import Thread
from urllib.parse import urlencode

import click

from sim.cli.terminal import say
from sim.errors import InputError, Problem
from sim.scenario.catalogue import find
from sim.studio.fights import is_shipped
from sim.studio.folder import Folder
from sim.studio.security import Keys
from sim.studio.server import HOST, serve


@click.command()
@click.argument("what", required=False, metavar="[SCENARIO or FOLDER]")
@click.option("--port", type=click.IntRange(0, 65_535), default=0, help="Listen here; a free port if not given.")
@click.option("--no-open", is_flag=True, help="Only print the address, do not open a browser.")
def studio(what: str | None, port: int, no_open: bool) -> None:
    """Open the workbench in the browser: turn a number and watch the odds move.

    With a SCENARIO it opens on that fight, else on a list of all. Files are read and written in FOLDER only: the
    current one if not given, or the one that the scenario's file is in. Ctrl-C ends it.

    \b
    Examples:
      fairfight studio
      fairfight studio overhill/playtest-1
      fairfight studio my-fight.toml
      fairfight studio fights/ --port 8000 --no-open
    """
    folder, fight = _place(what)

    def ready(keys: Keys) -> None:
        query = {"token": keys.token}
        page = "/"
        if fight is not None:
            page, query = "/fight", {"fight": fight} | query
        address = f"http://{HOST}:{keys.port}{page}?{urlencode(query)}"
        say(f"Fairfight studio is ready (Ctrl-C ends it): {address}")
        if not no_open:
            Thread(target=webbrowser.open, args=(address,), daemon=True).start()  # some never come back

    serve(folder, port, ready)


def _place(what: str | None) -> tuple[Folder, str | None]:
    """The folder to work in, and the fight to open."""
    if what is None:
        return Folder(Path.cwd()), None
    path = Path(what).expanduser()
    if path.is_dir():
        return Folder(path.resolve()), None
    if is_shipped(what):
        return Folder(Path.cwd()), what
    _, file = find(what)  # says what is near where there is nothing of this name
    if not file.is_file():
        raise InputError(Problem("", f"{what}: there is no such file or folder"))
    return Folder(file.resolve().parent), file.resolve().name
