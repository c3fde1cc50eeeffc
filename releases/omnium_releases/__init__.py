"""Releases: artifacts, life cycle, readers of match files, the compatibility replay.

What the other services call (connections are asyncpg's, in no transaction; every refusal is
`omnium_store.errors.Refused` or `NotFound` with a stable reason and the way out in its message):

    artifacts.Wheel.read(source: Path | bytes, *, filename: str = "") -> Wheel
    artifacts.ReleaseFiles.of(flows: Wheel, contract: Wheel) -> ReleaseFiles
                        .version .code_sha .contract_sha .contract_version .folder_name
    artifacts.fetch(conn, version) -> StoredRelease      .id .version .status .files
    artifacts.unpack(files: ReleaseFiles, cache: Path) -> Path        verified at every call
    isolation.isolated_command(module, *args, cache: Path) -> list[str]
    isolation.isolated_environment(variables: Mapping[str, str] = {}, *, hash_seed="0") -> dict[str, str]
    isolation.check_isolated()                           first line of a release's process
    isolation.enter_release_folder(folder: Path)         before anything imports the contract
    isolation.check_loaded(folder: Path)                 after the registry is loaded
    gate.prove(folder: Path, *, cache: Path) -> Proof    .programs .problems
    registering.register(conn, *, flows: bytes, flows_name: str, contract: bytes, contract_name: str,
                         env: str, notes: str, who: str, cache: Path, environment: str,
                         by_another: bool = True, evidence: Evidence = Evidence(),
                         trace: Trace = Trace()) -> Registered
    replay_reports.report_of(text) -> ReplayReport       what `omnium replay --report json` wrote
    reporting.store(conn, version, report, *, who, trace) -> Reported; preview, reports, document
    approving.approve(conn, version, *, who, terms: Terms, trace) -> Approved; preview
    programs.install(conn, version, *, who, cache, trace) -> Installed
    listing.list_releases(conn) -> list[ReleaseRow]; listing.show(conn, version) -> ReleaseCard
    pins.pins(conn, version) -> Pins
    defaults.set_default(conn, version, *, sport, competition, from_at, who, trace) -> list[DefaultSet]
    defaults.preview(conn, version, *, sport, competition, from_at) -> list[DefaultSet]
    explanations.explain(conn, *, sport, competition, at) -> Explanation
    retiring.retire(conn, version, *, who, reason, trace) -> Retired
    retiring.preview(conn, version) -> Retired
    needs.needs(conn, *, within: timedelta) -> Needs     which releases upcoming fixtures need
    needs.stranded(conn, why: dict[UUID, str]) -> list[StrandedFixture]
    comparisons.compare(conn, old, new) -> Comparison    components, inputs, files, declared changes
    audit.entries(conn, version: str | None = None, *, limit: int = 100) -> list[AuditEntry]
    documents.document(value) -> Any                     any of these values as camelCase JSON data

`env` is what the release is registered for: `proven`, `staging` or `prod`. `environment` is where this
database stands: `local`, `staging` or `prod`. `audit.Trace(request_id, build, sub)` says which request asked,
from which commit and CI run, and who that is.
"""
