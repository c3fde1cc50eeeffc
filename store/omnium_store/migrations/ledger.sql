-- What has been applied to this database: numbered migrations (pre, post) and repeatable files (function, role).

CREATE TABLE IF NOT EXISTS schema_migration (
    kind       text NOT NULL CHECK (kind IN ('pre', 'post', 'function', 'role')),
    name       text NOT NULL COLLATE "C",     -- of the file, without `.sql`
    number     int,                           -- of numbered ones
    checksum   text NOT NULL COLLATE "C",     -- SHA-256 of the file
    applied_at timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (kind, name)
);
