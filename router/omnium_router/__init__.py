"""The stateless front: HTTP facade and gRPC, pins, pools, forwarding."""

import os

# gRPC's fork handlers run in a child between fork and exec, and may crash it there: the gate's process, say.
# It is read when gRPC first starts, so it has to be said before anything of ours uses it.
os.environ.setdefault("GRPC_ENABLE_FORK_SUPPORT", "0")
