//! A human's approval through the client. The server asks the *human*: the question goes to the client, which shows it
//! and brings the answer back. What a model writes into a call decides nothing.
//!
//! An answer is about the proposals as they were shown. What changed, went or is in use again meanwhile is not acted on.

pub(super) mod ask;
pub(super) mod state;

use std::{collections::BTreeSet, time::Duration};

use ebbtrace_core::{Channel, Decided, Decision, MemoryId, ProposedAction, ReviewItem, Shown};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};

use super::{
    answer::{Answer, Speak},
    arguments,
    calls::{Call, name_of},
    input,
    refusal::Refusal,
    text, times,
};
use crate::service::{STILL_IN_LOG, Service, ServiceError};

/// The tool that can ask.
pub(super) const TOOL: &str = "review_queue";

/// How many proposals one question is about at most: more than that nobody weighs.
const AT_ONCE: i64 = 5;

/// The three answers, as the form has them.
const ANSWERS: [(&str, Decision); 3] =
    [("approve", Decision::Approve), ("keep", Decision::Reject), ("pin", Decision::Pin)];

/// What a question is about: all that an answer to it can decide.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct Subject {
    pub(super) scope: String,
    pub(super) shown: Vec<Shown>,
}

/// A question as the human gets it.
#[derive(Clone, Debug)]
pub(super) struct Question {
    pub(super) subject: Subject,
    pub(super) message: String,
    /// A flat object with a choice for each proposal, none of them required: what is left out stays undecided.
    pub(super) schema: Value,
}

/// What asking comes to before anybody is asked.
pub(super) enum Prepared {
    Ask(Box<Question>),
    Nothing(Answer),
}

/// Whether the arguments of the tool say that the human be asked.
pub(super) fn asks(schema: &Map<String, Value>, given: &Map<String, Value>) -> bool {
    arguments::read::<input::ReviewQueue>(schema, given.clone()).is_ok_and(|given| given.ask == Some(true))
}

/// The call that a question belongs to, in bytes: its answer is taken for the same call alone.
pub(super) fn binding(schema: &Map<String, Value>, given: &Map<String, Value>) -> Result<Vec<u8>, Refusal> {
    let input::ReviewQueue { limit, cursor, ask, scope } = arguments::read(schema, given.clone())?;
    Ok(json!(["tools/call", TOOL, limit, cursor, ask, scope]).to_string().into_bytes())
}

/// Looks up what to ask about: the first proposals of the page that the call names, as far as they still hold.
pub(super) fn prepare(mut call: Call<'_>) -> Result<Prepared, Refusal> {
    let given: input::ReviewQueue = call.read()?;
    let scope = call.scope(given.scope)?;
    let limit = given.limit.unwrap_or(AT_ONCE).min(AT_ONCE);
    let page = call.service.review_queue(scope.as_deref(), Some(limit), given.cursor.as_deref())?;
    let items: Vec<&ReviewItem> = page.items.iter().collect();
    if items.is_empty() {
        let about = "Nothing waits for a human's decision, so nobody was asked.";
        return Ok(Prepared::Nothing(Asked::new("nothing_to_ask", about.to_owned(), page.total).answer()?));
    }
    let scope = name_of(scope.as_deref());
    let message = message(&scope, &items);
    let properties: Map<String, Value> = items.iter().enumerate().map(|(at, item)| (key(at), choice(item))).collect();
    let schema = json!({"type": "object", "properties": properties});
    let shown = items.into_iter().map(Shown::from).collect();
    Ok(Prepared::Ask(Box::new(Question { subject: Subject { scope, shown }, message, schema })))
}

fn key(at: usize) -> String {
    format!("proposal_{}", at + 1)
}

fn choice(item: &ReviewItem) -> Value {
    let names: Vec<&str> = ANSWERS.iter().map(|(name, _)| *name).collect();
    let id = text::line(item.memory.id.as_str());
    json!({
        "type": "string", "title": format!("{id}: {}?", what(item)), "description": texts(item), "enum": names,
    })
}

/// The text that a proposal is about; of a merge both, since a human can't weigh one without the other.
fn texts(item: &ReviewItem) -> String {
    let quoted = text::quote(&text::line(&item.memory.content));
    match &item.survivor {
        None => quoted,
        Some(survivor) => {
            let stays = text::quote(&text::line(&survivor.content));
            format!("{quoted}\nWhat stays in its place:\n{stays}")
        }
    }
}

fn what(item: &ReviewItem) -> String {
    match &item.proposal.action {
        ProposedAction::Delete if item.versions > 0 => {
            let along = text::count(item.versions, "earlier version", "earlier versions");
            format!("delete it and {along} for good")
        }
        ProposedAction::Delete => "delete it for good".to_owned(),
        ProposedAction::Merge { into } => format!("put it behind {}", text::line(into.as_str())),
    }
}

fn message(scope: &str, items: &[&ReviewItem]) -> String {
    let proposals = text::count(items.len(), "proposal", "proposals");
    let mut message = format!("Ebbtrace asks you, not the agent: {proposals} about memories of scope {scope}.\n");
    for (at, item) in items.iter().enumerate() {
        let ReviewItem { proposal, memory, retention, .. } = item;
        message.push_str(&format!(
            "\n{}. {} ({}): {}?\n{}\nWhy: {}. Proposed {}; last used {}, {} so far; retention {retention:.3}.\n",
            at + 1,
            text::line(memory.id.as_str()),
            memory.kind,
            what(item),
            texts(item),
            text::line(&proposal.reason).trim_end_matches('.'),
            times::write(proposal.proposed_at),
            times::write(memory.last_accessed_at),
            text::count(memory.recall_count as usize, "time", "times"),
        ));
    }
    message.push_str(
        "\napprove: do it; what is deleted can't be brought back. keep: leave the memory as it is, its clock starts \
         anew. pin: keep it for ever. What you leave out keeps waiting.",
    );
    message
}

/// What a human did with a question.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Reply {
    /// Filled it in: with this.
    Filled(Option<Value>),
    /// Said that there won't be an answer.
    Declined,
    /// Closed it.
    Closed,
    /// Nothing, in this time.
    Silent(Duration),
    /// Was not asked: the client can't, or would not.
    NotAsked,
}

/// Carries out what the human answered, and says what came of it.
pub(super) fn conclude(service: &Service, subject: &Subject, reply: Reply) -> Result<Answer, Refusal> {
    // Others may have decided, purged or used it while the question stood open.
    let waiting = service.still_waiting(Some(&subject.scope), &subject.shown)?;
    let stays = match waiting {
        0 => "nothing was approved, and none of what was asked about waits any more".to_owned(),
        _ => format!("nothing was approved, and {} on waiting", text::count(waiting, "proposal goes", "proposals go")),
    };
    let without = |outcome, why: String| Asked::new(outcome, why, waiting).answer();
    match reply {
        Reply::Filled(content) => decide(service, subject, content),
        Reply::Declined => without("declined", format!("The human declined to decide: {stays}. Don't ask again now.")),
        Reply::Closed => without("cancelled", format!("The human closed the question without an answer: {stays}.")),
        Reply::Silent(waited) => {
            without("timed_out", format!("No answer came within {} s: {stays}.", waited.as_secs_f64()))
        }
        Reply::NotAsked => unavailable(waiting),
    }
}

/// The answer where the client can't ask.
pub(super) fn unavailable(waiting: usize) -> Result<Answer, Refusal> {
    let about = "This client can't ask its human (elicitation with a form), so nobody was asked and nothing was \
                 approved. The human decides at a terminal, with `ebbtrace review`.";
    Asked::new("unavailable", about.to_owned(), waiting).answer()
}

fn decide(service: &Service, subject: &Subject, content: Option<Value>) -> Result<Answer, Refusal> {
    let chosen = chosen(subject.shown.len(), content)?;
    let mut decided: Vec<Option<Item>> = vec![None; chosen.len()];
    let mut gone = BTreeSet::new();
    // All were answered as they were shown, so what is kept must not hold what was approved of, nor a merge. What goes
    // for good goes first and at once, each judged without the others.
    for (at, done) in delete(service, subject, &chosen) {
        if let Ok(done) = &done {
            gone.extend(done.deleted.iter().map(ToString::to_string));
        }
        let done = done.map(|done| match done.deleted.len().saturating_sub(1) {
            0 => "deleted for good".to_owned(),
            versions => {
                format!("deleted for good, with {}", text::count(versions, "earlier version", "earlier versions"))
            }
        });
        decided[at] = Some(Item::new(&subject.shown[at], "approve", done));
    }
    for approves in [true, false] {
        for (at, shown) in subject.shown.iter().enumerate() {
            let Some((answer, decision)) = chosen[at].filter(|(_, d)| (*d == Decision::Approve) == approves) else {
                continue;
            };
            if decided[at].is_some() {
                continue;
            }
            let done = service.decide(Some(&subject.scope), shown, decision, Channel::McpElicitation);
            let done = done.map(|_| match (decision, &shown.action) {
                (Decision::Approve, ProposedAction::Merge { into }) => format!("now stands behind {into}"),
                (Decision::Approve, ProposedAction::Delete) => "deleted for good".to_owned(),
                (Decision::Reject, _) => "kept; its clock starts anew".to_owned(),
                (Decision::Pin, _) => "kept and pinned".to_owned(),
            });
            decided[at] = Some(Item::new(shown, answer, done));
        }
    }
    let mut decided: Vec<Item> = decided.into_iter().flatten().collect();
    let done = decided.iter().filter(|item| item.done).count();
    // What was carried out must be told, so a store that can't be read now makes this no failure.
    let waiting = service.still_waiting(Some(&subject.scope), &subject.shown);
    let waiting = waiting.unwrap_or(subject.shown.len() - done);
    let mut about = format!("The human answered: {done} of {} carried out.", subject.shown.len());
    let files_clean = (!gone.is_empty()).then(|| service.files_clean());
    if files_clean == Some(false) {
        about.push_str(&format!(" {STILL_IN_LOG}"));
        for item in decided.iter_mut().filter(|item| gone.contains(&item.id)) {
            item.result = item.result.replacen("for good", "but not yet from the log file", 1);
        }
    }
    Asked { decided, files_clean, ..Asked::new("answered", about, waiting) }.answer()
}

/// Deletes what the human approved of deleting; by place, what was done or why not.
fn delete(
    service: &Service,
    subject: &Subject,
    chosen: &[Option<(&'static str, Decision)>],
) -> Vec<(usize, Result<Decided, ServiceError>)> {
    let deletes = |at: &usize| {
        chosen[*at].is_some_and(|(_, decision)| decision == Decision::Approve)
            && subject.shown[*at].action == ProposedAction::Delete
    };
    let places: Vec<usize> = (0..chosen.len()).filter(deletes).collect();
    if places.is_empty() {
        return Vec::new();
    }
    let approved: Vec<Shown> = places.iter().map(|at| subject.shown[*at].clone()).collect();
    let keeps = |(shown, choice): (&Shown, &Option<(&str, Decision)>)| {
        choice.filter(|(_, decision)| *decision != Decision::Approve).map(|_| shown.id.clone())
    };
    let kept: Vec<MemoryId> = subject.shown.iter().zip(chosen).filter_map(keeps).collect();
    match service.delete_shown(Some(&subject.scope), &approved, &kept, Channel::McpElicitation) {
        Ok(all) => places.into_iter().zip(all.into_iter().map(|done| done.map_err(ServiceError::from))).collect(),
        Err(error) => places.into_iter().map(|at| (at, Err(error.clone()))).collect(),
    }
}

/// The choice for each proposal, by place. An answer that is not of the form asked for decides nothing at all.
fn chosen(asked: usize, content: Option<Value>) -> Result<Vec<Option<(&'static str, Decision)>>, Refusal> {
    let given = match content {
        None | Some(Value::Null) => Map::new(),
        Some(Value::Object(given)) => given,
        Some(_) => return Err(bad_answer("its content is no object")),
    };
    let mut chosen = vec![None; asked];
    for (name, value) in given {
        let place = (0..asked).find(|at| key(*at) == name).ok_or_else(|| bad_answer("it names what was not asked"))?;
        chosen[place] = match value {
            Value::Null => None,
            Value::String(text) if text.is_empty() => None,
            value => {
                let known = ANSWERS.into_iter().find(|(name, _)| value == *name);
                Some(known.ok_or_else(|| bad_answer("a choice is approve, keep or pin"))?)
            }
        };
    }
    Ok(chosen)
}

/// The client brought back what is no answer to the form.
pub(super) fn bad_answer(why: &str) -> Refusal {
    Refusal {
        code: "bad_answer",
        field: None,
        message: format!("what the client brought back is no answer to the question: {why}; nothing was decided"),
        next_step: "Ask again, or let the human decide with `ebbtrace review`.".to_owned(),
    }
}

/// What came of one choice.
#[derive(Clone, Debug, Serialize)]
struct Item {
    id: String,
    answer: &'static str,
    done: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    code: Option<&'static str>,
    result: String,
}

impl Item {
    fn new(shown: &Shown, answer: &'static str, done: Result<String, ServiceError>) -> Self {
        let id = shown.id.to_string();
        match done {
            Ok(result) => Self { id, answer, done: true, code: None, result },
            Err(error) => {
                let code = Some(error.code());
                Self { id, answer, done: false, code, result: format!("{error}. {}", error.next_step()) }
            }
        }
    }
}

/// What came of a question.
#[derive(Clone, Debug, Serialize)]
struct Asked {
    about: String,
    outcome: &'static str,
    decided: Vec<Item>,
    /// Of those asked about, how many still wait.
    waiting: usize,
    /// Where something was deleted, whether no text of it is left in the store's files.
    #[serde(skip_serializing_if = "Option::is_none")]
    files_clean: Option<bool>,
}

impl Asked {
    fn new(outcome: &'static str, about: String, waiting: usize) -> Self {
        Self { about, outcome, decided: Vec::new(), waiting, files_clean: None }
    }
}

impl Speak for Asked {
    fn text(&self) -> String {
        let mut lines = vec![format!("{} (outcome {}; still waiting: {})", self.about, self.outcome, self.waiting)];
        lines.extend(self.decided.iter().map(|Item { id, answer, done, code, result }| {
            let not = if *done { "" } else { "not done, " };
            let code = code.map(|code| format!("{code}: ")).unwrap_or_default();
            format!("- {id}: {answer}: {not}{code}{result}")
        }));
        lines.join("\n")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_three_words_for_what_was_asked_are_an_answer() {
        let read = |content: Value| chosen(2, Some(content)).map_err(|refusal| refusal.code);
        let approve = Some(("approve", Decision::Approve));
        assert_eq!(read(json!({"proposal_2": "approve"})), Ok(vec![None, approve]));
        assert_eq!(read(json!({"proposal_1": "", "proposal_2": null})), Ok(vec![None, None]));
        assert_eq!(chosen(2, None).unwrap(), [None, None]);
        for bad in [
            json!([]),
            json!("approve"),
            json!({"proposal_3": "approve"}),
            json!({"proposal_0": "approve"}),
            json!({"n1": "approve"}),
            json!({"proposal_1": true}),
            json!({"proposal_1": "Approve"}),
            json!({"proposal_1": "approve", "proposal_2": "yes"}),
        ] {
            assert_eq!(read(bad.clone()), Err("bad_answer"), "{bad}");
        }
    }
}
