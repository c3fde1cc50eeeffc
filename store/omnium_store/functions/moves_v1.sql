-- Moving a match that has begun to another release. Who moves holds the match's lock and the release FOR SHARE.

CREATE OR REPLACE FUNCTION close_move_v1(
    p_fixture uuid, p_version bigint, p_seq bigint, p_payload json, p_key text, p_sender text, p_actor text,
    p_input_hash bytea, p_occurred_at timestamptz, p_answer json, p_release uuid, p_code_sha text, p_runtime_sha text,
    p_previous_hash bytea, p_hash bytea,
    p_state bytea, p_digest bytea, p_board_seq bigint, p_events int, p_prefix_hash bytea,  -- NULL: nothing is logged
    p_conflicts json,
    p_checkpoint_seqs bigint[], p_checkpoint_events int[], p_checkpoint_states bytea[], p_checkpoint_hashes bytea[],
    p_status text, p_official boolean,
    p_revisions int,                        -- by how much the official result is another one
    p_lines json, p_places json,            -- all that the match has then
    p_outbox jsonb, p_stats text[], p_scopes text[],
    p_audit jsonb                           -- {reason, seen, requestId, build}
) RETURNS bigint
    LANGUAGE plpgsql VOLATILE
    -- the new pin with the new fold, its log row and its audit row; gives the id of its outbox row
AS $$
DECLARE
    v_fixture fixture%ROWTYPE;
    v_outbox  bigint;
BEGIN
    PERFORM log_row_v1(
        p_fixture, p_fixture, 'record', p_seq, 'releases.move', p_payload, '{}', p_key, p_sender, p_actor, '',
        p_input_hash, p_occurred_at, p_answer, p_release, p_code_sha, p_runtime_sha, NULL, p_previous_hash,
        p_hash, '{}', '{}'
    );
    IF p_state IS NOT NULL THEN
        INSERT INTO scoreboard AS b (
            fixture_id, state, digest, seq, events, prefix_hash, conflicts, code_sha, runtime_sha
        ) VALUES (
            p_fixture, p_state, p_digest, p_board_seq, p_events, p_prefix_hash, p_conflicts, p_code_sha, p_runtime_sha
        )
        ON CONFLICT (fixture_id) DO UPDATE
        SET state = excluded.state, digest = excluded.digest, seq = excluded.seq, events = excluded.events,
            prefix_hash = excluded.prefix_hash, conflicts = excluded.conflicts, code_sha = excluded.code_sha,
            runtime_sha = excluded.runtime_sha, updated_at = now();
    END IF;
    -- those of the release that is left are of no more use: only the code that made one goes on from it
    DELETE FROM scoring_checkpoint WHERE fixture_id = p_fixture;
    INSERT INTO scoring_checkpoint (fixture_id, seq, events, state, code_sha, runtime_sha, prefix_hash)
    SELECT p_fixture, c.seq, c.events, c.state, p_code_sha, p_runtime_sha, c.hash
    FROM unnest(p_checkpoint_seqs, p_checkpoint_events, p_checkpoint_states, p_checkpoint_hashes)
        AS c (seq, events, state, hash);
    PERFORM replace_lines_v1(
        p_fixture, ARRAY(SELECT DISTINCT v.action FROM stat_value v WHERE v.fixture_id = p_fixture), p_lines
    );
    PERFORM replace_places_v1(p_fixture, p_places);

    SELECT * INTO v_fixture FROM fixture WHERE id = p_fixture;
    INSERT INTO domain_event (kind, sport_id, competition_id, event_id, fixture_id, seq, payload)
    VALUES ('command.accepted', v_fixture.sport_id, v_fixture.competition_id, v_fixture.event_id, p_fixture, p_seq,
        p_outbox)
    RETURNING id INTO v_outbox;
    UPDATE fixture f
    SET release_id = p_release, version = p_version + 1, tag = new_tag_v1(), next_seq = p_seq + 1,
        changed_seq = v_outbox, status = p_status, official = p_official, revision = f.revision + p_revisions
    WHERE f.id = p_fixture AND f.version = p_version AND f.next_seq = p_seq;
    IF NOT FOUND THEN
        RAISE EXCEPTION 'fixture % changed beside its lock', p_fixture USING ERRCODE = 'serialization_failure';
    END IF;
    IF cardinality(p_stats) > 0 THEN
        PERFORM append_stat_jobs_v1(p_release, p_stats, p_scopes, v_fixture.competition_id, v_fixture.event_id);
    END IF;
    INSERT INTO release_audit (who, verb, release_id, fixture_id, reason, seen, request_id, build)
    VALUES (
        p_actor, 'move', p_release, p_fixture, p_audit ->> 'reason', p_audit -> 'seen', p_audit ->> 'requestId',
        p_audit -> 'build'
    );
    RETURN v_outbox;
END $$;
