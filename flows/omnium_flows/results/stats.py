"""No stats: results are typed, and what is counted from them belongs to the sport of the fixture."""


class ResultsStats:
    """Mixed into `Results`; empty, because a typed result feeds the stats of its sport."""
