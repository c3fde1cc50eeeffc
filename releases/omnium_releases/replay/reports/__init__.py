"""What a replay found, as text, JSON, JUnit and a page: each a function from an outcome to text."""
