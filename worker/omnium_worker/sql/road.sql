-- name: open
-- The first of the two statements of a command: lock, pin, key, and all that its rules may read.
SELECT outcome, release, stream, event, event_code, fixture, workflow, scoring_mode, fixture_type, status, version,
    next_seq, clock, previous_hash, previous_at, answer, input_hash, state, events, tail, tail_length, loaded
FROM open_v1($1, $2, $3, $4, $5, $6, $7, $8, $9, $10);

-- name: close_fold
-- The second one, fold mode: log row, scoreboard, lines, places, outbox; gives the outbox id.
SELECT close_fold_v1(
    $1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20, $21,
    $22, $23, $24, $25, $26, $27, $28, $29, $30, $31, $32
);

-- name: close_apply
-- The second one, apply mode: each record by its writer, log row, outbox; gives the answer, or a writer's no.
SELECT answer, reason, message
FROM close_apply_v1(
    $1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18,
    $19, $20, $21, $22, $23, $24, $25, $26, $27, $28
);

-- name: refuse
-- The second one where the answer is no: the refusal, kept as evidence.
SELECT refuse_v1($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14);

-- name: unit_terms
-- Before the second one, for each unit that is to be added: by which rules it is going to be played.
SELECT release_id, workflow, stored FROM unit_terms_v1($1, $2, $3, $4, $5, $6, $7);
