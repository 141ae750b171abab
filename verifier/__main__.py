"""``python -m verifier``."""

from verifier.cli import run

run()
