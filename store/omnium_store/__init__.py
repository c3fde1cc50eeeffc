"""What every service shares: the database's schema and statements, read models, settings and errors."""
