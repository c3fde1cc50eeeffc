-- The writer of a unit's type. What a type can hold is data of the rules; which values it can't hold is found here,
-- among all that are stored: shown, hidden by a mark, and places that a log gave.

CREATE OR REPLACE FUNCTION type_misfits_v1(p_fixture uuid, p_data jsonb) RETURNS TABLE (
    confirm text, side uuid, name text, field text, value text, message text
)
    LANGUAGE plpgsql STABLE
    -- Every value that the type in `p_data` can't hold, by side. `confirm` names side and value, so that another
    -- value than the one that somebody saw is never removed in its stead.
AS $$
#variable_conflict use_column
BEGIN
    RETURN QUERY
    WITH side AS (
        SELECT c.id, c.position, coalesce(c.name, c.code, 'Side ' || c.position) AS name,
               c.held || c.result || jsonb_strip_nulls(jsonb_build_object('rank', c.rank)) AS has, r.rank AS place
        FROM fixture_competitor c
            LEFT JOIN fixture_competitor_rank r ON r.fixture_competitor_id = c.id
        WHERE c.fixture_id = p_fixture
    ), misfit AS (
        SELECT s.id, s.position, s.name, 1 AS number, 'rank' AS field, s.has ->> 'rank' AS value,
               format('rank %s, but the last rank of a %s is %s', s.has ->> 'rank', p_data ->> 'archetype',
                      p_data ->> 'ranks') AS because
        FROM side s
        WHERE (s.has ->> 'rank')::int > (p_data ->> 'ranks')::int
        UNION ALL
        SELECT s.id, s.position, s.name, 2, 'place', s.place::text,
               format('place %s, but the last place of a %s is %s', s.place, p_data ->> 'archetype', p_data ->> 'ranks')
        FROM side s
        WHERE s.place > (p_data ->> 'ranks')::int
        UNION ALL
        SELECT s.id, s.position, s.name, 3, 'score', s.has ->> 'score',
               format('%s is %s, which a %s does not have', s.has ->> 'score', looks.kind ->> 'is',
                      p_data ->> 'archetype')
        FROM side s
            CROSS JOIN LATERAL (
                SELECT k.kind FROM jsonb_array_elements(coalesce(p_data -> 'scoresNotHeld', '[]')) AS k (kind)
                WHERE btrim(s.has ->> 'score') ~ (k.kind ->> 'like')
                LIMIT 1
            ) looks
        UNION ALL
        SELECT s.id, s.position, s.name, 4, 'medal', s.has ->> 'medal',
               format('%s at rank %s, which wins %s in a %s', s.has ->> 'medal', s.has ->> 'rank',
                      coalesce(nullif(array_to_string(ARRAY(SELECT jsonb_array_elements_text(
                          coalesce(p_data -> 'medals' -> (s.has ->> 'rank'), '[]'))), ' or '), ''), 'no medal'),
                      p_data ->> 'archetype')
        FROM side s
        WHERE s.has ? 'medal' AND s.has ? 'rank'
          AND NOT coalesce(p_data -> 'medals' -> (s.has ->> 'rank'), '[]') ? (s.has ->> 'medal')
    )
    SELECT m.field || ':' || m.id || ':' || m.value, m.id, m.name, m.field, m.value, m.name || ': ' || m.because || '.'
    FROM misfit m
    ORDER BY m.position, m.number;
END;
$$;

CREATE OR REPLACE FUNCTION require_fixture_type_v1(p_release uuid, p_workflow text, p_type text) RETURNS void
    LANGUAGE plpgsql STABLE
    -- A workflow that names its types knows no other one: none of its commands would be for it.
AS $$
DECLARE
    v_known text[];
BEGIN
    SELECT ARRAY(SELECT json_array_elements_text(document -> 'fixtureTypes')) INTO v_known
    FROM scoring_program_version
    WHERE release_id = p_release AND workflow = p_workflow
    ORDER BY format_number DESC
    LIMIT 1;
    IF cardinality(v_known) > 0 AND p_type <> ALL (v_known) THEN
        PERFORM refuse_record_v1('no_such_type', format(
            'A unit of %s is no %s. It is one of: %s.', p_workflow, p_type, array_to_string(v_known, ', ')));
    END IF;
END;
$$;

CREATE OR REPLACE FUNCTION require_type_may_change_v1(p_fixture fixture, p_archetype text) RETURNS void
    LANGUAGE plpgsql STABLE
    -- A log was made by the rules of its type; an official result stands; sides are kept.
AS $$
DECLARE
    v_sides int;
BEGIN
    IF p_fixture.official THEN
        PERFORM refuse_record_v1('official',
            'The result is official. Set the status to COMPLETED before its type changes.');
    ELSIF p_fixture.scoring_mode = 'events'
            AND EXISTS (SELECT 1 FROM timeline_item WHERE fixture_id = p_fixture.id) THEN
        PERFORM refuse_record_v1('events_logged',
            'This match has a log, which was made by the rules of its type. '
            'Cancel it and add a unit of the other type.');
    END IF;
    SELECT count(*) INTO v_sides FROM fixture_competitor WHERE fixture_id = p_fixture.id;
    IF p_archetype = 'duel' AND v_sides > 2 THEN
        PERFORM refuse_record_v1('two_sides', format(
            'A duel has two sides, and this unit has %s. Remove the others first.', v_sides));
    END IF;
END;
$$;

CREATE OR REPLACE FUNCTION write_fixture_type_set_v1(p_ctx jsonb, p_data jsonb) RETURNS jsonb
    LANGUAGE plpgsql
    -- {archetype, fixtureType, ranks?, medals: {rank: [medal]}, scoresNotHeld: [{is, like}], confirm: [name]}: another
    -- type. What it can't hold is removed where it was confirmed, and refused where it was not; a dry run lists it.
    -- Fields that lose their value are no longer hand-edited, so that the next import may fill them.
AS $$
DECLARE
    v_fixture fixture;
    v_confirmed text[] := ARRAY(SELECT jsonb_array_elements_text(coalesce(p_data -> 'confirm', '[]')));
    v_removed jsonb;
    v_open jsonb;
    v_before jsonb;
    v_after jsonb := jsonb_build_object(
        'archetype', p_data ->> 'archetype', 'fixtureType', p_data ->> 'fixtureType');
BEGIN
    SELECT * INTO v_fixture FROM fixture WHERE id = (p_ctx ->> 'fixtureId')::uuid FOR NO KEY UPDATE;
    PERFORM require_type_may_change_v1(v_fixture, p_data ->> 'archetype');
    PERFORM require_fixture_type_v1(coalesce(v_fixture.release_id, (p_ctx ->> 'releaseId')::uuid), v_fixture.workflow,
        p_data ->> 'fixtureType');
    v_before := jsonb_build_object('archetype', v_fixture.archetype, 'fixtureType', v_fixture.fixture_type);
    IF v_before = v_after THEN
        RETURN written_v1('{}', jsonb_build_object('kept', 1), jsonb_build_object(
            'fixtureId', v_fixture.id, 'before', v_before, 'after', v_after, 'removed', '[]'::jsonb,
            'unconfirmed', '[]'::jsonb));
    END IF;
    SELECT coalesce(jsonb_agg(to_jsonb(m)) FILTER (WHERE m.confirm = ANY (v_confirmed)), '[]'),
           coalesce(jsonb_agg(to_jsonb(m)) FILTER (WHERE m.confirm <> ALL (v_confirmed)), '[]')
    INTO v_removed, v_open
    FROM type_misfits_v1(v_fixture.id, p_data) m;
    IF v_open <> '[]' AND NOT coalesce((p_ctx ->> 'dryRun')::boolean, false) THEN
        PERFORM refuse_record_v1('unconfirmed', format(
            'A %s can''t hold all that is here: %s%s Confirm what may go: the dry run lists it.',
            p_data ->> 'archetype', v_open -> 0 ->> 'message',
            CASE WHEN jsonb_array_length(v_open) > 1
                 THEN format(' And %s more.', jsonb_array_length(v_open) - 1) ELSE '' END));
    END IF;

    UPDATE fixture
    SET archetype = p_data ->> 'archetype',
        fixture_type = p_data ->> 'fixtureType',
        pinned = CASE WHEN p_ctx ->> 'source' = 'person'
                      THEN pinned_with_v1(pinned, ARRAY['archetype', 'fixture_type']) ELSE pinned END
    WHERE id = v_fixture.id;
    PERFORM remove_values_v1(v_removed);
    RETURN written_v1(
        ARRAY['fixture'] || CASE WHEN v_removed @> '[{"field": "medal"}]' THEN ARRAY['medals'] ELSE '{}' END,
        jsonb_build_object('updated', 1)
            || CASE WHEN v_removed = '[]' THEN '{}'
                    ELSE jsonb_build_object('removed', jsonb_array_length(v_removed)) END
            || CASE WHEN v_open = '[]' THEN '{}'
                    ELSE jsonb_build_object('unconfirmed', jsonb_array_length(v_open)) END,
        jsonb_build_object('fixtureId', v_fixture.id, 'before', v_before, 'after', v_after, 'removed', v_removed,
            'unconfirmed', v_open),
        ARRAY[v_fixture.id],
        (SELECT coalesce(jsonb_agg(jsonb_build_object('field', 'confirm', 'message', one ->> 'message')), '[]')
         FROM jsonb_array_elements(v_open) AS one)
    );
END;
$$;

CREATE OR REPLACE FUNCTION remove_values_v1(p_values jsonb) RETURNS void
    LANGUAGE plpgsql
    -- [{side, field}]: takes values from sides, shown or hidden; a rank with its tie, a place from the ranking
AS $$
BEGIN
    UPDATE fixture_competitor c
    SET rank = CASE WHEN 'rank' = ANY (gone.fields) THEN NULL ELSE c.rank END,
        result = c.result - gone.fields,
        held = c.held - gone.fields,
        pinned = ARRAY(
            SELECT p FROM unnest(c.pinned) AS p
            WHERE NOT (p = 'rank' AND 'rank' = ANY (gone.fields))
              AND NOT (p = 'result' AND gone.fields && ARRAY['score', 'medal']
                       AND (c.held || c.result) - gone.fields = '{}')
        )
    FROM (
        SELECT (v.value ->> 'side')::uuid AS side,
               array_agg(v.value ->> 'field')
                   || CASE WHEN bool_or(v.value ->> 'field' = 'rank') THEN ARRAY['shared'] ELSE '{}' END AS fields
        FROM jsonb_array_elements(p_values) AS v (value)
        WHERE v.value ->> 'field' <> 'place'
        GROUP BY v.value ->> 'side'
    ) gone
    WHERE c.id = gone.side;
    DELETE FROM fixture_competitor_rank
    WHERE fixture_competitor_id IN (
        SELECT (v.value ->> 'side')::uuid FROM jsonb_array_elements(p_values) AS v (value)
        WHERE v.value ->> 'field' = 'place'
    );
END;
$$;
