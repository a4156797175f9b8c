"""One run, told move by move."""
