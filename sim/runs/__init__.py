"""Playing many runs: in chunks, across processes and machines, to a number of runs or to a precision.

    runner      the loop around it all: `run`
    goals       how far to play
    pieces      a stretch of runs, played in whatever process it arrives in
    workers     who plays: this process, others, a cluster
    cluster     many machines
    record      what has been played, in memory and safe in the folder
    progress    the bar
"""
