//! Records and journal entries as they come from a store. Each is read as what its tag says, at once: serde's own way
//! with tagged values takes each field up as a value of any type first, which takes thrice the time and the space.

use ebbtrace_core::{
    Change, Channel, JournalEntry, Memory, MemoryId, Operation, Record, Revision, Scope, Timestamp, record::EdgeKey,
};
use js_sys::{Array, Reflect};
use serde::Deserialize;
use wasm_bindgen::prelude::*;

use crate::edge::{Refusal, from_js};

const RECORDS: &str = "records";

/// A list of records.
///
/// # Errors
/// `bad_argument` for what is none.
pub(crate) fn list(list: &JsValue) -> Result<Vec<Record>, Refusal> {
    each(RECORDS, list, |value| record(RECORDS, value))
}

/// The records of an input: its `records`.
///
/// # Errors
/// As [`list`].
pub(crate) fn within(input: &JsValue) -> Result<Vec<Record>, Refusal> {
    list(&field(input, RECORDS))
}

/// A journal entry.
///
/// # Errors
/// `bad_argument` for what is none.
pub(crate) fn entry(entry: JsValue) -> Result<JournalEntry, Refusal> {
    #[derive(Deserialize)]
    struct Head {
        revision: Revision,
        at: Timestamp,
        operation: Operation,
        #[serde(default)]
        channel: Option<Channel>,
    }
    let changes = each("entry.changes", &field(&entry, "changes"), change)?;
    let Head { revision, at, operation, channel } = from_js("entry", entry)?;
    Ok(JournalEntry { revision, at, operation, channel, changes })
}

fn change(value: JsValue) -> Result<Change, Refusal> {
    #[derive(Deserialize)]
    struct Named {
        scope: Scope,
        id: MemoryId,
    }
    #[derive(Deserialize)]
    struct Touch {
        scope: Scope,
        id: MemoryId,
        last_accessed_at: Timestamp,
        #[serde(default)]
        recalled_at: Option<Timestamp>,
        recall_count: u32,
    }
    const WHAT: &str = "entry.changes";
    let kind = field(&value, "change");
    let named = |value| from_js::<Named>(WHAT, value);
    Ok(match kind.as_string().as_deref() {
        Some("put") => Change::Put(record(WHAT, value)?),
        Some("touch") => {
            let Touch { scope, id, last_accessed_at, recalled_at, recall_count } = from_js(WHAT, value)?;
            Change::Touch { scope, id, last_accessed_at, recalled_at, recall_count }
        }
        Some("touch_edge") => {
            let reinforced_at = from_js(WHAT, field(&value, "reinforced_at"))?;
            Change::TouchEdge { key: from_js::<EdgeKey>(WHAT, value)?, reinforced_at }
        }
        Some("delete_memory") => {
            let Named { scope, id } = named(value)?;
            Change::DeleteMemory { scope, id }
        }
        Some("delete_edge") => Change::DeleteEdge(from_js(WHAT, value)?),
        Some("delete_proposal") => {
            let Named { scope, id } = named(value)?;
            Change::DeleteProposal { scope, id }
        }
        _ => return Err(Refusal::bad_argument(WHAT, &"a change has no such \"change\"")),
    })
}

fn record(what: &'static str, value: JsValue) -> Result<Record, Refusal> {
    let kind = field(&value, "record");
    Ok(match kind.as_string().as_deref() {
        Some("memory") => Record::Memory(Box::new(from_js::<Memory>(what, value)?)),
        Some("edge") => Record::Edge(from_js(what, value)?),
        Some("proposal") => Record::Proposal(from_js(what, value)?),
        Some("scope") => Record::Scope(from_js(what, value)?),
        _ => return Err(Refusal::bad_argument(what, &"a record has no such \"record\"")),
    })
}

fn each<T>(what: &'static str, list: &JsValue, of: impl Fn(JsValue) -> Result<T, Refusal>) -> Result<Vec<T>, Refusal> {
    let list = list.dyn_ref::<Array>().ok_or_else(|| Refusal::bad_argument(what, &"it is no list"))?;
    list.iter().map(of).collect()
}

/// A field; `undefined` where there is none.
fn field(of: &JsValue, name: &str) -> JsValue {
    Reflect::get(of, &name.into()).unwrap_or_default()
}
