//! What can be typed.

use std::path::PathBuf;

use clap::{Args, Parser, Subcommand, ValueEnum};

use crate::{embed::EmbedderChoice, rerank::RerankerChoice, store::StoreKind};

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
  ebbtrace forecast --within 30                            what sinks soon if it isn't used
  ebbtrace history decision:db                             what it said before
  ebbtrace undo --session chat-12                          take back what one session wrote
  ebbtrace import ~/notes                                  a folder of Markdown, linked
  ebbtrace export -o backup.jsonl && ebbtrace import backup.jsonl
  ebbtrace reembed --embedder minilm                       vectors of a transformer, for everything

Nothing is deleted before you approve it in `ebbtrace review`, or ask for it with `ebbtrace purge`.
`ebbtrace help VERB` tells more.
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
    /// sqlite, kuzu, neo4j, memory (kept nowhere)
    #[arg(long, global = true, value_enum, default_value_t, env = "EBBTRACE_STORE", hide_env_values = true)]
    #[arg(hide_possible_values = true, hide_default_value = true)]
    pub(crate) store: StoreKind,
    /// Neo4j: above so many memories, search there [default: 100000]
    #[arg(long, global = true, value_name = "N", env = "EBBTRACE_RESIDENT_LIMIT", hide_env = true)]
    pub(crate) resident_limit: Option<usize>,
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
    /// Rereads the best 50: none, late (on minilm), OWNER/NAME, ./FOLDER
    #[arg(long, global = true, default_value_t, env = "EBBTRACE_RERANKER", hide_env = true)]
    #[arg(hide_default_value = true, value_name = "MODEL")]
    pub(crate) reranker: RerankerChoice,
    /// How long that may take; then the order stands
    #[arg(long, global = true, value_name = "MS", default_value_t = 2_000)]
    pub(crate) reranker_timeout_ms: u64,
    /// Store secrets as they come [env: EBBTRACE_ALLOW_SECRETS]
    #[arg(long, global = true, env = "EBBTRACE_ALLOW_SECRETS", hide_env = true)]
    #[arg(value_parser = clap::builder::FalseyValueParser::new())]
    pub(crate) allow_secrets: bool,
}

/// The verbs.
#[derive(Debug, Subcommand)]
pub(crate) enum Verb {
    /// Tell the whole story on a throw-away store, in a minute
    Demo,
    /// Serve an agent over stdin and stdout (Model Context Protocol)
    Mcp(Mcp),
    /// Write into a client's configuration how it starts the server, and its hooks
    Setup(super::setup::Setup),
    /// Look at the installation: what is wrong, and how to mend it
    Doctor,
    /// What an agent's client runs at the turns of a session
    Hook(super::hook::Hook),
    /// Ask a store that is a graph database (kuzu, neo4j) in Cypher, reading only
    Cypher(Cypher),
    /// Copy everything from one kind of store to another
    Copy(Copy),
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
    /// Record what failed, and later what mended it
    TrackFailure(TrackFailure),
    /// Record where a feature stands
    TrackProgress(TrackProgress),
    /// Store where a session leaves off, for the next
    Handoff(Handoff),
    /// Show what the next session starts from; reading changes nothing
    Resume(Resume),
    /// Tell when a memory, or what of a scope, sinks to the next tiers if unused
    Forecast(Forecast),
    /// Show what a memory said before, and what took its place
    History(Named),
    /// Move memories between tiers and propose what you may let go
    Maintain(Maintain),
    /// Go through what maintenance proposes, and decide
    Review(Review),
    /// Take back what one session wrote, or list the sessions; nothing is deleted
    Undo(Undo),
    /// Show what was done to the store, when and by whom
    Journal(Journal),
    /// Remove memories for good, with every trace, and print a receipt
    Purge(Purge),
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
    #[arg(required = true, value_name = "TEXT")]
    pub(crate) text: Vec<String>,
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
    #[arg(required = true, value_name = "QUERY")]
    pub(crate) query: Vec<String>,
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
    /// The session it is edited in: what `undo` goes by
    #[arg(long)]
    pub(crate) session: Option<String>,
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

/// `track-failure`
#[derive(Args, Debug)]
pub(crate) struct TrackFailure {
    /// The message, or what was seen; `-` reads it from stdin
    #[arg(required = true, value_name = "ERROR")]
    pub(crate) error: Vec<String>,
    /// The part that failed: auth, ci ...
    #[arg(long)]
    pub(crate) component: String,
    /// critical, major or minor [default: major]
    #[arg(long)]
    pub(crate) severity: Option<String>,
    /// Why it failed
    #[arg(long, value_name = "TEXT")]
    pub(crate) root_cause: Option<String>,
    /// What mended it
    #[arg(long, value_name = "TEXT")]
    pub(crate) fix: Option<String>,
    /// A test that shows it; may be given again
    #[arg(long = "test", value_name = "NAME")]
    pub(crate) tests: Vec<String>,
    /// The session it was seen in
    #[arg(long)]
    pub(crate) session: Option<String>,
}

/// `track-progress`
#[derive(Args, Debug)]
pub(crate) struct TrackProgress {
    /// The feature's name
    #[arg(required = true, value_name = "FEATURE")]
    pub(crate) feature: Vec<String>,
    /// planning, in_progress, blocked, review or done
    #[arg(long)]
    pub(crate) status: String,
    /// Percent [default: as it was]
    #[arg(long, value_name = "0..100", allow_negative_numbers = true)]
    pub(crate) completion: Option<f64>,
    /// What is in the way; may be given again
    #[arg(long = "blocker", value_name = "TEXT")]
    pub(crate) blockers: Vec<String>,
    /// How good it is [default: as it was]
    #[arg(long, value_name = "0..1", allow_negative_numbers = true)]
    pub(crate) quality_score: Option<f64>,
    /// Anything else
    #[arg(long, value_name = "TEXT")]
    pub(crate) notes: Option<String>,
    /// The session that tells it
    #[arg(long)]
    pub(crate) session: Option<String>,
}

/// `handoff`
#[derive(Args, Debug)]
pub(crate) struct Handoff {
    /// The session in a paragraph; `-` reads it from stdin
    #[arg(required = true, value_name = "SUMMARY")]
    pub(crate) summary: Vec<String>,
    /// What was finished; may be given again
    #[arg(long = "completed", value_name = "TEXT")]
    pub(crate) completed: Vec<String>,
    /// What was begun; may be given again
    #[arg(long = "in-progress", value_name = "TEXT")]
    pub(crate) in_progress: Vec<String>,
    /// What is stuck, and on what; may be given again
    #[arg(long = "blocked", value_name = "TEXT")]
    pub(crate) blocked: Vec<String>,
    /// What to do next; may be given again
    #[arg(long = "next", value_name = "TEXT")]
    pub(crate) next_steps: Vec<String>,
    /// The session that ends
    #[arg(long)]
    pub(crate) session: Option<String>,
}

/// `resume`
#[derive(Args, Debug)]
pub(crate) struct Resume {
    /// Characters at most, 200 to 20000 [default: 2000]
    #[arg(long, value_name = "N", allow_negative_numbers = true)]
    pub(crate) budget: Option<i64>,
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
    #[command(alias = "reject")]
    Keep(Named),
    /// Keep the memory hot for ever: at a terminal
    Pin(Named),
    /// Bring back an archived, superseded or proposed memory: at a terminal
    Restore(Named),
}

/// How far `forecast` looks where it is not told, in days.
pub(crate) const WITHIN_DAYS: f64 = 30.0;

/// `forecast`
#[derive(Args, Debug)]
pub(crate) struct Forecast {
    /// The memory; without it, what of the scope is archived or proposed, soonest first
    #[arg(conflicts_with_all = ["within", "limit"])]
    pub(crate) id: Option<String>,
    /// How many days to look ahead [default: 30]
    #[arg(long, value_name = "DAYS", allow_negative_numbers = true)]
    pub(crate) within: Option<f64>,
    /// How many at most [default: 20]
    #[arg(long, value_name = "N", allow_negative_numbers = true)]
    pub(crate) limit: Option<i64>,
}

/// `undo`
#[derive(Args, Debug)]
#[command(after_help = "\
What the session stored is put away, or stands behind what it had replaced, which holds again;
what it edited says again what it said before. What others have edited, said again or replaced
since is kept and named. It goes by the session that remember and update were given: a recall, a
pin, a link made by hand, an edit of labels alone leave none, and stay. An undo can't be undone
as a whole; `ebbtrace review restore ID` brings a memory back.")]
pub(crate) struct Undo {
    /// The session; without it, the sessions that there are, the latest first
    #[arg(long)]
    pub(crate) session: Option<String>,
    /// Only say what would be done
    #[arg(long, requires = "session")]
    pub(crate) dry_run: bool,
    /// Do not ask: for scripts
    #[arg(long, requires = "session")]
    pub(crate) yes: bool,
    /// How many sessions to list at most
    #[arg(long, value_name = "N", conflicts_with = "session", allow_negative_numbers = true)]
    pub(crate) limit: Option<i64>,
    /// What the list before gave, for what follows
    #[arg(long, conflicts_with = "session")]
    pub(crate) cursor: Option<String>,
}

/// `journal`
#[derive(Args, Debug)]
#[command(after_help = "\
Each line is one commit. It names memories and whoever wrote them, and holds no text; of a memory
that was deleted for good it keeps not even the name. With --scope it shows that scope alone, and
what deleted or changed so much that nothing more is kept of it.")]
pub(crate) struct Journal {
    /// How many entries, the newest [default: 20]
    #[arg(long, value_name = "N", allow_negative_numbers = true)]
    pub(crate) last: Option<i64>,
}

/// `purge`
#[derive(Args, Debug)]
#[command(after_help = "\
It goes from records, indexes, links, proposals and the journal, and from the unused parts of the
store's files, with its earlier texts. The receipt says where it was and holds the SHA-256 of
each text, not the text. What it had replaced was a memory of its own and stays, put away. What
was merged with it, or contains its text, is named and stays too, unless you add --with-merged.
Exports that you made, and other scopes, are yours to look after.")]
pub(crate) struct Purge {
    /// The memories; one that is unknown refuses the whole
    #[arg(required = true, value_name = "ID")]
    pub(crate) ids: Vec<String>,
    /// Also what was merged with them, or contains their text
    #[arg(long)]
    pub(crate) with_merged: bool,
    /// Only say what would go
    #[arg(long)]
    pub(crate) dry_run: bool,
    /// Do not ask: for scripts
    #[arg(long)]
    pub(crate) yes: bool,
}

/// `cypher`
#[derive(Args, Debug)]
#[command(after_help = "\
It runs on the graph itself, over every scope: nodes are (:Memory), links [:Link] with a relation.
  ebbtrace cypher --store kuzu \"MATCH (m:Memory) WHERE m.pinned RETURN m.id, m.content\"
  ebbtrace cypher --store neo4j \"MATCH (a:Memory)-[l:Link]->(b) RETURN a.id, l.relation, b.id\"
Whatever would write is refused.")]
pub(crate) struct Cypher {
    /// The question
    #[arg(required = true, value_name = "CYPHER")]
    pub(crate) query: Vec<String>,
}

/// `copy`
#[derive(Args, Debug)]
#[command(after_help = "\
A store is sqlite:PATH, kuzu:PATH or neo4j:URI (user, password, database as EBBTRACE_NEO4J_... say);
without PATH or URI it is the usual one. Everything is copied: every scope, every version, links
and proposals, but not the log of what was done. Broken off, it goes on when called again.
  ebbtrace copy --from sqlite --to neo4j:bolt://localhost:7687")]
pub(crate) struct Copy {
    /// The store that is read
    #[arg(long, value_name = "STORE")]
    pub(crate) from: String,
    /// The store that is written: empty, or begun by an earlier copy
    #[arg(long, value_name = "STORE")]
    pub(crate) to: String,
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
    /// Which tools: all, core (six), engram (the older system's) [default: all]
    #[arg(long, value_enum, default_value_t, value_name = "SET", hide_possible_values = true)]
    #[arg(hide_default_value = true)]
    pub(crate) tools: ToolKind,
    /// Don't maintain the scopes in the background, which is done every 12 hours
    #[arg(long)]
    pub(crate) no_maintenance: bool,
    /// How often, instead
    #[arg(long, hide = true, value_name = "MS", value_parser = clap::value_parser!(u64).range(1..))]
    pub(crate) maintenance_every_ms: Option<u64>,
    /// How long a human has to answer a question through the client [default: 5 minutes]
    #[arg(long, hide = true, value_name = "MS")]
    pub(crate) ask_timeout_ms: Option<u64>,
    /// How long a question that a result of a call puts can be answered [default: 10 minutes]
    #[arg(long, hide = true, value_name = "MS")]
    pub(crate) state_lifetime_ms: Option<u64>,
}

/// Which tools a server has.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum ToolKind {
    /// All of Ebbtrace's own.
    #[default]
    All,
    /// recall, remember, update, forget, handoff, resume.
    Core,
    /// Those of the older system Engram.
    Engram,
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
