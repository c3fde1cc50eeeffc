-- name: schema_has_ledger
-- Whether this database has ever been migrated.
SELECT to_regclass('schema_migration') IS NOT NULL

-- name: schema_applied
-- What has been applied here.
SELECT kind, name, checksum FROM schema_migration

-- name: schema_note_applied
-- Notes a migration as applied; a repeatable one again.
INSERT INTO schema_migration (kind, name, number, checksum) VALUES ($1, $2, $3, $4)
ON CONFLICT (kind, name) DO UPDATE SET checksum = EXCLUDED.checksum, applied_at = now()

-- name: schema_usable_roles
-- Those of the roles $1 that are there and that this login may take.
SELECT coalesce(array_agg(rolname::text), '{}') FROM pg_catalog.pg_roles
WHERE rolname = ANY ($1::text[]) AND pg_has_role(current_user, oid, 'MEMBER')

-- name: schema_old_leases
-- Processes whose lease lives and whose build knows fewer migrations than $1.
SELECT 'worker' AS kind, address, schema_number FROM worker_instance
WHERE schema_number < $1 AND heartbeat_at > now() - interval '6 seconds'
UNION ALL
SELECT 'push', address, schema_number FROM push_instance
WHERE schema_number < $1 AND heartbeat_at > now() - interval '30 seconds'
ORDER BY kind, address
