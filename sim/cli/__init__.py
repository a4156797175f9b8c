"""The command `fairfight`: thin. Each command reads its options, calls the library and prints.

    commands.py         which commands there are, errors and exit statuses
    run.py replay.py exact.py rules.py    the commands of these names
    catalogue.py        list, show
    scenario_files.py   check, schema, new
    studies.py          compare, sweep, scale, tune, sensitivity, ladder, improve, parties
    study_files.py      gate, study, diff
    options.py          options that several commands share; study_options.py those of the questions
    terminal.py         names, columns and tables for a terminal

A command is loaded when it is called, so that `fairfight --help` and a mistyped command answer at once.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence

from sim.runs.signals import answering

__all__ = ["main"]


def main(arguments: Sequence[str] | None = None) -> None:
    """Run `fairfight` with these arguments (those of the command line if None) and leave with its exit status."""
    with answering(to_the_end=arguments is None) as wish:
        from sim.cli.commands import run_command  # not before somebody listens to signals: it brings click along

        status = run_command(list(sys.argv[1:] if arguments is None else arguments), wish)
    sys.exit(status)
