"""Operations of a whole Games."""

from omnium_flows.games.sport import Games

__all__ = ["Games"]
