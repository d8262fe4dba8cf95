"""``python -m scoreproof``: the command line."""

from scoreproof.cli import main

if __name__ == "__main__":
    main()
