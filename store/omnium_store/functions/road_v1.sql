-- The road of a command: open (lock, pin, key, all that the rules may read), then close or refuse.
-- All are VOLATILE PL/pgSQL: each statement in them has a snapshot of its own, newer than the lock. One CTE
-- that locks and reads has a snapshot older than its lock, and would read what somebody else has replaced.
-- Helpers are PL/pgSQL as well, because its plans are kept by the session; a SQL function is planned at each call.

CREATE OR REPLACE FUNCTION events_v1(p_fixture uuid, p_after numeric, p_most int) RETURNS json
    LANGUAGE plpgsql STABLE
    -- the effective events of a fixture behind a place in its story, in order, as one JSON list
AS $$
BEGIN
    RETURN (
        SELECT coalesce(
            json_agg(
                json_build_object(
                    'seq', e.seq, 'code', e.event_type, 'input', e.payload, 'at', rfc3339_v1(e.occurred_at),
                    'actor', e.actor, 'confirmed', e.confirmed
                ) ORDER BY e.fold_order
            ),
            '[]'
        )
        FROM (
            SELECT t.seq, t.event_type, t.payload, t.occurred_at, t.actor, t.confirmed, t.fold_order
            FROM timeline_item t
            WHERE t.fixture_id = p_fixture AND t.unit = 'event' AND t.status = 'CONFIRMED' AND t.fold_order > p_after
            ORDER BY t.fold_order
            LIMIT p_most
        ) e
    );
END $$;

CREATE OR REPLACE FUNCTION fixture_facts_v1(p_fixture uuid) RETURNS json
    LANGUAGE plpgsql STABLE
    -- what rules may read of a fixture, its sides in order, its format overlaid on its format's values
AS $$
BEGIN
    RETURN (
        SELECT json_build_object(
            'id', f.id, 'workflow', f.workflow, 'sport', s.code, 'fixtureType', f.fixture_type,
            'archetype', f.archetype, 'formatCode', f.format_code,
            'format', coalesce(c.values, '{}') || f.format,
            'scoringMode', f.scoring_mode, 'status', f.status, 'official', f.official, 'competition', n.code,
            'scheduledStart', rfc3339_v1(f.scheduled_start), 'venue', f.venue,
            'sides', (
                SELECT coalesce(
                    json_agg(
                        json_build_object(
                            'entry', k.id, 'position', k.position, 'code', k.code, 'name', k.name, 'noc', k.noc,
                            'participantId', k.participant_id, 'result', k.result, 'rank', k.rank,
                            'status', k.status, 'pinned', k.pinned
                        ) ORDER BY k.position
                    ),
                    '[]'
                )
                FROM fixture_competitor k
                WHERE k.fixture_id = f.id
            )
        )
        FROM fixture f
            JOIN sport s ON s.id = f.sport_id
            JOIN competition n ON n.id = f.competition_id
            LEFT JOIN format_config c ON c.code = f.format_code
        WHERE f.id = p_fixture
    );
END $$;

CREATE OR REPLACE FUNCTION placed_facts_v1(p_fixture uuid) RETURNS json
    LANGUAGE plpgsql STABLE
    -- the facts that commands of records read: a side without a typed rank has the place that its log gave it.
    -- Never for a fold, which would then read what it has made itself.
AS $$
DECLARE
    v_facts jsonb := fixture_facts_v1(p_fixture);
BEGIN
    IF v_facts ->> 'scoringMode' <> 'events' OR NOT has_result_v1(v_facts ->> 'status') THEN
        RETURN v_facts;
    END IF;
    RETURN v_facts || jsonb_build_object('sides', (
        SELECT coalesce(
            jsonb_agg(
                CASE WHEN r.rank IS NULL OR k.side ->> 'rank' IS NOT NULL THEN k.side
                ELSE k.side || jsonb_build_object('rank', r.rank, 'result', (k.side -> 'result')
                    || CASE WHEN r.shared THEN '{"shared": true}' ELSE '{}' END::jsonb)
                END ORDER BY k.number
            ),
            '[]'
        )
        FROM jsonb_array_elements(v_facts -> 'sides') WITH ORDINALITY AS k (side, number)
            LEFT JOIN fixture_competitor_rank r
                ON r.fixture_competitor_id = (k.side ->> 'entry')::uuid AND has_rank_v1(k.side ->> 'status')
    ));
END $$;

CREATE OR REPLACE FUNCTION loaded_v1(p_fixture uuid, p_needs text[]) RETURNS json
    LANGUAGE plpgsql STABLE
    -- what components declared in `reads`: the log, stats, masters (participants), child fixtures
AS $$
BEGIN
    RETURN (
        SELECT json_build_object(
            'log', CASE WHEN 'log' = ANY (p_needs) THEN events_v1(f.id, '-Infinity', NULL) END,
            'stats', CASE WHEN 'stats' = ANY (p_needs) THEN (
                SELECT json_object_agg(r.stat, r.value ORDER BY r.stat)
                FROM stat_result r
                WHERE r.scope_id IN (f.competition_id, f.event_id)
            ) END,
            'masters', CASE WHEN 'masters' = ANY (p_needs) THEN (
                SELECT json_object_agg(
                    p.id,
                    json_build_object(
                        'id', p.id, 'kind', p.kind, 'name', p.name, 'noc', p.noc, 'facts', p.facts,
                        'bib', e.bib, 'status', e.status, 'entryFacts', e.facts
                    ) ORDER BY p.id
                )
                FROM participant p
                    LEFT JOIN event_entry e ON e.participant_id = p.id AND e.competition_id = f.competition_id
                WHERE p.event_id = f.event_id AND p.merged_into IS NULL
                  AND (e.id IS NOT NULL
                       OR p.id IN (SELECT k.participant_id FROM fixture_competitor k WHERE k.fixture_id = f.id))
            ) END,
            'children', CASE WHEN 'children' = ANY (p_needs) THEN (
                SELECT json_agg(fixture_facts_v1(c.id) ORDER BY c.scheduled_start NULLS LAST, c.code)
                FROM competition n JOIN fixture c ON c.competition_id = n.id
                WHERE n.parent_id = f.competition_id
            ) END
        )
        FROM fixture f
        WHERE f.id = p_fixture
    );
END $$;

CREATE OR REPLACE FUNCTION open_v1(
    p_fixture     uuid,     -- the subject, or NULL for an event
    p_event       text,     -- the code of the event that is the subject; NULL for a fixture
    p_mode        text,     -- fold or apply
    p_release     uuid,     -- who asks: release, code and runtime of the worker
    p_code_sha    text,
    p_runtime_sha text,
    p_sender      text,
    p_key         text,
    p_needs       text[],   -- what components declared in `reads`
    p_most        int,      -- how many events may be folded again here; NULL for any number
    OUT outcome text,       -- missing, wrong_release, known or ready
    OUT release text,       -- version of the right release (wrong_release); NULL if there is none
    OUT stream uuid,
    OUT event json,
    OUT event_code text,
    OUT fixture json,
    OUT workflow text,      -- that scores it
    OUT scoring_mode text,
    OUT fixture_type text,
    OUT status text,
    OUT version bigint,
    OUT next_seq bigint,
    OUT clock timestamptz,
    OUT previous_hash bytea,
    OUT previous_at timestamptz,
    OUT answer json,        -- of the row with the same key (known)
    OUT input_hash bytea,
    OUT state bytea,        -- of the scoreboard, or of the checkpoint that `tail` is to be folded on; NULL: from nothing
    OUT events int,
    OUT tail json,          -- events behind `state`; NULL if it is the newest
    OUT tail_length int,
    OUT loaded json
)
    LANGUAGE plpgsql VOLATILE
AS $$
#variable_conflict use_column
DECLARE
    v_fixture fixture%ROWTYPE;
    v_root    competition%ROWTYPE;
    v_row     timeline_item%ROWTYPE;
    v_board   scoreboard%ROWTYPE;
    v_release uuid;
    v_from    numeric;
BEGIN
    outcome := 'missing';
    IF p_fixture IS NULL THEN
        SELECT id INTO stream FROM competition WHERE code = p_event AND parent_id IS NULL;
        IF NOT FOUND THEN RETURN; END IF;
    ELSE
        stream := p_fixture;
    END IF;
    PERFORM pg_advisory_xact_lock(lock_key_v1(stream));

    -- the subject and its pin
    IF p_fixture IS NULL THEN
        SELECT * INTO v_root FROM competition WHERE id = stream;
        IF NOT FOUND THEN RETURN; END IF;
        SELECT default_release_v1(s.id, v_root.id, now()) INTO v_release FROM sport s WHERE s.code = 'games';
        version := v_root.version;
        next_seq := v_root.next_seq;
    ELSE
        SELECT * INTO v_fixture FROM fixture WHERE id = stream;
        IF NOT FOUND THEN RETURN; END IF;
        SELECT * INTO v_root FROM competition WHERE id = v_fixture.event_id;
        v_release := CASE WHEN p_mode = 'fold' THEN v_fixture.release_id
            ELSE default_release_v1(v_fixture.sport_id, v_fixture.competition_id, now()) END;
        workflow := v_fixture.workflow;
        scoring_mode := v_fixture.scoring_mode;
        fixture_type := v_fixture.fixture_type;
        status := v_fixture.status;
        version := v_fixture.version;
        next_seq := v_fixture.next_seq;
    END IF;
    -- a scorecard has no pin: the engine says that it takes no fold command
    IF v_release IS DISTINCT FROM p_release AND (p_mode = 'apply' OR v_fixture.scoring_mode = 'events') THEN
        outcome := 'wrong_release';
        SELECT r.version INTO release FROM plugin_release r WHERE r.id = v_release;
        RETURN;
    END IF;
    event_code := v_root.code;
    event := json_build_object(
        'id', v_root.id, 'code', v_root.code, 'name', v_root.name, 'timezone', v_root.timezone
    );
    clock := clock_timestamp();

    -- what the last rows say
    SELECT * INTO v_row FROM timeline_item WHERE stream_id = stream AND seq = next_seq - 1;
    previous_hash := v_row.row_hash;
    IF p_mode = 'fold' THEN
        IF v_row.unit IS DISTINCT FROM 'event' THEN
            SELECT * INTO v_row FROM timeline_item
            WHERE fixture_id = stream AND unit = 'event' ORDER BY fold_order DESC LIMIT 1;
        END IF;
        previous_at := v_row.occurred_at;
        SELECT * INTO v_board FROM scoreboard WHERE fixture_id = stream;
        state := v_board.state;
        events := v_board.events;
    END IF;

    -- the same key again
    SELECT t.answer, t.input_hash INTO answer, input_hash
    FROM timeline_item t
    WHERE t.stream_id = stream AND t.sender = p_sender AND t.idempotency_key = p_key;
    IF FOUND THEN
        outcome := 'known';
        RETURN;
    END IF;

    outcome := 'ready';
    IF p_fixture IS NULL THEN RETURN; END IF;
    fixture := CASE WHEN p_mode = 'fold' THEN fixture_facts_v1(stream) ELSE placed_facts_v1(stream) END;
    IF cardinality(p_needs) > 0 THEN
        loaded := loaded_v1(stream, p_needs);
    END IF;
    IF p_mode = 'fold' AND v_row.seq IS NOT NULL AND (
        v_board.fixture_id IS NULL
        OR v_board.code_sha <> p_code_sha OR v_board.runtime_sha <> p_runtime_sha
        OR v_board.seq <> v_row.seq OR v_board.prefix_hash <> v_row.row_hash
    ) THEN
        -- made by other code or not there: fold again on the newest checkpoint that code, runtime and prefix fit
        SELECT c.state, c.events, t.fold_order INTO state, events, v_from
        FROM scoring_checkpoint c JOIN timeline_item t
            ON t.stream_id = c.fixture_id AND t.seq = c.seq AND t.row_hash = c.prefix_hash
        WHERE c.fixture_id = stream AND c.code_sha = p_code_sha AND c.runtime_sha = p_runtime_sha
        ORDER BY c.seq DESC LIMIT 1;
        SELECT count(*) INTO tail_length FROM timeline_item
        WHERE fixture_id = stream AND unit = 'event' AND status = 'CONFIRMED'
          AND fold_order > coalesce(v_from, '-Infinity');
        IF p_most IS NULL OR tail_length <= p_most THEN
            tail := events_v1(stream, coalesce(v_from, '-Infinity'), NULL);
        END IF;
    END IF;
END $$;

CREATE OR REPLACE FUNCTION unit_terms_v1(
    p_event uuid, p_sport text, p_competition text, p_format text, p_mode text, p_start text, p_release uuid
) RETURNS TABLE (release_id uuid, workflow text, stored jsonb)
    LANGUAGE plpgsql STABLE
    -- by which release and workflow a new unit is going to be played, and what its stored format says; no row
    -- where sport, competition or format are not there. A card is judged by the release that adds it.
AS $$
BEGIN
    RETURN QUERY
    SELECT u.release, scoring_workflow_v1(p_sport, u.scope, u.release), u.stored
    FROM (
        SELECT
            CASE WHEN p_mode = 'events'
                THEN default_release_v1(s.id, n.id, greatest(coalesce(p_start::timestamptz, now()), now()))
                ELSE p_release END AS release,
            coalesce(c.scope, '') AS scope, coalesce(c.values, '{}') AS stored
        FROM sport s
            JOIN competition n ON n.event_id = p_event AND n.code = p_competition
            LEFT JOIN format_config c ON c.sport_id = s.id AND c.code = p_format
        WHERE s.code = p_sport AND (p_format IS NULL OR c.id IS NOT NULL)
    ) u;
END $$;

CREATE OR REPLACE FUNCTION refuse_v1(
    p_stream uuid, p_fixture uuid, p_type text, p_payload json, p_confirmed text[],
    p_refusal text, p_reason text, p_message text, p_after_seq bigint, p_sender text, p_actor text,
    p_release uuid, p_code_sha text, p_runtime_sha text
) RETURNS void
    LANGUAGE plpgsql VOLATILE
    -- a refused command with its sentence and its place in the log: evidence for the replay, and no holder of a key
AS $$
BEGIN
    INSERT INTO refused_command (
        stream_id, fixture_id, event_type, payload, confirmed, refusal, reason, message, after_seq, sender, actor,
        release_id, code_sha, runtime_sha
    ) VALUES (
        p_stream, p_fixture, p_type, p_payload, p_confirmed, p_refusal, p_reason, p_message, p_after_seq, p_sender,
        p_actor, p_release, p_code_sha, p_runtime_sha
    );
END $$;

CREATE OR REPLACE FUNCTION log_row_v1(
    p_stream uuid, p_fixture uuid, p_unit text, p_seq bigint, p_type text, p_payload json, p_confirmed text[],
    p_key text, p_sender text, p_actor text, p_source text, p_input_hash bytea, p_occurred_at timestamptz,
    p_answer json, p_release uuid, p_code_sha text, p_runtime_sha text,
    p_digest bytea, p_previous_hash bytea, p_hash bytea, p_roles text[], p_persons text[]
) RETURNS void
    LANGUAGE plpgsql VOLATILE
    -- one row of the log, and the persons that it names
AS $$
DECLARE
    v_id bigint;
BEGIN
    INSERT INTO timeline_item (
        stream_id, fixture_id, source_code, sender, actor, event_type, unit, seq, fold_order, occurred_at, payload,
        confirmed, idempotency_key, input_hash, answer, release_id, code_sha, runtime_sha, state_digest,
        previous_hash, row_hash
    ) VALUES (
        p_stream, p_fixture, p_source, p_sender, p_actor, p_type, p_unit, p_seq, p_seq, p_occurred_at, p_payload,
        p_confirmed, p_key, p_input_hash, p_answer, p_release, p_code_sha, p_runtime_sha, p_digest,
        p_previous_hash, p_hash
    ) RETURNING id INTO v_id;
    IF cardinality(p_roles) > 0 THEN
        INSERT INTO timeline_actor (timeline_item_id, role, person)
        SELECT v_id, a.role, a.person FROM unnest(p_roles, p_persons) AS a (role, person);
    END IF;
END $$;

CREATE OR REPLACE FUNCTION new_tag_v1() RETURNS bigint
    LANGUAGE sql VOLATILE
    -- a random value that goes with each version, so that a state kept by (version, tag) can't be another one's
    RETURN floor(random() * 9007199254740992)::bigint;

CREATE OR REPLACE FUNCTION replace_lines_v1(p_fixture uuid, p_ran text[], p_lines json) RETURNS void
    LANGUAGE plpgsql VOLATILE
    -- What the actions that ran gave replaces what they gave before; only the difference is written. Lines come as
    -- JSON: half the work, on both ends, of an array a column.
AS $$
BEGIN
    -- one join finds the difference; '=' keeps NULL apart from empty text in keys that can be hashed
    WITH difference AS MATERIALIZED (
        SELECT n.action, n.entry, n.person, n.segment, n.key, n.value, o.ctid AS stored
        FROM json_to_recordset(p_lines)
                AS n (action text, entry text, person text, segment text, key text, value bigint)
            FULL JOIN (
                SELECT v.ctid, v.action, v.entry, v.person, v.segment, v.key, v.value
                FROM stat_value v
                WHERE v.fixture_id = p_fixture AND v.action = ANY (p_ran)
            ) o
                ON o.action = n.action AND o.key = n.key
                AND coalesce('=' || o.entry, '') = coalesce('=' || n.entry, '')
                AND coalesce('=' || o.person, '') = coalesce('=' || n.person, '')
                AND coalesce('=' || o.segment, '') = coalesce('=' || n.segment, '')
        WHERE n.value IS DISTINCT FROM o.value
    ), gone AS (
        DELETE FROM stat_value v
        WHERE v.ctid = ANY (ARRAY(SELECT d.stored FROM difference d WHERE d.key IS NULL))
    )
    INSERT INTO stat_value (fixture_id, action, entry, person, segment, key, value)
    SELECT p_fixture, d.action, d.entry, d.person, d.segment, d.key, d.value
    FROM difference d
    WHERE d.key IS NOT NULL
    ON CONFLICT (fixture_id, action, entry, person, segment, key) DO UPDATE SET value = excluded.value;
END $$;

CREATE OR REPLACE FUNCTION replace_places_v1(p_fixture uuid, p_places json) RETURNS void
    LANGUAGE plpgsql VOLATILE
    -- the places of a fixture, replaced
AS $$
BEGIN
    DELETE FROM fixture_competitor_rank
    WHERE fixture_id = p_fixture
      AND fixture_competitor_id NOT IN (SELECT n.entry FROM json_to_recordset(p_places) AS n (entry uuid));
    INSERT INTO fixture_competitor_rank AS r (fixture_competitor_id, fixture_id, rank, shared, display, value, sort)
    SELECT n.entry, p_fixture, n.rank, n.shared, n.display, n.value, n.sort
    FROM json_to_recordset(p_places)
        AS n (entry uuid, rank int, shared boolean, display text, value bigint, sort int)
    ON CONFLICT (fixture_competitor_id) DO UPDATE
    SET rank = excluded.rank, shared = excluded.shared, display = excluded.display, value = excluded.value,
        sort = excluded.sort
    WHERE (r.rank, r.shared, r.display, r.value, r.sort)
        IS DISTINCT FROM (excluded.rank, excluded.shared, excluded.display, excluded.value, excluded.sort);
END $$;

CREATE OR REPLACE FUNCTION append_stat_jobs_v1(
    p_release uuid, p_stats text[], p_scopes text[], p_competition uuid, p_event uuid
) RETURNS void
    LANGUAGE plpgsql VOLATILE
    -- jobs are appended, never upserted: an upserted one loses wake-ups
AS $$
BEGIN
    INSERT INTO stat_job (stat, scope_id, release_id)
    SELECT n.stat, CASE n.scope WHEN 'event' THEN p_event ELSE p_competition END, p_release
    FROM unnest(p_stats, p_scopes) AS n (stat, scope);
END $$;

CREATE OR REPLACE FUNCTION close_fold_v1(
    p_fixture uuid, p_version bigint, p_seq bigint, p_type text, p_payload json, p_confirmed text[],
    p_key text, p_sender text, p_actor text, p_source text, p_input_hash bytea, p_occurred_at timestamptz,
    p_answer json, p_release uuid, p_code_sha text, p_runtime_sha text,
    p_digest bytea, p_previous_hash bytea, p_hash bytea, p_roles text[], p_persons text[],
    p_state bytea, p_events int, p_is_checkpoint boolean,
    p_status text, p_official boolean,      -- NULL: the command leaves them alone
    p_ran text[], p_lines json,             -- the actions that gave lines, and what they gave
    p_places json,                          -- NULL: the command places nobody and takes no place away
    p_outbox jsonb, p_stats text[], p_scopes text[]
) RETURNS bigint
    LANGUAGE plpgsql VOLATILE
    -- all that an accepted fold command writes; gives the id of its outbox row
AS $$
DECLARE
    v_fixture fixture%ROWTYPE;
    v_outbox  bigint;
BEGIN
    PERFORM log_row_v1(
        p_fixture, p_fixture, 'event', p_seq, p_type, p_payload, p_confirmed, p_key, p_sender, p_actor, p_source,
        p_input_hash, p_occurred_at, p_answer, p_release, p_code_sha, p_runtime_sha, p_digest, p_previous_hash,
        p_hash, p_roles, p_persons
    );
    INSERT INTO scoreboard AS b (
        fixture_id, state, digest, seq, events, prefix_hash, code_sha, runtime_sha
    ) VALUES (
        p_fixture, p_state, p_digest, p_seq, p_events, p_hash, p_code_sha, p_runtime_sha
    )
    ON CONFLICT (fixture_id) DO UPDATE
    SET state = excluded.state, digest = excluded.digest, seq = excluded.seq, events = excluded.events,
        prefix_hash = excluded.prefix_hash, code_sha = excluded.code_sha, runtime_sha = excluded.runtime_sha,
        updated_at = now();
    IF p_is_checkpoint THEN
        INSERT INTO scoring_checkpoint AS c (fixture_id, seq, events, state, code_sha, runtime_sha, prefix_hash)
        VALUES (p_fixture, p_seq, p_events, p_state, p_code_sha, p_runtime_sha, p_hash);
    END IF;
    IF cardinality(p_ran) > 0 THEN
        PERFORM replace_lines_v1(p_fixture, p_ran, p_lines);
    END IF;
    IF p_places IS NOT NULL THEN
        PERFORM replace_places_v1(p_fixture, p_places);
    END IF;

    SELECT * INTO v_fixture FROM fixture WHERE id = p_fixture;
    INSERT INTO domain_event (kind, sport_id, competition_id, event_id, fixture_id, seq, payload)
    VALUES ('command.accepted', v_fixture.sport_id, v_fixture.competition_id, v_fixture.event_id, p_fixture, p_seq,
        p_outbox)
    RETURNING id INTO v_outbox;
    UPDATE fixture f
    SET version = p_version + 1, tag = new_tag_v1(), next_seq = p_seq + 1, changed_seq = v_outbox,
        status = coalesce(p_status, f.status), official = coalesce(p_official, f.official),
        revision = f.revision + coalesce(p_official, f.official)::int
    WHERE f.id = p_fixture AND f.version = p_version AND f.next_seq = p_seq;
    IF NOT FOUND THEN
        -- somebody wrote without the lock; what the rules read is old
        RAISE EXCEPTION 'fixture % changed beside its lock', p_fixture USING ERRCODE = 'serialization_failure';
    END IF;
    IF cardinality(p_stats) > 0 THEN
        PERFORM append_stat_jobs_v1(p_release, p_stats, p_scopes, v_fixture.competition_id, v_fixture.event_id);
    END IF;
    RETURN v_outbox;
END $$;

CREATE OR REPLACE FUNCTION merged_report_v1(p_report jsonb, p_more jsonb) RETURNS jsonb
    LANGUAGE plpgsql IMMUTABLE
    -- what one more writer reported: areas once, counts summed, values merged, notes appended
AS $$
BEGIN
    RETURN jsonb_build_object(
        'touches', (
            SELECT coalesce(jsonb_agg(DISTINCT t.area), '[]')
            FROM jsonb_array_elements(coalesce(p_report -> 'touches', '[]') || coalesce(p_more -> 'touches', '[]'))
                AS t (area)
        ),
        'counts', (
            SELECT coalesce(jsonb_object_agg(c.name, c.total), '{}')
            FROM (
                SELECT e.key AS name, sum(e.value::bigint) AS total
                FROM (
                    SELECT key, value FROM jsonb_each_text(coalesce(p_report -> 'counts', '{}'))
                    UNION ALL
                    SELECT key, value FROM jsonb_each_text(coalesce(p_more -> 'counts', '{}'))
                ) e
                GROUP BY e.key
            ) c
        ),
        'value', coalesce(p_report -> 'value', '{}') || coalesce(p_more -> 'value', '{}'),
        'notes', coalesce(p_report -> 'notes', '[]') || coalesce(p_more -> 'notes', '[]'),
        'fixtures', coalesce(p_report -> 'fixtures', '[]') || coalesce(p_more -> 'fixtures', '[]')
    );
END $$;

CREATE OR REPLACE FUNCTION close_apply_v1(
    p_stream uuid, p_fixture uuid, p_event uuid, p_version bigint, p_seq bigint, p_type text, p_payload json,
    p_confirmed text[], p_key text, p_sender text, p_actor text, p_source_kind text, p_source text,
    p_input_hash bytea, p_occurred_at timestamptz, p_answer jsonb, p_release uuid, p_code_sha text,
    p_runtime_sha text, p_previous_hash bytea, p_hash bytea, p_roles text[], p_persons text[],
    p_kinds text[], p_records jsonb[], p_outbox jsonb, p_stats text[], p_scopes text[],
    OUT answer json,        -- what the sender is told, as it is stored
    OUT reason text,        -- a writer's no: reason and sentence; nothing but the refusal is written then
    OUT message text
)
    LANGUAGE plpgsql VOLATILE
    -- all that an accepted apply command writes: each record by its writer, its log row, its outbox row
AS $$
#variable_conflict use_column
DECLARE
    v_report   jsonb := '{}';
    v_written  jsonb;
    v_fixtures uuid[];
    v_records  jsonb;
    v_status   text;
    v_outbox   bigint;
    v_head     fixture%ROWTYPE;
    v_context  jsonb := jsonb_build_object(
        'eventId', p_event, 'fixtureId', p_fixture, 'source', p_source_kind, 'sourceCode', p_source,
        'actor', p_actor, 'releaseId', p_release, 'version', p_version, 'dryRun', p_answer -> 'dryRun'
    );
BEGIN
    BEGIN  -- the savepoint: a writer's no takes all of it back, log row included
        FOR i IN 1 .. cardinality(p_kinds) LOOP
            IF to_regprocedure(format('%I(jsonb, jsonb)', 'write_' || replace(p_kinds[i], '.', '_') || '_v1')) IS NULL THEN
                RAISE EXCEPTION 'This platform has no writer for %.', p_kinds[i]
                    USING ERRCODE = 'OM001', DETAIL = 'unknown_record';
            END IF;
            EXECUTE format('SELECT %I($1, $2)', 'write_' || replace(p_kinds[i], '.', '_') || '_v1')
                INTO v_written USING v_context, p_records[i];
            v_report := merged_report_v1(v_report, v_written);
        END LOOP;
        v_fixtures := ARRAY(
            SELECT DISTINCT f.id::uuid FROM jsonb_array_elements_text(coalesce(v_report -> 'fixtures', '[]')) AS f (id)
            UNION SELECT p_fixture WHERE p_fixture IS NOT NULL
        );
        SELECT coalesce(jsonb_agg(
                jsonb_build_object('kind', 'fixture', 'id', f.id, 'version', f.version + 1) ORDER BY f.id
            ), '[]')
        INTO v_records FROM fixture f WHERE f.id = ANY (v_fixtures);
        IF p_fixture IS NULL THEN
            v_records := jsonb_build_array(
                jsonb_build_object('kind', 'event', 'id', p_event, 'version', p_version + 1)
            ) || v_records;
        ELSE
            SELECT * INTO v_head FROM fixture WHERE id = p_fixture;
            v_status := v_head.status;
        END IF;
        answer := p_answer || jsonb_build_object(
            'touches', coalesce(v_report -> 'touches', '[]'), 'value', coalesce(v_report -> 'value', '{}'),
            'counts', coalesce(v_report -> 'counts', '{}'), 'notes', coalesce(v_report -> 'notes', '[]'),
            'fixtureStatus', v_status, 'version', p_version + 1
        );
        PERFORM log_row_v1(
            p_stream, p_fixture, 'record', p_seq, p_type, p_payload, p_confirmed, p_key, p_sender, p_actor, p_source,
            p_input_hash, p_occurred_at, answer, p_release, p_code_sha, p_runtime_sha, NULL, p_previous_hash, p_hash,
            p_roles, p_persons
        );
        INSERT INTO domain_event (kind, sport_id, competition_id, event_id, fixture_id, seq, payload)
        VALUES (
            'command.accepted', v_head.sport_id, coalesce(v_head.competition_id, p_event), p_event, p_fixture, p_seq,
            p_outbox || jsonb_build_object('touches', v_report -> 'touches', 'records', v_records)
        ) RETURNING id INTO v_outbox;
        UPDATE fixture f
        SET version = f.version + 1, tag = new_tag_v1(), changed_seq = v_outbox,
            next_seq = f.next_seq + (f.id IS NOT DISTINCT FROM p_fixture)::int
        WHERE f.id = ANY (v_fixtures);
        IF p_fixture IS NULL THEN
            UPDATE competition SET version = p_version + 1, next_seq = p_seq + 1
            WHERE id = p_event AND version = p_version AND next_seq = p_seq;
            IF NOT FOUND THEN
                RAISE EXCEPTION 'event % changed beside its lock', p_event USING ERRCODE = 'serialization_failure';
            END IF;
        ELSIF v_head.version <> p_version OR v_head.next_seq <> p_seq THEN
            RAISE EXCEPTION 'fixture % changed beside its lock', p_fixture USING ERRCODE = 'serialization_failure';
        END IF;
        IF cardinality(p_stats) > 0 THEN
            PERFORM append_stat_jobs_v1(
                p_release, p_stats, p_scopes, coalesce(v_head.competition_id, p_event), p_event
            );
        END IF;
    EXCEPTION WHEN SQLSTATE 'OM001' THEN
        answer := NULL;
        GET STACKED DIAGNOSTICS message = MESSAGE_TEXT, reason = PG_EXCEPTION_DETAIL;
        PERFORM refuse_v1(
            p_stream, p_fixture, p_type, p_payload, p_confirmed, 'record', reason, message, p_seq - 1, p_sender,
            p_actor, p_release, p_code_sha, p_runtime_sha
        );
    END;
END $$;
