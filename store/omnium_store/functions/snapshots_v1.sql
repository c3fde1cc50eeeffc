-- What a read needs: how many transactions had finished, how a moment is written, and what has no result.

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

CREATE OR REPLACE FUNCTION has_result_v1(p_status text) RETURNS boolean
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    -- a fixture of these has no score and no places, not 0-0; what its log gave is kept, should it be held after all
    RETURN p_status NOT IN ('POSTPONED', 'CANCELLED', 'VOID');

CREATE OR REPLACE FUNCTION has_rank_v1(p_mark text) RETURNS boolean
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    -- whether a side with this mark may have a rank: with no mark, or in a duel that one of them left or never began
    RETURN coalesce(p_mark, '') IN ('', 'WO', 'RET', 'ABD');
