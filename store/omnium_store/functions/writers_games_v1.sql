-- Writers of games: what the records of an event's own commands do. The protocol is told in writers_results_v1.sql.
-- The event is locked by the caller; other fixtures are locked here, in ascending order, before they are written.

CREATE OR REPLACE FUNCTION sport_named_v1(p_code text) RETURNS sport
    LANGUAGE plpgsql STABLE
    -- The sport, or a no that says which there are. `games` is a subject of its own and no sport.
AS $$
DECLARE
    v_sport sport;
    v_known text;
BEGIN
    SELECT * INTO v_sport FROM sport WHERE code = p_code AND code <> 'games';
    IF NOT FOUND THEN
        SELECT string_agg(code, ', ' ORDER BY code COLLATE "C") INTO v_known FROM sport WHERE code <> 'games';
        PERFORM refuse_record_v1('no_such_sport', format(
            'There is no sport %s here. Known: %s. Others come with a release that has them: omnium releases register.',
            p_code, coalesce(v_known, 'none')));
    END IF;
    RETURN v_sport;
END;
$$;

CREATE OR REPLACE FUNCTION competition_named_v1(p_event uuid, p_code text) RETURNS competition
    LANGUAGE plpgsql STABLE
    -- the competition of the event with this code; the event's own code names its root
AS $$
DECLARE
    v_competition competition;
BEGIN
    SELECT * INTO v_competition FROM competition WHERE event_id = p_event AND code = p_code;
    IF NOT FOUND THEN
        PERFORM refuse_record_v1('no_such_competition', format(
            'This event has no competition %s. Add it with games.add_competition.', p_code));
    END IF;
    RETURN v_competition;
END;
$$;

CREATE OR REPLACE FUNCTION write_competition_add_v1(p_ctx jsonb, p_data jsonb) RETURNS jsonb
    LANGUAGE plpgsql
    -- {code, name, sport?, parent?}: a competition below another one has its sport
AS $$
DECLARE
    v_event uuid := (p_ctx ->> 'eventId')::uuid;
    v_parent competition;
    v_sport uuid;
    v_id uuid;
BEGIN
    IF EXISTS (SELECT 1 FROM competition WHERE event_id = v_event AND code = p_data ->> 'code') THEN
        PERFORM refuse_record_v1('code_taken', format(
            'This event has a competition %s already. Choose another code.', p_data ->> 'code'));
    END IF;
    IF p_data ? 'parent' THEN
        v_parent := competition_named_v1(v_event, p_data ->> 'parent');
    ELSE
        SELECT * INTO v_parent FROM competition WHERE id = v_event;
    END IF;
    IF p_data ? 'sport' THEN
        v_sport := (sport_named_v1(p_data ->> 'sport')).id;
    END IF;
    IF v_sport <> v_parent.sport_id THEN
        PERFORM refuse_record_v1('other_sport', format(
            '%s is a competition of another sport than %s. Choose another parent.', v_parent.code, p_data ->> 'sport'));
    END IF;
    INSERT INTO competition (event_id, parent_id, sport_id, code, name)
    VALUES (v_event, v_parent.id, coalesce(v_sport, v_parent.sport_id), p_data ->> 'code', p_data ->> 'name')
    RETURNING id INTO v_id;
    RETURN written_v1('{}', jsonb_build_object('added', 1),
        jsonb_build_object('competitionId', v_id, 'code', p_data ->> 'code'));
END;
$$;

CREATE OR REPLACE FUNCTION scoring_workflow_v1(p_sport text, p_scope text, p_release uuid) RETURNS text
    LANGUAGE sql STABLE
    -- which workflow of a release scores: a format that claims the scope of a format_config, else the sport itself
    RETURN coalesce((
        SELECT v.workflow
        FROM scoring_program_version v
        WHERE v.release_id = p_release
          AND v.document ->> 'parent' = p_sport
          AND p_scope <> ''
          AND (v.document -> 'scope')::jsonb ? p_scope
        ORDER BY v.workflow
        LIMIT 1
    ), p_sport);

CREATE OR REPLACE FUNCTION write_fixture_add_v1(p_ctx jsonb, p_data jsonb) RETURNS jsonb
    LANGUAGE plpgsql
    -- {competition, code, name?, sport, fixtureType, archetype, formatCode?, format?, scoringMode, scheduledStart?,
    --  venue?, sides?: [{code?, name, noc?, participantId?}]}. Scored by events it is pinned to the release that is
    -- the default when it starts; one that starts in the past, or has no start, counts as now.
AS $$
DECLARE
    v_event uuid := (p_ctx ->> 'eventId')::uuid;
    v_competition competition;
    v_sport sport;
    v_format format_config;
    v_start timestamptz := (p_data ->> 'scheduledStart')::timestamptz;
    v_default uuid;
    v_release uuid;
    v_workflow text;
    v_id uuid := gen_random_uuid();
    v_sides jsonb := coalesce(p_data -> 'sides', '[]');
BEGIN
    v_competition := competition_named_v1(v_event, p_data ->> 'competition');
    v_sport := sport_named_v1(p_data ->> 'sport');
    IF v_sport.id <> v_competition.sport_id THEN
        PERFORM refuse_record_v1('other_sport', format(
            '%s is a competition of another sport than %s. Choose another competition.',
            v_competition.code, v_sport.code));
    END IF;
    IF EXISTS (SELECT 1 FROM fixture WHERE event_id = v_event AND code = p_data ->> 'code') THEN
        PERFORM refuse_record_v1('code_taken', format(
            'This event has a unit %s already. Choose another code.', p_data ->> 'code'));
    END IF;
    v_format := format_named_v1(v_sport, p_data ->> 'formatCode');
    PERFORM require_participants_v1(v_event, ARRAY(
        SELECT (side ->> 'participantId')::uuid FROM jsonb_array_elements(v_sides) AS side));
    IF p_data ->> 'scoringMode' = 'events' THEN
        v_default := default_to_pin_v1(v_sport, v_competition, greatest(coalesce(v_start, now()), now()));
    END IF;
    v_release := coalesce(v_default, (p_ctx ->> 'releaseId')::uuid);
    v_workflow := scoring_workflow_v1(v_sport.code, coalesce(v_format.scope, ''), v_release);
    IF v_default IS NOT NULL THEN
        v_default := (release_to_pin_v1(v_default, '', v_workflow)).id;
    END IF;
    PERFORM require_settings_v1(v_release, v_workflow, p_data -> 'format');

    INSERT INTO fixture (
        id, event_id, competition_id, sport_id, code, name, archetype, fixture_type, workflow,
        format_code, format, scoring_mode, scheduled_start, venue, release_id
    ) VALUES (
        v_id, v_event, v_competition.id, v_sport.id, p_data ->> 'code', coalesce(p_data ->> 'name', ''),
        p_data ->> 'archetype', p_data ->> 'fixtureType', v_workflow,
        v_format.code, coalesce(v_format.values, '{}') || coalesce(p_data -> 'format', '{}'),
        p_data ->> 'scoringMode', v_start, p_data ->> 'venue', v_default
    );
    INSERT INTO fixture_competitor (fixture_id, position, code, name, noc, participant_id)
    SELECT v_id, position, side ->> 'code', side ->> 'name', nullif(side ->> 'noc', ''),
           (side ->> 'participantId')::uuid
    FROM jsonb_array_elements(v_sides) WITH ORDINALITY AS listed (side, position);
    RETURN written_v1(
        ARRAY['fixture'],
        jsonb_build_object('added', 1),
        jsonb_build_object('fixtureId', v_id, 'sides', coalesce((
            SELECT jsonb_agg(jsonb_strip_nulls(jsonb_build_object(
                'entry', id, 'code', code, 'name', name, 'position', position)) ORDER BY position)
            FROM fixture_competitor WHERE fixture_id = v_id), '[]')),
        ARRAY[v_id]
    );
END;
$$;

CREATE OR REPLACE FUNCTION require_settings_v1(p_release uuid, p_workflow text, p_format jsonb) RETURNS void
    LANGUAGE plpgsql STABLE
    -- A setting that the workflow's format does not know is a slip, found now and not at the first whistle.
AS $$
DECLARE
    v_known text[];
    v_unknown text;
BEGIN
    SELECT ARRAY(SELECT json_object_keys(document -> 'formatSchema' -> 'properties') AS name ORDER BY name)
    INTO v_known
    FROM scoring_program_version
    WHERE release_id = p_release AND workflow = p_workflow
      AND document -> 'formatSchema' ->> 'additionalProperties' = 'false'
    ORDER BY format_number DESC
    LIMIT 1;
    IF NOT FOUND OR p_format IS NULL THEN
        RETURN;
    END IF;
    -- snake_case names are taken beside camelCase ones
    SELECT sent INTO v_unknown FROM jsonb_object_keys(p_format) AS sent
    WHERE lower(replace(sent, '_', '')) NOT IN (SELECT lower(name) FROM unnest(v_known) AS name)
    LIMIT 1;
    IF FOUND THEN
        PERFORM refuse_record_v1('no_such_setting', format(
            'The format of %s has no setting %s. It has: %s.', p_workflow, v_unknown,
            array_to_string(v_known, ', ')));
    END IF;
END;
$$;

CREATE OR REPLACE FUNCTION format_named_v1(p_sport sport, p_code text) RETURNS format_config
    LANGUAGE plpgsql STABLE
    -- the stored format of the sport, nothing where none is named
AS $$
DECLARE
    v_format format_config;
BEGIN
    IF p_code IS NULL THEN
        RETURN NULL;
    END IF;
    SELECT * INTO v_format FROM format_config WHERE code = p_code AND sport_id = p_sport.id;
    IF NOT FOUND THEN
        PERFORM refuse_record_v1('no_such_format', format(
            'There is no format %s of %s. Leave it out for the sport''s own, or choose a known one.',
            p_code, p_sport.code));
    END IF;
    RETURN v_format;
END;
$$;

CREATE OR REPLACE FUNCTION default_to_pin_v1(p_sport sport, p_competition competition, p_at timestamptz) RETURNS uuid
    LANGUAGE plpgsql
    -- the default of the sport in this competition at that moment, or a no that says how to set one
AS $$
DECLARE
    v_release uuid := default_release_v1(p_sport.id, p_competition.id, p_at);
BEGIN
    IF v_release IS NULL THEN
        PERFORM refuse_record_v1('no_default', format(
            'No release is the default for %s at %s, so there are no rules to pin. '
            'Set one: omnium releases default VERSION --sport %s.',
            p_sport.code, rfc3339_v1(p_at), p_sport.code));
    END IF;
    RETURN v_release;
END;
$$;

CREATE OR REPLACE FUNCTION fixture_named_v1(p_event uuid, p_ref text) RETURNS fixture
    LANGUAGE plpgsql
    -- The fixture of the event with this id or code, locked as a command on it would, and read again under the lock.
AS $$
DECLARE
    v_id uuid;
    v_fixture fixture;
BEGIN
    SELECT id INTO v_id FROM fixture
    WHERE event_id = p_event AND (code = p_ref OR id::text = lower(p_ref))
    ORDER BY (id::text = lower(p_ref)) DESC
    LIMIT 1;
    IF NOT FOUND THEN
        PERFORM refuse_record_v1('no_such_fixture', format('This event has no unit %s.', p_ref));
    END IF;
    PERFORM pg_advisory_xact_lock(lock_key_v1(v_id));
    SELECT * INTO v_fixture FROM fixture WHERE id = v_id FOR NO KEY UPDATE;
    RETURN v_fixture;
END;
$$;

CREATE OR REPLACE FUNCTION write_fixture_move_v1(p_ctx jsonb, p_data jsonb) RETURNS jsonb
    LANGUAGE plpgsql
    -- {fixture, scheduledStart?, venue?, reason?, clears?}: same id, same release. A postponed unit with a new start
    -- is on the schedule again, or where its log stands.
AS $$
DECLARE
    v_fixture fixture := fixture_named_v1((p_ctx ->> 'eventId')::uuid, p_data ->> 'fixture');
    v_cleared text[] := ARRAY(SELECT jsonb_array_elements_text(coalesce(p_data -> 'clears', '[]')));
    v_start boolean := p_data ? 'scheduledStart' OR 'scheduledStart' = ANY (v_cleared);
    v_venue boolean := p_data ? 'venue' OR 'venue' = ANY (v_cleared);
    v_kept int := 0;
BEGIN
    IF v_fixture.status NOT IN ('SCHEDULED', 'POSTPONED', 'INTERRUPTED') THEN
        PERFORM refuse_record_v1('not_movable', format(
            '%s is %s. Only a unit that is still to be held is moved.', v_fixture.code, v_fixture.status));
    END IF;
    IF p_ctx ->> 'source' = 'integration' THEN
        v_kept := (v_start AND 'scheduled_start' = ANY (v_fixture.pinned))::int
            + (v_venue AND 'venue' = ANY (v_fixture.pinned))::int;
        v_start := v_start AND 'scheduled_start' <> ALL (v_fixture.pinned);
        v_venue := v_venue AND 'venue' <> ALL (v_fixture.pinned);
    END IF;
    UPDATE fixture
    SET scheduled_start = CASE WHEN v_start THEN (p_data ->> 'scheduledStart')::timestamptz ELSE scheduled_start END,
        venue = CASE WHEN v_venue THEN p_data ->> 'venue' ELSE venue END,
        status = CASE WHEN status = 'POSTPONED' AND v_start AND p_data ? 'scheduledStart'
                      THEN coalesce(nullif(logged_status_v1(id), 'POSTPONED'), 'SCHEDULED') ELSE status END,
        pinned = CASE WHEN p_ctx ->> 'source' = 'person' THEN pinned_with_v1(pinned,
            CASE WHEN v_start THEN ARRAY['scheduled_start'] ELSE '{}' END
            || CASE WHEN v_venue THEN ARRAY['venue'] ELSE '{}' END) ELSE pinned END
    WHERE id = v_fixture.id
    RETURNING * INTO v_fixture;
    RETURN written_v1(
        ARRAY['fixture'],
        CASE WHEN v_start OR v_venue THEN jsonb_build_object('updated', 1) ELSE '{}' END
            || CASE WHEN v_kept > 0 THEN jsonb_build_object('kept', v_kept) ELSE '{}' END,
        jsonb_strip_nulls(jsonb_build_object('fixtureId', v_fixture.id, 'status', v_fixture.status,
            'scheduledStart', rfc3339_v1(v_fixture.scheduled_start), 'venue', v_fixture.venue)),
        CASE WHEN v_start OR v_venue THEN ARRAY[v_fixture.id] ELSE '{}' END
    );
END;
$$;

CREATE OR REPLACE FUNCTION write_fixture_cancel_v1(p_ctx jsonb, p_data jsonb) RETURNS jsonb
    LANGUAGE plpgsql
    -- {fixture, reason}: no score and no places, not 0-0. What the sides had is kept aside, should it be held after all.
AS $$
DECLARE
    v_fixture fixture := fixture_named_v1((p_ctx ->> 'eventId')::uuid, p_data ->> 'fixture');
    v_has_medals boolean;
BEGIN
    IF v_fixture.status IN ('COMPLETED', 'VOID') THEN
        PERFORM refuse_record_v1('finished', format(
            '%s is %s: it was held. Correct its result instead.', v_fixture.code, v_fixture.status));
    END IF;
    IF v_fixture.status = 'CANCELLED'
            OR (p_ctx ->> 'source' = 'integration' AND 'status' = ANY (v_fixture.pinned)) THEN
        RETURN written_v1('{}', jsonb_build_object('kept', 1),
            jsonb_build_object('fixtureId', v_fixture.id, 'status', v_fixture.status));
    END IF;
    SELECT EXISTS (SELECT 1 FROM fixture_competitor WHERE fixture_id = v_fixture.id AND result ? 'medal')
    INTO v_has_medals;
    UPDATE fixture
    SET status = 'CANCELLED',
        official = false,
        pinned = CASE WHEN p_ctx ->> 'source' = 'person' THEN pinned_with_v1(pinned, ARRAY['status']) ELSE pinned END
    WHERE id = v_fixture.id;
    PERFORM side_shows_v1(id, NULL) FROM fixture_competitor WHERE fixture_id = v_fixture.id;
    RETURN written_v1(
        ARRAY['fixture'] || CASE WHEN v_has_medals THEN ARRAY['medals'] ELSE '{}' END,
        jsonb_build_object('updated', 1),
        jsonb_build_object('fixtureId', v_fixture.id, 'status', 'CANCELLED'),
        ARRAY[v_fixture.id]
    );
END;
$$;

CREATE OR REPLACE FUNCTION write_medals_set_v1(p_ctx jsonb, p_data jsonb) RETURNS jsonb
    LANGUAGE plpgsql
    -- {noc, gold?, silver?, bronze?, place?, clears?}: numbers of one country. A person's are typed, an integration's
    -- are imported; a number that was typed stands before an imported one, and gives way again where it is cleared.
AS $$
DECLARE
    c_numbers CONSTANT text[] := ARRAY['gold', 'silver', 'bronze', 'place'];
    v_event uuid := (p_ctx ->> 'eventId')::uuid;
    v_noc text := p_data ->> 'noc';
    v_origin text := CASE WHEN p_ctx ->> 'source' = 'integration' THEN 'imported' ELSE 'typed' END;
    v_cleared text[] := ARRAY(SELECT jsonb_array_elements_text(coalesce(p_data -> 'clears', '[]')));
    v_kept int := 0;
    v_had medal_count;
    v_has jsonb;
BEGIN
    SELECT * INTO v_had FROM medal_count WHERE event_id = v_event AND noc = v_noc AND origin = v_origin;
    v_has := (to_jsonb(v_had) - v_cleared) || p_data;
    IF v_origin = 'imported' THEN
        SELECT count(*) INTO v_kept
        FROM medal_count typed, unnest(c_numbers) AS number
        WHERE typed.event_id = v_event AND typed.noc = v_noc AND typed.origin = 'typed'
          AND p_data ? number AND to_jsonb(typed) ->> number IS NOT NULL;
    END IF;
    DELETE FROM medal_count WHERE event_id = v_event AND noc = v_noc AND origin = v_origin;
    IF EXISTS (SELECT 1 FROM unnest(c_numbers) AS number WHERE v_has ->> number IS NOT NULL) THEN
        INSERT INTO medal_count (event_id, noc, origin, gold, silver, bronze, place)
        VALUES (v_event, v_noc, v_origin, (v_has ->> 'gold')::int, (v_has ->> 'silver')::int,
                (v_has ->> 'bronze')::int, (v_has ->> 'place')::int);
    END IF;
    RETURN written_v1(
        ARRAY['medals'],
        jsonb_build_object('updated', 1)
            || CASE WHEN v_kept > 0 THEN jsonb_build_object('kept', v_kept) ELSE '{}' END,
        jsonb_strip_nulls(jsonb_build_object('noc', v_noc, 'gold', v_has -> 'gold', 'silver', v_has -> 'silver',
            'bronze', v_has -> 'bronze', 'place', v_has -> 'place'))
    );
END;
$$;
