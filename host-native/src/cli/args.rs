//! What can be typed.

use std::path::PathBuf;

use clap::{Args, Parser, Subcommand, ValueEnum};

use crate::{embed::EmbedderChoice, rerank::RerankerChoice};

const ABOUT: &str = "\
Long-term memory for AI agents that fades unless it is used.

What you store becomes a graph of memories. What is recalled stays strong; what isn't sinks, is
archived, and leaves only when a human agrees. Everything stays on this computer, in one file.";

const EXAMPLES: &str = "\
Start here:
  ebbtrace demo                                            the whole story in a minute
  ebbtrace remember \"We deploy on Fridays, never later than noon\"
  ebbtrace recall \"when do we deploy?\"                     what is found is kept fresh
  ebbtrace maintain && ebbtrace review                     what faded, and what you may let go
  claude mcp add -s user ebbtrace -- ebbtrace mcp          give it to an agent

More:
  ebbtrace remember --kind decision --id decision:db --importance 0.9 \"We use PostgreSQL\"
  ebbtrace connect decision:db decision:pricing --relation cheaper-with
  ebbtrace recall \"which database do we use?\" --explain --json
  ebbtrace stats --now +90d                                what will have faded in 90 days?
  ebbtrace import ~/notes                                  a folder of Markdown, linked
  ebbtrace export -o backup.jsonl && ebbtrace import backup.jsonl
  ebbtrace reembed --embedder minilm                       vectors of a transformer, for everything

Nothing is deleted before you approve it in `ebbtrace review`. `ebbtrace help VERB` tells more.
Exit codes: 0 done, 1 refused, 2 wrong usage.";

/// The command line.
#[derive(Debug, Parser)]
#[command(name = "ebbtrace", version, about = ABOUT, after_help = EXAMPLES)]
pub(crate) struct Cli {
    /// What holds for every verb.
    #[command(flatten)]
    pub(crate) global: Global,
    /// What to do.
    #[command(subcommand)]
    pub(crate) verb: Option<Verb>,
}

/// What holds for every verb.
#[derive(Args, Clone, Debug)]
#[command(next_help_heading = "Options for every verb")]
pub(crate) struct Global {
    /// The store's file [default: in the data folder] [env: EBBTRACE_DB]
    #[arg(long, global = true, value_name = "PATH")]
    pub(crate) db: Option<PathBuf>,
    /// sqlite (a file) or memory (gone at the end)
    #[arg(long, global = true, value_enum, default_value_t, env = "EBBTRACE_STORE", hide_env_values = true)]
    #[arg(hide_possible_values = true, hide_default_value = true)]
    pub(crate) store: StoreKind,
    /// Whose memory it is [default: default] [env: EBBTRACE_SCOPE]
    #[arg(long, global = true, value_name = "SCOPE")]
    pub(crate) scope: Option<String>,
    /// Your name as an author: who 'I' is in a query [env: EBBTRACE_ME]
    #[arg(long, global = true, value_name = "NAME")]
    pub(crate) me: Option<String>,
    /// Print exactly one JSON object
    #[arg(long, global = true)]
    pub(crate) json: bool,
    /// The time to assume: 2027-01-31, 2027-01-31T09:00:00Z, +90d, -2h
    #[arg(long, global = true, value_name = "TIME", allow_hyphen_values = true)]
    pub(crate) now: Option<String>,
    /// What compares meanings: static, none, minilm, OWNER/NAME, ./FOLDER
    #[arg(long, global = true, default_value_t, env = "EBBTRACE_EMBEDDER", hide_env = true)]
    #[arg(hide_default_value = true, value_name = "MODEL")]
    pub(crate) embedder: EmbedderChoice,
    /// What looks again at the best 50: none, late, OWNER/NAME, ./FOLDER
    #[arg(long, global = true, default_value_t, env = "EBBTRACE_RERANKER", hide_env = true)]
    #[arg(hide_default_value = true, value_name = "MODEL")]
    pub(crate) reranker: RerankerChoice,
    /// How long that may take; then the order stands
    #[arg(long, global = true, value_name = "MS", default_value_t = 2_000)]
    pub(crate) reranker_timeout_ms: u64,
    /// Store keys, tokens and passwords as they come [env: EBBTRACE_ALLOW_SECRETS]
    #[arg(long, global = true, env = "EBBTRACE_ALLOW_SECRETS", hide_env = true)]
    #[arg(value_parser = clap::builder::FalseyValueParser::new())]
    pub(crate) allow_secrets: bool,
}

/// Where memories are kept.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum StoreKind {
    /// One SQLite file, shared by any number of processes.
    #[default]
    Sqlite,
    /// In this process; gone when it ends.
    Memory,
}

/// The verbs.
#[derive(Debug, Subcommand)]
pub(crate) enum Verb {
    /// Tell the whole story on a throw-away store, in a minute
    Demo,
    /// Serve an agent over stdin and stdout (Model Context Protocol)
    Mcp(Mcp),
    /// What works with the store.
    #[command(flatten)]
    Store(Box<StoreVerb>),
}

/// The verbs that work with the store.
#[derive(Debug, Subcommand)]
pub(crate) enum StoreVerb {
    /// Store a memory; what is known already is strengthened, what contradicts replaces
    Remember(Remember),
    /// Find memories, best first; what is found is kept fresh
    Recall(Recall),
    /// Edit a memory; its earlier text is kept
    Update(Update),
    /// Link two memories, or refresh their link
    Connect(Connect),
    /// Reset a memory's clock by hand
    Reinforce(Named),
    /// Archive a memory; nothing is deleted
    Forget(Forget),
    /// Show what is linked to a memory, nearest first
    Neighbors(Neighbors),
    /// Keep a memory hot for ever, or let it fade again with --off
    Pin(Pin),
    /// Tell when a memory reaches each tier if it isn't used
    Forecast(Named),
    /// Move memories between tiers and propose what you may let go
    Maintain(Maintain),
    /// Go through what maintenance proposes, and decide
    Review(Review),
    /// Show the figures of a scope
    Stats(Stats),
    /// Take in JSON Lines, or Markdown files and folders
    Import(Import),
    /// Write every record as JSON Lines
    Export(Export),
    /// Give every memory the vector of the embedder in use
    Reembed(Reembed),
}

/// `remember`
#[derive(Args, Debug)]
pub(crate) struct Remember {
    /// What to remember; `-` reads it from stdin
    pub(crate) text: String,
    /// A lower-case label: note, decision, person ... [default: note]
    #[arg(long)]
    pub(crate) kind: Option<String>,
    /// strategy, fact, assumption, or failure (fades fastest) [default: fact]
    #[arg(long)]
    pub(crate) category: Option<String>,
    /// Where its strength starts, how slowly it fades [default: 0.5]
    #[arg(long, value_name = "0..1", allow_negative_numbers = true)]
    pub(crate) importance: Option<f64>,
    /// Your own key; one that exists is edited [default: a ULID]
    #[arg(long)]
    pub(crate) id: Option<String>,
    /// Who said or wrote it
    #[arg(long, value_name = "NAME")]
    pub(crate) author: Option<String>,
    /// A label to filter by; may be given again
    #[arg(long = "tag", value_name = "TAG")]
    pub(crate) tags: Vec<String>,
    /// A JSON object of your own
    #[arg(long, value_name = "JSON")]
    pub(crate) metadata: Option<String>,
    /// The session it was said in; linked to the memory before in that session
    #[arg(long)]
    pub(crate) session: Option<String>,
    /// When it happened or was said [default: now]
    #[arg(long, value_name = "TIME", allow_hyphen_values = true)]
    pub(crate) occurred_at: Option<String>,
    /// A link: ID, ID:RELATION or ID:RELATION:WEIGHT; may be given again
    #[arg(long = "link", value_name = "LINK")]
    pub(crate) links: Vec<String>,
    /// Keep it hot for ever
    #[arg(long)]
    pub(crate) pin: bool,
}

/// `recall`
#[derive(Args, Debug)]
pub(crate) struct Recall {
    /// What you look for, in words
    pub(crate) query: String,
    /// How many at most [default: 5]
    #[arg(short = 'k', value_name = "N", allow_negative_numbers = true)]
    pub(crate) k: Option<i64>,
    /// The deepest tier to look in: hot, warm, cold, frozen
    #[arg(long, value_name = "TIER")]
    pub(crate) depth: Option<String>,
    /// Only this kind; may be given again
    #[arg(long = "kind", value_name = "KIND")]
    pub(crate) kinds: Vec<String>,
    /// Only what has this tag; may be given again, then all are needed
    #[arg(long = "tag", value_name = "TAG")]
    pub(crate) tags: Vec<String>,
    /// The lowest score to show, 0 to 1
    #[arg(long, value_name = "0..1", allow_negative_numbers = true)]
    pub(crate) min_score: Option<f64>,
    /// As the memory stood at this time
    #[arg(long, value_name = "TIME", allow_hyphen_values = true)]
    pub(crate) as_of: Option<String>,
    /// How scores are put together: fused or engram
    #[arg(long, value_enum, default_value_t, hide_possible_values = true, value_name = "NAME")]
    pub(crate) profile: ProfileKind,
    /// Show every part of the scores, the matched words and the paths
    #[arg(long)]
    pub(crate) explain: bool,
    /// Only look: leave every clock as it is, as with a --now that is ahead
    #[arg(long)]
    pub(crate) peek: bool,
}

/// How scores are put together.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum ProfileKind {
    /// The parts that measured best; fading is a small prior.
    #[default]
    Fused,
    /// 0.4 lexical + 0.6 similarity x strength + graph.
    Engram,
}

/// `update`
#[derive(Args, Debug)]
pub(crate) struct Update {
    /// The memory
    pub(crate) id: String,
    /// Its new text; `-` reads it from stdin
    #[arg(long, value_name = "TEXT", allow_hyphen_values = true)]
    pub(crate) content: Option<String>,
    /// 0 to 1
    #[arg(long, value_name = "0..1", allow_negative_numbers = true)]
    pub(crate) importance: Option<f64>,
    /// All its tags from now on; may be given again
    #[arg(long = "tag", value_name = "TAG", conflicts_with = "clear_tags")]
    pub(crate) tags: Vec<String>,
    /// No tags from now on
    #[arg(long)]
    pub(crate) clear_tags: bool,
    /// All its metadata from now on, a JSON object
    #[arg(long, value_name = "JSON")]
    pub(crate) metadata: Option<String>,
    /// Refuse if the memory is no longer at this version
    #[arg(long, value_name = "N")]
    pub(crate) if_version: Option<u32>,
}

/// `connect`
#[derive(Args, Debug)]
pub(crate) struct Connect {
    /// Where the link starts
    pub(crate) from: String,
    /// Where it ends
    pub(crate) to: String,
    /// What it says, a lower-case label [default: related]
    #[arg(long)]
    pub(crate) relation: Option<String>,
    /// Above 0, at most 10 [default: 1]
    #[arg(long, allow_negative_numbers = true)]
    pub(crate) weight: Option<f64>,
}

/// A verb that names one memory.
#[derive(Args, Debug)]
pub(crate) struct Named {
    /// The memory
    pub(crate) id: String,
}

/// `forget`
#[derive(Args, Debug)]
pub(crate) struct Forget {
    /// The memory
    pub(crate) id: String,
    /// Why, for later
    #[arg(long, value_name = "TEXT")]
    pub(crate) reason: Option<String>,
}

/// `neighbors`
#[derive(Args, Debug)]
pub(crate) struct Neighbors {
    /// The memory to start from
    pub(crate) id: String,
    /// Steps at most [default: 1]
    #[arg(long, value_name = "N", allow_negative_numbers = true)]
    pub(crate) depth: Option<i64>,
    /// How many at most [default: 20]
    #[arg(long, value_name = "N", allow_negative_numbers = true)]
    pub(crate) limit: Option<i64>,
    /// Where the page before ended
    #[arg(long)]
    pub(crate) cursor: Option<String>,
}

/// `pin`
#[derive(Args, Debug)]
pub(crate) struct Pin {
    /// The memory
    pub(crate) id: String,
    /// Let it fade again
    #[arg(long)]
    pub(crate) off: bool,
}

/// `maintain`
#[derive(Args, Debug)]
pub(crate) struct Maintain {
    /// Only say what would be done
    #[arg(long)]
    pub(crate) dry_run: bool,
}

/// `review`
#[derive(Args, Debug)]
pub(crate) struct Review {
    /// What you decide; without it, the list, or at a terminal one proposal after the other
    #[command(subcommand)]
    pub(crate) decide: Option<Decide>,
    /// Show the list, also at a terminal
    #[arg(long)]
    pub(crate) list: bool,
    /// How many at most [default: 20]
    #[arg(long, value_name = "N", allow_negative_numbers = true)]
    pub(crate) limit: Option<i64>,
    /// Where the page before ended
    #[arg(long)]
    pub(crate) cursor: Option<String>,
}

/// A human's decision.
#[derive(Debug, Subcommand)]
pub(crate) enum Decide {
    /// Do what is proposed: at a terminal, after you typed yes
    Approve(Named),
    /// Keep the memory and reset its clock: at a terminal
    Reject(Named),
    /// Bring back an archived, superseded or proposed memory: at a terminal
    Restore(Named),
}

/// `stats`
#[derive(Args, Debug)]
pub(crate) struct Stats {
    /// Every scope
    #[arg(long)]
    pub(crate) all: bool,
}

/// `mcp`
#[derive(Args, Clone, Debug)]
pub(crate) struct Mcp {
    /// Refuse calls that name another scope than --scope
    #[arg(long)]
    pub(crate) fence: bool,
}

/// `import`
#[derive(Args, Debug)]
#[command(after_help = "\
An export of Ebbtrace is taken in as it is, all or nothing. Other JSON Lines hold a memory a line:
  {\"content\": \"We use PostgreSQL\", \"kind\": \"decision\", \"occurred_at\": \"2027-01-31\"}
They are checked to the last line before the first is stored. With --scope, a line that names
another scope refuses the whole; without it each line goes to the scope that it names.

Markdown: one memory a file, long files one a heading. Front matter (title, aliases, tags, kind or
type, category, importance, date) is read, [[wiki links]] and links to other files become links.
An id is the folder's name and the path in it; importing again updates what changed. The file's
time is the memory's clock, so what is old arrives archived; with --touch it arrives fresh.")]
pub(crate) struct Import {
    /// JSON Lines files (`-`: stdin), Markdown files, or folders of Markdown
    #[arg(required = true, value_name = "PATH")]
    pub(crate) paths: Vec<PathBuf>,
    /// Markdown: take it as used now, not when its file was last changed
    #[arg(long)]
    pub(crate) touch: bool,
    /// Markdown: what ids start with [default: the folder's name]
    #[arg(long, value_name = "NAME")]
    pub(crate) prefix: Option<String>,
}

/// `reembed`
#[derive(Args, Debug)]
#[command(after_help = "\
Of every scope, or of the one that --scope names. With --embedder static or none, which need no
stored vectors, those are dropped. Nothing else of a memory changes. It can be broken off at any
time, and goes on where it was when called again; others may write meanwhile.")]
pub(crate) struct Reembed {}

/// `export`
#[derive(Args, Debug)]
pub(crate) struct Export {
    /// Write this file, whole or not at all [default: stdout]
    #[arg(short, long, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,
}
