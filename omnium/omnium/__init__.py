"""The command line: starts everything, knows nothing."""
