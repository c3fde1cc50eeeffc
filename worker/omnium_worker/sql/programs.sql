-- name: stored_programs
-- The programs of a release as they were registered, in the document's shape that this contract writes.
SELECT workflow, checksum FROM scoring_program_version WHERE release_id = $1 AND format_number = $2
