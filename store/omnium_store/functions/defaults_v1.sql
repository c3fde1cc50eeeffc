-- Which release is the default.

CREATE OR REPLACE FUNCTION default_release_v1(p_sport uuid, p_competition uuid, p_at timestamptz) RETURNS uuid
    LANGUAGE sql STABLE PARALLEL SAFE
BEGIN ATOMIC
    -- the row of the nearest competition upwards wins, then the sport-wide one; of one scope the newest from_at
    WITH RECURSIVE scope (competition_id, distance) AS (
        SELECT c.id, 0 FROM competition c WHERE c.id = p_competition
        UNION ALL
        SELECT c.parent_id, s.distance + 1
        FROM scope s JOIN competition c ON c.id = s.competition_id
        WHERE c.parent_id IS NOT NULL
    )
    SELECT d.release_id
    FROM release_default d LEFT JOIN scope s ON s.competition_id = d.competition_id
    WHERE d.sport_id = p_sport AND d.from_at <= p_at AND (d.competition_id IS NULL OR s.distance IS NOT NULL)
    ORDER BY s.distance NULLS LAST, d.from_at DESC
    LIMIT 1;
END;
