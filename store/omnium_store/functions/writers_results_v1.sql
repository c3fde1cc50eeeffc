-- Writers of results: what the records of kind fixture.… do to a fixture and its sides. One function a kind.
--
--   write_<kind>_v1(p_ctx, p_data) RETURNS report
--   p_ctx   {eventId, fixtureId, source: person|integration, actor, releaseId, version, dryRun}
--   p_data  what an action of a release gave, in camelCase. A promise: old releases go on sending it.
--           A value that was taken away is named in `clears`; fields left out stay as they are.
--   report  {touches, counts, value, notes, fixtures}; `fixtures` are all that changed, whose versions grow.
--
-- A no is ERRCODE OM001 with the sentence as MESSAGE and the reason as DETAIL. The fixture is locked by the caller.

CREATE OR REPLACE FUNCTION refuse_record_v1(p_reason text, p_message text) RETURNS void
    LANGUAGE plpgsql
AS $$
BEGIN
    RAISE EXCEPTION USING ERRCODE = 'OM001', MESSAGE = p_message, DETAIL = p_reason;
END;
$$;

CREATE OR REPLACE FUNCTION written_v1(
    p_touches text[],
    p_counts jsonb,
    p_value jsonb,
    p_fixtures uuid[] DEFAULT '{}',
    p_notes jsonb DEFAULT '[]'
) RETURNS jsonb
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    -- a writer's report
    RETURN jsonb_build_object(
        'touches', to_jsonb(p_touches),
        'counts', p_counts,
        'value', p_value,
        'notes', p_notes,
        'fixtures', to_jsonb(p_fixtures)
    );

CREATE OR REPLACE FUNCTION pinned_with_v1(p_pinned text[], p_fields text[]) RETURNS text[]
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    -- hand-edited fields with some more, each once
    RETURN ARRAY(SELECT DISTINCT field FROM unnest(p_pinned || p_fields) AS field ORDER BY field);

CREATE OR REPLACE FUNCTION fixture_status_v1(p_word text) RETURNS text
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    -- the fixture's status for the word of a fold's state; the table is omnium_store.statuses, held equal by a test
    RETURN CASE p_word
        WHEN 'scheduled' THEN 'SCHEDULED'
        WHEN 'called' THEN 'SCHEDULED'
        WHEN 'live' THEN 'LIVE'
        WHEN 'interrupted' THEN 'INTERRUPTED'
        WHEN 'finished' THEN 'COMPLETED'
        WHEN 'protest' THEN 'COMPLETED'
        WHEN 'official' THEN 'COMPLETED'
        WHEN 'walkover' THEN 'COMPLETED'
        WHEN 'no_contest' THEN 'COMPLETED'
        WHEN 'postponed' THEN 'POSTPONED'
        WHEN 'cancelled' THEN 'CANCELLED'
        WHEN 'abandoned' THEN 'VOID'
    END;

CREATE OR REPLACE FUNCTION has_events_v1(p_fixture uuid) RETURNS boolean
    LANGUAGE sql STABLE
    -- whether anything of the fixture's log is folded
    RETURN EXISTS (SELECT 1 FROM timeline_item WHERE fixture_id = p_fixture AND unit = 'event');

CREATE OR REPLACE FUNCTION side_shows_v1(p_side uuid, p_hides text[]) RETURNS void
    LANGUAGE sql
    -- Keep the fields of `p_hides` aside, and show every other one again. Without it (null) all are kept aside.
    -- `rank` is a column, all other fields of a result are members of `result`.
BEGIN ATOMIC
    WITH had AS (
        SELECT id, held || result || jsonb_strip_nulls(jsonb_build_object('rank', rank)) AS fields
        FROM fixture_competitor
        WHERE id = p_side
    ), split AS (
        SELECT
            id,
            CASE WHEN p_hides IS NULL THEN '{}' ELSE fields - p_hides END AS shown,
            CASE WHEN p_hides IS NULL THEN fields ELSE fields - ARRAY(
                SELECT field FROM jsonb_object_keys(fields) AS field WHERE field <> ALL (p_hides)
            ) END AS held
        FROM had
    )
    UPDATE fixture_competitor c
    SET result = split.shown - 'rank', rank = (split.shown ->> 'rank')::int, held = split.held
    FROM split
    WHERE c.id = split.id;
END;

CREATE OR REPLACE FUNCTION medal_of_side_v1(p_side uuid) RETURNS text
    LANGUAGE sql STABLE
    -- the medal that a side shows
    RETURN (SELECT result ->> 'medal' FROM fixture_competitor WHERE id = p_side);

CREATE OR REPLACE FUNCTION revise_official_v1(p_fixture uuid, p_reason text) RETURNS void
    LANGUAGE plpgsql
    -- A change of an official result is a revision of it, and has a reason.
AS $$
DECLARE
    v_official boolean;
BEGIN
    SELECT official INTO v_official FROM fixture WHERE id = p_fixture;
    IF NOT v_official THEN
        RETURN;
    END IF;
    IF coalesce(btrim(p_reason), '') = '' THEN
        PERFORM refuse_record_v1('official', 'Official results need a reason to change.');
    END IF;
    UPDATE fixture SET revision = revision + 1 WHERE id = p_fixture;
END;
$$;

CREATE OR REPLACE FUNCTION require_open_sides_v1(p_fixture uuid) RETURNS void
    LANGUAGE plpgsql
    -- A log names its sides, and so does an official result.
AS $$
DECLARE
    v_official boolean;
    v_mode text;
BEGIN
    SELECT official, scoring_mode INTO v_official, v_mode FROM fixture WHERE id = p_fixture;
    IF v_official THEN
        PERFORM refuse_record_v1('official',
            'The result is official. Set the status to COMPLETED before its sides change.');
    ELSIF v_mode = 'events' AND has_events_v1(p_fixture) THEN
        PERFORM refuse_record_v1('events_logged',
            'Events of this match are logged, and they name the sides. Correct who a side is instead.');
    END IF;
END;
$$;

CREATE OR REPLACE FUNCTION side_column_v1(p_field text) RETURNS text
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    -- the name under which a side's field is hand-edited
    RETURN CASE
        WHEN p_field = 'participantId' THEN 'participant_id'
        WHEN p_field = 'label' THEN 'name'
        WHEN p_field IN ('rank', 'shared') THEN 'rank'
        WHEN p_field = 'status' THEN 'status'
        ELSE 'result'
    END;

CREATE OR REPLACE FUNCTION sent_fields_v1(p_data jsonb) RETURNS text[]
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    -- the fields of a side that were sent or taken away
    RETURN ARRAY(
        SELECT field FROM jsonb_object_keys(p_data) AS field
        UNION SELECT jsonb_array_elements_text(coalesce(p_data -> 'clears', '[]'))
        EXCEPT SELECT unnest(ARRAY['side', 'reason', 'hides', 'clears'])
        ORDER BY 1
    );

CREATE OR REPLACE FUNCTION side_of_v1(p_side fixture_competitor, p_data jsonb, p_free text[])
    RETURNS fixture_competitor
    LANGUAGE plpgsql STABLE
    -- The side with who it is now: a participant brings name and country, a label stands before the name.
AS $$
DECLARE
    v_side fixture_competitor := p_side;
    v_person participant;
BEGIN
    IF 'participantId' = ANY (p_free) THEN
        v_side.participant_id := (p_data ->> 'participantId')::uuid;
    END IF;
    SELECT p.* INTO v_person
    FROM participant p JOIN fixture f ON f.event_id = p.event_id
    WHERE p.id = v_side.participant_id AND f.id = p_side.fixture_id AND p.merged_into IS NULL;
    IF 'participantId' = ANY (p_free) AND v_side.participant_id IS NOT NULL THEN
        IF v_person.id IS NULL THEN
            PERFORM refuse_record_v1('no_such_participant', 'This event knows no such participant.');
        ELSIF EXISTS (SELECT 1 FROM fixture_competitor
                      WHERE fixture_id = p_side.fixture_id AND id <> p_side.id AND participant_id = v_person.id) THEN
            PERFORM refuse_record_v1('listed_twice', v_person.name || ' is listed twice.');
        END IF;
        v_side.name := v_person.name;
        v_side.noc := coalesce(v_person.noc, v_side.noc);
    END IF;
    IF 'label' = ANY (p_free) THEN
        v_side.name := coalesce(nullif(btrim(p_data ->> 'label'), ''), v_person.name);
    END IF;
    IF v_side.name IS NULL AND v_side.participant_id IS NULL THEN
        PERFORM refuse_record_v1('nobody', 'A side is somebody: give a participant or a label');
    END IF;
    RETURN v_side;
END;
$$;

CREATE OR REPLACE FUNCTION write_fixture_sides_set_v1(p_ctx jsonb, p_data jsonb) RETURNS jsonb
    LANGUAGE plpgsql
    -- {side, participantId?, label?, score?, rank?, shared?, status?, hides?, medal?, worldRecord?, eventRecord?,
    --  qualified?, reason?, clears?}. `hides` comes with `status`: what that mark forbids.
AS $$
DECLARE
    v_fixture uuid := (p_ctx ->> 'fixtureId')::uuid;
    v_side fixture_competitor;
    v_who fixture_competitor;
    v_free text[] := sent_fields_v1(p_data);
    v_kept text[] := '{}';
    v_pins text[] := '{}';
    v_values jsonb;
    v_status text := nullif(p_data ->> 'status', '');
BEGIN
    SELECT * INTO v_side FROM fixture_competitor
    WHERE id = (p_data ->> 'side')::uuid AND fixture_id = v_fixture
    FOR UPDATE;
    IF NOT FOUND THEN
        PERFORM refuse_record_v1('no_such_side', 'That side is not part of this fixture');
    END IF;
    PERFORM revise_official_v1(v_fixture, p_data ->> 'reason');

    -- an import leaves alone what a person edited; what a person sends is hand-edited from now on
    IF p_ctx ->> 'source' = 'integration' THEN
        v_kept := ARRAY(SELECT field FROM unnest(v_free) AS field WHERE side_column_v1(field) = ANY (v_side.pinned));
        v_free := ARRAY(SELECT field FROM unnest(v_free) AS field WHERE field <> ALL (v_kept));
    ELSE
        v_pins := ARRAY(SELECT side_column_v1(field) FROM unnest(v_free) AS field)
            || CASE WHEN p_data ? 'participantId' THEN ARRAY['name', 'noc'] ELSE '{}' END;
    END IF;

    -- the sent values stand in for shown and hidden ones alike; an empty one is taken away
    v_who := side_of_v1(v_side, p_data, v_free);
    SELECT coalesce(jsonb_object_agg(field, p_data -> field), '{}') INTO v_values
    FROM unnest(v_free) AS field
    WHERE side_column_v1(field) IN ('rank', 'result') AND coalesce(p_data ->> field, '') <> '';
    UPDATE fixture_competitor
    SET participant_id = v_who.participant_id,
        name = v_who.name,
        noc = v_who.noc,
        result = (result - v_free) || (v_values - 'rank'),
        rank = CASE WHEN 'rank' = ANY (v_free) THEN (v_values ->> 'rank')::int ELSE rank END,
        held = held - v_free,
        status = CASE WHEN 'status' = ANY (v_free) THEN v_status ELSE status END,
        pinned = pinned_with_v1(pinned, v_pins)
    WHERE id = v_side.id;
    IF 'status' = ANY (v_free) THEN
        PERFORM side_shows_v1(v_side.id, ARRAY(SELECT jsonb_array_elements_text(coalesce(p_data -> 'hides', '[]'))));
    END IF;

    RETURN written_v1(
        ARRAY['fixture'] || CASE WHEN medal_of_side_v1(v_side.id) IS DISTINCT FROM v_side.result ->> 'medal'
                                   OR (v_side.result ? 'medal' AND v_who.noc IS DISTINCT FROM v_side.noc)
                                 THEN ARRAY['medals'] ELSE '{}' END,
        CASE WHEN v_free = '{}' THEN '{}' ELSE jsonb_build_object('updated', 1) END
            || CASE WHEN v_kept = '{}' THEN '{}' ELSE jsonb_build_object('kept', cardinality(v_kept)) END,
        jsonb_build_object('fixtureId', v_fixture),
        ARRAY[v_fixture],
        coalesce((
            SELECT jsonb_agg(jsonb_build_object('field', field, 'message', 'kept: a person set it'))
            FROM unnest(v_kept) AS field
        ), '[]')
    );
END;
$$;

CREATE OR REPLACE FUNCTION write_fixture_sides_add_v1(p_ctx jsonb, p_data jsonb) RETURNS jsonb
    LANGUAGE plpgsql
    -- {code?, name, noc?, participantId?, position?}: the first free position where none is given
AS $$
DECLARE
    v_fixture fixture;
    v_person uuid := (p_data ->> 'participantId')::uuid;
    v_position int := (p_data ->> 'position')::int;
    v_holder text;
    v_side fixture_competitor;
BEGIN
    SELECT * INTO v_fixture FROM fixture WHERE id = (p_ctx ->> 'fixtureId')::uuid FOR NO KEY UPDATE;
    PERFORM require_open_sides_v1(v_fixture.id);
    IF v_fixture.archetype = 'duel'
            AND (SELECT count(*) FROM fixture_competitor WHERE fixture_id = v_fixture.id) >= 2 THEN
        PERFORM refuse_record_v1('two_sides', 'A duel has two sides.');
    END IF;
    PERFORM require_participants_v1(v_fixture.event_id, ARRAY[v_person]);
    SELECT name INTO v_holder FROM fixture_competitor
    WHERE fixture_id = v_fixture.id AND (participant_id = v_person OR code = p_data ->> 'code');
    IF FOUND THEN
        PERFORM refuse_record_v1('listed_twice', v_holder || ' is listed twice.');
    END IF;
    IF v_position IS NULL THEN
        SELECT min(place) INTO v_position
        FROM generate_series(1, (SELECT count(*) + 1 FROM fixture_competitor WHERE fixture_id = v_fixture.id)) AS place
        WHERE NOT EXISTS (
            SELECT 1 FROM fixture_competitor WHERE fixture_id = v_fixture.id AND position = place);
    ELSE
        SELECT name INTO v_holder FROM fixture_competitor
        WHERE fixture_id = v_fixture.id AND position = v_position;
        IF FOUND THEN
            PERFORM refuse_record_v1('position_taken',
                format('Position %s is %s''s. Choose a free one.', v_position, v_holder));
        END IF;
    END IF;
    INSERT INTO fixture_competitor (fixture_id, position, code, name, noc, participant_id, pinned)
    VALUES (
        v_fixture.id, v_position, p_data ->> 'code', p_data ->> 'name', nullif(p_data ->> 'noc', ''), v_person,
        CASE WHEN p_ctx ->> 'source' = 'person' THEN ARRAY['name', 'noc', 'participant_id'] ELSE '{}' END
    )
    RETURNING * INTO v_side;
    RETURN written_v1(
        ARRAY['fixture'],
        jsonb_build_object('added', 1),
        jsonb_build_object('fixtureId', v_fixture.id, 'side', jsonb_strip_nulls(jsonb_build_object(
            'entry', v_side.id, 'code', v_side.code, 'name', v_side.name, 'position', v_side.position))),
        ARRAY[v_fixture.id]
    );
END;
$$;

CREATE OR REPLACE FUNCTION require_participants_v1(p_event uuid, p_participants uuid[]) RETURNS void
    LANGUAGE plpgsql
    -- Nobody is invented: each is known to the event, and was not merged into another.
AS $$
DECLARE
    v_unknown uuid;
BEGIN
    SELECT asked INTO v_unknown
    FROM unnest(p_participants) AS asked
    WHERE asked IS NOT NULL AND NOT EXISTS (
        SELECT 1 FROM participant WHERE id = asked AND event_id = p_event AND merged_into IS NULL)
    LIMIT 1;
    IF FOUND THEN
        PERFORM refuse_record_v1('no_such_participant',
            format('This event knows no participant %s. Leave it out, or add them first.', v_unknown));
    END IF;
END;
$$;

CREATE OR REPLACE FUNCTION write_fixture_sides_remove_v1(p_ctx jsonb, p_data jsonb) RETURNS jsonb
    LANGUAGE plpgsql
    -- {side}: the others keep their positions
AS $$
DECLARE
    v_fixture uuid := (p_ctx ->> 'fixtureId')::uuid;
    v_medal text;
BEGIN
    PERFORM require_open_sides_v1(v_fixture);
    v_medal := medal_of_side_v1((p_data ->> 'side')::uuid);
    DELETE FROM fixture_competitor WHERE id = (p_data ->> 'side')::uuid AND fixture_id = v_fixture;
    IF NOT FOUND THEN
        PERFORM refuse_record_v1('no_such_side', 'That side is not part of this fixture');
    END IF;
    RETURN written_v1(
        ARRAY['fixture'] || CASE WHEN v_medal IS NULL THEN '{}' ELSE ARRAY['medals'] END,
        jsonb_build_object('removed', 1),
        jsonb_build_object('fixtureId', v_fixture),
        ARRAY[v_fixture]
    );
END;
$$;

CREATE OR REPLACE FUNCTION write_fixture_status_set_v1(p_ctx jsonb, p_data jsonb) RETURNS jsonb
    LANGUAGE plpgsql
    -- {status, official, hides?: {side: [field]}, reason?}. `hides` says of each side what it does not show now.
AS $$
DECLARE
    v_fixture fixture;
    v_official boolean := coalesce((p_data ->> 'official')::boolean, false);
    v_status text := p_data ->> 'status';
    v_side record;
    v_has_medals boolean;
BEGIN
    SELECT * INTO v_fixture FROM fixture WHERE id = (p_ctx ->> 'fixtureId')::uuid FOR NO KEY UPDATE;
    IF p_ctx ->> 'source' = 'integration' AND 'status' = ANY (v_fixture.pinned) THEN
        RETURN written_v1('{}', jsonb_build_object('kept', 1), jsonb_build_object('fixtureId', v_fixture.id),
            p_notes => '[{"field": "status", "message": "kept: a person set it"}]');
    END IF;
    IF v_fixture.official AND NOT v_official AND coalesce(btrim(p_data ->> 'reason'), '') = '' THEN
        PERFORM refuse_record_v1('official', 'Official results need a reason to change.');
    END IF;
    IF v_fixture.scoring_mode = 'events' AND v_status = 'SCHEDULED' AND has_events_v1(v_fixture.id) THEN
        v_status := status_by_log_v1(v_fixture);
    END IF;
    IF v_status = v_fixture.status AND v_official = v_fixture.official THEN
        RETURN written_v1('{}', jsonb_build_object('kept', 1), jsonb_build_object('fixtureId', v_fixture.id));
    END IF;

    UPDATE fixture
    SET status = v_status,
        official = v_official,
        revision = revision + CASE WHEN v_official AND NOT official THEN 1 ELSE 0 END,
        pinned = CASE WHEN p_ctx ->> 'source' = 'person' THEN pinned_with_v1(pinned, ARRAY['status']) ELSE pinned END
    WHERE id = v_fixture.id
    RETURNING * INTO v_fixture;
    FOR v_side IN
        SELECT c.id, ARRAY(SELECT jsonb_array_elements_text(hidden.value)) AS hides
        FROM jsonb_each(coalesce(p_data -> 'hides', '{}')) AS hidden
        JOIN fixture_competitor c ON c.id = hidden.key::uuid AND c.fixture_id = v_fixture.id
    LOOP
        PERFORM side_shows_v1(v_side.id, v_side.hides);
    END LOOP;
    SELECT EXISTS (SELECT 1 FROM fixture_competitor WHERE fixture_id = v_fixture.id
                   AND (result ? 'medal' OR held ? 'medal')) INTO v_has_medals;
    RETURN written_v1(
        ARRAY['fixture'] || CASE WHEN v_has_medals THEN ARRAY['medals'] ELSE '{}' END,
        jsonb_build_object('updated', 1),
        jsonb_build_object('fixtureId', v_fixture.id, 'status', v_fixture.status,
            'official', v_fixture.official, 'revision', v_fixture.revision),
        ARRAY[v_fixture.id]
    );
END;
$$;

CREATE OR REPLACE FUNCTION logged_status_v1(p_fixture uuid) RETURNS text
    LANGUAGE plpgsql STABLE
    -- where the fixture's log says that it stands, NULL where nothing is logged
AS $$
DECLARE
    v_state bytea;
BEGIN
    SELECT state INTO v_state FROM scoreboard WHERE fixture_id = p_fixture;
    -- no text can hold a NUL, which a string of the state may have escaped
    RETURN fixture_status_v1(replace(convert_from(v_state, 'UTF8'), '\u0000', '\u0020')::json ->> 'status');
END;
$$;

CREATE OR REPLACE FUNCTION status_by_log_v1(p_fixture fixture) RETURNS text
    LANGUAGE plpgsql STABLE
    -- Back on the schedule means for a match that has begun: where its log says that it stands.
AS $$
DECLARE
    v_status text := logged_status_v1(p_fixture.id);
BEGIN
    IF v_status = p_fixture.status THEN
        PERFORM refuse_record_v1('told_by_the_log',
            format('The log of this match says that it is %s. Correct the log.', v_status));
    END IF;
    RETURN coalesce(v_status, 'SCHEDULED');
END;
$$;

CREATE OR REPLACE FUNCTION write_fixture_release_set_v1(p_ctx jsonb, p_data jsonb) RETURNS jsonb
    LANGUAGE plpgsql
    -- {version, reason?}: another pin for a fixture that has not started, with a row in release_audit
AS $$
DECLARE
    v_fixture fixture;
    v_from text;
    v_to plugin_release;
BEGIN
    SELECT * INTO v_fixture FROM fixture WHERE id = (p_ctx ->> 'fixtureId')::uuid FOR NO KEY UPDATE;
    IF v_fixture.scoring_mode <> 'events' THEN
        PERFORM refuse_record_v1('scorecard', 'Results of this fixture are typed: no release is pinned to it');
    END IF;
    SELECT version INTO v_from FROM plugin_release WHERE id = v_fixture.release_id;
    IF v_fixture.status NOT IN ('SCHEDULED', 'POSTPONED') THEN
        PERFORM refuse_record_v1('started', format(
            'This match is %s and keeps its rules to the end. For a critical bug there is: omnium releases move.',
            v_fixture.status));
    ELSIF has_events_v1(v_fixture.id) THEN
        PERFORM refuse_record_v1('events_logged', format(
            'Events of this match are logged under %s, so it keeps its rules. '
            'For a critical bug there is: omnium releases move.', v_from));
    END IF;
    v_to := release_to_pin_v1(
        (SELECT id FROM plugin_release WHERE version = p_data ->> 'version'), p_data ->> 'version', v_fixture.workflow);
    IF v_to.id = v_fixture.release_id THEN
        RETURN written_v1('{}', jsonb_build_object('kept', 1),
            jsonb_build_object('fixtureId', v_fixture.id, 'release', v_to.version));
    END IF;
    UPDATE fixture SET release_id = v_to.id WHERE id = v_fixture.id;
    INSERT INTO release_audit (who, verb, release_id, fixture_id, reason, seen)
    VALUES (
        p_ctx ->> 'actor', 'set_release', v_to.id, v_fixture.id, coalesce(p_data ->> 'reason', ''),
        jsonb_build_object('from', v_from, 'to', v_to.version, 'fixture', v_fixture.code, 'status', v_fixture.status)
    );
    RETURN written_v1(
        ARRAY['fixture'],
        jsonb_build_object('updated', 1),
        jsonb_build_object('fixtureId', v_fixture.id, 'release', v_to.version),
        ARRAY[v_fixture.id]
    );
END;
$$;

CREATE OR REPLACE FUNCTION release_to_pin_v1(p_release uuid, p_version text, p_workflow text) RETURNS plugin_release
    LANGUAGE plpgsql
    -- The release, locked against being retired before this transaction ends. Who retires takes FOR UPDATE first,
    -- so that a pin and a retirement never both commit.
AS $$
DECLARE
    v_release plugin_release;
BEGIN
    SELECT * INTO v_release FROM plugin_release WHERE id = p_release FOR SHARE;
    IF NOT FOUND THEN
        PERFORM refuse_record_v1('no_such_release', format(
            'There is no release %s. See: omnium releases list.', p_version));
    ELSIF v_release.status <> 'prod' THEN
        PERFORM refuse_record_v1('release_not_prod', format(
            'Release %s is %s. Only a prod release is pinned: approve it, or choose another one.',
            v_release.version, v_release.status));
    ELSIF NOT EXISTS (SELECT 1 FROM scoring_program_version
                      WHERE release_id = v_release.id AND workflow = p_workflow) THEN
        PERFORM refuse_record_v1('no_such_workflow', format(
            'Release %s has no rules for %s. Choose a release that has.', v_release.version, p_workflow));
    END IF;
    RETURN v_release;
END;
$$;
