"""The host of one release: loads its unpacked wheels, runs its commands, serves them over gRPC."""
