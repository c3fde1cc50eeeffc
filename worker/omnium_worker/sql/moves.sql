-- name: move_lock
-- One change of a match at a time, as for every command.
SELECT pg_advisory_xact_lock(lock_key_v1($1));

-- name: move_head
-- A match as it stands: pin, status, facts, board, and how long its log is.
SELECT f.code, f.name, c.code AS event, f.workflow, f.scoring_mode, f.status, f.official, f.version, f.next_seq,
    f.release_id, r.version AS release, r.code_sha AS release_code_sha,
    fixture_facts_v1(f.id) AS facts, b.state,
    (SELECT t.row_hash FROM timeline_item t WHERE t.stream_id = f.id AND t.seq = f.next_seq - 1) AS previous_hash,
    (
        SELECT count(*) FROM timeline_item t
        WHERE t.fixture_id = f.id AND t.unit = 'event' AND t.status = 'CONFIRMED'
    ) AS events,
    clock_timestamp() AS clock
FROM fixture f
    JOIN competition c ON c.id = f.event_id
    LEFT JOIN plugin_release r ON r.id = f.release_id
    LEFT JOIN scoreboard b ON b.fixture_id = f.id
WHERE f.id = $1;

-- name: move_target
-- The release that the match shall have, held against being retired; a no is a record's no.
SELECT (release_to_pin_v1($1, $2, $3)).status;

-- name: move_order
-- The effective events in the order of the story, and whether a correction was logged after row $2.
SELECT
    coalesce(array_agg(t.seq ORDER BY t.fold_order) FILTER (WHERE t.unit = 'event' AND t.status = 'CONFIRMED'), '{}')
        AS seqs,
    coalesce(bool_or(t.corrects IS NOT NULL) FILTER (WHERE t.seq > $2), false) AS is_corrected
FROM timeline_item t
WHERE t.stream_id = $1;

-- name: move_events
-- Effective events, all or those of these numbers, in the order of the story.
SELECT seq, event_type, payload, occurred_at, actor, confirmed, row_hash
FROM timeline_item
WHERE fixture_id = $1 AND unit = 'event' AND status = 'CONFIRMED' AND ($2::bigint[] IS NULL OR seq = ANY ($2))
ORDER BY fold_order;

-- name: move_loaded
-- What the rules of the release declared in `reads`, besides the log.
SELECT loaded_v1($1, $2) AS loaded;

-- name: move_declared
-- The numbers that the lines of a release may hold: action and key.
SELECT a.action ->> 'key' AS action, k.key
FROM scoring_program_version p,
    json_array_elements(p.document -> 'actions') AS a (action),
    json_array_elements_text(a.action -> 'keys') AS k (key)
WHERE p.release_id = $1 AND p.workflow = $2
  AND p.format_number = (
      SELECT max(n.format_number) FROM scoring_program_version n WHERE n.release_id = $1 AND n.workflow = $2
  );

-- name: close_move
-- All that a move writes, as one statement; gives the outbox id.
SELECT close_move_v1(
    $1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20, $21, $22, $23, $24, $25,
    $26, $27, $28, $29, $30, $31, $32, $33, $34
);
