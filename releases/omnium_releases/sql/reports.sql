-- name: add_report
-- Keep a replay's report; gives no row where the same one is kept already.
INSERT INTO replay_report
    (release_id, old_version, old_code_sha, new_code_sha, new_contract_sha, corpus_digest, content_sha, passed,
     sports, matches, events, differences, failures, document, stored_by)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14::text::json, $15)
ON CONFLICT DO NOTHING
RETURNING id

-- name: report_is_known
-- Whether exactly this report is kept.
SELECT EXISTS (
    SELECT FROM replay_report
    WHERE new_code_sha = $1 AND new_contract_sha = $2 AND old_code_sha IS NOT DISTINCT FROM $3
      AND corpus_digest = $4 AND content_sha = $5
)

-- name: reports
-- The reports of a release without their documents, newest first.
SELECT id, old_version, old_code_sha, corpus_digest, passed, sports, matches, events, differences, failures,
       stored_by, stored_at
FROM replay_report WHERE release_id = $1 ORDER BY id DESC

-- name: report_document
-- One whole report of a release.
SELECT p.document FROM replay_report p JOIN plugin_release r ON r.id = p.release_id
WHERE r.version = $1 AND p.id = $2

-- name: sports_to_prove
-- The sports of a release whose matches a replay plays, each with what new matches of it get today: the default of
-- the sport, else the prod release that was approved last; none for the first release that holds it.
SELECT s.code AS sport, old.version, old.code_sha
FROM (
    SELECT DISTINCT workflow FROM scoring_program_version
    WHERE release_id = $1 AND document->>'mode' = 'fold' AND document->>'parent' IS NULL
) program
JOIN sport s ON s.code = program.workflow
LEFT JOIN LATERAL (
    SELECT r.version, r.code_sha
    FROM plugin_release r
    WHERE r.id <> $1
      AND r.status = 'prod'
      AND EXISTS (SELECT FROM scoring_program_version p WHERE p.release_id = r.id AND p.workflow = s.code)
    ORDER BY (r.id = default_release_v1(s.id, NULL, clock_timestamp())) DESC NULLS LAST, r.approved_at DESC NULLS LAST, r.created_at DESC
    LIMIT 1
) old ON true
ORDER BY s.code

-- name: newest_report
-- The report that decides about a sport ($4): the newest of these bytes ($1, $2) against $3; against whatever, where
-- nothing held the sport before ($3 null).
SELECT id, old_version, old_code_sha, corpus_digest, passed, sports, matches, events, differences, failures,
       stored_by, stored_at
FROM replay_report
WHERE new_code_sha = $1 AND new_contract_sha = $2 AND ($3::text IS NULL OR old_code_sha = $3) AND $4 = ANY (sports)
ORDER BY id DESC LIMIT 1
