-- name: fixture.board
-- One fixture ($1) as screens show it: facts, sides, places, and its state, whose bytes are passed through unread.
SELECT
    (SELECT finished_transactions_v1()) AS at,
    f.id::text AS record,
    f.version,
    convert_to(left(json_strip_nulls(json_build_object(
        'archetype', f.archetype,
        'code', f.code,
        'competition', c.code,
        'competitionName', c.name,
        'conflicts', b.conflicts,
        'event', e.code,
        'eventName', e.name,
        'fixtureId', f.id,
        'fixtureType', f.fixture_type,
        'format', f.format,
        'formatCode', f.format_code,
        'name', nullif(f.name, ''),
        'official', f.official,
        'places', (
            SELECT json_agg(json_build_object(
                'display', p.display, 'entry', p.fixture_competitor_id, 'rank', p.rank,
                'shared', p.shared, 'value', p.value
            ) ORDER BY p.rank NULLS LAST, p.sort, p.fixture_competitor_id)
            FROM fixture_competitor_rank p WHERE p.fixture_id = f.id AND has_result_v1(f.status)
        ),
        'release', r.version,
        'revision', f.revision,
        'scheduledStart', rfc3339_v1(f.scheduled_start),
        'scoringMode', f.scoring_mode,
        'seq', b.seq,
        'sides', (
            SELECT json_agg(json_build_object(
                'code', fc.code, 'entry', fc.id, 'name', fc.name, 'noc', fc.noc,
                'participantId', fc.participant_id, 'pinned', nullif(fc.pinned, '{}'), 'position', fc.position,
                'rank', fc.rank, 'result', nullif(fc.result, '{}'), 'status', fc.status
            ) ORDER BY fc.position)
            FROM fixture_competitor fc WHERE fc.fixture_id = f.id
        ),
        'sport', s.code
    ))::text, -1), 'UTF8')
    || coalesce(convert_to(',"state":', 'UTF8') || b.state, '')
    || convert_to(',' || substr(json_strip_nulls(json_build_object(
        'status', f.status,
        'timezone', e.timezone,
        'venue', f.venue,
        'version', f.version,
        'workflow', f.workflow
    ))::text, 2), 'UTF8') AS value
FROM fixture f
JOIN competition c ON c.id = f.competition_id
JOIN competition e ON e.id = f.event_id
JOIN sport s ON s.id = f.sport_id
LEFT JOIN plugin_release r ON r.id = f.release_id
LEFT JOIN scoreboard b ON b.fixture_id = f.id
WHERE f.id = $1

-- name: fixture.log
-- A page of a fixture's log: at most $3 rows after seq $2; the head says where the next page begins.
WITH subject AS (
    SELECT id, version, next_seq FROM fixture WHERE id = $1
), page AS (
    SELECT t.seq, t.unit, t.event_type, t.status, t.payload, t.actor, t.source_code, t.occurred_at, t.recorded_at,
           t.confirmed, t.corrects, t.release_id
    FROM timeline_item t
    WHERE t.stream_id = $1 AND t.seq > $2
      AND ($4::text[] IS NULL OR t.seq = ANY ($4::text[]::bigint[]))
    ORDER BY t.seq
    LIMIT $3
), answer AS (
    SELECT NULL::text AS record, 0::bigint AS place, json_strip_nulls(json_build_object(
        'fixtureId', subject.id,
        'next', (SELECT max(seq) FROM page HAVING max(seq) < subject.next_seq - 1)
    ))::text AS value
    FROM subject
    UNION ALL
    SELECT page.seq::text, page.seq,
        left(json_strip_nulls(json_build_object(
            'actor', page.actor,
            'code', page.event_type,
            'confirmed', nullif(page.confirmed, '{}'),
            'corrects', page.corrects
        ))::text, -1)
        || ',"input":' || page.payload::text || ','
        || substr(json_strip_nulls(json_build_object(
            'occurredAt', rfc3339_v1(page.occurred_at),
            'recordedAt', rfc3339_v1(page.recorded_at),
            'release', r.version,
            'seq', page.seq,
            'source', nullif(page.source_code, ''),
            'status', page.status,
            'unit', page.unit
        ))::text, 2)
    FROM subject CROSS JOIN page LEFT JOIN plugin_release r ON r.id = page.release_id
)
SELECT (SELECT finished_transactions_v1()) AS at, answer.record,
       (SELECT version FROM subject) AS version, convert_to(answer.value, 'UTF8') AS value
FROM answer
ORDER BY answer.place

-- name: games.schedule_day
-- The units of event $1 that start on day $2 of the event's own time zone, with sides, scores and release.
WITH event AS (
    SELECT id, code, timezone FROM competition WHERE code = $1 AND parent_id IS NULL
), unit AS (
    SELECT f.id, f.code, f.name, f.archetype, f.fixture_type, f.format_code, f.scoring_mode, f.status, f.official,
           f.scheduled_start, f.venue, f.version, f.competition_id, f.sport_id, f.release_id
    FROM event JOIN fixture f ON f.event_id = event.id
    WHERE f.scheduled_start >= $2::date::timestamp AT TIME ZONE event.timezone
      AND f.scheduled_start < ($2::date + 1)::timestamp AT TIME ZONE event.timezone
      AND ($3::text[] IS NULL OR f.id = ANY ($3::text[]::uuid[]))
), answer AS (
    SELECT NULL::text AS record, NULL::bigint AS version, NULL::timestamptz AS start, ''::text AS code,
           json_strip_nulls(json_build_object('day', $2::date, 'event', event.code, 'timezone', event.timezone)) AS value
    FROM event
    UNION ALL
    SELECT unit.id::text, unit.version, unit.scheduled_start, unit.code, json_strip_nulls(json_build_object(
        'archetype', unit.archetype,
        'code', unit.code,
        'competition', c.code,
        'competitionName', c.name,
        'fixtureId', unit.id,
        'fixtureType', unit.fixture_type,
        'formatCode', unit.format_code,
        'name', nullif(unit.name, ''),
        'official', unit.official,
        'release', r.version,
        'scheduledStart', rfc3339_v1(unit.scheduled_start),
        'scoringMode', unit.scoring_mode,
        'sides', sides.value,
        'sport', s.code,
        'status', unit.status,
        'venue', unit.venue,
        'version', unit.version
    ))
    FROM unit
    JOIN competition c ON c.id = unit.competition_id
    JOIN sport s ON s.id = unit.sport_id
    LEFT JOIN plugin_release r ON r.id = unit.release_id
    LEFT JOIN LATERAL (
        -- a state is read only where it has no NUL escape, which PostgreSQL can't look into
        SELECT found.score, found.goals
        FROM scoreboard b, json_to_record(convert_from(b.state, 'UTF8')::json) AS found (score json, goals json)
        WHERE b.fixture_id = unit.id AND has_result_v1(unit.status)
          AND position('\u0000' IN convert_from(b.state, 'UTF8')) = 0
        OFFSET 0
    ) live ON true
    LEFT JOIN LATERAL (
        SELECT json_agg(json_build_object(
            'code', fc.code, 'display', nullif(p.display, ''), 'entry', fc.id, 'name', fc.name, 'noc', fc.noc,
            'position', fc.position,
            'rank', CASE WHEN has_result_v1(unit.status) THEN coalesce(fc.rank, p.rank) END,
            'score', CASE WHEN has_result_v1(unit.status) THEN
                coalesce((fc.result -> 'score')::json, live.score -> fc.id::text, live.goals -> fc.id::text) END,
            'status', fc.status
        ) ORDER BY fc.position) AS value
        FROM fixture_competitor fc
        LEFT JOIN fixture_competitor_rank p
            ON p.fixture_competitor_id = fc.id AND has_result_v1(unit.status) AND has_rank_v1(fc.status)
        WHERE fc.fixture_id = unit.id
    ) sides ON true
)
SELECT (SELECT finished_transactions_v1()) AS at, answer.record, answer.version, convert_to(answer.value::text, 'UTF8') AS value
FROM answer
ORDER BY answer.record IS NOT NULL, answer.start, answer.code COLLATE "C"

-- name: games.medals
-- The medal table of event $1: each number typed, else imported, else derived; shared ranks, then a gap.
-- Derived ones are counted here, a side that is a team once, so that no command of a fixture writes above it.
WITH event AS (
    SELECT id, code, settings FROM competition WHERE code = $1 AND parent_id IS NULL
), won AS (
    SELECT coalesce(fc.noc, p.noc) AS noc, fc.result ->> 'medal' AS medal
    FROM event
    JOIN fixture f ON f.event_id = event.id AND f.official
    JOIN fixture_competitor fc ON fc.fixture_id = f.id AND fc.result ? 'medal'
    LEFT JOIN participant p ON p.id = fc.participant_id
), given AS (
    SELECT m.noc, m.origin, m.gold, m.silver, m.bronze, m.place
    FROM event JOIN medal_count m ON m.event_id = event.id
    UNION ALL
    SELECT noc, 'derived', count(*) FILTER (WHERE medal = 'Gold')::int, count(*) FILTER (WHERE medal = 'Silver')::int,
           count(*) FILTER (WHERE medal = 'Bronze')::int, NULL
    FROM won
    WHERE noc IS NOT NULL
    GROUP BY noc
), counted AS (
    SELECT m.noc,
        coalesce(max(m.gold) FILTER (WHERE m.origin = 'typed'), max(m.gold) FILTER (WHERE m.origin = 'imported'),
                 max(m.gold) FILTER (WHERE m.origin = 'derived'), 0) AS gold,
        coalesce(max(m.silver) FILTER (WHERE m.origin = 'typed'), max(m.silver) FILTER (WHERE m.origin = 'imported'),
                 max(m.silver) FILTER (WHERE m.origin = 'derived'), 0) AS silver,
        coalesce(max(m.bronze) FILTER (WHERE m.origin = 'typed'), max(m.bronze) FILTER (WHERE m.origin = 'imported'),
                 max(m.bronze) FILTER (WHERE m.origin = 'derived'), 0) AS bronze,
        coalesce(max(m.place) FILTER (WHERE m.origin = 'typed'),
                 max(m.place) FILTER (WHERE m.origin = 'imported')) AS place,
        coalesce(event.settings -> 'neutralCodes' ? m.noc, false) AS is_neutral
    FROM event CROSS JOIN given m
    GROUP BY m.noc, event.settings
), summed AS (
    SELECT noc, gold, silver, bronze, place, gold + silver + bronze AS total,
           gold + silver + bronze > 0 AND NOT is_neutral AS has_rank
    FROM counted
), ranked AS (
    SELECT noc, gold, silver, bronze, total,
        coalesce(place, CASE WHEN has_rank THEN
            rank() OVER (PARTITION BY has_rank ORDER BY gold DESC, silver DESC, bronze DESC) END) AS rank,
        CASE WHEN has_rank THEN rank() OVER (PARTITION BY has_rank ORDER BY total DESC) END AS rank_total
    FROM summed
), answer AS (
    SELECT NULL::text AS record, NULL::bigint AS rank, 0 AS total, json_build_object('event', event.code) AS value
    FROM event
    UNION ALL
    SELECT ranked.noc, ranked.rank, CASE WHEN ranked.rank IS NULL THEN ranked.total ELSE 0 END, json_build_object(
        'bronze', ranked.bronze,
        'gold', ranked.gold,
        'name', noc.name,
        'noc', ranked.noc,
        'rank', ranked.rank,
        'rankEqual', CASE WHEN ranked.rank IS NOT NULL THEN count(*) OVER (PARTITION BY ranked.rank) > 1 END,
        'rankTotal', ranked.rank_total,
        'rankTotalEqual',
            CASE WHEN ranked.rank_total IS NOT NULL THEN count(*) OVER (PARTITION BY ranked.rank_total) > 1 END,
        'silver', ranked.silver,
        'total', ranked.total
    )
    FROM ranked LEFT JOIN noc ON noc.code = ranked.noc
)
SELECT (SELECT finished_transactions_v1()) AS at, answer.record, NULL::bigint AS version,
       convert_to(json_strip_nulls(answer.value)::text, 'UTF8') AS value
FROM answer
WHERE answer.record IS NULL OR $2::text[] IS NULL OR answer.record = ANY ($2::text[])
ORDER BY answer.record IS NOT NULL, answer.rank NULLS LAST, answer.total DESC, answer.record COLLATE "C"
