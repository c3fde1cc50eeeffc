-- name: pin_counts
-- How many fixtures are pinned to a release, and when the last unfinished one is due to end ($2 after its start).
SELECT count(*) FILTER (WHERE f.status IN ('LIVE', 'INTERRUPTED')) AS live,
       count(*) FILTER (WHERE f.status NOT IN ('LIVE', 'INTERRUPTED', 'COMPLETED', 'CANCELLED', 'VOID')) AS upcoming,
       count(*) FILTER (WHERE f.status IN ('COMPLETED', 'CANCELLED', 'VOID')) AS done,
       count(*) FILTER (WHERE f.status NOT IN ('COMPLETED', 'CANCELLED', 'VOID') AND f.scheduled_start IS NULL)
           AS without_start,
       max(f.scheduled_start) FILTER (WHERE f.status NOT IN ('COMPLETED', 'CANCELLED', 'VOID')) + $2::interval AS free_at
FROM fixture f WHERE f.release_id = $1

-- name: pinned_fixtures
-- The unfinished fixtures of a release: live ones first, then by start.
SELECT f.id, f.code, f.name, f.status, f.scheduled_start, s.code AS sport, e.code AS event,
       f.status IN ('LIVE', 'INTERRUPTED') AS live
FROM fixture f JOIN sport s ON s.id = f.sport_id JOIN competition e ON e.id = f.event_id
WHERE f.release_id = $1 AND f.status NOT IN ('COMPLETED', 'CANCELLED', 'VOID')
ORDER BY live DESC, f.scheduled_start NULLS LAST, e.code, f.code
LIMIT $2

-- name: next_starts
-- The unfinished fixtures of a release that start next (a live one has started first).
SELECT f.code, e.code AS event, f.status, f.scheduled_start
FROM fixture f JOIN competition e ON e.id = f.event_id
WHERE f.release_id = $1 AND f.status NOT IN ('COMPLETED', 'CANCELLED', 'VOID')
ORDER BY f.scheduled_start NULLS LAST, e.code, f.code
LIMIT 3
