//! `cypher` and `copy`: asking a graph database in its own language, and moving a memory from one store to another.

use std::path::PathBuf;

use indicatif::{ProgressBar, ProgressStyle};
use serde_json::{Value, json};

use super::{
    args::{Copy, Cypher, Global},
    failure::Failure,
    open,
    screen::{self, Screen, count},
};
use crate::store::{Address, Answer, StoreError, StoreKind, copy, open_store};

/// The most rows that a person is shown.
const ROWS: usize = 1_000;

/// `cypher`
pub(super) fn cypher(global: &Global, args: &Cypher, screen: Screen) -> Result<(), Failure> {
    if !matches!(global.store, StoreKind::Kuzu | StoreKind::Neo4j) {
        let reason =
            "only a graph database can be asked in Cypher. Move the memory into one with `ebbtrace copy`, and \
                      name it: --store kuzu, or --store neo4j"
                .to_owned();
        return Err(Failure::BadValue { field: "store", value: global.store.as_str().to_owned(), reason });
    }
    if !global.store.is_built() {
        return Err(StoreError::NotBuilt { kind: global.store }.into());
    }
    if let Some(path) = open::store_path(global).filter(|path| !path.exists()) {
        let path = path.display().to_string();
        return Err(Failure::Unreadable { path, reason: "nothing is stored there yet".to_owned() });
    }
    let mut store = open_store(global.store, global.db.as_deref(), global.resident_limit)?;
    let answer = store.cypher(&args.query.join(" "))?;
    store.close()?;
    let rows: Vec<Value> = answer.rows.iter().map(|row| Value::Array(row.clone())).collect();
    screen.answer(&json!({ "columns": answer.columns, "rows": rows }), || shown(&screen, &answer))
}

fn shown(screen: &Screen, answer: &Answer) -> String {
    if answer.rows.is_empty() {
        return "No rows.".to_owned();
    }
    let names: Vec<String> = answer.columns.iter().map(|name| screen::clean(name, false)).collect();
    let mut table = screen.table(&names.iter().map(String::as_str).collect::<Vec<_>>());
    for row in answer.rows.iter().take(ROWS) {
        table.add_row(row.iter().map(|value| match value {
            Value::Null => String::new(),
            Value::String(text) => screen::clean(text, false),
            other => screen::clean(&other.to_string(), false),
        }));
    }
    let said = count(answer.rows.len(), "row", "rows");
    let cut =
        if answer.rows.len() > ROWS { format!(", of which {ROWS} are shown; --json has all") } else { String::new() };
    format!("{table}\n\n{said}{cut}")
}

/// `copy`
pub(super) fn carry_over(global: &Global, args: &Copy, screen: Screen) -> Result<(), Failure> {
    let (from, to) = (address("from", &args.from)?, address("to", &args.to)?);
    // With EBBTRACE_DB set, two kinds may have one place.
    if from == to || from.path()?.is_some_and(|path| to.path().is_ok_and(|other| other == Some(path))) {
        let reason = "it is where the store is that is copied from; name another place: kuzu:PATH".to_owned();
        return Err(Failure::BadValue { field: "to", value: args.to.clone(), reason });
    }
    if let Some(path) = from.path()?.filter(|path: &PathBuf| !path.exists()) {
        let path = path.display().to_string();
        return Err(Failure::Unreadable { path, reason: "nothing is stored there".to_owned() });
    }
    let now = open::now(global)?;
    let mut source = from.open()?;
    let mut target = to.open()?;
    // Drawn on stderr, and only where that is a terminal.
    let bar = ProgressBar::new(0);
    if let Ok(style) = ProgressStyle::with_template("copying {bar:40} {pos} of {len}, {eta} left") {
        bar.set_style(style);
    }
    let copied = copy(source.as_mut(), target.as_mut(), now, &mut |done, all| {
        bar.set_length(all as u64);
        bar.set_position(done as u64);
    });
    bar.finish_and_clear();
    let copied = copied?;
    let unreadable = source.unreadable();
    source.close()?;
    target.close()?;
    let answer = json!({ "from": args.from, "to": args.to, "records": copied.records, "written": copied.written,
        "digest": copied.digest, "unreadable": unreadable });
    screen.answer(&answer, || {
        let mut text = format!(
            "Copied {}: {} written, {} there already. Both hold the same ({}).\nThe old store is as it was, and its log \
             stays with it.",
            count(copied.records, "record", "records"),
            copied.written,
            copied.records - copied.written,
            copied.digest,
        );
        if unreadable > 0 {
            let rows = count(unreadable, "row", "rows");
            text.push_str(&format!("\n{rows} of the old store could not be read, and stayed behind: see ebbtrace doctor."));
        }
        text
    })
}

fn address(field: &'static str, text: &str) -> Result<Address, Failure> {
    text.parse().map_err(|reason| Failure::BadValue { field, value: text.to_owned(), reason })
}
