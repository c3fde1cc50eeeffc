"""`omnium releases`: which rules there are, who is on them, and which ones new matches get."""

from __future__ import annotations

from omnium import (
    capsule,
    release_approve,
    release_audit,
    release_check,
    release_defaults,
    release_diff,
    release_fetch,
    release_list,
    release_move,
    release_register,
    release_report,
    release_retire,
    release_show,
    unregistered,
)
from omnium.groups import verbs

app = verbs("Releases of the rules.")
app.command()(release_register.register)
app.command("list")(release_list.list_releases)
app.command()(release_show.show)
app.command()(release_report.report)
app.command()(release_approve.approve)
app.command()(release_defaults.default)
app.add_typer(release_defaults.app, name="defaults")
app.command()(release_show.pins)
app.command()(release_check.check)
app.command()(release_check.zombies)
app.command()(release_diff.diff)
app.command()(release_retire.retire)
app.command()(release_audit.audit)
app.command()(capsule.capsule)
app.command()(unregistered.unregistered)
app.command()(release_fetch.fetch)
app.command()(release_move.move)
