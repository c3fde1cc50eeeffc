-- What each service may touch. Push reads; the router reads and writes the world around matches; workers write matches.

REVOKE ALL ON ALL TABLES IN SCHEMA public FROM omnium_router, omnium_worker, omnium_push;

GRANT SELECT ON ALL TABLES IN SCHEMA public TO omnium_router, omnium_worker, omnium_push;

-- every service may be the first to find the epoch empty
GRANT INSERT ON database_epoch TO omnium_router, omnium_worker, omnium_push;

GRANT INSERT, UPDATE ON
    competition, sport, noc, format_config,
    plugin_release, scoring_program_version, pool_request,
    integration, actor_token
TO omnium_router;
GRANT INSERT ON release_artifact, replay_report, release_default, release_audit, domain_event TO omnium_router;
GRANT DELETE ON pool_request, worker_instance TO omnium_router;

GRANT INSERT, UPDATE ON
    competition, participant, noc, event_entry,
    fixture, scoreboard, scoring_checkpoint, stat_value, medal_count,
    stat_result, worker_instance, pool_request
TO omnium_worker;
GRANT INSERT, UPDATE ON fixture_competitor, fixture_competitor_rank TO omnium_worker;
GRANT INSERT ON timeline_item, timeline_actor, refused_command, domain_event, stat_job, release_audit TO omnium_worker;
-- the log is append-only: a worker may neither change nor remove a row of it
GRANT DELETE ON
    fixture_competitor, fixture_competitor_rank, stat_value, scoring_checkpoint, event_entry, medal_count,
    stat_job, stat_result, worker_instance, pool_request
TO omnium_worker;
-- whoever points at a release locks its row (FOR SHARE), which asks for the right to update; the key is never changed
GRANT UPDATE (id) ON plugin_release TO omnium_worker;

GRANT INSERT, UPDATE, DELETE ON push_instance TO omnium_push;
