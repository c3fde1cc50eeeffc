"""What several workflows use, free of any one sport."""
