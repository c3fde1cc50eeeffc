"""The match as state: what the rules read of it, and the step, one module a part of the game.

Beside the six files because the step is longer than `actions.py` can hold and the rules read the same state.
"""
