"""What a sport plugin may import, and nothing else: pure, typed, under semantic versioning."""
