-- name: release_exists
-- Whether the database has any release that may serve.
SELECT EXISTS (SELECT FROM plugin_release WHERE status <> 'retired');
