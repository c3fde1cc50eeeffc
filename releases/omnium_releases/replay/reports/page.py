"""The report as one page that needs nothing beside it: for the person who approves a release."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from html import escape
from importlib import resources
from itertools import pairwise

from omnium_releases.replay.coverage import KindCoverage, WorkflowCoverage
from omnium_releases.replay.differences import Difference, Kind
from omnium_releases.replay.outcome import Outcome
from omnium_releases.replay.reports.text import headline, ways_out


def page_report(outcome: Outcome) -> str:
    """The verdict, why it fails, each difference with old and new, what is declared, what was exercised."""
    folder = resources.files(__package__)
    frame = (folder / "page.html").read_text()
    style = (folder / "page.css").read_text()
    return (
        frame.replace("{{title}}", escape(headline(outcome)))
        .replace("{{style}}", style)
        .replace("{{body}}", "\n".join(_body(outcome)))
    )


def _body(outcome: Outcome) -> Iterator[str]:
    yield _verdict(outcome)
    yield _section("Why it fails", "failures", _failures(outcome)) if outcome.failures else ""
    yield _section("By sport", "sports", _sports(outcome))
    yield _section("Differences", "differences", _differences(outcome))
    yield _section("Declared rule changes", "declared", _declared(outcome))
    yield _section("Coverage", "coverage", _coverage(outcome))
    if outcome.notes or outcome.skipped:
        said = [*outcome.notes, *(f"skipped {name}: {reason}" for name, reason in outcome.skipped)]
        yield _section("Notes", "notes", _list(said))


def _verdict(outcome: Outcome) -> str:
    word = "passed" if outcome.passed else "failed"
    facts = [
        ("old", _release(outcome.old) if outcome.old else "none: this is the first release"),
        ("new", _release(outcome.new)),
        ("corpus", escape(outcome.corpus)),
        ("corpus digest", f"<code>{escape(outcome.corpus_digest)}</code>"),
        ("matches", f"{outcome.matches:,}"),
        ("commands", f"{outcome.events:,}"),
        ("differences", f"{outcome.difference_count:,}, {outcome.undeclared_count:,} undeclared"),
        ("took", f"{outcome.seconds:.1f} s"),
    ]
    rows = "".join(f"<dt>{name}</dt><dd>{value}</dd>" for name, value in facts)
    return f'<header class="{word}"><h1>Replay {word}</h1><dl>{rows}</dl></header>'


def _release(release: Mapping[str, str]) -> str:
    return f"<b>{escape(release['version'])}</b> <code>{escape(release['code_sha'][:16])}</code>"


def _section(title: str, name: str, content: str) -> str:
    return f'<section id="{name}"><h2>{escape(title)}</h2>{content}</section>'


def _failures(outcome: Outcome) -> str:
    rows = [
        (f'<span class="tag bad">{escape(str(one.reason).replace("_", " "))}</span>', escape(one.message))
        for one in outcome.failures
    ]
    return _table(("reason", "what"), rows) + _list(ways_out(outcome))


def _sports(outcome: Outcome) -> str:
    rows = [
        (
            escape(sport),
            f"{one.matches:,}",
            f"{one.events:,}",
            f"{one.refused:,}",
            f"{one.differences:,}",
            f"{one.undeclared:,}",
            f"{one.alone:,}",
        )
        for sport, one in sorted(outcome.by_sport.items())
    ]
    head = (
        "sport",
        "matches",
        "commands",
        "of them refused",
        "differences",
        "undeclared",
        "without the old release",
    )
    return _table(head, rows)


def _differences(outcome: Outcome) -> str:
    if not outcome.differences:
        return "<p>None: both releases say the same of every command.</p>"
    ordered = sorted(outcome.differences, key=lambda one: bool(one.declared))
    head = ("match", "event", "command", "key", "old", "new", "declared by")
    rows = [_difference(one) for one in ordered]
    return _table(head, rows[:1] + [_without_repeats(row, above) for above, row in pairwise(rows)])


def _without_repeats(row: tuple[str, ...], above: tuple[str, ...]) -> tuple[str, ...]:
    """The match is named where it begins."""
    return ("", *row[1:]) if row[0] == above[0] else row


def _difference(one: Difference) -> tuple[str, ...]:
    where = f' <span class="of">{escape(one.where)}</span>' if one.where else ""
    again = f' <span class="of" title="and behind so many later commands">+{one.times - 1}</span>'
    declared = escape(one.declared) if one.declared else '<span class="tag bad">undeclared</span>'
    return (
        escape(one.match) or escape(one.sport),
        "" if one.kind is Kind.STAT else f"{one.event}{again if one.times > 1 else ''}",
        f"<code>{escape(one.command)}</code>" if one.command else "",
        f"<code>{escape(one.key)}</code>{where}",
        f'<code class="old">{escape(one.old)}</code>',
        f'<code class="new">{escape(one.new)}</code>',
        declared,
    )


def _declared(outcome: Outcome) -> str:
    if not outcome.declared:
        return "<p>The notes declare none.</p>"
    rows = [
        (
            escape(change.sport),
            escape(change.what),
            " ".join(f"<code>{escape(key)}</code>" for key in change.keys),
            escape(change.why),
            f"{count:,}" if count else '<span class="tag bad">nothing shows it</span>',
        )
        for change, count in outcome.declared
    ]
    return _table(("sport", "what", "keys", "why", "differences"), rows)


def _coverage(outcome: Outcome) -> str:
    return "".join(_workflow(code, one) for code, one in outcome.coverage.items())


def _workflow(code: str, workflow: WorkflowCoverage) -> str:
    rows = [(kind, _bar(one), _keys(one.missing, code)) for kind, one in workflow.kinds.items() if one.total]
    silent = _keys(workflow.never_refused, code)
    never = (
        f"<details><summary>{len(workflow.never_refused)} rules were asked and never said no</summary>"
        f"<p>{silent}</p></details>"
        if workflow.never_refused
        else ""
    )
    return f"<h3>{escape(code)}</h3>{_table(('', 'exercised', 'no match exercises'), rows)}{never}"


def _bar(one: KindCoverage) -> str:
    return f'<meter min="0" max="{one.total}" value="{one.exercised}"></meter> {one.exercised} of {one.total}'


def _keys(keys: Sequence[str], code: str) -> str:
    return " ".join(f"<code>{escape(key.removeprefix(f'{code}.'))}</code>" for key in keys)


def _list(lines: Iterable[str]) -> str:
    return "<ul>" + "".join(f"<li>{escape(line)}</li>" for line in lines) + "</ul>"


def _table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    top = "".join(f"<th>{escape(name)}</th>" for name in head)
    body = "".join("<tr>" + "".join(f"<td>{cell}</td>" for cell in row) + "</tr>" for row in rows)
    return f'<div class="wide"><table><thead><tr>{top}</tr></thead><tbody>{body}</tbody></table></div>'
