"""Releases: artifacts, life cycle, readers of match files, the compatibility replay."""
