-- name: leases
-- The workers whose lease is alive by the database's clock; $1 seconds without a heartbeat end it.
SELECT w.id, w.address, w.release_id, r.version, w.code_sha, w.contract_sha, w.runtime_sha, w.lane, w.capacity,
       w.build, w.pid, w.draining,
       (extract(epoch FROM clock_timestamp() - w.heartbeat_at) * 1000)::int AS heartbeat_age_ms
FROM worker_instance w JOIN plugin_release r ON r.id = w.release_id
WHERE w.heartbeat_at > clock_timestamp() - make_interval(secs => $1::double precision)
ORDER BY w.id

-- name: forget_leases
-- Clear away the rows of workers that were killed; one that only slept writes its row again.
DELETE FROM worker_instance WHERE heartbeat_at < clock_timestamp() - interval '10 minutes'

-- name: located_fixture
-- Where a fixture belongs, how it is scored, and the release that it is pinned to.
SELECT f.id, e.code AS event, f.event_id, f.competition_id, f.sport_id, f.workflow, f.scoring_mode,
       r.id AS release_id, r.version, r.code_sha, r.contract_sha
FROM fixture f
     JOIN competition e ON e.id = f.event_id
     LEFT JOIN plugin_release r ON r.id = f.release_id
WHERE f.id = $1

-- name: located_event
-- An event by its code.
SELECT id, code, name, timezone, created_at FROM competition WHERE code = $1 AND parent_id IS NULL

-- name: release_by_version
-- A release by the name that people use.
SELECT id, version, code_sha, contract_sha FROM plugin_release WHERE version = $1

-- name: release_status
-- How far a release is in its life, as of now.
SELECT status FROM plugin_release WHERE id = $1

-- name: default_for_competition
-- The release that new things of a sport get in a competition now.
SELECT r.id, r.version, r.code_sha, r.contract_sha
FROM plugin_release r
WHERE r.id = default_release_v1($1::uuid, $2::uuid, now())

-- name: sport_by_code
-- The sport that a workflow owns its subjects under.
SELECT id FROM sport WHERE code = $1

-- name: ask_for_pool
-- Say that somebody needs workers of a release.
INSERT INTO pool_request (release_id, lane, asked_at, reason)
VALUES ($1, $2, now(), $3)
ON CONFLICT (release_id, lane) DO UPDATE SET asked_at = excluded.asked_at, reason = excluded.reason

-- name: ring_fleet
-- Wake whoever looks after pools.
NOTIFY omnium_fleet
