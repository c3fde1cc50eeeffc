-- name: epoch_read
-- The epoch that somebody made since the table was last emptied.
SELECT token FROM database_epoch LIMIT 1

-- name: epoch_make
-- Makes the epoch $1 unless another process was first; returns the one that holds.
WITH made AS (
    INSERT INTO database_epoch (token) VALUES ($1) ON CONFLICT DO NOTHING RETURNING token
)
SELECT token FROM made
UNION ALL
SELECT token FROM database_epoch
LIMIT 1
