-- The whole schema of the first version. Names of the source documents are kept; docs/glossary.md has the list.

-- The world that commands act on ---------------------------------------------------------------------------

CREATE TABLE sport (
    id    uuid PRIMARY KEY DEFAULT gen_random_uuid(),
    code  text NOT NULL UNIQUE COLLATE "C",   -- one row per workflow that owns subjects, `games` among them
    name  text NOT NULL
);

CREATE TABLE competition (                    -- a tree; a root is an event (a whole Games, a tournament)
    id         uuid PRIMARY KEY DEFAULT gen_random_uuid(),
    event_id   uuid NOT NULL REFERENCES competition (id) DEFERRABLE INITIALLY DEFERRED,  -- the root; its own id for a root
    parent_id  uuid REFERENCES competition (id),
    sport_id   uuid REFERENCES sport (id),
    code       text NOT NULL COLLATE "C",
    name       text NOT NULL,
    timezone   text,                          -- IANA name, on roots
    settings   jsonb NOT NULL DEFAULT '{}',
    version    bigint NOT NULL DEFAULT 0,     -- grows with every event-level (games) command, roots only
    next_seq   bigint NOT NULL DEFAULT 1,     -- of the event's own stream
    created_at timestamptz NOT NULL DEFAULT now(),
    CHECK ((parent_id IS NULL) = (event_id = id)),
    CHECK ((parent_id IS NULL) = (timezone IS NOT NULL)),
    UNIQUE (event_id, code)
);
CREATE UNIQUE INDEX competition_event_code ON competition (code) WHERE parent_id IS NULL;
CREATE INDEX competition_parent ON competition (parent_id);

CREATE TABLE noc (
    code text PRIMARY KEY COLLATE "C",
    name text NOT NULL
);

CREATE TABLE participant (
    id          uuid PRIMARY KEY DEFAULT gen_random_uuid(),
    event_id    uuid NOT NULL REFERENCES competition (id),
    kind        text NOT NULL DEFAULT 'person' CHECK (kind IN ('person', 'team')),
    name        text NOT NULL,
    noc         text COLLATE "C",
    source_code text COLLATE "C",
    external_id text COLLATE "C",
    facts       jsonb NOT NULL DEFAULT '{}',
    merged_into uuid REFERENCES participant (id),
    UNIQUE (event_id, source_code, external_id)
);

CREATE TABLE event_entry (                    -- an athlete's or a team's registration for a competition
    id             uuid PRIMARY KEY DEFAULT gen_random_uuid(),
    competition_id uuid NOT NULL REFERENCES competition (id),
    participant_id uuid NOT NULL REFERENCES participant (id),
    bib            text COLLATE "C",
    status         text NOT NULL DEFAULT 'ENTERED',
    facts          jsonb NOT NULL DEFAULT '{}',
    UNIQUE (competition_id, participant_id)
);

CREATE TABLE format_config (
    id         uuid PRIMARY KEY DEFAULT gen_random_uuid(),
    code       text NOT NULL UNIQUE COLLATE "C",
    sport_id   uuid NOT NULL REFERENCES sport (id),
    scope      text NOT NULL DEFAULT '',      -- which workflow of the sport scores it
    values     jsonb NOT NULL DEFAULT '{}',
    created_at timestamptz NOT NULL DEFAULT now()
);

-- Releases -------------------------------------------------------------------------------------------------

CREATE TABLE plugin_release (
    id            uuid PRIMARY KEY DEFAULT gen_random_uuid(),
    version       text NOT NULL UNIQUE COLLATE "C",
    code_sha      text NOT NULL COLLATE "C",  -- SHA-256 of the flows wheel's RECORD
    contract_sha  text NOT NULL COLLATE "C",  -- of the contract wheel's
    contract_version text NOT NULL COLLATE "C",
    status        text NOT NULL CHECK (status IN ('proven', 'staging', 'prod', 'retired')),
    notes         text NOT NULL DEFAULT '',
    rule_changes  jsonb NOT NULL DEFAULT '[]',
    registered_by text NOT NULL,
    registered_sub text NOT NULL DEFAULT '' COLLATE "C",  -- who that is, where a token said so
    approved_by   text,
    approved_at   timestamptz,
    retired_at    timestamptz,
    created_at    timestamptz NOT NULL DEFAULT now()
);

CREATE TABLE release_artifact (               -- the wheels' bytes: a worker anywhere starts from the database alone
    release_id uuid NOT NULL REFERENCES plugin_release (id),
    kind       text NOT NULL CHECK (kind IN ('flows', 'contract')),
    filename   text NOT NULL COLLATE "C",
    sha256     text NOT NULL COLLATE "C",     -- of the wheel file
    record_sha text NOT NULL COLLATE "C",     -- of its RECORD
    content    bytea NOT NULL CHECK (octet_length(content) <= 33554432),
    PRIMARY KEY (release_id, kind)
);
ALTER TABLE release_artifact ALTER content SET STORAGE EXTERNAL;

CREATE TABLE replay_report (                  -- what a replay found: a release against the one before it, over a corpus
    id               bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    release_id       uuid NOT NULL REFERENCES plugin_release (id),
    old_version      text COLLATE "C",        -- none: proven by its goldens alone
    old_code_sha     text COLLATE "C",
    new_code_sha     text NOT NULL COLLATE "C",
    new_contract_sha text NOT NULL COLLATE "C",
    corpus_digest    text NOT NULL COLLATE "C",
    content_sha      text NOT NULL COLLATE "C", -- SHA-256 of the document's canonical text
    passed           boolean NOT NULL,
    sports           text[] NOT NULL,         -- those with at least one match in it
    matches          int NOT NULL,
    events           bigint NOT NULL,
    differences      int NOT NULL,            -- declared ones among them
    failures         int NOT NULL,
    document         json NOT NULL,           -- canonical text, kept as it was
    stored_by        text NOT NULL,
    stored_at        timestamptz NOT NULL DEFAULT now(),
    CHECK ((old_version IS NULL) = (old_code_sha IS NULL)),
    UNIQUE NULLS NOT DISTINCT (new_code_sha, new_contract_sha, old_code_sha, corpus_digest, content_sha)
);
CREATE INDEX replay_report_release ON replay_report (release_id);

CREATE TABLE release_default (                -- a row is never edited; a later from_at wins
    id             uuid PRIMARY KEY DEFAULT gen_random_uuid(),
    sport_id       uuid NOT NULL REFERENCES sport (id),
    competition_id uuid REFERENCES competition (id),
    release_id     uuid NOT NULL REFERENCES plugin_release (id),
    from_at        timestamptz NOT NULL,
    set_by         text NOT NULL,
    set_at         timestamptz NOT NULL DEFAULT now(),
    UNIQUE NULLS NOT DISTINCT (sport_id, competition_id, from_at)
);

CREATE TABLE scoring_program_version (        -- the document generated from a release's registry, one a workflow
    id            uuid PRIMARY KEY DEFAULT gen_random_uuid(),
    release_id    uuid NOT NULL REFERENCES plugin_release (id),
    workflow      text NOT NULL COLLATE "C",
    format_number int NOT NULL,
    document      json NOT NULL,              -- canonical text, kept as it was
    checksum      text NOT NULL COLLATE "C",
    created_at    timestamptz NOT NULL DEFAULT now(),
    UNIQUE (release_id, workflow, format_number)
);

CREATE TABLE release_audit (
    id         bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    at         timestamptz NOT NULL DEFAULT now(),
    who        text NOT NULL,                 -- the name that people read
    sub        text NOT NULL DEFAULT '' COLLATE "C",  -- who that is, where a token said so
    verb       text NOT NULL COLLATE "C",     -- register, report, approve, default, retire, move, set_release, …
    release_id uuid REFERENCES plugin_release (id),
    fixture_id uuid,
    reason     text NOT NULL DEFAULT '',
    seen       jsonb NOT NULL DEFAULT '{}',   -- the figures that they saw, before and after
    request_id text NOT NULL DEFAULT '',
    build      jsonb NOT NULL DEFAULT '{}'    -- git commit and CI run, where known
);

CREATE TABLE pool_request (                   -- somebody needs workers of a release that has no standing pool
    release_id uuid NOT NULL REFERENCES plugin_release (id),
    lane       text NOT NULL DEFAULT 'live' CHECK (lane IN ('live', 'bulk')),
    asked_at   timestamptz NOT NULL DEFAULT now(),
    reason     text NOT NULL DEFAULT '',
    PRIMARY KEY (release_id, lane)
);

-- Fixtures -------------------------------------------------------------------------------------------------

CREATE TABLE fixture (
    id              uuid PRIMARY KEY DEFAULT gen_random_uuid(),
    event_id        uuid NOT NULL REFERENCES competition (id),
    competition_id  uuid NOT NULL REFERENCES competition (id),
    sport_id        uuid NOT NULL REFERENCES sport (id),
    code            text NOT NULL COLLATE "C",
    name            text NOT NULL DEFAULT '',
    archetype       text NOT NULL CHECK (archetype IN ('duel', 'ranking')),
    fixture_type    text NOT NULL,
    workflow        text NOT NULL COLLATE "C",  -- which workflow scores it (the sport's, or a format's)
    format_code     text COLLATE "C",
    format          jsonb NOT NULL DEFAULT '{}',
    scoring_mode    text NOT NULL CHECK (scoring_mode IN ('events', 'scorecard')),
    status          text NOT NULL DEFAULT 'SCHEDULED',
    official        boolean NOT NULL DEFAULT false, -- the result stands; status is then COMPLETED
    revision        int NOT NULL DEFAULT 0,         -- of the official result: grows when it is made so and when it changes
    scheduled_start timestamptz,
    venue           text,
    source_code     text COLLATE "C",
    external_id     text COLLATE "C",
    pinned          text[] NOT NULL DEFAULT '{}',  -- hand-edited fields, which imports leave alone
    release_id      uuid REFERENCES plugin_release (id),
    version         bigint NOT NULL DEFAULT 0,  -- grows with every change of anything its rules may read
    tag             bigint NOT NULL DEFAULT 0,  -- random, written with each version
    next_seq        bigint NOT NULL DEFAULT 1,
    changed_seq     bigint NOT NULL DEFAULT 0,  -- id of its last outbox row
    created_at      timestamptz NOT NULL DEFAULT now(),
    UNIQUE (event_id, code),
    UNIQUE (event_id, source_code, external_id),
    CHECK (scoring_mode <> 'events' OR release_id IS NOT NULL)
) WITH (fillfactor = 70);
CREATE INDEX fixture_release ON fixture (release_id, status);
CREATE INDEX fixture_day ON fixture (event_id, scheduled_start);
CREATE INDEX fixture_competition ON fixture (competition_id);

CREATE TABLE fixture_competitor (             -- a side; its id is the `entry` of commands
    id             uuid PRIMARY KEY DEFAULT gen_random_uuid(),
    fixture_id     uuid NOT NULL REFERENCES fixture (id) ON DELETE CASCADE,
    position       int NOT NULL,
    code           text COLLATE "C",
    name           text,
    noc            text COLLATE "C",
    participant_id uuid REFERENCES participant (id),
    event_entry_id uuid REFERENCES event_entry (id),
    result         jsonb NOT NULL DEFAULT '{}',
    rank           int,
    status         text,                      -- its mark: DNS, DSQ, …
    held           jsonb NOT NULL DEFAULT '{}', -- rank and result fields that its mark or the fixture's status hides
    pinned         text[] NOT NULL DEFAULT '{}',
    UNIQUE (fixture_id, position) DEFERRABLE INITIALLY DEFERRED
);
CREATE INDEX fixture_competitor_medal ON fixture_competitor (fixture_id) WHERE result ? 'medal';

CREATE TABLE fixture_competitor_rank (        -- places, as the rules gave them
    fixture_competitor_id uuid PRIMARY KEY REFERENCES fixture_competitor (id) ON DELETE CASCADE,
    fixture_id uuid NOT NULL REFERENCES fixture (id) ON DELETE CASCADE,
    rank       int,
    shared     boolean NOT NULL DEFAULT false,
    display    text NOT NULL DEFAULT '',
    value      bigint,
    sort       int NOT NULL DEFAULT 0
);
CREATE INDEX fixture_competitor_rank_fixture ON fixture_competitor_rank (fixture_id);

-- The log and what is derived from it ----------------------------------------------------------------------

CREATE TABLE timeline_item (
    id              bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    stream_id       uuid NOT NULL,            -- the subject: a fixture, or an event's root competition
    fixture_id      uuid REFERENCES fixture (id),
    source_code     text NOT NULL DEFAULT '' COLLATE "C",   -- of an integration
    sender          text NOT NULL COLLATE "C",              -- kind:sub, within which a key is unique
    actor           text NOT NULL,
    event_type      text NOT NULL COLLATE "C",              -- the command's code
    unit            text NOT NULL CHECK (unit IN ('event', 'record')),
    seq             bigint NOT NULL,
    fold_order      numeric NOT NULL,         -- the place in the story; equals seq unless inserted
    status          text NOT NULL DEFAULT 'CONFIRMED',
    occurred_at     timestamptz NOT NULL,
    recorded_at     timestamptz NOT NULL DEFAULT now(),
    payload         json NOT NULL,            -- canonical text: fold = validated input with defaults, apply = what was sent
    confirmed       text[] NOT NULL DEFAULT '{}',
    corrects        bigint,                   -- seq of the row that this one voids, amends or restores
    idempotency_key text NOT NULL COLLATE "C",
    input_hash      bytea NOT NULL,           -- of command code and raw input
    answer          json NOT NULL,            -- what the sender was told
    release_id      uuid REFERENCES plugin_release (id),
    code_sha        text NOT NULL COLLATE "C",
    runtime_sha     text NOT NULL COLLATE "C",
    state_digest    bytea,                    -- of the state after it (fold)
    previous_hash   bytea,                    -- row_hash of the row before in this stream
    row_hash        bytea NOT NULL,
    UNIQUE (stream_id, seq),
    UNIQUE (stream_id, sender, idempotency_key)
);
CREATE INDEX timeline_item_fixture ON timeline_item (fixture_id, fold_order) WHERE unit = 'event';
CREATE INDEX timeline_item_release ON timeline_item (release_id);

CREATE TABLE timeline_actor (
    timeline_item_id bigint NOT NULL REFERENCES timeline_item (id) ON DELETE CASCADE,
    role             text NOT NULL COLLATE "C",
    person           text NOT NULL,
    PRIMARY KEY (timeline_item_id, role, person)
);

CREATE TABLE scoreboard (
    fixture_id  uuid PRIMARY KEY REFERENCES fixture (id) ON DELETE CASCADE,
    state       bytea NOT NULL,               -- canonical JSON
    digest      bytea NOT NULL,               -- SHA-256 of it
    seq         bigint NOT NULL,              -- of the last event folded
    events      int NOT NULL,                 -- effective events folded
    prefix_hash bytea NOT NULL,               -- row_hash of that event's row
    conflicts   json NOT NULL DEFAULT '[]',   -- found by rules after a correction; outside the digest
    code_sha    text NOT NULL COLLATE "C",
    runtime_sha text NOT NULL COLLATE "C",
    updated_at  timestamptz NOT NULL DEFAULT now()
) WITH (fillfactor = 70);
ALTER TABLE scoreboard ALTER state SET STORAGE EXTERNAL;

CREATE TABLE scoring_checkpoint (
    fixture_id  uuid NOT NULL REFERENCES fixture (id) ON DELETE CASCADE,
    seq         bigint NOT NULL,
    events      int NOT NULL,
    state       bytea NOT NULL,
    code_sha    text NOT NULL COLLATE "C",
    runtime_sha text NOT NULL COLLATE "C",
    prefix_hash bytea NOT NULL,
    PRIMARY KEY (fixture_id, seq)
);
ALTER TABLE scoring_checkpoint ALTER state SET STORAGE EXTERNAL;

CREATE TABLE stat_value (                     -- lines: one row a number
    fixture_id uuid NOT NULL REFERENCES fixture (id) ON DELETE CASCADE,
    action     text NOT NULL COLLATE "C",     -- key of the action that gave it
    entry      text COLLATE "C",
    person     text COLLATE "C",
    segment    text COLLATE "C",
    key        text NOT NULL COLLATE "C",
    value      bigint NOT NULL,
    UNIQUE NULLS NOT DISTINCT (fixture_id, action, entry, person, segment, key)
);

CREATE TABLE refused_command (
    id          bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    stream_id   uuid NOT NULL,
    fixture_id  uuid REFERENCES fixture (id) ON DELETE CASCADE,
    event_type  text NOT NULL COLLATE "C",
    payload     json NOT NULL,
    confirmed   text[] NOT NULL DEFAULT '{}',
    refusal     text NOT NULL COLLATE "C",
    reason      text,
    message     text NOT NULL,
    after_seq   bigint NOT NULL,              -- its place in the log
    sender      text NOT NULL COLLATE "C",
    actor       text NOT NULL,
    release_id  uuid REFERENCES plugin_release (id),
    code_sha    text NOT NULL COLLATE "C",
    runtime_sha text NOT NULL COLLATE "C",
    created_at  timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX refused_command_stream ON refused_command (stream_id, after_seq);
CREATE INDEX refused_command_age ON refused_command (created_at);

CREATE TABLE medal_count (                    -- typed and imported numbers; what is neither is counted from official results
    event_id uuid NOT NULL REFERENCES competition (id),
    noc      text NOT NULL COLLATE "C",
    origin   text NOT NULL CHECK (origin IN ('typed', 'imported')),
    gold     int CHECK (gold >= 0),
    silver   int CHECK (silver >= 0),
    bronze   int CHECK (bronze >= 0),
    place    int CHECK (place >= 1),
    PRIMARY KEY (event_id, noc, origin)
);

-- The outbox and the queues --------------------------------------------------------------------------------

CREATE TABLE domain_event (
    id             bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    xid            xid8 NOT NULL DEFAULT pg_current_xact_id(),
    kind           text NOT NULL COLLATE "C",  -- command.accepted, …
    sport_id       uuid,
    competition_id uuid,                       -- the event where there is no fixture
    event_id       uuid,
    fixture_id     uuid,
    seq            bigint,
    payload        jsonb NOT NULL,
    created_at     timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX domain_event_xid ON domain_event (xid);
CREATE INDEX domain_event_age ON domain_event (created_at);

CREATE UNLOGGED TABLE database_epoch (         -- emptied by a crash, a promotion, a restore; at most one row
    is_single boolean PRIMARY KEY DEFAULT true CHECK (is_single),
    token     text NOT NULL
);

CREATE TABLE stat_job (
    id         bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    stat       text NOT NULL COLLATE "C",
    scope_id   uuid NOT NULL,
    release_id uuid NOT NULL REFERENCES plugin_release (id),
    created_at timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX stat_job_scope ON stat_job (stat, scope_id);

CREATE TABLE stat_result (
    stat       text NOT NULL COLLATE "C",
    scope_id   uuid NOT NULL,
    release_id uuid NOT NULL REFERENCES plugin_release (id),
    value      json NOT NULL,
    version    bigint NOT NULL DEFAULT 1,
    updated_at timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (stat, scope_id)
);

-- Who runs, who may ----------------------------------------------------------------------------------------

CREATE TABLE worker_instance (
    id           uuid PRIMARY KEY,
    address      text NOT NULL,               -- host:port of its gRPC server
    release_id   uuid NOT NULL REFERENCES plugin_release (id),
    code_sha     text NOT NULL COLLATE "C",
    contract_sha text NOT NULL COLLATE "C",
    runtime_sha  text NOT NULL COLLATE "C",
    lane         text NOT NULL DEFAULT 'live' CHECK (lane IN ('live', 'bulk')),
    capacity     int NOT NULL,
    in_flight    int NOT NULL DEFAULT 0,
    build        text NOT NULL COLLATE "C",   -- the platform's version
    schema_number int NOT NULL,               -- newest migration that this build knows
    pid          int NOT NULL,
    draining     boolean NOT NULL DEFAULT false,
    started_at   timestamptz NOT NULL DEFAULT now(),
    heartbeat_at timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX worker_instance_release ON worker_instance (release_id, lane);

CREATE TABLE push_instance (
    id           uuid PRIMARY KEY,
    address      text NOT NULL,
    build        text NOT NULL COLLATE "C",
    schema_number int NOT NULL,
    draining     boolean NOT NULL DEFAULT false,
    started_at   timestamptz NOT NULL DEFAULT now(),
    heartbeat_at timestamptz NOT NULL DEFAULT now()
);

CREATE TABLE integration (
    id         uuid PRIMARY KEY DEFAULT gen_random_uuid(),
    code       text NOT NULL UNIQUE COLLATE "C",  -- the source code that its rows carry
    name       text NOT NULL,
    event_id   uuid REFERENCES competition (id),
    mappings   jsonb NOT NULL DEFAULT '{}',       -- command code → column mapping
    created_at timestamptz NOT NULL DEFAULT now()
);

CREATE TABLE actor_token (
    jti        text PRIMARY KEY COLLATE "C",
    sub        text NOT NULL COLLATE "C",
    name       text NOT NULL,
    kind       text NOT NULL CHECK (kind IN ('person', 'integration')),
    roles      text[] NOT NULL,
    source     text COLLATE "C",
    issued_by  text NOT NULL,
    issued_at  timestamptz NOT NULL DEFAULT now(),
    expires_at timestamptz NOT NULL,
    revoked_at timestamptz
);
CREATE INDEX actor_token_revoked ON actor_token (revoked_at) WHERE revoked_at IS NOT NULL;
