"""The command `fairfight`: thin. Each command reads its options, calls the library and prints.

    command.py    the commands, errors and exit statuses
    options.py    options that several commands share
    playing.py    run, replay, exact
    library.py    list, show
    writing.py    check, schema, new
    studying.py   compare, sweep, scale
    asking.py     tune, sensitivity, ladder, gate, study, diff
    screen.py     tables for a terminal

Everything but click is imported inside the commands, so that `--help` and a mistyped option answer at once.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence

from sim.runs.signals import answering

__all__ = ["main"]


def main(arguments: Sequence[str] | None = None) -> None:
    """Run `fairfight` with these arguments (those of the command line if None) and leave with its exit status."""
    with answering(to_the_end=arguments is None) as wish:
        from sim.cli.command import run_command  # not before somebody listens to signals: it brings click along

        status = run_command(list(sys.argv[1:] if arguments is None else arguments), wish)
    sys.exit(status)
