-- name: add_audit
-- Who did what to which release, and what they saw.
INSERT INTO release_audit (who, sub, verb, release_id, fixture_id, reason, seen, request_id, build)
VALUES ($1, $2, $3, $4, $5, $6, $7::text::jsonb, $8, $9::text::jsonb)

-- name: audit_entries
-- What was done, newest first: to one release, or (null) to all.
SELECT a.id, a.at, a.who, a.sub, a.verb, r.version, a.fixture_id, a.reason, a.seen, a.request_id, a.build
FROM release_audit a LEFT JOIN plugin_release r ON r.id = a.release_id
WHERE $1::text IS NULL OR r.version = $1
ORDER BY a.id DESC LIMIT $2
