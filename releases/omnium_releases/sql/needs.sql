-- name: upcoming_needs
-- What fixtures need that are live, have no start, or start within $1: the release that each is pinned to, the default
-- that commands on its results take now and then, and the default of `games` for its event. One row a release and reason;
-- no release where there is no default.
WITH upcoming AS (
    SELECT f.event_id, f.competition_id, f.sport_id, f.release_id, f.scheduled_start
    FROM fixture f
    WHERE f.status NOT IN ('COMPLETED', 'CANCELLED', 'VOID')
      AND (f.status IN ('LIVE', 'INTERRUPTED') OR coalesce(f.scheduled_start <= now() + $1::interval, true))
), scope AS (
    SELECT u.sport_id, u.competition_id, count(*) AS fixtures, min(u.scheduled_start) AS next_start
    FROM upcoming u GROUP BY u.sport_id, u.competition_id
    UNION ALL
    SELECT s.id, u.event_id, count(*), min(u.scheduled_start)
    FROM upcoming u JOIN sport s ON s.code = 'games' GROUP BY s.id, u.event_id
), need AS (
    SELECT 'pinned' AS kind, '' AS what, u.release_id, count(*) AS fixtures, min(u.scheduled_start) AS next_start
    FROM upcoming u WHERE u.release_id IS NOT NULL GROUP BY u.release_id
    UNION ALL
    SELECT 'default', s.code, d.release_id, sum(scope.fixtures), min(scope.next_start)
    FROM scope
    JOIN sport s ON s.id = scope.sport_id
    CROSS JOIN LATERAL (
        SELECT default_release_v1(scope.sport_id, scope.competition_id, now()) AS release_id
        UNION
        SELECT default_release_v1(scope.sport_id, scope.competition_id, now() + $1::interval)
    ) d
    GROUP BY s.code, d.release_id
)
SELECT r.id, r.version, r.status, r.code_sha, r.contract_sha, n.kind, n.what, n.fixtures::bigint AS fixtures, n.next_start
FROM need n LEFT JOIN plugin_release r ON r.id = n.release_id
ORDER BY r.version NULLS LAST, n.kind DESC, n.what

-- name: pinned_releases
-- The releases that unfinished fixtures are pinned to.
SELECT r.id, r.version, r.status, r.code_sha, r.contract_sha
FROM plugin_release r
WHERE EXISTS (
    SELECT FROM fixture f WHERE f.release_id = r.id AND f.status NOT IN ('COMPLETED', 'CANCELLED', 'VOID')
)
ORDER BY r.version

-- name: stranded_fixtures
-- The unfinished fixtures of some releases ($1): live ones first, then by start.
SELECT f.id, f.code, f.name, f.status, f.scheduled_start, s.code AS sport, e.code AS event, f.release_id,
       r.version,
       f.status IN ('LIVE', 'INTERRUPTED') AS live
FROM fixture f
JOIN plugin_release r ON r.id = f.release_id
JOIN sport s ON s.id = f.sport_id
JOIN competition e ON e.id = f.event_id
WHERE f.release_id = ANY ($1::uuid[]) AND f.status NOT IN ('COMPLETED', 'CANCELLED', 'VOID')
ORDER BY live DESC, f.scheduled_start NULLS LAST, e.code, f.code
LIMIT $2
