"""Finished work kept in a folder, so that nothing is lost when the rest goes wrong.

    files        files that are there as a whole or not at all
    lock         one process at a time
    codec        sums of whole numbers as JSON, and back
    json_text    documents as JSON, for scripts
    checkpoint   the folder: pieces under names, each with a digest
    ownership    whose files are in a folder
    work_folder  how a run or a study takes a folder, and says what went wrong with it

Work keeps its pieces like this (`sim.runs.record` and `sim.studies.record` do):

    identity = {"study": "sweep", "fights": [...digests...], "seed": 7, "fairfight": __version__}
    with Checkpoint.open(folder, identity, resume=True) as checkpoint:
        for name, piece in pieces.items():                      # names: small letters, digits and dashes
            kept = checkpoint.get(name)                         # None if missing or damaged
            if kept is None:
                score = play(piece)
                checkpoint.put(name, {"score": encoded(score)})
            else:
                score = decoded(kept.facts["score"], (Score, Tally, PairTally))
"""

from sim.storage.checkpoint import Checkpoint, Kept, identity_in
from sim.storage.codec import decoded, encoded
from sim.storage.files import digest_of_file, write_whole
from sim.storage.lock import FolderLock

__all__ = ["Checkpoint", "FolderLock", "Kept", "decoded", "digest_of_file", "encoded", "identity_in", "write_whole"]
