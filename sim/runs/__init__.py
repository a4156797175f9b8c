"""Playing many runs: in chunks, across processes and machines, to a number of runs or to a precision.

    runner      the loop around it all: `run`
    goals       how far to play
    pieces      a stretch of runs, played in whatever process it arrives in; studies have a kind of their own
    chunks      how large a piece should be
    means       by what means: processes, folder, cluster
    workers     who plays: this process, others, a cluster; for runs and studies alike
    orphans     no worker outlives its main process
    cluster     many machines
    record      what has been played, in memory and safe in the folder
    signals     a wish to stop
    progress    the bar
"""
