"""No stats: the medal table is a read model, made from what was typed, imported and decided."""


class GamesStats:
    """Mixed into `Games`; empty, because the numbers of an event belong to its sports."""
