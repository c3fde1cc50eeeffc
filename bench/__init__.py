"""What is measured, against whom: one program a figure, each runs both sides in one run, interleaved."""
