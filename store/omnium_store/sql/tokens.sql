-- name: token_keep
-- Notes a token that was issued.
INSERT INTO actor_token (jti, sub, name, kind, roles, source, issued_by, expires_at)
VALUES ($1, $2, $3, $4, $5::text[], $6, $7, to_timestamp($8::double precision))

-- name: token_revoke
-- Revokes the token $1; the first time counts.
UPDATE actor_token SET revoked_at = coalesce(revoked_at, now()) WHERE jti = $1 RETURNING jti

-- name: tokens_revoked
-- Ids of revoked tokens that have not expired.
SELECT coalesce(array_agg(jti), '{}') FROM actor_token WHERE revoked_at IS NOT NULL AND expires_at > now()

-- name: token_is_revoked
-- Whether the token $1 was revoked.
SELECT EXISTS (SELECT 1 FROM actor_token WHERE jti = $1 AND revoked_at IS NOT NULL)
