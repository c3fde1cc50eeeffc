"""What holds for all tests: a property has no deadline of its own, since a busy machine is no fault."""

from hypothesis import settings

settings.register_profile("unhurried", deadline=None)
settings.load_profile("unhurried")
