//! From the options to a memory that is open.

use std::{fs, io, path::PathBuf, sync::Arc, time::Duration};

use ebbtrace_core::{Scope, Timestamp};

use crate::{
    clock::{Clock, FixedClock, SystemClock},
    embed::{Embedder, EmbedderChoice},
    mcp::{self, McpOptions, ToolSet},
    rerank::Reranker,
    service::{Options, Service},
    store::{MemoryStore, Store, StoreError, default_path, log_bytes, open_store},
};

use super::{
    Call,
    args::{self, Global},
    failure::Failure,
    instant,
    screen::{Screen, complain},
};

/// Opens the memory that the options name. Where nothing is stored yet and the verb only `reads`, an empty one takes its
/// place: no file is made by looking.
pub(super) fn call(global: &Global, screen: Screen, reads: bool) -> Result<Call, Failure> {
    if !global.store.is_built() {
        return Err(StoreError::NotBuilt { kind: global.store }.into());
    }
    let fixed = fixed_now(global)?;
    let scope = scope(global);
    if let Some(scope) = &scope {
        Scope::parse("scope", scope)?;
    }
    let models = Models::new(global)?;
    let missing = if reads { missing(global)? } else { None };
    let store: Box<dyn Store> = if missing.is_some() { Box::new(MemoryStore::new()) } else { store(global)? };
    let service = service(global, fixed, &models, store)?;
    let now = fixed.unwrap_or_else(|| service.moment().now);
    let ahead = fixed.is_some_and(is_ahead);
    Ok(Call { service, scope, screen, now, ahead, models, missing })
}

/// The path that the options name as the store, where nothing is there. A log without its store is no such place: it may
/// hold memories.
fn missing(global: &Global) -> Result<Option<PathBuf>, Failure> {
    if !global.store.is_file() {
        return Ok(None);
    }
    let path = global.db.clone().map_or_else(|| default_path(global.store), Ok)?;
    let is_empty = match fs::metadata(&path) {
        Ok(found) => found.is_file() && found.len() == 0,
        Err(error) => error.kind() == io::ErrorKind::NotFound,
    };
    Ok((is_empty && log_bytes(&path) == 0).then(|| std::path::absolute(&path).unwrap_or(path)))
}

/// Whether a time is still to come by the system's clock. Clocks of two machines differ by seconds.
fn is_ahead(now: Timestamp) -> bool {
    now.0 > SystemClock.moment().now.0.saturating_add(60_000)
}

/// How far a time is ahead of the system's clock, in words.
pub(super) fn ahead_by(now: Timestamp) -> String {
    instant::span(now.days_since(SystemClock.moment().now))
}

/// An empty memory over `store` that decides as the one of `call` does, at the time of `call`.
pub(super) fn beside(call: &Call, store: MemoryStore) -> Result<Service, StoreError> {
    let clock = Box::new(FixedClock(call.now));
    Service::open(call.models.in_use(Options { clock, ..Options::new(Box::new(store)) }))
}

/// The time that `--now` says it is.
fn fixed_now(global: &Global) -> Result<Option<Timestamp>, Failure> {
    let system = SystemClock.moment().now;
    let parsed = global.now.as_deref().map(|text| instant::parse("now", text, system)).transpose();
    // An option of every verb: wrong is wrong usage, before anything is opened.
    parsed.map_err(|failure| Failure::Usage { field: Some("now".to_owned()), reason: failure.to_string() })
}

/// The time that it is, or that `--now` says.
///
/// # Errors
/// That `--now` is no time.
pub(super) fn now(global: &Global) -> Result<Timestamp, Failure> {
    Ok(fixed_now(global)?.unwrap_or_else(|| SystemClock.moment().now))
}

/// The scope that was asked for, by option or by environment.
pub(super) fn scope(global: &Global) -> Option<String> {
    global.scope.clone().or_else(|| std::env::var("EBBTRACE_SCOPE").ok().filter(|scope| !scope.is_empty()))
}

fn service(
    global: &Global,
    fixed: Option<Timestamp>,
    models: &Models,
    store: Box<dyn Store>,
) -> Result<Service, StoreError> {
    let clock: Box<dyn Clock> = match fixed {
        Some(now) => Box::new(FixedClock(now)),
        None => Box::new(SystemClock),
    };
    let owner = global.me.clone().or_else(|| std::env::var("EBBTRACE_ME").ok().filter(|me| !me.is_empty()));
    let ahead = fixed.filter(|now| is_ahead(*now)).map(ahead_by);
    Service::open(models.in_use(Options { clock, owner, ahead, ..Options::new(store) }))
}

/// What the options name to compare meanings by. Loaded once, at its first use, however many memories are opened.
#[derive(Clone)]
pub(super) struct Models {
    /// Whether the token table is in use.
    table: bool,
    /// Whether secrets are stored as they come.
    allow_secrets: bool,
    embedder: Option<Arc<dyn Embedder>>,
    reranker: Option<Arc<dyn Reranker>>,
    reranker_timeout: Duration,
}

impl Models {
    fn new(global: &Global) -> Result<Self, Failure> {
        let table = global.embedder != EmbedderChoice::None;
        let embedder = global.embedder.open()?;
        let reranker = global.reranker.open(embedder.as_ref())?;
        let allow_secrets = global.allow_secrets;
        Ok(Self {
            table,
            allow_secrets,
            embedder,
            reranker,
            reranker_timeout: Duration::from_millis(global.reranker_timeout_ms),
        })
    }

    fn in_use(&self, mut options: Options) -> Options {
        let Self { table, allow_secrets, embedder, reranker, reranker_timeout } = self.clone();
        options.config.privacy.redact = !allow_secrets;
        Options { model: options.model.filter(|_| table), embedder, reranker, reranker_timeout, ..options }
    }
}

/// The file that the options name as the store, where it is one.
pub(super) fn store_path(global: &Global) -> Option<PathBuf> {
    let path = || global.db.clone().or_else(|| default_path(global.store).ok());
    global.store.is_file().then(path).flatten()
}

fn store(global: &Global) -> Result<Box<dyn Store>, StoreError> {
    open_store(global.store, global.db.as_deref(), global.resident_limit)
}

/// Serves an agent over stdin and stdout until it hangs up; the exit code.
///
/// # Errors
/// That an option is wrong. Nothing was written to stdout, which is the protocol's.
pub(super) fn serve(global: &Global, args: &args::Mcp) -> Result<u8, Failure> {
    let now = fixed_now(global)?;
    if let Some(now) = now.filter(|now| is_ahead(*now)) {
        complain(&format!(
            "note: --now is {} ahead of the clock: what this server stores is dated then; a recall only looks, and nothing is \
             deleted\n",
            ahead_by(now)
        ));
    }
    let usual = McpOptions::default();
    let ms = |given: Option<u64>, usual: Duration| given.map_or(usual, Duration::from_millis);
    let every = args.maintenance_every_ms.map(Duration::from_millis).or(usual.maintenance);
    // By a clock that is ahead, everything would have faded.
    let maintains = !args.no_maintenance && !now.is_some_and(is_ahead);
    let options = McpOptions {
        ask_timeout: ms(args.ask_timeout_ms, usual.ask_timeout),
        state_lifetime: ms(args.state_lifetime_ms, usual.state_lifetime),
        maintenance: every.filter(|_| maintains),
        default_scope: scope(global),
        fence: args.fence,
        tools: match args.tools {
            args::ToolKind::All => ToolSet::All,
            args::ToolKind::Core => ToolSet::Core,
            args::ToolKind::Engram => ToolSet::Engram,
        },
        ..usual
    };
    let (global, models) = (global.clone(), Models::new(global)?);
    Ok(mcp::run(move || service(&global, now, &models, store(&global)?), options))
}
