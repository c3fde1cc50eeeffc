"""Groups of verbs that end as `exits` says: no traceback for a failure that has a sentence."""

from __future__ import annotations

from typing import Any

import typer
from typer.core import TyperGroup

from omnium.exits import FAILURES, exit_code


class Verbs(TyperGroup):
    """A group whose verbs may raise any failure of the platform."""

    def invoke(self, ctx: Any) -> Any:
        """Run the verb; print the sentence of a failure as the last line on stderr and exit with its code."""
        try:
            return super().invoke(ctx)
        except FAILURES as failure:
            typer.echo(f"omnium: {failure}", err=True)
            raise typer.Exit(exit_code(failure)) from None


def verbs(help: str) -> typer.Typer:  # noqa: A002  typer's own word
    """A new group of verbs with the habits of all others."""
    return typer.Typer(
        cls=Verbs,
        help=help,
        no_args_is_help=True,
        add_completion=False,
        rich_markup_mode=None,
        pretty_exceptions_enable=False,
    )
