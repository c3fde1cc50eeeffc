"""`python -m omnium`."""

from omnium.main import main

main()
