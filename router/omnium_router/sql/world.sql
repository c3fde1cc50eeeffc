-- name: is_timezone
-- Whether PostgreSQL, which works out days, knows this IANA time zone.
SELECT EXISTS (SELECT 1 FROM pg_timezone_names WHERE name = $1 AND name NOT LIKE 'posix/%')

-- name: make_event
-- A new event is the root of a tree of competitions; nothing comes back where the code is taken.
INSERT INTO competition (id, event_id, code, name, timezone)
SELECT made.id, made.id, $1, $2, $3 FROM (SELECT gen_random_uuid() AS id) made
ON CONFLICT (code) WHERE parent_id IS NULL DO NOTHING
RETURNING code, name, timezone, created_at

-- name: events
-- All events, newest first.
SELECT code, name, timezone, created_at FROM competition WHERE parent_id IS NULL ORDER BY created_at DESC, code

-- name: competitions
-- The competitions of an event, parents first where codes say so.
SELECT c.code, c.name, p.code AS parent, s.code AS sport
FROM competition c
     LEFT JOIN competition p ON p.id = c.parent_id
     LEFT JOIN sport s ON s.id = c.sport_id
WHERE c.event_id = $1 AND c.parent_id IS NOT NULL
ORDER BY c.created_at, c.code

-- name: events_of_fixtures
-- The events that single fixtures belong to.
SELECT DISTINCT e.code
FROM fixture f JOIN competition e ON e.id = f.event_id
WHERE f.id::text = ANY ($1::text[])

-- name: issued_tokens
-- Tokens that have not expired.
SELECT jti, sub, name, kind, roles, source, issued_by, issued_at, expires_at, revoked_at
FROM actor_token WHERE expires_at > now() ORDER BY issued_at DESC, jti LIMIT 1000
