"""`python -m agenthorizon` is the command line."""

from agenthorizon.cli import main

main()
