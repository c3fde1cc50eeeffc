-- The schema as all migrations together make it. Never edit it: python -m omnium_store.schema --write
CREATE TABLE public.actor_token (
    jti text NOT NULL COLLATE pg_catalog."C",
    sub text NOT NULL COLLATE pg_catalog."C",
    name text NOT NULL,
    kind text NOT NULL,
    roles text[] NOT NULL,
    source text COLLATE pg_catalog."C",
    issued_by text NOT NULL,
    issued_at timestamp with time zone DEFAULT now() NOT NULL,
    expires_at timestamp with time zone NOT NULL,
    revoked_at timestamp with time zone,
    CONSTRAINT actor_token_kind_check CHECK ((kind = ANY (ARRAY['person'::text, 'integration'::text])))
);

CREATE TABLE public.competition (
    id uuid DEFAULT gen_random_uuid() NOT NULL,
    event_id uuid NOT NULL,
    parent_id uuid,
    sport_id uuid,
    code text NOT NULL COLLATE pg_catalog."C",
    name text NOT NULL,
    timezone text,
    settings jsonb DEFAULT '{}'::jsonb NOT NULL,
    version bigint DEFAULT 0 NOT NULL,
    next_seq bigint DEFAULT 1 NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    CONSTRAINT competition_check CHECK (((parent_id IS NULL) = (event_id = id))),
    CONSTRAINT competition_check1 CHECK (((parent_id IS NULL) = (timezone IS NOT NULL)))
);

CREATE UNLOGGED TABLE public.database_epoch (
    is_single boolean DEFAULT true NOT NULL,
    token text NOT NULL,
    CONSTRAINT database_epoch_is_single_check CHECK (is_single)
);

CREATE TABLE public.domain_event (
    id bigint NOT NULL,
    xid xid8 DEFAULT pg_current_xact_id() NOT NULL,
    kind text NOT NULL COLLATE pg_catalog."C",
    sport_id uuid,
    competition_id uuid,
    event_id uuid,
    fixture_id uuid,
    seq bigint,
    payload jsonb NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL
);

CREATE TABLE public.event_entry (
    id uuid DEFAULT gen_random_uuid() NOT NULL,
    competition_id uuid NOT NULL,
    participant_id uuid NOT NULL,
    bib text COLLATE pg_catalog."C",
    status text DEFAULT 'ENTERED'::text NOT NULL,
    facts jsonb DEFAULT '{}'::jsonb NOT NULL
);

CREATE TABLE public.fixture (
    id uuid DEFAULT gen_random_uuid() NOT NULL,
    event_id uuid NOT NULL,
    competition_id uuid NOT NULL,
    sport_id uuid NOT NULL,
    code text NOT NULL COLLATE pg_catalog."C",
    name text DEFAULT ''::text NOT NULL,
    archetype text NOT NULL,
    fixture_type text NOT NULL,
    workflow text NOT NULL COLLATE pg_catalog."C",
    format_code text COLLATE pg_catalog."C",
    format jsonb DEFAULT '{}'::jsonb NOT NULL,
    scoring_mode text NOT NULL,
    status text DEFAULT 'SCHEDULED'::text NOT NULL,
    official boolean DEFAULT false NOT NULL,
    revision integer DEFAULT 0 NOT NULL,
    scheduled_start timestamp with time zone,
    venue text,
    source_code text COLLATE pg_catalog."C",
    external_id text COLLATE pg_catalog."C",
    pinned text[] DEFAULT '{}'::text[] NOT NULL,
    release_id uuid,
    version bigint DEFAULT 0 NOT NULL,
    tag bigint DEFAULT 0 NOT NULL,
    next_seq bigint DEFAULT 1 NOT NULL,
    changed_seq bigint DEFAULT 0 NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    CONSTRAINT fixture_archetype_check CHECK ((archetype = ANY (ARRAY['duel'::text, 'ranking'::text]))),
    CONSTRAINT fixture_check CHECK (((scoring_mode <> 'events'::text) OR (release_id IS NOT NULL))),
    CONSTRAINT fixture_scoring_mode_check CHECK ((scoring_mode = ANY (ARRAY['events'::text, 'scorecard'::text])))
)
WITH (fillfactor='70');

CREATE TABLE public.fixture_competitor (
    id uuid DEFAULT gen_random_uuid() NOT NULL,
    fixture_id uuid NOT NULL,
    "position" integer NOT NULL,
    code text COLLATE pg_catalog."C",
    name text,
    noc text COLLATE pg_catalog."C",
    participant_id uuid,
    event_entry_id uuid,
    result jsonb DEFAULT '{}'::jsonb NOT NULL,
    rank integer,
    status text,
    held jsonb DEFAULT '{}'::jsonb NOT NULL,
    pinned text[] DEFAULT '{}'::text[] NOT NULL
);

CREATE TABLE public.fixture_competitor_rank (
    fixture_competitor_id uuid NOT NULL,
    fixture_id uuid NOT NULL,
    rank integer,
    shared boolean DEFAULT false NOT NULL,
    display text DEFAULT ''::text NOT NULL,
    value bigint,
    sort integer DEFAULT 0 NOT NULL
);

CREATE TABLE public.format_config (
    id uuid DEFAULT gen_random_uuid() NOT NULL,
    code text NOT NULL COLLATE pg_catalog."C",
    sport_id uuid NOT NULL,
    scope text DEFAULT ''::text NOT NULL,
    "values" jsonb DEFAULT '{}'::jsonb NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL
);

CREATE TABLE public.integration (
    id uuid DEFAULT gen_random_uuid() NOT NULL,
    code text NOT NULL COLLATE pg_catalog."C",
    name text NOT NULL,
    event_id uuid,
    mappings jsonb DEFAULT '{}'::jsonb NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL
);

CREATE TABLE public.medal_count (
    event_id uuid NOT NULL,
    noc text NOT NULL COLLATE pg_catalog."C",
    origin text NOT NULL,
    gold integer,
    silver integer,
    bronze integer,
    place integer,
    CONSTRAINT medal_count_bronze_check CHECK ((bronze >= 0)),
    CONSTRAINT medal_count_gold_check CHECK ((gold >= 0)),
    CONSTRAINT medal_count_origin_check CHECK ((origin = ANY (ARRAY['typed'::text, 'imported'::text]))),
    CONSTRAINT medal_count_place_check CHECK ((place >= 1)),
    CONSTRAINT medal_count_silver_check CHECK ((silver >= 0))
);

CREATE TABLE public.noc (
    code text NOT NULL COLLATE pg_catalog."C",
    name text NOT NULL
);

CREATE TABLE public.participant (
    id uuid DEFAULT gen_random_uuid() NOT NULL,
    event_id uuid NOT NULL,
    kind text DEFAULT 'person'::text NOT NULL,
    name text NOT NULL,
    noc text COLLATE pg_catalog."C",
    source_code text COLLATE pg_catalog."C",
    external_id text COLLATE pg_catalog."C",
    facts jsonb DEFAULT '{}'::jsonb NOT NULL,
    merged_into uuid,
    CONSTRAINT participant_kind_check CHECK ((kind = ANY (ARRAY['person'::text, 'team'::text])))
);

CREATE TABLE public.plugin_release (
    id uuid DEFAULT gen_random_uuid() NOT NULL,
    version text NOT NULL COLLATE pg_catalog."C",
    code_sha text NOT NULL COLLATE pg_catalog."C",
    contract_sha text NOT NULL COLLATE pg_catalog."C",
    contract_version text NOT NULL COLLATE pg_catalog."C",
    status text NOT NULL,
    notes text DEFAULT ''::text NOT NULL,
    rule_changes jsonb DEFAULT '[]'::jsonb NOT NULL,
    registered_by text NOT NULL,
    registered_sub text DEFAULT ''::text NOT NULL COLLATE pg_catalog."C",
    approved_by text,
    approved_at timestamp with time zone,
    retired_at timestamp with time zone,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    CONSTRAINT plugin_release_status_check CHECK ((status = ANY (ARRAY['proven'::text, 'staging'::text, 'prod'::text, 'retired'::text])))
);

CREATE TABLE public.pool_request (
    release_id uuid NOT NULL,
    lane text DEFAULT 'live'::text NOT NULL,
    asked_at timestamp with time zone DEFAULT now() NOT NULL,
    reason text DEFAULT ''::text NOT NULL,
    CONSTRAINT pool_request_lane_check CHECK ((lane = ANY (ARRAY['live'::text, 'bulk'::text])))
);

CREATE TABLE public.push_instance (
    id uuid NOT NULL,
    address text NOT NULL,
    build text NOT NULL COLLATE pg_catalog."C",
    schema_number integer NOT NULL,
    draining boolean DEFAULT false NOT NULL,
    started_at timestamp with time zone DEFAULT now() NOT NULL,
    heartbeat_at timestamp with time zone DEFAULT now() NOT NULL
);

CREATE TABLE public.refused_command (
    id bigint NOT NULL,
    stream_id uuid NOT NULL,
    fixture_id uuid,
    event_type text NOT NULL COLLATE pg_catalog."C",
    payload json NOT NULL,
    confirmed text[] DEFAULT '{}'::text[] NOT NULL,
    refusal text NOT NULL COLLATE pg_catalog."C",
    reason text,
    message text NOT NULL,
    after_seq bigint NOT NULL,
    sender text NOT NULL COLLATE pg_catalog."C",
    actor text NOT NULL,
    release_id uuid,
    code_sha text NOT NULL COLLATE pg_catalog."C",
    runtime_sha text NOT NULL COLLATE pg_catalog."C",
    created_at timestamp with time zone DEFAULT now() NOT NULL
);

CREATE TABLE public.release_artifact (
    release_id uuid NOT NULL,
    kind text NOT NULL,
    filename text NOT NULL COLLATE pg_catalog."C",
    sha256 text NOT NULL COLLATE pg_catalog."C",
    record_sha text NOT NULL COLLATE pg_catalog."C",
    content bytea NOT NULL,
    CONSTRAINT release_artifact_content_check CHECK ((octet_length(content) <= 33554432)),
    CONSTRAINT release_artifact_kind_check CHECK ((kind = ANY (ARRAY['flows'::text, 'contract'::text])))
);
ALTER TABLE ONLY public.release_artifact ALTER COLUMN content SET STORAGE EXTERNAL;

CREATE TABLE public.release_audit (
    id bigint NOT NULL,
    at timestamp with time zone DEFAULT now() NOT NULL,
    who text NOT NULL,
    sub text DEFAULT ''::text NOT NULL COLLATE pg_catalog."C",
    verb text NOT NULL COLLATE pg_catalog."C",
    release_id uuid,
    fixture_id uuid,
    reason text DEFAULT ''::text NOT NULL,
    seen jsonb DEFAULT '{}'::jsonb NOT NULL,
    request_id text DEFAULT ''::text NOT NULL,
    build jsonb DEFAULT '{}'::jsonb NOT NULL
);

CREATE TABLE public.release_default (
    id uuid DEFAULT gen_random_uuid() NOT NULL,
    sport_id uuid NOT NULL,
    competition_id uuid,
    release_id uuid NOT NULL,
    from_at timestamp with time zone NOT NULL,
    set_by text NOT NULL,
    set_at timestamp with time zone DEFAULT now() NOT NULL
);

CREATE TABLE public.replay_report (
    id bigint NOT NULL,
    release_id uuid NOT NULL,
    old_version text COLLATE pg_catalog."C",
    old_code_sha text COLLATE pg_catalog."C",
    new_code_sha text NOT NULL COLLATE pg_catalog."C",
    new_contract_sha text NOT NULL COLLATE pg_catalog."C",
    corpus_digest text NOT NULL COLLATE pg_catalog."C",
    content_sha text NOT NULL COLLATE pg_catalog."C",
    passed boolean NOT NULL,
    sports text[] NOT NULL,
    matches integer NOT NULL,
    events bigint NOT NULL,
    differences integer NOT NULL,
    failures integer NOT NULL,
    document json NOT NULL,
    stored_by text NOT NULL,
    stored_at timestamp with time zone DEFAULT now() NOT NULL,
    CONSTRAINT replay_report_check CHECK (((old_version IS NULL) = (old_code_sha IS NULL)))
);

CREATE TABLE public.schema_migration (
    kind text NOT NULL,
    name text NOT NULL COLLATE pg_catalog."C",
    number integer,
    checksum text NOT NULL COLLATE pg_catalog."C",
    applied_at timestamp with time zone DEFAULT now() NOT NULL,
    CONSTRAINT schema_migration_kind_check CHECK ((kind = ANY (ARRAY['pre'::text, 'post'::text, 'function'::text, 'role'::text])))
);

CREATE TABLE public.scoreboard (
    fixture_id uuid NOT NULL,
    state bytea NOT NULL,
    digest bytea NOT NULL,
    seq bigint NOT NULL,
    events integer NOT NULL,
    prefix_hash bytea NOT NULL,
    conflicts json DEFAULT '[]'::json NOT NULL,
    code_sha text NOT NULL COLLATE pg_catalog."C",
    runtime_sha text NOT NULL COLLATE pg_catalog."C",
    updated_at timestamp with time zone DEFAULT now() NOT NULL
)
WITH (fillfactor='70');
ALTER TABLE ONLY public.scoreboard ALTER COLUMN state SET STORAGE EXTERNAL;

CREATE TABLE public.scoring_checkpoint (
    fixture_id uuid NOT NULL,
    seq bigint NOT NULL,
    events integer NOT NULL,
    state bytea NOT NULL,
    code_sha text NOT NULL COLLATE pg_catalog."C",
    runtime_sha text NOT NULL COLLATE pg_catalog."C",
    prefix_hash bytea NOT NULL
);
ALTER TABLE ONLY public.scoring_checkpoint ALTER COLUMN state SET STORAGE EXTERNAL;

CREATE TABLE public.scoring_program_version (
    id uuid DEFAULT gen_random_uuid() NOT NULL,
    release_id uuid NOT NULL,
    workflow text NOT NULL COLLATE pg_catalog."C",
    format_number integer NOT NULL,
    document json NOT NULL,
    checksum text NOT NULL COLLATE pg_catalog."C",
    created_at timestamp with time zone DEFAULT now() NOT NULL
);

CREATE TABLE public.sport (
    id uuid DEFAULT gen_random_uuid() NOT NULL,
    code text NOT NULL COLLATE pg_catalog."C",
    name text NOT NULL
);

CREATE TABLE public.stat_job (
    id bigint NOT NULL,
    stat text NOT NULL COLLATE pg_catalog."C",
    scope_id uuid NOT NULL,
    release_id uuid NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL
);

CREATE TABLE public.stat_result (
    stat text NOT NULL COLLATE pg_catalog."C",
    scope_id uuid NOT NULL,
    release_id uuid NOT NULL,
    value json NOT NULL,
    version bigint DEFAULT 1 NOT NULL,
    updated_at timestamp with time zone DEFAULT now() NOT NULL
);

CREATE TABLE public.stat_value (
    fixture_id uuid NOT NULL,
    action text NOT NULL COLLATE pg_catalog."C",
    entry text COLLATE pg_catalog."C",
    person text COLLATE pg_catalog."C",
    segment text COLLATE pg_catalog."C",
    key text NOT NULL COLLATE pg_catalog."C",
    value bigint NOT NULL
);

CREATE TABLE public.timeline_actor (
    timeline_item_id bigint NOT NULL,
    role text NOT NULL COLLATE pg_catalog."C",
    person text NOT NULL
);

CREATE TABLE public.timeline_item (
    id bigint NOT NULL,
    stream_id uuid NOT NULL,
    fixture_id uuid,
    source_code text DEFAULT ''::text NOT NULL COLLATE pg_catalog."C",
    sender text NOT NULL COLLATE pg_catalog."C",
    actor text NOT NULL,
    event_type text NOT NULL COLLATE pg_catalog."C",
    unit text NOT NULL,
    seq bigint NOT NULL,
    fold_order numeric NOT NULL,
    status text DEFAULT 'CONFIRMED'::text NOT NULL,
    occurred_at timestamp with time zone NOT NULL,
    recorded_at timestamp with time zone DEFAULT now() NOT NULL,
    payload json NOT NULL,
    confirmed text[] DEFAULT '{}'::text[] NOT NULL,
    corrects bigint,
    idempotency_key text NOT NULL COLLATE pg_catalog."C",
    input_hash bytea NOT NULL,
    answer json NOT NULL,
    release_id uuid,
    code_sha text NOT NULL COLLATE pg_catalog."C",
    runtime_sha text NOT NULL COLLATE pg_catalog."C",
    state_digest bytea,
    previous_hash bytea,
    row_hash bytea NOT NULL,
    CONSTRAINT timeline_item_unit_check CHECK ((unit = ANY (ARRAY['event'::text, 'record'::text])))
);

CREATE TABLE public.worker_instance (
    id uuid NOT NULL,
    address text NOT NULL,
    release_id uuid NOT NULL,
    code_sha text NOT NULL COLLATE pg_catalog."C",
    contract_sha text NOT NULL COLLATE pg_catalog."C",
    runtime_sha text NOT NULL COLLATE pg_catalog."C",
    lane text DEFAULT 'live'::text NOT NULL,
    capacity integer NOT NULL,
    in_flight integer DEFAULT 0 NOT NULL,
    build text NOT NULL COLLATE pg_catalog."C",
    schema_number integer NOT NULL,
    pid integer NOT NULL,
    draining boolean DEFAULT false NOT NULL,
    started_at timestamp with time zone DEFAULT now() NOT NULL,
    heartbeat_at timestamp with time zone DEFAULT now() NOT NULL,
    CONSTRAINT worker_instance_lane_check CHECK ((lane = ANY (ARRAY['live'::text, 'bulk'::text])))
);

ALTER TABLE public.domain_event ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.domain_event_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

ALTER TABLE public.refused_command ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.refused_command_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

ALTER TABLE public.release_audit ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.release_audit_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

ALTER TABLE public.replay_report ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.replay_report_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

ALTER TABLE public.stat_job ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.stat_job_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

ALTER TABLE public.timeline_item ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.timeline_item_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

ALTER TABLE ONLY public.actor_token
    ADD CONSTRAINT actor_token_pkey PRIMARY KEY (jti);

ALTER TABLE ONLY public.competition
    ADD CONSTRAINT competition_event_id_code_key UNIQUE (event_id, code);

ALTER TABLE ONLY public.competition
    ADD CONSTRAINT competition_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.database_epoch
    ADD CONSTRAINT database_epoch_pkey PRIMARY KEY (is_single);

ALTER TABLE ONLY public.domain_event
    ADD CONSTRAINT domain_event_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.event_entry
    ADD CONSTRAINT event_entry_competition_id_participant_id_key UNIQUE (competition_id, participant_id);

ALTER TABLE ONLY public.event_entry
    ADD CONSTRAINT event_entry_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.fixture_competitor
    ADD CONSTRAINT fixture_competitor_fixture_id_position_key UNIQUE (fixture_id, "position") DEFERRABLE INITIALLY DEFERRED;

ALTER TABLE ONLY public.fixture_competitor
    ADD CONSTRAINT fixture_competitor_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.fixture_competitor_rank
    ADD CONSTRAINT fixture_competitor_rank_pkey PRIMARY KEY (fixture_competitor_id);

ALTER TABLE ONLY public.fixture
    ADD CONSTRAINT fixture_event_id_code_key UNIQUE (event_id, code);

ALTER TABLE ONLY public.fixture
    ADD CONSTRAINT fixture_event_id_source_code_external_id_key UNIQUE (event_id, source_code, external_id);

ALTER TABLE ONLY public.fixture
    ADD CONSTRAINT fixture_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.format_config
    ADD CONSTRAINT format_config_code_key UNIQUE (code);

ALTER TABLE ONLY public.format_config
    ADD CONSTRAINT format_config_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.integration
    ADD CONSTRAINT integration_code_key UNIQUE (code);

ALTER TABLE ONLY public.integration
    ADD CONSTRAINT integration_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.medal_count
    ADD CONSTRAINT medal_count_pkey PRIMARY KEY (event_id, noc, origin);

ALTER TABLE ONLY public.noc
    ADD CONSTRAINT noc_pkey PRIMARY KEY (code);

ALTER TABLE ONLY public.participant
    ADD CONSTRAINT participant_event_id_source_code_external_id_key UNIQUE (event_id, source_code, external_id);

ALTER TABLE ONLY public.participant
    ADD CONSTRAINT participant_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.plugin_release
    ADD CONSTRAINT plugin_release_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.plugin_release
    ADD CONSTRAINT plugin_release_version_key UNIQUE (version);

ALTER TABLE ONLY public.pool_request
    ADD CONSTRAINT pool_request_pkey PRIMARY KEY (release_id, lane);

ALTER TABLE ONLY public.push_instance
    ADD CONSTRAINT push_instance_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.refused_command
    ADD CONSTRAINT refused_command_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.release_artifact
    ADD CONSTRAINT release_artifact_pkey PRIMARY KEY (release_id, kind);

ALTER TABLE ONLY public.release_audit
    ADD CONSTRAINT release_audit_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.release_default
    ADD CONSTRAINT release_default_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.release_default
    ADD CONSTRAINT release_default_sport_id_competition_id_from_at_key UNIQUE NULLS NOT DISTINCT (sport_id, competition_id, from_at);

ALTER TABLE ONLY public.replay_report
    ADD CONSTRAINT replay_report_new_code_sha_new_contract_sha_old_code_sha_co_key UNIQUE NULLS NOT DISTINCT (new_code_sha, new_contract_sha, old_code_sha, corpus_digest, content_sha);

ALTER TABLE ONLY public.replay_report
    ADD CONSTRAINT replay_report_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.schema_migration
    ADD CONSTRAINT schema_migration_pkey PRIMARY KEY (kind, name);

ALTER TABLE ONLY public.scoreboard
    ADD CONSTRAINT scoreboard_pkey PRIMARY KEY (fixture_id);

ALTER TABLE ONLY public.scoring_checkpoint
    ADD CONSTRAINT scoring_checkpoint_pkey PRIMARY KEY (fixture_id, seq);

ALTER TABLE ONLY public.scoring_program_version
    ADD CONSTRAINT scoring_program_version_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.scoring_program_version
    ADD CONSTRAINT scoring_program_version_release_id_workflow_format_number_key UNIQUE (release_id, workflow, format_number);

ALTER TABLE ONLY public.sport
    ADD CONSTRAINT sport_code_key UNIQUE (code);

ALTER TABLE ONLY public.sport
    ADD CONSTRAINT sport_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.stat_job
    ADD CONSTRAINT stat_job_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.stat_result
    ADD CONSTRAINT stat_result_pkey PRIMARY KEY (stat, scope_id);

ALTER TABLE ONLY public.stat_value
    ADD CONSTRAINT stat_value_fixture_id_action_entry_person_segment_key_key UNIQUE NULLS NOT DISTINCT (fixture_id, action, entry, person, segment, key);

ALTER TABLE ONLY public.timeline_actor
    ADD CONSTRAINT timeline_actor_pkey PRIMARY KEY (timeline_item_id, role, person);

ALTER TABLE ONLY public.timeline_item
    ADD CONSTRAINT timeline_item_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.timeline_item
    ADD CONSTRAINT timeline_item_stream_id_sender_idempotency_key_key UNIQUE (stream_id, sender, idempotency_key);

ALTER TABLE ONLY public.timeline_item
    ADD CONSTRAINT timeline_item_stream_id_seq_key UNIQUE (stream_id, seq);

ALTER TABLE ONLY public.worker_instance
    ADD CONSTRAINT worker_instance_pkey PRIMARY KEY (id);

CREATE INDEX actor_token_revoked ON public.actor_token USING btree (revoked_at) WHERE (revoked_at IS NOT NULL);

CREATE UNIQUE INDEX competition_event_code ON public.competition USING btree (code) WHERE (parent_id IS NULL);

CREATE INDEX competition_parent ON public.competition USING btree (parent_id);

CREATE INDEX domain_event_age ON public.domain_event USING btree (created_at);

CREATE INDEX domain_event_xid ON public.domain_event USING btree (xid);

CREATE INDEX fixture_competition ON public.fixture USING btree (competition_id);

CREATE INDEX fixture_competitor_medal ON public.fixture_competitor USING btree (fixture_id) WHERE (result ? 'medal'::text);

CREATE INDEX fixture_competitor_rank_fixture ON public.fixture_competitor_rank USING btree (fixture_id);

CREATE INDEX fixture_day ON public.fixture USING btree (event_id, scheduled_start);

CREATE INDEX fixture_release ON public.fixture USING btree (release_id, status);

CREATE INDEX refused_command_age ON public.refused_command USING btree (created_at);

CREATE INDEX refused_command_stream ON public.refused_command USING btree (stream_id, after_seq);

CREATE INDEX replay_report_release ON public.replay_report USING btree (release_id);

CREATE INDEX stat_job_scope ON public.stat_job USING btree (stat, scope_id);

CREATE INDEX timeline_item_fixture ON public.timeline_item USING btree (fixture_id, fold_order) WHERE (unit = 'event'::text);

CREATE INDEX timeline_item_release ON public.timeline_item USING btree (release_id);

CREATE INDEX worker_instance_release ON public.worker_instance USING btree (release_id, lane);

ALTER TABLE ONLY public.competition
    ADD CONSTRAINT competition_event_id_fkey FOREIGN KEY (event_id) REFERENCES public.competition(id) DEFERRABLE INITIALLY DEFERRED;

ALTER TABLE ONLY public.competition
    ADD CONSTRAINT competition_parent_id_fkey FOREIGN KEY (parent_id) REFERENCES public.competition(id);

ALTER TABLE ONLY public.competition
    ADD CONSTRAINT competition_sport_id_fkey FOREIGN KEY (sport_id) REFERENCES public.sport(id);

ALTER TABLE ONLY public.event_entry
    ADD CONSTRAINT event_entry_competition_id_fkey FOREIGN KEY (competition_id) REFERENCES public.competition(id);

ALTER TABLE ONLY public.event_entry
    ADD CONSTRAINT event_entry_participant_id_fkey FOREIGN KEY (participant_id) REFERENCES public.participant(id);

ALTER TABLE ONLY public.fixture
    ADD CONSTRAINT fixture_competition_id_fkey FOREIGN KEY (competition_id) REFERENCES public.competition(id);

ALTER TABLE ONLY public.fixture_competitor
    ADD CONSTRAINT fixture_competitor_event_entry_id_fkey FOREIGN KEY (event_entry_id) REFERENCES public.event_entry(id);

ALTER TABLE ONLY public.fixture_competitor
    ADD CONSTRAINT fixture_competitor_fixture_id_fkey FOREIGN KEY (fixture_id) REFERENCES public.fixture(id) ON DELETE CASCADE;

ALTER TABLE ONLY public.fixture_competitor
    ADD CONSTRAINT fixture_competitor_participant_id_fkey FOREIGN KEY (participant_id) REFERENCES public.participant(id);

ALTER TABLE ONLY public.fixture_competitor_rank
    ADD CONSTRAINT fixture_competitor_rank_fixture_competitor_id_fkey FOREIGN KEY (fixture_competitor_id) REFERENCES public.fixture_competitor(id) ON DELETE CASCADE;

ALTER TABLE ONLY public.fixture_competitor_rank
    ADD CONSTRAINT fixture_competitor_rank_fixture_id_fkey FOREIGN KEY (fixture_id) REFERENCES public.fixture(id) ON DELETE CASCADE;

ALTER TABLE ONLY public.fixture
    ADD CONSTRAINT fixture_event_id_fkey FOREIGN KEY (event_id) REFERENCES public.competition(id);

ALTER TABLE ONLY public.fixture
    ADD CONSTRAINT fixture_release_id_fkey FOREIGN KEY (release_id) REFERENCES public.plugin_release(id);

ALTER TABLE ONLY public.fixture
    ADD CONSTRAINT fixture_sport_id_fkey FOREIGN KEY (sport_id) REFERENCES public.sport(id);

ALTER TABLE ONLY public.format_config
    ADD CONSTRAINT format_config_sport_id_fkey FOREIGN KEY (sport_id) REFERENCES public.sport(id);

ALTER TABLE ONLY public.integration
    ADD CONSTRAINT integration_event_id_fkey FOREIGN KEY (event_id) REFERENCES public.competition(id);

ALTER TABLE ONLY public.medal_count
    ADD CONSTRAINT medal_count_event_id_fkey FOREIGN KEY (event_id) REFERENCES public.competition(id);

ALTER TABLE ONLY public.participant
    ADD CONSTRAINT participant_event_id_fkey FOREIGN KEY (event_id) REFERENCES public.competition(id);

ALTER TABLE ONLY public.participant
    ADD CONSTRAINT participant_merged_into_fkey FOREIGN KEY (merged_into) REFERENCES public.participant(id);

ALTER TABLE ONLY public.pool_request
    ADD CONSTRAINT pool_request_release_id_fkey FOREIGN KEY (release_id) REFERENCES public.plugin_release(id);

ALTER TABLE ONLY public.refused_command
    ADD CONSTRAINT refused_command_fixture_id_fkey FOREIGN KEY (fixture_id) REFERENCES public.fixture(id) ON DELETE CASCADE;

ALTER TABLE ONLY public.refused_command
    ADD CONSTRAINT refused_command_release_id_fkey FOREIGN KEY (release_id) REFERENCES public.plugin_release(id);

ALTER TABLE ONLY public.release_artifact
    ADD CONSTRAINT release_artifact_release_id_fkey FOREIGN KEY (release_id) REFERENCES public.plugin_release(id);

ALTER TABLE ONLY public.release_audit
    ADD CONSTRAINT release_audit_release_id_fkey FOREIGN KEY (release_id) REFERENCES public.plugin_release(id);

ALTER TABLE ONLY public.release_default
    ADD CONSTRAINT release_default_competition_id_fkey FOREIGN KEY (competition_id) REFERENCES public.competition(id);

ALTER TABLE ONLY public.release_default
    ADD CONSTRAINT release_default_release_id_fkey FOREIGN KEY (release_id) REFERENCES public.plugin_release(id);

ALTER TABLE ONLY public.release_default
    ADD CONSTRAINT release_default_sport_id_fkey FOREIGN KEY (sport_id) REFERENCES public.sport(id);

ALTER TABLE ONLY public.replay_report
    ADD CONSTRAINT replay_report_release_id_fkey FOREIGN KEY (release_id) REFERENCES public.plugin_release(id);

ALTER TABLE ONLY public.scoreboard
    ADD CONSTRAINT scoreboard_fixture_id_fkey FOREIGN KEY (fixture_id) REFERENCES public.fixture(id) ON DELETE CASCADE;

ALTER TABLE ONLY public.scoring_checkpoint
    ADD CONSTRAINT scoring_checkpoint_fixture_id_fkey FOREIGN KEY (fixture_id) REFERENCES public.fixture(id) ON DELETE CASCADE;

ALTER TABLE ONLY public.scoring_program_version
    ADD CONSTRAINT scoring_program_version_release_id_fkey FOREIGN KEY (release_id) REFERENCES public.plugin_release(id);

ALTER TABLE ONLY public.stat_job
    ADD CONSTRAINT stat_job_release_id_fkey FOREIGN KEY (release_id) REFERENCES public.plugin_release(id);

ALTER TABLE ONLY public.stat_result
    ADD CONSTRAINT stat_result_release_id_fkey FOREIGN KEY (release_id) REFERENCES public.plugin_release(id);

ALTER TABLE ONLY public.stat_value
    ADD CONSTRAINT stat_value_fixture_id_fkey FOREIGN KEY (fixture_id) REFERENCES public.fixture(id) ON DELETE CASCADE;

ALTER TABLE ONLY public.timeline_actor
    ADD CONSTRAINT timeline_actor_timeline_item_id_fkey FOREIGN KEY (timeline_item_id) REFERENCES public.timeline_item(id) ON DELETE CASCADE;

ALTER TABLE ONLY public.timeline_item
    ADD CONSTRAINT timeline_item_fixture_id_fkey FOREIGN KEY (fixture_id) REFERENCES public.fixture(id);

ALTER TABLE ONLY public.timeline_item
    ADD CONSTRAINT timeline_item_release_id_fkey FOREIGN KEY (release_id) REFERENCES public.plugin_release(id);

ALTER TABLE ONLY public.worker_instance
    ADD CONSTRAINT worker_instance_release_id_fkey FOREIGN KEY (release_id) REFERENCES public.plugin_release(id);
