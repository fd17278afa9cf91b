//! The tools: what they are called, what they say of themselves, and what each leads to.

use std::sync::Arc;

use rmcp::model::{Tool, ToolAnnotations};
use serde_json::{Map, Value};

use super::{
    answer::Answer,
    calls::{self, Call},
    engram, input,
    refusal::Refusal,
    schema, state,
};

/// One tool.
pub(super) struct Spec {
    pub(super) name: &'static str,
    title: &'static str,
    description: &'static str,
    hints: Hints,
    input: fn() -> Map<String, Value>,
    /// Carries a call out.
    pub(super) call: fn(Call<'_>) -> Result<Answer, Refusal>,
}

/// What a client may rely on: whether the tool only reads, whether it can destroy, whether doing it twice does no
/// more than once. None reaches outside the store, so all have a closed world.
#[derive(Clone, Copy)]
enum Hints {
    /// Changes nothing.
    Reads,
    /// Adds or keeps fresh; again adds again.
    Adds,
    /// Sets something that can be set back; again changes nothing more.
    Sets,
    /// Takes the place of something that is not kept.
    Overwrites,
}

impl Hints {
    fn annotations(self) -> ToolAnnotations {
        let (reads, destroys, same_twice) = match self {
            Self::Reads => (true, false, true),
            Self::Adds => (false, false, false),
            Self::Sets => (false, false, true),
            Self::Overwrites => (false, true, true),
        };
        ToolAnnotations::new().read_only(reads).destructive(destroys).idempotent(same_twice).open_world(false)
    }
}

/// Ebbtrace's own, in the order of their use. None leads to a deletion: that is a human's to decide, elsewhere.
static TOOLS: [Spec; 15] = [
    Spec {
        name: "remember",
        title: "Remember",
        description: "Store one fact, decision, preference, correction, failure or deadline for later conversations. \
                      What is known already is counted, not doubled; what contradicts an older memory replaces it, \
                      and the old one is kept. Answers which happened and why.",
        hints: Hints::Adds,
        input: schema::input::<input::Remember>,
        call: calls::remember,
    },
    Spec {
        name: "recall",
        title: "Recall",
        description: "Find memories by words, meaning and links. Use at the start of a task, before deciding, and \
                      when the user refers to the past. Says why each was found, and when nothing is known. What is \
                      recalled stays fresh. Query \"[read ID]\" returns one memory in full.",
        hints: Hints::Adds,
        input: schema::input::<input::Recall>,
        call: calls::recall,
    },
    Spec {
        name: "update",
        title: "Update a memory",
        description: "Correct a memory. An earlier text stays as superseded; tags and metadata are replaced as a \
                      whole. What is left out stays.",
        hints: Hints::Overwrites,
        input: schema::input::<input::Update>,
        call: calls::update,
    },
    Spec {
        name: "resume",
        title: "Resume the work",
        description: "What the last session handed over, open features, unresolved failures and the memories most in \
                      use. Use first in a session; reading consumes nothing.",
        hints: Hints::Reads,
        input: schema::input::<input::Resume>,
        call: state::resume,
    },
    Spec {
        name: "handoff",
        title: "Hand over to the next session",
        description: "Store where this session leaves off, for resume. The newest counts, for 30 days; earlier ones \
                      are kept.",
        hints: Hints::Sets,
        input: schema::input::<input::Handoff>,
        call: state::handoff,
    },
    Spec {
        name: "track_failure",
        title: "Track a failure",
        description: "Record what failed, and later its fix. The same failure again counts up, and tells what mended \
                      it before.",
        hints: Hints::Adds,
        input: schema::input::<input::TrackFailure>,
        call: state::track_failure,
    },
    Spec {
        name: "track_progress",
        title: "Track a feature",
        description: "Record where a feature stands; one current record each, its history kept.",
        hints: Hints::Sets,
        input: schema::input::<input::TrackProgress>,
        call: state::track_progress,
    },
    Spec {
        name: "connect",
        title: "Connect two memories",
        description: "Link two memories, so that recalling one leads to the other. Again resets the link's clock.",
        hints: Hints::Adds,
        input: schema::input::<input::Connect>,
        call: calls::connect,
    },
    Spec {
        name: "reinforce",
        title: "Reinforce a memory",
        description: "Mark a memory as proven useful: its fading starts anew and it counts up.",
        hints: Hints::Adds,
        input: schema::input::<input::Reinforce>,
        call: calls::reinforce,
    },
    Spec {
        name: "forget",
        title: "Archive a memory",
        description: "Archive a memory that is no longer wanted: recall passes it over unless asked for the archive. \
                      Nothing is deleted.",
        hints: Hints::Sets,
        input: schema::input::<input::Forget>,
        call: calls::forget,
    },
    Spec {
        name: "neighbors",
        title: "Neighbors of a memory",
        description: "What a memory is linked to, nearest first, in pages.",
        hints: Hints::Reads,
        input: schema::input::<input::Neighbors>,
        call: calls::neighbors,
    },
    Spec {
        name: "pin",
        title: "Pin or unpin a memory",
        description: "Keep a memory from ever fading, or let it fade again.",
        hints: Hints::Sets,
        input: schema::input::<input::Pin>,
        call: calls::pin,
    },
    Spec {
        name: "maintain",
        title: "Maintain the memory",
        description: "Move faded memories to the archive and propose the least of them for deletion. Deletes \
                      nothing: a human decides.",
        hints: Hints::Sets,
        input: schema::input::<input::Maintain>,
        call: calls::maintain,
    },
    Spec {
        name: "review_queue",
        title: "Proposals waiting for a human",
        description: "What maintenance proposes to delete or merge, and why, in pages. Only a human can approve: \
                      with ask, through this client, or at a terminal.",
        // Where the human says so, asking ends in a deletion.
        hints: Hints::Overwrites,
        input: schema::input::<input::ReviewQueue>,
        call: calls::review_queue,
    },
    Spec {
        name: "stats",
        title: "Figures of a scope",
        description: "How many memories there are, by state, tier, kind and category.",
        hints: Hints::Reads,
        input: schema::input::<input::Stats>,
        call: calls::stats,
    },
];

/// Those of the older system Engram.
static ENGRAM: [Spec; 8] = [
    Spec {
        name: "recall_memory",
        title: "Recall memories",
        description: "Search memories by words and meaning. Call at the start of every task.",
        hints: Hints::Adds,
        input: schema::input::<engram::RecallMemory>,
        call: engram::recall_memory,
    },
    Spec {
        name: "store_memory",
        title: "Store a memory",
        description: "Store a new memory. What is known already is counted; what contradicts an older memory replaces \
                      it, and the old one is kept.",
        hints: Hints::Adds,
        input: schema::input::<engram::StoreMemory>,
        call: engram::store_memory,
    },
    Spec {
        name: "update_memory",
        title: "Update a memory",
        description: "Give an existing memory new content; its earlier text is kept.",
        hints: Hints::Overwrites,
        input: schema::input::<engram::UpdateMemory>,
        call: engram::update_memory,
    },
    Spec {
        name: "consolidate_memory",
        title: "Consolidate memories",
        description: "Propose to merge memories that say the same, and archive what faded. A human decides; nothing is \
                      deleted.",
        hints: Hints::Sets,
        input: schema::input::<engram::OfUser>,
        call: engram::consolidate_memory,
    },
    Spec {
        name: "session_handoff",
        title: "Hand over to the next session",
        description: "Record the state at the end of a session for the next. The newest counts; earlier ones are kept.",
        hints: Hints::Sets,
        input: schema::input::<engram::SessionHandoff>,
        call: engram::session_handoff,
    },
    Spec {
        name: "memory_stats",
        title: "Figures of the memory",
        description: "How many memories there are, by category, their average strength, failures and features.",
        hints: Hints::Reads,
        input: schema::input::<engram::OfUser>,
        call: engram::memory_stats,
    },
    Spec {
        name: "track_failure",
        title: "Track a failure",
        description: "Record a failure (bug, test, deployment). The same one again counts up and keeps the newest fix.",
        hints: Hints::Adds,
        input: schema::input::<engram::TrackFailure>,
        call: engram::track_failure,
    },
    Spec {
        name: "track_progress",
        title: "Track a feature",
        description: "Record where a feature stands; one current record each, its history kept.",
        hints: Hints::Sets,
        input: schema::input::<engram::TrackProgress>,
        call: engram::track_progress,
    },
];

/// Which tools a server has.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ToolSet {
    /// All of Ebbtrace's own.
    #[default]
    All,
    /// The six that most need: recall, remember, update, forget, handoff, resume.
    Core,
    /// Those of the older system Engram, with its arguments and answers of its shape.
    Engram,
}

impl ToolSet {
    /// The names of [`ToolSet::Core`].
    const CORE: [&'static str; 6] = ["remember", "recall", "update", "resume", "handoff", "forget"];

    /// The tools of the set, in the order of their use.
    pub(super) fn tools(self) -> Vec<&'static Spec> {
        match self {
            Self::All => TOOLS.iter().collect(),
            Self::Core => TOOLS.iter().filter(|spec| Self::CORE.contains(&spec.name)).collect(),
            Self::Engram => ENGRAM.iter().collect(),
        }
    }
}

/// Tools as `tools/list` shows them. What they answer is not described: it would take a third of a list that every
/// conversation pays for, and each answer says what it is. With a `fence` there is no scope to choose.
pub(super) fn listed(specs: &[&Spec], fence: bool) -> Vec<Tool> {
    let list = specs.iter().map(|spec| {
        let mut input = (spec.input)();
        if fence && let Some(Value::Object(arguments)) = input.get_mut("properties") {
            arguments.retain(|name, _| !calls::SCOPES.contains(&name.as_str()));
        }
        Tool::new(spec.name, spec.description, Arc::new(input))
            .with_title(spec.title)
            .with_annotations(spec.hints.annotations())
    });
    list.collect()
}

#[cfg(test)]
mod tests {
    use ebbtrace_core::Config;

    use super::*;

    #[test]
    fn the_defaults_that_descriptions_name_are_the_engines() {
        let config = Config::default();
        let says = |tool: &str, argument: &str, default: String| {
            let tool = listed(&ToolSet::All.tools(), false).into_iter().find(|listed| listed.name == tool).unwrap();
            let description = tool.input_schema["properties"][argument]["description"].as_str().unwrap().to_owned();
            assert!(description.contains(&default), "{argument}: {description:?} does not say {default:?}");
        };
        says("remember", "kind", format!("{} (default)", config.defaults.kind));
        says("remember", "importance", format!("default {}", config.defaults.importance));
        says("recall", "k", format!("default {}", config.recall.k));
        says("connect", "weight", format!("default {}", config.defaults.weight));
        says("resume", "budget", format!("default {}", config.state.budget));
        let handoff = TOOLS.iter().find(|spec| spec.name == "handoff").unwrap();
        assert!(handoff.description.contains(&format!("{} days", config.state.handoff_days)));
        says("connect", "relation", format!("default {}", ebbtrace_core::relation::RELATED));
    }
}
