"""The command `fairfight`: thin. Each command reads its options, calls the library and prints.

    command.py    starting, errors and exit statuses
    options.py    options that several commands share
    playing.py    run, replay, exact
    library.py    list, show
    writing.py    check, schema, new
    studying.py   compare, sweep, scale
    asking.py     tune, sensitivity, ladder, gate, study, diff
    screen.py     tables for a terminal

Everything but click is imported inside the commands, so that `--help` and a mistyped option answer at once.
"""

from sim.cli.command import main

__all__ = ["main"]
