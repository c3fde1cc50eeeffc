-- name: program
-- The document of a workflow in a release; of several formats the newest.
SELECT document FROM scoring_program_version
WHERE release_id = $1 AND workflow = $2
ORDER BY format_number DESC
LIMIT 1

-- name: workflows
-- Every workflow that there is, each from the release that new things of it get now, else from the newest that has it.
SELECT DISTINCT ON (p.workflow)
       p.workflow, p.document, r.id, r.version, r.code_sha, r.contract_sha, (d.release_id IS NOT NULL) AS is_default
FROM scoring_program_version p
     JOIN plugin_release r ON r.id = p.release_id
     LEFT JOIN sport s ON s.code = p.workflow
     LEFT JOIN LATERAL (SELECT default_release_v1(s.id, NULL, now()) AS release_id) d ON d.release_id = r.id
WHERE r.status <> 'retired' OR d.release_id IS NOT NULL
ORDER BY p.workflow, is_default DESC, r.created_at DESC, p.format_number DESC

-- name: workflow
-- One workflow, from the release that new things of it get now, else from the newest that has it; $2 names a release.
SELECT p.document, r.id, r.version, r.code_sha, r.contract_sha
FROM scoring_program_version p
     JOIN plugin_release r ON r.id = p.release_id
     LEFT JOIN sport s ON s.code = p.workflow
WHERE p.workflow = $1 AND (r.version = $2 OR $2::text IS NULL)
ORDER BY (r.id = default_release_v1(s.id, NULL, now())) DESC NULLS LAST,
         (r.status <> 'retired') DESC, r.created_at DESC, p.format_number DESC
LIMIT 1

-- name: described_fixture
-- What a describe says of the fixture that it is for.
SELECT f.id, f.code, f.name, e.code AS event, f.workflow, f.archetype, f.fixture_type, f.format_code, f.format,
       f.scoring_mode, f.status, f.version,
       coalesce((SELECT json_agg(json_build_object('id', c.id, 'position', c.position, 'code', c.code,
                                                   'name', c.name, 'noc', c.noc) ORDER BY c.position)
                 FROM fixture_competitor c WHERE c.fixture_id = f.id), '[]') AS sides
FROM fixture f JOIN competition e ON e.id = f.event_id
WHERE f.id = $1
