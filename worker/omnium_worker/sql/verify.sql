-- name: verify_fixture
-- What is stored of one fixture besides its log, as one row.
SELECT f.workflow, f.scoring_mode, f.status, f.official, f.version, f.next_seq, f.changed_seq, f.release_id,
    fixture_facts_v1(f.id) AS facts,
    b.state, b.digest, b.seq, b.events, b.prefix_hash, b.code_sha, b.runtime_sha,
    d.fixture_id AS outbox_fixture,
    (
        SELECT max((r.record ->> 'version')::bigint)
        FROM jsonb_array_elements(d.payload -> 'records') AS r (record)
        WHERE r.record ->> 'id' = f.id::text
    ) AS outbox_version,
    (SELECT max(e.id) FROM domain_event e WHERE e.fixture_id = f.id) AS newest_outbox
FROM fixture f
    LEFT JOIN scoreboard b ON b.fixture_id = f.id
    LEFT JOIN domain_event d ON d.id = f.changed_seq
WHERE f.id = $1;

-- name: verify_log
-- Every row of a fixture's stream, in the order of writing.
SELECT id, unit, seq, fold_order, status, event_type, payload, confirmed, corrects, idempotency_key, sender, actor,
    source_code, input_hash, occurred_at, release_id, code_sha, runtime_sha, state_digest, previous_hash, row_hash,
    (answer ->> 'version')::bigint AS answer_version, (answer ->> 'seq')::bigint AS answer_seq
FROM timeline_item
WHERE stream_id = $1
ORDER BY seq;

-- name: verify_lines
-- The stored lines of a fixture.
SELECT action, entry, person, segment, key, value
FROM stat_value
WHERE fixture_id = $1;

-- name: verify_places
-- The stored places of a fixture.
SELECT fixture_competitor_id::text AS entry, rank, shared, display, value, sort
FROM fixture_competitor_rank
WHERE fixture_id = $1;

-- name: verify_checkpoints
-- The stored checkpoints of a fixture.
SELECT seq, events, state, code_sha, runtime_sha, prefix_hash
FROM scoring_checkpoint
WHERE fixture_id = $1
ORDER BY seq;
