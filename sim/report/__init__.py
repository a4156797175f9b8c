"""Reports: a result, or the answer of a study, for people.

    result_terminal.py  study_terminal.py   printed with rich
    result_page.py      study_page.py       one self-contained page
    result_folder.py    study_folder.py     everything written to a folder
    result_tables.py    study_tables.py     what the tables say
    result_figures.py   study_figures.py    drawn with matplotlib
    plots.py            the same for notebooks

    table.py       cells, columns and rows, for the terminal and the page alike
    svg.py         figures as SVG that follows the page's colours
    page.py        what every page has: style, policy, the fight as played
    file_sets.py   files written together, whole or not at all

A report takes a result; what a result knows of reports is `sim.results.report_hook`.
"""
