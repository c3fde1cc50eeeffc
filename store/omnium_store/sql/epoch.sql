-- name: epoch_read
-- The epoch that somebody made since the table was last emptied.
SELECT token FROM database_epoch

-- name: epoch_make
-- Makes the epoch $1 unless another process was first.
INSERT INTO database_epoch (token) VALUES ($1) ON CONFLICT DO NOTHING
