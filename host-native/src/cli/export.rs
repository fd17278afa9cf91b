//! `export`: every record as JSON Lines, in the core's own form, so that importing gives back what was there.

pub(super) mod target;

use std::io::{self, BufWriter, Write};

use ebbtrace_core::Record;
use serde_json::{Map, Value, json};

use super::{
    Call,
    args::{self, Global},
    failure::Failure,
    open, read,
    screen::{clean, count, written},
};

/// The name in the first line of an export.
const FORMAT: &str = "ebbtrace";
/// The newest form of an export that is known here.
const VERSION: u64 = 1;

/// `export`. The scope is the option's alone: one set in the environment must not make a backup a part of one.
pub(super) fn run(call: &Call, args: &args::Export, global: &Global) -> Result<(), Failure> {
    let scope = global.scope.as_deref();
    let mut records = Vec::new();
    call.service.export(scope, |record| records.push(record))?;
    let unreadable = read::warn_of_unreadable(call);
    let Some(path) = args.output.as_ref().filter(|path| path.as_os_str() != "-") else {
        if call.screen.is_json() {
            let mut all = json!({ "format": FORMAT, "version": VERSION, "records": records });
            if unreadable > 0 {
                all["unreadable"] = json!(unreadable);
            }
            return call.screen.object(&all);
        }
        return written(write_lines(io::stdout().lock(), &records));
    };
    let shown = || path.display().to_string();
    if target::is_store(path, open::store_path(global).as_deref()) {
        return Err(Failure::OutputIsStore { path: shown() });
    }
    target::write(path, |out| write_lines(out, &records))
        .map_err(|error| Failure::Unwritable { path: shown(), reason: error.to_string() })?;
    let answer = json!({ "output": path.display().to_string(), "scope": scope, "records": records.len(), "unreadable": unreadable });
    call.screen.answer(&answer, || {
        let of = scope.map_or_else(|| "every scope".to_owned(), |scope| format!("the scope {scope}"));
        format!("Wrote {} of {of} to {}.", count(records.len(), "record", "records"), clean(&shown(), false))
    })
}

/// Checks an export's first line; how many records it promises, where it does.
///
/// # Errors
/// That it is newer than this program; `None` where it is no header of ours.
pub(super) fn check_header(path: &str, header: &Map<String, Value>) -> Result<Option<u64>, Option<Failure>> {
    if header.get("format").and_then(Value::as_str) != Some(FORMAT) {
        return Err(None);
    }
    match header.get("version").and_then(Value::as_u64) {
        Some(VERSION) => Ok(header.get("records").and_then(Value::as_u64)),
        Some(found) if found > VERSION => {
            Err(Some(Failure::NewerExport { path: path.to_owned(), found, known: VERSION }))
        }
        _ => Err(None),
    }
}

fn write_lines(out: impl Write, records: &[Record]) -> io::Result<()> {
    let mut out = BufWriter::new(out);
    // The number lets an import see that a copy was cut short between two lines.
    writeln!(out, "{{\"format\":\"{FORMAT}\",\"version\":{VERSION},\"records\":{}}}", records.len())?;
    for record in records {
        serde_json::to_writer(&mut out, record)?;
        out.write_all(b"\n")?;
    }
    out.flush()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn headers_are_told_apart() {
        let check = |value: Value| check_header("x", value.as_object().unwrap());
        assert_eq!(check(json!({ "format": "ebbtrace", "version": 1 })).unwrap(), None);
        assert_eq!(check(json!({ "format": "ebbtrace", "version": 1, "records": 3 })).unwrap(), Some(3));
        assert_eq!(check(json!({ "format": "ebbtrace", "version": 2 })).unwrap_err().unwrap().code(), "newer_export");
        assert!(check(json!({ "format": "other", "version": 1 })).unwrap_err().is_none());
        assert!(check(json!({ "format": "ebbtrace" })).unwrap_err().is_none());
    }
}
