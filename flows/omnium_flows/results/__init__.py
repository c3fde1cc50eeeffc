"""Results of any fixture in any sport."""

from omnium_flows.results.sport import Results

__all__ = ["Results"]
