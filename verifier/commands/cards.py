"""The encoded cards."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import click

from verifier.commands.options import cards_option, output_option
from verifier.commands.printing import print_json, print_lines, style


@click.command("cards")
@click.argument("name", required=False)
@cards_option
@output_option
def command(name: str | None, card_folders: Sequence[Path], output: str) -> None:
    """List the encoded cards, or show one: what it does, its rules, scenarios that use it."""
    from verifier.cards import Library, card_table, describe_card

    library = Library(card_folders)
    if name is None:
        table = card_table(library)
        if output == "json":
            print_json(table)
        else:
            width = max(len(row["name"]) for row in table)
            print_lines(f"{row['name']:<{width}}  {', '.join(row['types'])}" for row in table)
            click.echo(f"{len(table)} cards", err=True)
        return
    card = describe_card(library, name)
    if output == "json":
        print_json(card)
        return
    click.echo(style(card["name"], "title") + style(f"  {', '.join(card['types'])}", "dim"))
    click.echo(card["summary"])
    click.echo()
    print_lines(f"  {line}" for line in card["encoding"])
    click.echo()
    click.echo(f"rules      {', '.join(card['rules']) or 'none of its own'}")
    click.echo(f"scenarios  {len(card['scenarios'])}")
    print_lines(f"  {scenario}" for scenario in card["scenarios"])
