-- name: wanted_by_default
-- Releases that are a default now or become one within $1 seconds, with the scopes that they are it for.
SELECT release.version,
       string_agg(DISTINCT sport.code || coalesce('/' || competition.code, ''), ', '
                  ORDER BY sport.code || coalesce('/' || competition.code, '')) AS scopes
  FROM (SELECT sport_id, competition_id, release_id, from_at,
               lead(from_at) OVER (PARTITION BY sport_id, competition_id ORDER BY from_at) AS until_at
          FROM release_default) AS row
  JOIN plugin_release AS release ON release.id = row.release_id
  JOIN sport ON sport.id = row.sport_id
  LEFT JOIN competition ON competition.id = row.competition_id
 WHERE row.from_at <= now() + make_interval(secs => $1)
   AND (row.until_at IS NULL OR row.until_at > now())
   AND release.status <> 'retired'
 GROUP BY release.version
 ORDER BY release.version COLLATE "C";

-- name: wanted_by_pins
-- Releases that unfinished fixtures are pinned to ($1: their statuses), with how many; an index alone answers it.
SELECT release.version, pinned.fixtures
  FROM plugin_release AS release
 CROSS JOIN LATERAL (SELECT count(*) AS fixtures
                       FROM fixture
                      WHERE fixture.release_id = release.id
                        AND fixture.status = ANY ($1::text[])) AS pinned
 WHERE pinned.fixtures > 0
 ORDER BY release.version COLLATE "C";

-- name: wanted_by_request
-- Releases that somebody asked workers of in the last $1 seconds, with the lane and the reason.
SELECT release.version, request.lane, request.reason
  FROM pool_request AS request
  JOIN plugin_release AS release ON release.id = request.release_id
 WHERE request.asked_at > now() - make_interval(secs => $1)
 ORDER BY release.version COLLATE "C", request.lane;

-- name: workers_serving
-- Pids of workers whose lease is fresh (at most $1 seconds old) and not draining, by release and lane.
SELECT release.version, worker.lane, worker.pid
  FROM worker_instance AS worker
  JOIN plugin_release AS release ON release.id = worker.release_id
 WHERE worker.heartbeat_at > now() - make_interval(secs => $1)
   AND NOT worker.draining;
