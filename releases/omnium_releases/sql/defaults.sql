-- name: find_competition
-- The competition that somebody means by an id, a code, or EVENT/CODE.
SELECT c.id, c.code, c.name, c.sport_id, s.code AS sport, e.code AS event, c.parent_id IS NULL AS is_event
FROM competition c JOIN competition e ON e.id = c.event_id LEFT JOIN sport s ON s.id = c.sport_id
WHERE c.id::text = $1 OR c.code = $1 OR e.code || '/' || c.code = $1
ORDER BY e.code, c.code
LIMIT 6

-- name: find_sport
-- A sport by its code.
SELECT id, code, name FROM sport WHERE code = $1

-- name: lock_sports
-- One change of a sport's defaults at a time.
SELECT id FROM sport WHERE id = ANY ($1::uuid[]) ORDER BY id FOR NO KEY UPDATE

-- name: scope_defaults
-- What a sport or one competition gets, from when; the row in force at $3 is the newest that is not later.
SELECT r.version, d.from_at, d.set_by, d.from_at <= $3 AS begun
FROM release_default d JOIN plugin_release r ON r.id = d.release_id
WHERE d.sport_id = $1 AND d.competition_id IS NOT DISTINCT FROM $2::uuid
ORDER BY d.from_at DESC

-- name: add_default
-- A default is a new row; none is ever edited.
INSERT INTO release_default (sport_id, competition_id, release_id, from_at, set_by) VALUES ($1, $2, $3, $4, $5)

-- name: candidate_defaults
-- Every row that could decide for a sport and a competition, nearest scope first, newest first in each.
WITH RECURSIVE scope (competition_id, distance) AS (
    SELECT c.id, 0 FROM competition c WHERE c.id = $2::uuid
    UNION ALL
    SELECT c.parent_id, s.distance + 1
    FROM scope s JOIN competition c ON c.id = s.competition_id
    WHERE c.parent_id IS NOT NULL
)
SELECT c.code AS competition, e.code AS event, s.distance, r.version, r.status, d.from_at, d.set_by, d.set_at,
       d.from_at <= $3 AS begun
FROM release_default d
JOIN plugin_release r ON r.id = d.release_id
LEFT JOIN scope s ON s.competition_id = d.competition_id
LEFT JOIN competition c ON c.id = d.competition_id
LEFT JOIN competition e ON e.id = c.event_id
WHERE d.sport_id = $1 AND (d.competition_id IS NULL OR s.distance IS NOT NULL)
ORDER BY s.distance NULLS LAST, d.from_at DESC

-- name: release_defaults
-- Where a release is the default now, and where it will be.
SELECT sport, competition, event, from_at, begun
FROM (
    SELECT s.code AS sport, c.code AS competition, e.code AS event, d.release_id, d.from_at, d.from_at <= now() AS begun,
           row_number() OVER (PARTITION BY d.sport_id, d.competition_id, d.from_at <= now() ORDER BY d.from_at DESC) AS nth
    FROM release_default d
    JOIN sport s ON s.id = d.sport_id
    LEFT JOIN competition c ON c.id = d.competition_id
    LEFT JOIN competition e ON e.id = c.event_id
) placed
WHERE release_id = $1 AND (NOT begun OR nth = 1)
ORDER BY begun DESC, sport, event NULLS FIRST, competition NULLS FIRST, from_at

-- name: the_moment
-- The database's clock, which decides what is past.
SELECT clock_timestamp()
