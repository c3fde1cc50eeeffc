"""The stateless front: HTTP facade and gRPC, pins, pools, forwarding."""
