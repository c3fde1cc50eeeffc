"""The live service: from the outbox to every open screen."""
