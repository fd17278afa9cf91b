//! `export`: every record as JSON Lines, in the core's own form, so that importing gives back what was there.

use std::{
    fs::{self, File},
    io::{self, BufWriter, Write},
    path::{Path, PathBuf},
};

use ebbtrace_core::Record;
use serde_json::{Map, Value, json};

use super::{
    Call, args,
    failure::Failure,
    screen::{count, written},
};

/// The name in the first line of an export.
const FORMAT: &str = "ebbtrace";
/// The newest form of an export that is known here.
const VERSION: u64 = 1;

/// `export`. `scope` is the option alone: a scope set in the environment must not make a backup a part of one.
pub(super) fn run(call: &Call, args: &args::Export, scope: Option<&str>) -> Result<(), Failure> {
    let mut records = Vec::new();
    call.service.export(scope, |record| records.push(record))?;
    let Some(path) = args.output.as_ref().filter(|path| path.as_os_str() != "-") else {
        if call.screen.is_json() {
            return call.screen.object(&json!({ "format": FORMAT, "version": VERSION, "records": records }));
        }
        return written(write_lines(io::stdout().lock(), &records));
    };
    write_file(path, &records)
        .map_err(|error| Failure::Unwritable { path: path.display().to_string(), reason: error.to_string() })?;
    let answer = json!({ "output": path.display().to_string(), "scope": scope, "records": records.len() });
    call.screen.answer(&answer, || {
        let of = scope.map_or_else(|| "every scope".to_owned(), |scope| format!("the scope {scope}"));
        format!("Wrote {} of {of} to {}.", count(records.len(), "record", "records"), path.display())
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

/// Writes beside the file and renames: whoever reads sees the old file or the new one, never a part.
fn write_file(path: &Path, records: &[Record]) -> io::Result<()> {
    if path.metadata().is_ok_and(|target| !target.is_file() && !target.is_dir()) {
        // A pipe or a device is written to, not replaced.
        return write_lines(File::options().write(true).open(path)?, records);
    }
    // Through a symbolic link, its target is what is replaced.
    let path = &fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
    let temporary = beside(path)?;
    let write = || {
        let mut file = File::options().write(true).create_new(true).open(&temporary)?;
        write_lines(&mut file, records)?;
        file.sync_all()?;
        fs::rename(&temporary, path)
    };
    let done = write();
    if done.is_err() {
        // What was begun is of no use; if it can't be removed either, the first error says why.
        let _ = fs::remove_file(&temporary);
    }
    done
}

fn beside(path: &Path) -> io::Result<PathBuf> {
    let name = path.file_name().ok_or_else(|| io::Error::new(io::ErrorKind::InvalidInput, "this names no file"))?;
    let mut temporary = std::ffi::OsString::from(".");
    temporary.push(name);
    temporary.push(format!(".{}.tmp", std::process::id()));
    Ok(path.with_file_name(temporary))
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

    #[test]
    fn a_file_is_replaced_whole_or_not_at_all() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("out.jsonl");
        fs::write(&path, "old").unwrap();
        write_file(&path, &[]).unwrap();
        assert_eq!(fs::read_to_string(&path).unwrap(), "{\"format\":\"ebbtrace\",\"version\":1,\"records\":0}\n");
        assert!(write_file(&folder.path().join("no/such/folder.jsonl"), &[]).is_err());
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
    }
}
