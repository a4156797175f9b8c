"""Reports: a result or the answer of a study on a terminal, as a page and as a folder.

    terminal.py                        printed with rich
    result_page.py    study_page.py    one self-contained page
    result_folder.py  study_folder.py  everything written to a folder
    result_tables.py  study_tables.py  what the tables say
    result_figures.py study_figures.py drawn with matplotlib

    table.py       cells, columns and rows, for the terminal and the page alike
    svg.py         figures as SVG that follows the page's colours
    page.py        what every page has: style, policy, the fight as played
    file_sets.py   files written together, whole or not at all

A report takes a result; what a result knows of reports is `sim.results.report_hook`.
"""

from sim.report.result_folder import write_page, write_result
from sim.report.study_folder import write_answer
from sim.report.terminal import print_answer, print_difference, print_result

__all__ = ["print_answer", "print_difference", "print_result", "write_answer", "write_page", "write_result"]
