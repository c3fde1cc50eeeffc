"""The workflows that ship with omnium: one folder a sport, and `results` and `games`."""
