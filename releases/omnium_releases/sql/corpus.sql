-- name: finished_matches
-- Matches with a log that are over ($1), which something was logged of since $2 (null: ever); by release, then id.
SELECT f.id, f.workflow, r.version AS release
FROM fixture f JOIN plugin_release r ON r.id = f.release_id
WHERE f.scoring_mode = 'events' AND f.status = ANY ($1::text[])
  AND EXISTS (SELECT 1 FROM timeline_item t WHERE t.fixture_id = f.id AND t.unit = 'event' AND t.status = 'CONFIRMED')
  AND ($2::timestamptz IS NULL
       OR EXISTS (SELECT 1 FROM timeline_item t WHERE t.stream_id = f.id AND t.recorded_at >= $2))
ORDER BY r.version, f.id

-- name: logged_match
-- One match with a log: its release and facts, what is stored of its end, and what it is called.
SELECT f.id, f.workflow, f.code, f.name, f.status, r.version AS release, fixture_facts_v1(f.id) AS facts,
       convert_from(b.state, 'UTF8') AS state, b.digest, b.runtime_sha, f.event_id,
       r.code_sha AS release_sha, e.code AS event_code, e.name AS event_name, n.name AS competition_name
FROM fixture f
    JOIN plugin_release r ON r.id = f.release_id
    JOIN competition e ON e.id = f.event_id
    JOIN competition n ON n.id = f.competition_id
    LEFT JOIN scoreboard b ON b.fixture_id = f.id
WHERE f.id = $1 AND f.scoring_mode = 'events'

-- name: match_events
-- The effective events of a match, in the order of the story.
SELECT t.seq, t.event_type AS code, t.payload, t.confirmed, t.occurred_at, t.actor, t.sender, t.code_sha,
       t.runtime_sha, t.state_digest, r.version AS release
FROM timeline_item t LEFT JOIN plugin_release r ON r.id = t.release_id
WHERE t.fixture_id = $1 AND t.unit = 'event' AND t.status = 'CONFIRMED'
ORDER BY t.fold_order

-- name: match_refusals
-- The commands of a match that its rules refused, and their places in the log.
SELECT c.event_type AS code, c.payload, c.confirmed, c.refusal, c.reason, c.message, c.after_seq, c.actor, c.sender,
       c.created_at
FROM refused_command c
WHERE c.fixture_id = $1 AND c.refusal IN ('input', 'rejected', 'confirm')
ORDER BY c.after_seq, c.id

-- name: match_persons
-- Every text that somebody of the match is known by: participants of its event, and persons that its log names.
SELECT p.id::text AS id, coalesce(m.id, p.id)::text AS same_as, coalesce(m.source_code, p.source_code) AS source,
       coalesce(m.external_id, p.external_id) AS external_id,
       array_remove(ARRAY[p.name, p.external_id, m.name, m.external_id], NULL) AS names
FROM participant p LEFT JOIN participant m ON m.id = p.merged_into
WHERE p.event_id = $2
UNION ALL
SELECT DISTINCT a.person, NULL, NULL, NULL, '{}'::text[]
FROM timeline_item t JOIN timeline_actor a ON a.timeline_item_id = t.id
WHERE t.fixture_id = $1

-- name: match_lines
-- The stored lines of a match.
SELECT action, entry, person, segment, key, value
FROM stat_value
WHERE fixture_id = $1
ORDER BY entry, person, segment, key, action

-- name: match_places
-- The stored places of a match, in their order.
SELECT fixture_competitor_id::text AS entry, rank, shared, display, value
FROM fixture_competitor_rank
WHERE fixture_id = $1
ORDER BY sort, entry
