-- name: lease_write
-- Says that this worker is there, or that it still is; told at once where that is news.
WITH written AS (
    INSERT INTO worker_instance (
        id, address, release_id, code_sha, contract_sha, runtime_sha, lane, capacity, in_flight, build,
        schema_number, pid, draining, heartbeat_at
    )
    VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, clock_timestamp())
    ON CONFLICT (id) DO UPDATE
    SET in_flight = excluded.in_flight, draining = excluded.draining, heartbeat_at = excluded.heartbeat_at
    RETURNING heartbeat_at, xmax = 0 AS is_new
)
SELECT
    extract(epoch FROM heartbeat_at)::float8 AS database_now,
    CASE WHEN is_new OR $14::bool THEN pg_notify('omnium_fleet', '') END AS told
FROM written

-- name: lease_remove
-- Says that this worker is gone, at once.
WITH gone AS (DELETE FROM worker_instance WHERE id = $1 RETURNING id)
SELECT pg_notify('omnium_fleet', '') FROM gone

-- name: bell
-- Rings the doorbell of the push service: an empty notification, never inside a command's transaction.
NOTIFY omnium_change
