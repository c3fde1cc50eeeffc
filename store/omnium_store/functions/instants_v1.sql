-- Moments as text.

CREATE OR REPLACE FUNCTION instant_v1(p_at timestamptz) RETURNS text
    LANGUAGE sql STABLE PARALLEL SAFE
    -- RFC 3339 in UTC, microseconds only where there are some: the one form that steps and logs see
    RETURN to_char(p_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS')
        || CASE WHEN extract(microseconds FROM p_at)::bigint % 1000000 = 0 THEN ''
                ELSE to_char(p_at AT TIME ZONE 'UTC', '.US') END
        || 'Z';
