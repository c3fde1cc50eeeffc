"""Stats as data: a `StatSpec` says what is counted; nothing here runs a query."""

from omnium_contract.stats.spec import StatSpec, declared_stat

__all__ = ["StatSpec", "declared_stat"]
