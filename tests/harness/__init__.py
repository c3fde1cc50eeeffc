"""Support that tests of several parts share."""
