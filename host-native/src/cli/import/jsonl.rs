//! JSON Lines: an export of ours, or one plain memory a line.

use ebbtrace_core::{Record, RememberInput, Scope, count::of as count, limits};
use serde_json::{Map, Value};

use super::{Call, Failure, Item, Place, Plan};
use crate::cli::{export, instant};

/// What a plain line may say.
const FIELDS: [&str; 16] = [
    "scope",
    "id",
    "content",
    "kind",
    "category",
    "importance",
    "author",
    "tags",
    "metadata",
    "session",
    "client",
    "uri",
    "occurred_at",
    "links",
    "pinned",
    "embedding",
];

/// Reads a file to its last line; the first one that is broken refuses the whole.
pub(super) fn read(plan: &mut Plan, file: &str, bytes: &[u8], call: &Call) -> Result<(), Failure> {
    let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
    let mut place = Place { file: file.into(), line: 0 };
    let before = plan.records.len();
    let mut promised = None;
    let mut first = true;
    for line in bytes.split(|byte| *byte == b'\n') {
        place.line += 1;
        let line = std::str::from_utf8(line).map_err(|error| place.broken(format_args!("not UTF-8: {error}")))?;
        if line.trim().is_empty() {
            continue;
        }
        let value = object(line).map_err(|reason| place.broken(reason))?;
        if value.contains_key("format") && first {
            promised = export::check_header(file, &value).map_err(|reason| {
                reason.unwrap_or_else(|| place.broken("the header names another format than ebbtrace"))
            })?;
        } else if value.contains_key("record") {
            let record: Record = serde_json::from_value(Value::Object(value)).map_err(|error| place.broken(error))?;
            keep_to(plan, &place, scope_of(&record).as_str())?;
            plan.records.push((place.clone(), record));
        } else if value.contains_key("content") {
            let input = plain(value, call).map_err(|reason| place.broken(reason))?;
            keep_to(plan, &place, input.scope.as_deref().unwrap_or("default"))?;
            plan.items.push(Item { place: place.clone(), input, at: None });
        } else {
            return Err(place.broken("neither a record of an export nor a memory with \"content\""));
        }
        first = false;
    }
    let found = plan.records.len() - before;
    if let Some(promised) = promised.filter(|promised| *promised != found as u64) {
        return Err(place.broken(format_args!(
            "the file ends here with {}, and its header promises {promised}: it is not whole",
            count(found, "record", "records"),
        )));
    }
    plan.files += 1;
    Ok(())
}

/// Refuses a line of another scope than the one that was asked for: whoever names one means all of it, and a line that
/// went elsewhere without a word would be neither where it is looked for nor where nobody else reads it.
fn keep_to(plan: &Plan, place: &Place, found: &str) -> Result<(), Failure> {
    match &plan.only {
        Some(only) if only != found => {
            Err(Failure::OtherScope { place: place.to_string(), found: limits::excerpt(found), asked: only.clone() })
        }
        _ => Ok(()),
    }
}

fn scope_of(record: &Record) -> &Scope {
    match record {
        Record::Memory(memory) => &memory.scope,
        Record::Edge(edge) => &edge.key.scope,
        Record::Proposal(proposal) => &proposal.scope,
        Record::Scope(status) => &status.scope,
    }
}

fn object(line: &str) -> Result<Map<String, Value>, String> {
    match serde_json::from_str(line) {
        Ok(Value::Object(fields)) => Ok(fields),
        Ok(_) => Err("a line holds one JSON object".to_owned()),
        Err(error) if error.is_eof() => {
            Err("the line ends in the middle of its JSON: the file is not whole".to_owned())
        }
        Err(error) => Err(format!("not JSON, column {}: {error}", error.column())),
    }
}

fn plain(mut fields: Map<String, Value>, call: &Call) -> Result<RememberInput, String> {
    if let Some(unknown) = fields.keys().find(|name| !FIELDS.contains(&name.as_str())) {
        return Err(format!("{unknown:?} is no field of a memory; the fields are {}", FIELDS.join(", ")));
    }
    if let Some(Value::String(text)) = fields.get("occurred_at") {
        let at = instant::parse("occurred_at", text, call.now).map_err(|failure| failure.to_string())?;
        fields.insert("occurred_at".to_owned(), at.0.into());
    }
    // A field that is null is a field left out.
    fields.retain(|_, value| !value.is_null());
    let mut input: RememberInput = serde_json::from_value(Value::Object(fields)).map_err(|error| error.to_string())?;
    if input.scope.is_none() {
        input.scope = call.scope.clone();
    }
    if input.client.is_none() {
        input.client = Some(super::CLIENT.to_owned());
    }
    Ok(input)
}
