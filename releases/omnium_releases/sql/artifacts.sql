-- name: release_artifacts
-- The wheels of a release with what they were registered as; one row without a wheel if it has none.
SELECT r.id, r.version, r.status, r.code_sha, r.contract_sha,
       a.kind, a.filename, a.sha256, a.record_sha, a.content
FROM plugin_release r LEFT JOIN release_artifact a ON a.release_id = r.id
WHERE r.version = $1

-- name: add_artifact
-- Keep one wheel of a release.
INSERT INTO release_artifact (release_id, kind, filename, sha256, record_sha, content)
VALUES ($1, $2, $3, $4, $5, $6)
