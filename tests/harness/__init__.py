"""Shared support of the tests: PostgreSQL, query plans, a small world of rows."""

import os

# gRPC's fork handlers may crash children of a process that has used it before their exec: `pg_ctl`, say.
os.environ.setdefault("GRPC_ENABLE_FORK_SUPPORT", "0")
