//! The MCP server: the memory as tools, over stdin and stdout, for clients of both protocol eras (2025-11-25, which
//! begin with `initialize`, and 2026-07-28, which ask `server/discover` and say who they are in each request).
//!
//! What a client can rely on:
//! - every byte on stdout is protocol; logs and panics go to stderr;
//! - the greeting and the list of tools never wait for the store, which opens meanwhile; a store that would not open
//!   is tried again at each call, and the call says what is wrong; nor do they wait for a model, which is loaded at the
//!   first call that needs it;
//! - what is no message is answered as JSON-RPC says, and ends nothing;
//! - calls are done one after the other, in the order of their arrival; a call that panics is an error of that call;
//! - an answer is acknowledged only once it is committed, and the process ends within a second of its input.

mod answer;
mod approval;
mod arguments;
mod calls;
mod engram;
mod fitting;
mod gate;
mod ident;
mod input;
mod instructions;
mod outcomes;
mod refusal;
mod reply;
mod schema;
mod server;
mod state;
pub(crate) mod text;
mod times;
mod tools;
mod transport;
mod views;
mod worker;

use std::{
    io::{self, IsTerminal, Read, Write},
    sync::Arc,
    time::{Duration, Instant},
};

use ebbtrace_core::Scope;
use tokio::sync::watch;
use tracing::Level;
use tracing_subscriber::{
    EnvFilter,
    filter::{LevelFilter, filter_fn},
    fmt,
    layer::SubscriberExt,
    util::SubscriberInitExt,
};

pub use tools::ToolSet;

use crate::{service::Service, store::StoreError};

/// What a user may set.
#[derive(Clone, Debug)]
pub struct McpOptions {
    /// The scope of calls that name none; `None`: the core's default.
    pub default_scope: Option<String>,
    /// Whether calls that name another scope than that one are refused. Default false.
    pub fence: bool,
    /// Which tools there are. Default all of Ebbtrace's own.
    pub tools: ToolSet,
    /// The most characters of an answer, of its text and of its structured content alike. Default 20,000.
    pub answer_characters: usize,
    /// How long calls that run at the end of input have to finish. Default 700 ms: with the time that it takes to end
    /// a process, less than a second.
    pub grace: Duration,
    /// How long a human has to answer a question that a client of the era 2025-11-25 shows. Default 5 minutes.
    pub ask_timeout: Duration,
    /// How long the question of a call of the era 2026-07-28 can be answered. Default 10 minutes.
    pub state_lifetime: Duration,
    /// How often each scope is maintained in the background, between calls; `None`: never. Default 12 hours. Of several
    /// servers on one store, one does it.
    pub maintenance: Option<Duration>,
}

impl Default for McpOptions {
    fn default() -> Self {
        Self {
            default_scope: None,
            fence: false,
            tools: ToolSet::default(),
            answer_characters: 20_000,
            grace: Duration::from_millis(700),
            ask_timeout: Duration::from_secs(5 * 60),
            state_lifetime: Duration::from_secs(10 * 60),
            maintenance: Some(Duration::from_secs(12 * 60 * 60)),
        }
    }
}

/// Serves one client over stdin and stdout until the input ends; returns the process's exit code: 0, or 2 where an
/// option is wrong, which is said on stderr.
///
/// `open` is called at once, on a thread of its own, again at a later call if it failed, and for each maintenance in the
/// background: that has an engine of its own over the same store. It must write nothing to stdout.
pub fn run(open: impl Fn() -> Result<Service, StoreError> + Send + Sync + 'static, options: McpOptions) -> u8 {
    log_to_stderr();
    report_panics();
    if let Some(Err(error)) = options.default_scope.as_deref().map(|scope| Scope::parse("scope", scope)) {
        // A closed stderr changes nothing about the exit code.
        let _ = writeln!(io::stderr(), "ebbtrace: {error}. {}", error.next_step());
        return 2;
    }
    if io::stdin().is_terminal() {
        let _ = writeln!(
            io::stderr(),
            "ebbtrace mcp is what an MCP client starts, and talks to over stdin; nobody speaks its language by hand. To set a \
             client up: ebbtrace setup --help\nIt waits for a client now. Ctrl-D or Ctrl-C ends it."
        );
    }
    serve(open, options, io::stdin(), io::stdout())
}

/// As [`run`], over any pair of streams; sets up neither logs nor a panic hook.
pub fn serve(
    open: impl Fn() -> Result<Service, StoreError> + Send + Sync + 'static,
    options: McpOptions,
    input: impl Read + Send + 'static,
    output: impl Write + Send + 'static,
) -> u8 {
    let fenced = options.fence.then(|| options.default_scope.clone().unwrap_or_else(|| Scope::default().to_string()));
    let upkeep = options.maintenance.map(|every| worker::Upkeep::new(every, fenced));
    let (worker, ending) = worker::Worker::start(Arc::new(open), upkeep);
    // One thread, so that requests reach the worker in the order of their lines; nothing on it blocks.
    let runtime = tokio::runtime::Builder::new_current_thread().enable_time().build();
    let runtime = match runtime {
        Ok(runtime) => runtime,
        Err(error) => {
            tracing::error!(%error, "the server could not start");
            return 1;
        }
    };
    let grace = options.grace;
    let (lines, out, end) = transport::Lines::over(input, output);
    let server = server::MemoryServer::new(worker, options, end.clone());
    let deadline = runtime.block_on(session(server, grace, lines, out, end));
    runtime.shutdown_background();
    ending.wait(deadline.saturating_duration_since(Instant::now()));
    0
}

/// One client's session, to its end; returns the instant by which the process has to be gone.
async fn session(
    server: server::MemoryServer,
    grace: Duration,
    lines: transport::Lines,
    out: transport::Out,
    mut end: watch::Receiver<bool>,
) -> Instant {
    let over = async {
        match rmcp::serve_server(server, lines).await {
            Ok(running) => match running.waiting().await {
                Ok(reason) => tracing::debug!(?reason, "the session ended"),
                Err(error) => tracing::error!(%error, "the session failed"),
            },
            Err(error) => tracing::debug!(%error, "the input ended before a session began"),
        }
        if let Err(error) = out.drain().await {
            tracing::debug!(%error, "the output is closed");
        }
    };
    let deadline = async {
        // An error says that both streams are gone, which is an end as well.
        let _ = end.wait_for(|ended| *ended).await;
        let deadline = Instant::now() + grace;
        tokio::time::sleep(grace).await;
        deadline
    };
    tokio::select! {
        () = over => Instant::now() + grace / 2,
        deadline = deadline => deadline,
    }
}

/// What is logged where `RUST_LOG` asks for nothing. The protocol library warns of each error that a client is
/// answered with, such as that of an unknown tool: the client knows, and nothing is wrong with the server.
const LOGGED: &str = "warn,rmcp::service=error";

/// Logs what `RUST_LOG` asks for, by default warnings, to stderr. The protocol library logs whole messages below
/// `info`, and at `info` what a client says of itself; those are never logged, so that neither what is stored nor a key that
/// someone took for a name reaches a log.
fn log_to_stderr() {
    let asked = std::env::var(EnvFilter::DEFAULT_ENV).ok().filter(|asked| !asked.trim().is_empty());
    let asked = EnvFilter::builder()
        .with_default_directive(LevelFilter::WARN.into())
        .parse_lossy(asked.as_deref().unwrap_or(LOGGED));
    let discreet = filter_fn(|metadata| !metadata.target().starts_with("rmcp") || *metadata.level() <= Level::WARN);
    let to_stderr = fmt::layer().with_writer(io::stderr).with_ansi(false);
    // Where a subscriber is set already, that one stays.
    let _ = tracing_subscriber::registry().with(asked).with(discreet).with(to_stderr).try_init();
}

/// Panics are told on stderr by their place alone: their message may quote what is stored.
fn report_panics() {
    std::panic::set_hook(Box::new(|panic| {
        let place = panic.location().map(ToString::to_string).unwrap_or_default();
        // A closed stderr is no reason to stop.
        let _ = writeln!(io::stderr(), "ebbtrace: a defect at {place}; the call it happened in has failed");
    }));
}
