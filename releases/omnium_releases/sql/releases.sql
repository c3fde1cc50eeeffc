-- name: release_identity
-- What a version stands for, without locking it.
SELECT id, version, status, code_sha, contract_sha, rule_changes FROM plugin_release WHERE version = $1

-- name: add_release
-- Take a version; gives no row if it is taken.
INSERT INTO plugin_release
    (version, code_sha, contract_sha, contract_version, status, notes, rule_changes, registered_by, registered_sub,
     approved_by, approved_at)
VALUES ($1, $2, $3, $4, $5, $6, $7::text::jsonb, $8, $9, $10, CASE WHEN $10::text IS NOT NULL THEN now() END)
ON CONFLICT (version) DO NOTHING
RETURNING id

-- name: release_hashes
-- What the bytes of a release are known by.
SELECT version, code_sha, contract_sha, rule_changes FROM plugin_release WHERE id = $1

-- name: release_for_update
-- A release against everybody who points at it; what is counted later sees all of them.
SELECT id, version, status, code_sha, contract_sha, rule_changes, registered_by, registered_sub
FROM plugin_release WHERE version = $1 FOR UPDATE

-- name: release_for_share
-- A release for somebody who points at it: it can't be retired before they are done.
SELECT id, version, status, code_sha, contract_sha FROM plugin_release WHERE version = $1 FOR SHARE

-- name: raise_status
-- Take a release one or two steps up; $3 did it.
UPDATE plugin_release
SET status = $2,
    approved_by = CASE WHEN $2 = 'prod' THEN $3 END,
    approved_at = CASE WHEN $2 = 'prod' THEN now() END
WHERE id = $1

-- name: retire_release
-- After this nothing new may point at it.
UPDATE plugin_release SET status = 'retired', retired_at = now() WHERE id = $1

-- name: lock_retiring
-- One retirement at a time: two releases must not each count on the other to stay.
SELECT pg_advisory_xact_lock(hashtextextended('omnium releases retire', 0))

-- name: add_sport
-- A sport that a release brings; one that is there keeps its name.
INSERT INTO sport (code, name) VALUES ($1, $2) ON CONFLICT (code) DO NOTHING

-- name: add_program
-- The program of one workflow; gives no row if it is there.
INSERT INTO scoring_program_version (release_id, workflow, format_number, document, checksum)
VALUES ($1, $2, $3, $4::text::json, $5)
ON CONFLICT (release_id, workflow, format_number) DO NOTHING
RETURNING id

-- name: release_programs
-- The programs of a release.
SELECT workflow, format_number, checksum, document->>'title' AS title, document->>'mode' AS mode,
       coalesce(json_array_length(document->'commands'), 0) AS commands
FROM scoring_program_version WHERE release_id = $1 ORDER BY workflow, format_number

-- name: release_sports
-- The sports that a release holds rules for.
SELECT DISTINCT s.id, s.code, s.name
FROM scoring_program_version p JOIN sport s ON s.code = p.workflow
WHERE p.release_id = $1 ORDER BY s.code

-- name: sports_that_would_be_bare
-- Sports of a release that no other prod release holds.
SELECT s.code
FROM scoring_program_version p JOIN sport s ON s.code = p.workflow
WHERE p.release_id = $1
  AND NOT EXISTS (
      SELECT 1
      FROM scoring_program_version other JOIN plugin_release r ON r.id = other.release_id
      WHERE other.workflow = p.workflow AND r.id <> $1 AND r.status = 'prod'
  )
GROUP BY s.code ORDER BY s.code

-- name: list_releases
-- Every release with who points at it and who runs it, newest first.
SELECT r.version, r.status, r.code_sha, r.contract_sha, r.contract_version, r.registered_by, r.created_at, r.retired_at,
       ARRAY(SELECT s.code FROM scoring_program_version p JOIN sport s ON s.code = p.workflow
             WHERE p.release_id = r.id GROUP BY s.code ORDER BY s.code) AS sports,
       (SELECT count(*) FROM fixture f WHERE f.release_id = r.id AND f.status IN ('LIVE', 'INTERRUPTED')) AS live,
       (SELECT count(*) FROM fixture f WHERE f.release_id = r.id
           AND f.status NOT IN ('LIVE', 'INTERRUPTED', 'COMPLETED', 'CANCELLED', 'VOID')) AS upcoming,
       (SELECT count(*) FROM fixture f WHERE f.release_id = r.id
           AND f.status IN ('COMPLETED', 'CANCELLED', 'VOID')) AS done,
       (SELECT count(*) FROM worker_instance w WHERE w.release_id = r.id
           AND NOT w.draining AND w.heartbeat_at > now() - interval '6 seconds') AS workers
FROM plugin_release r ORDER BY r.created_at DESC, r.version DESC

-- name: show_release
-- One release with its notes.
SELECT id, version, status, code_sha, contract_sha, contract_version, notes, rule_changes,
       registered_by, registered_sub, approved_by, approved_at, retired_at, created_at
FROM plugin_release WHERE version = $1

-- name: release_artifact_facts
-- The wheels of a release without their bytes.
SELECT kind, filename, sha256, record_sha, octet_length(content) AS bytes
FROM release_artifact WHERE release_id = $1 ORDER BY kind

-- name: declared_changes
-- What the notes of a release declare.
SELECT rule_changes FROM plugin_release WHERE id = $1

-- name: program_documents
-- The program of each workflow of a release; of several formats the newest.
SELECT DISTINCT ON (workflow) workflow, document
FROM scoring_program_version WHERE release_id = $1 ORDER BY workflow, format_number DESC
