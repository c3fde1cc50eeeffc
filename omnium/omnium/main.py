"""The command `omnium`: one module a group of verbs."""

from __future__ import annotations

from omnium import corpus, db, play, releases, replay, status, token, up, why
from omnium.groups import verbs

app = verbs("The live-scoring back office: matches keep the rules that they were created with.")
app.command()(up.up)
app.command()(up.down)
app.command()(status.status)
app.command("play")(play.play_files)
app.command("replay")(replay.replay_releases)
app.command()(why.why)
app.add_typer(corpus.app, name="corpus")
app.add_typer(db.app, name="db")
app.add_typer(releases.app, name="releases")
app.add_typer(token.app, name="token")


def main() -> None:
    """Run the command line."""
    app(prog_name="omnium")


if __name__ == "__main__":
    main()
