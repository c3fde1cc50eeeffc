-- What a statement sees: how many transactions had finished, and how a moment is written.

CREATE OR REPLACE FUNCTION finished_transactions_v1() RETURNS bigint
    LANGUAGE sql STABLE PARALLEL RESTRICTED
BEGIN ATOMIC
    -- grows with each visible commit and is the same on every server process: equal numbers mean equal contents
    WITH seen AS MATERIALIZED (SELECT pg_current_snapshot() AS snapshot)
    SELECT pg_snapshot_xmax(seen.snapshot)::text::bigint - (SELECT count(*) FROM pg_snapshot_xip(seen.snapshot))
    FROM seen;
END;

CREATE OR REPLACE FUNCTION rfc3339_v1(p_at timestamptz) RETURNS text
    LANGUAGE sql STABLE PARALLEL SAFE -- as to_char is, and not STRICT: so it is inlined; NULL stays NULL
    -- in UTC whatever the session's time zone is, with as many digits as there are
    RETURN rtrim(rtrim(to_char(p_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US'), '0'), '.') || 'Z';
