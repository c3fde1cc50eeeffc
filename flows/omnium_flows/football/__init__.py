"""Association football."""

from omnium_flows.football.sport import Football

__all__ = ["Football"]
