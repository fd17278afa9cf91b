//! An error's next step says what the caller can do with the tools and arguments it has. The core, and calls that several
//! tool sets share, know only the names of the largest set.

use super::{ToolSet, refusal::Refusal};

/// How the older system's tools name what ours name otherwise.
const ENGRAM: [(&str, &str); 3] = [("scope", "user_id"), ("id", "memory_id"), ("k", "top_k")];

/// The refusal of a call of the tool `name` in the words of the tools of `set`; with a `fence`, no call names a scope.
pub(super) fn fitted(refusal: Refusal, set: ToolSet, name: &str, fence: bool) -> Refusal {
    let refusal = if set == ToolSet::Engram { renamed(refusal, name) } else { refusal };
    let next_step = match (refusal.code, set) {
        ("not_found", ToolSet::All) if fence && refusal.next_step.contains("neighbors") => {
            "Look the id up with recall or neighbors, and call again."
        }
        ("not_found", ToolSet::Core) if fence => "Look the id up with recall, and call again.",
        ("not_found", ToolSet::Core) => "Look the id up with recall in the same scope, and call again.",
        ("not_found", ToolSet::Engram) if fence => "Look the id up with recall_memory, and call again.",
        ("not_found", ToolSet::Engram) => "Look the id up with recall_memory for the same user_id, and call again.",
        ("of_record", ToolSet::Core) => {
            "Tell the next session with handoff what holds now; a person has `ebbtrace track-failure` and `track-progress`."
        }
        ("of_record", ToolSet::Engram) => "Call track_failure, track_progress or session_handoff with what holds now.",
        ("not_frozen", ToolSet::Core | ToolSet::Engram) => {
            "Nothing was deleted. A person decides with `ebbtrace review`."
        }
        ("wrong_state", ToolSet::Engram) => {
            "Store what holds now as a memory of its own; a person can bring the old one back with `ebbtrace review`."
        }
        _ => return refusal,
    };
    Refusal { next_step: next_step.to_owned(), ..refusal }
}

/// With the argument's name as the older system's tools have it.
fn renamed(refusal: Refusal, name: &str) -> Refusal {
    let Some(field) = &refusal.field else { return refusal };
    let known = ENGRAM.iter().find(|(ours, _)| ours == field).map(|(_, theirs)| *theirs);
    let theirs = known.or_else(|| (name == "update_memory" && field == "content").then_some("new_content"));
    let Some(theirs) = theirs else { return refusal };
    let message = match refusal.message.strip_prefix(field.as_str()).filter(|rest| rest.starts_with(' ')) {
        Some(rest) => format!("{theirs}{rest}"),
        None => refusal.message.clone(),
    };
    Refusal { field: Some(theirs.to_owned()), message, ..refusal }
}

#[cfg(test)]
mod tests {
    use ebbtrace_core::{Error, Scope, Tier};

    use super::*;

    /// What a call can be refused for that says more than to call again.
    fn refusals() -> Vec<Refusal> {
        let id = || "a".try_into().unwrap();
        let all = [
            Error::not_found("id", "memory", "a", &Scope::default(), []),
            Error::OfRecord { id: id(), sort: "failure".to_owned() },
            Error::NotFrozen { id: id(), tier: Tier::Hot, held_by: None },
            Error::WrongState { id: id(), state: "superseded", allowed: "only a current memory can be changed" },
            Error::Stale { id: id(), expected: 1, actual: 2 },
            Error::Blank { field: "content" },
            Error::TooLong { field: "content", length: 2, limit: 1, unit: "bytes" },
            Error::OutOfRange { field: "k", value: "x".to_owned(), allowed: "a number" },
            Error::ProposalChanged { id: id() },
        ];
        let mut all: Vec<Refusal> = all.into_iter().map(Refusal::from).collect();
        all.push(Refusal::argument("scope", "5", "a text"));
        all.push(Refusal::internal());
        all
    }

    #[test]
    fn a_next_step_names_only_tools_and_arguments_that_are_there() {
        let names = |set: ToolSet| -> Vec<&str> { set.tools().iter().map(|tool| tool.name).collect() };
        let every = [names(ToolSet::All), names(ToolSet::Engram)].concat();
        for set in [ToolSet::All, ToolSet::Core, ToolSet::Engram] {
            for (refusal, fence) in refusals().into_iter().flat_map(|one| [(one.clone(), false), (one, true)]) {
                let said = fitted(refusal, set, names(set)[0], fence).next_step;
                // What a person types at a terminal is no tool.
                let said: String = said.split('`').step_by(2).collect();
                let mut words = said.split(|c: char| !c.is_alphanumeric() && c != '_');
                let lacking = words.find(|word| {
                    every.contains(word) && !names(set).contains(word)
                        || *word == "scope" && (fence || set == ToolSet::Engram)
                        || *word == "user_id" && (fence || set != ToolSet::Engram)
                });
                assert_eq!(lacking, None, "{set:?}, fence {fence}: {said}");
            }
        }
    }

    #[test]
    fn an_argument_is_named_as_the_tool_has_it() {
        let missing = Error::not_found("id", "memory", "a", &Scope::default(), []);
        let refusal = fitted(missing.into(), ToolSet::Engram, "update_memory", false);
        assert_eq!(refusal.field.as_deref(), Some("memory_id"));
        assert!(refusal.message.starts_with("memory_id is \"a\", and"), "{}", refusal.message);
        let blank = fitted(Error::Blank { field: "content" }.into(), ToolSet::Engram, "update_memory", false);
        assert_eq!(blank.field.as_deref(), Some("new_content"));
        let blank = fitted(Error::Blank { field: "content" }.into(), ToolSet::Engram, "store_memory", false);
        assert_eq!(blank.field.as_deref(), Some("content"));
    }
}
