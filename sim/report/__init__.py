"""Reports: the same tables for the terminal and for a page, and figures for the page.

    tables.py     what the tables say, for both
    terminal.py   printed with rich
    figures.py    drawn with matplotlib, as SVG that follows the page's colours
    html.py       one self-contained page
    folder.py     everything written to a folder
"""
