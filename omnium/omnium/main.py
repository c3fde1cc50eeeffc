"""The command `omnium`: one module a group of verbs."""

from __future__ import annotations

from omnium.groups import verbs

app = verbs("The live-scoring back office: matches keep the rules that they were created with.")


def main() -> None:
    """Run the command line."""
    app(prog_name="omnium")


if __name__ == "__main__":
    main()
