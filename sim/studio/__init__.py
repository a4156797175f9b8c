"""The studio: a workbench in the browser. Turn a number and watch the odds move.

    address.py     what the page shows, as the address in the browser's bar: reload, back and two tabs come for free
    folder.py      the files of the folder that the studio was opened on, and no others
    fights.py      a fight at an address: as the file says, as it is changed, and what does not fit
    forms.py fields.py    every number of a fight as a field, from the game's schema and the resolved numbers
    opening.py     where everybody starts, drawn so that tokens can be moved
    tasks.py       what worker processes do for the page
    worker.py      a worker process
    processes.py   how other processes of ours are started
    crew.py        the worker processes: who does what next, who died, what is broken off
    playing.py     fights that are played while somebody watches, and rest when they are known well enough
    figures.py     a fight as it stands now, in words, bars and tables
    around.py      the win rate for values around a number
    questions.py   studies as forms
    queue.py question.py    one after the other, each a command in a process of its own
    findings.py    what a study has found that can be taken over into the fight
    takeaway.py    the fight as a file, a report, a table, a command
    see.py         one run, to look at
    workbench.py   what all pages share
    security.py    who may ask for what, before anything else
    pages.py answers.py    templates; answers that are no pages
    fight_pages.py takeaway_pages.py question_pages.py    what is answered
    app.py         which address shows what
    server.py      the server: from the first line it prints to Ctrl-C
"""
