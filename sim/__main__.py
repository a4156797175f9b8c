"""`python -m sim` is `fairfight`."""

from sim.cli import main

if __name__ == "__main__":
    main()
