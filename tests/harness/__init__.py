"""Shared support of the tests: PostgreSQL, query plans, a small world of rows."""
