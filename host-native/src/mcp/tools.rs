//! The tools: what they are called, what they say of themselves, and what each leads to.

use std::sync::Arc;

use rmcp::model::{Tool, ToolAnnotations};
use serde_json::{Map, Value};

use super::{
    answer::Answer,
    calls::{self, Call},
    input, outcomes,
    refusal::Refusal,
    schema, views,
};

/// One tool.
pub(super) struct Spec {
    pub(super) name: &'static str,
    title: &'static str,
    description: &'static str,
    hints: Hints,
    input: fn() -> Map<String, Value>,
    output: fn() -> Map<String, Value>,
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

/// All of them, in the order of their use. None leads to a deletion: that is a human's to decide, elsewhere.
pub(super) static TOOLS: [Spec; 11] = [
    Spec {
        name: "remember",
        title: "Remember",
        description: "Store one fact, decision, preference, correction, failure or deadline for later conversations. \
                      What is known already is counted, not doubled; what contradicts an older memory replaces it, \
                      and the old one is kept. Answers which happened and why.",
        hints: Hints::Adds,
        input: schema::input::<input::Remember>,
        output: schema::output::<outcomes::Remembered>,
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
        output: schema::output::<views::Recalled>,
        call: calls::recall,
    },
    Spec {
        name: "update",
        title: "Update a memory",
        description: "Correct a memory. An earlier text stays as superseded; tags and metadata are replaced as a \
                      whole. What is left out stays.",
        hints: Hints::Overwrites,
        input: schema::input::<input::Update>,
        output: schema::output::<outcomes::Changed>,
        call: calls::update,
    },
    Spec {
        name: "connect",
        title: "Connect two memories",
        description: "Link two memories, so that recalling one leads to the other. Again resets the link's clock.",
        hints: Hints::Adds,
        input: schema::input::<input::Connect>,
        output: schema::output::<outcomes::Connected>,
        call: calls::connect,
    },
    Spec {
        name: "reinforce",
        title: "Reinforce a memory",
        description: "Mark a memory as proven useful: its fading starts anew and it counts up.",
        hints: Hints::Adds,
        input: schema::input::<input::Reinforce>,
        output: schema::output::<outcomes::Changed>,
        call: calls::reinforce,
    },
    Spec {
        name: "forget",
        title: "Archive a memory",
        description: "Archive a memory that is no longer wanted: recall passes it over unless asked for the archive. \
                      Nothing is deleted.",
        hints: Hints::Sets,
        input: schema::input::<input::Forget>,
        output: schema::output::<outcomes::Changed>,
        call: calls::forget,
    },
    Spec {
        name: "neighbors",
        title: "Neighbors of a memory",
        description: "What a memory is linked to, nearest first, in pages.",
        hints: Hints::Reads,
        input: schema::input::<input::Neighbors>,
        output: schema::output::<views::Surroundings>,
        call: calls::neighbors,
    },
    Spec {
        name: "pin",
        title: "Pin or unpin a memory",
        description: "Keep a memory from ever fading, or let it fade again.",
        hints: Hints::Sets,
        input: schema::input::<input::Pin>,
        output: schema::output::<outcomes::Changed>,
        call: calls::pin,
    },
    Spec {
        name: "maintain",
        title: "Maintain the memory",
        description: "Move faded memories to the archive and propose the least of them for deletion. Deletes \
                      nothing: a human decides.",
        hints: Hints::Sets,
        input: schema::input::<input::Maintain>,
        output: schema::output::<outcomes::Maintained>,
        call: calls::maintain,
    },
    Spec {
        name: "review_queue",
        title: "Proposals waiting for a human",
        description: "What maintenance proposes to delete or merge, and why, in pages. Only a human can approve, \
                      outside these tools.",
        hints: Hints::Reads,
        input: schema::input::<input::ReviewQueue>,
        output: schema::output::<views::Queue>,
        call: calls::review_queue,
    },
    Spec {
        name: "stats",
        title: "Figures of a scope",
        description: "How many memories there are, by state, tier, kind and category.",
        hints: Hints::Reads,
        input: schema::input::<input::Stats>,
        output: schema::output::<outcomes::Stats>,
        call: calls::stats,
    },
];

/// The tools as `tools/list` shows them, in the order of [`TOOLS`].
pub(super) fn listed() -> Vec<Tool> {
    let list = TOOLS.iter().map(|spec| {
        Tool::new(spec.name, spec.description, Arc::new((spec.input)()))
            .with_title(spec.title)
            .with_raw_output_schema(Arc::new((spec.output)()))
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
            let tool = listed().into_iter().find(|listed| listed.name == tool).unwrap();
            let description = tool.input_schema["properties"][argument]["description"].as_str().unwrap().to_owned();
            assert!(description.contains(&default), "{argument}: {description:?} does not say {default:?}");
        };
        says("remember", "kind", format!("{} (default)", config.defaults.kind));
        says("remember", "importance", format!("default {}", config.defaults.importance));
        says("recall", "k", format!("default {}", config.recall.k));
        says("connect", "weight", format!("default {}", config.defaults.weight));
        says("connect", "relation", format!("default {}", ebbtrace_core::relation::RELATED));
    }
}
