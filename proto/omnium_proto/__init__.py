"""Generated code of the protocol; see ../omnium and generate.py."""
