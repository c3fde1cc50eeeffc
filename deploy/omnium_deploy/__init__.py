"""The fleet: the local supervisor and the orchestrator backends."""
