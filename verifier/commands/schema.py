"""The JSON Schema of scenario files."""

from __future__ import annotations

import click

from verifier.commands.printing import print_json


@click.command("schema")
def command() -> None:
    """Print the JSON Schema of scenario files, for editors."""
    from verifier.shape import schema as scenario_schema

    print_json(scenario_schema())
