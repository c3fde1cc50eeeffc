"""The plugin author's kit: facts, matches without a database, goldens, the promises of a fold."""

from omnium_contract.testing.desk import Desk
from omnium_contract.testing.facts import context, event, fixture, record_context
from omnium_contract.testing.goldens import check_golden, golden_of, read_golden, write_golden
from omnium_contract.testing.match import Answer, Match

__all__ = [
    "Answer",
    "Desk",
    "Match",
    "check_golden",
    "context",
    "event",
    "fixture",
    "golden_of",
    "read_golden",
    "record_context",
    "write_golden",
]
