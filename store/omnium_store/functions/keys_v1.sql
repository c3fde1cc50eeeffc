-- Keys of advisory locks.

CREATE OR REPLACE FUNCTION lock_key_v1(p_subject uuid) RETURNS bigint
    LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
    -- the last 8 bytes: the first 8 of a version-7 id are a timestamp, so that many ids would share a lock
    RETURN ('x' || right(replace(p_subject::text, '-', ''), 16))::bit(64)::bigint;
