"""Readers of public match files: each turns a file into playable matches, and says what it left out."""
