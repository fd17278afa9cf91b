//! Where an export is written: never over a store, and an older export stays whole until the new one is.

use std::{
    ffi::OsString,
    fs::{self, File, Metadata, Permissions},
    io::{self, Read},
    path::{Path, PathBuf},
};

/// What SQLite keeps beside a database, by the end of its name.
const COMPANIONS: [&str; 3] = ["-wal", "-shm", "-journal"];

/// Whether writing to `path` would destroy a store: the one in use, at `store`, or any other. Whoever mistypes `-o` for
/// `--db` means no harm, and would lose everything.
pub(super) fn is_store(path: &Path, store: Option<&Path>) -> bool {
    let path = real(path);
    // The store in use comes first, and is not read: to close a file gives up the locks that SQLite has on it.
    if let Some(store) = store.map(real) {
        let mut own = COMPANIONS.iter().map(|end| with_end(&store, end)).chain([store.clone()]);
        if own.any(|own| is_same(&path, &own)) {
            return true;
        }
    }
    is_database(&path) || COMPANIONS.iter().any(|end| without_end(&path, end).is_some_and(|store| is_database(&store)))
}

/// The path with every link on its way followed, also where nothing is there yet.
fn real(path: &Path) -> PathBuf {
    if let Ok(real) = path.canonicalize() {
        return real;
    }
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    match (folder.canonicalize(), path.file_name()) {
        (Ok(folder), Some(name)) => folder.join(name),
        _ => path.to_owned(),
    }
}

fn with_end(path: &Path, end: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(end);
    name.into()
}

fn without_end(path: &Path, end: &str) -> Option<PathBuf> {
    Some(path.with_file_name(path.file_name()?.to_str()?.strip_suffix(end)?))
}

/// Whether both name one file, by a hard link as well.
fn is_same(one: &Path, other: &Path) -> bool {
    #[cfg(unix)]
    if let (Ok(one), Ok(other)) = (one.metadata(), other.metadata()) {
        use std::os::unix::fs::MetadataExt;
        return (one.dev(), one.ino()) == (other.dev(), other.ino());
    }
    one == other
}

/// Whether a file begins as a database of SQLite does, or as the log of one.
fn is_database(path: &Path) -> bool {
    const DATABASE: &[u8] = b"SQLite format 3\0";
    const LOGS: [&[u8]; 3] = [b"\x37\x7f\x06\x82", b"\x37\x7f\x06\x83", b"\xd9\xd5\x05\xf9\x20\xa1\x63\xd7"];
    // A pipe would wait for whoever writes to it.
    if !path.metadata().is_ok_and(|found| found.is_file()) {
        return false;
    }
    let mut begin = Vec::new();
    let read = File::open(path).and_then(|file| file.take(16).read_to_end(&mut begin));
    read.is_ok() && (begin == DATABASE || LOGS.iter().any(|log| begin.starts_with(log)))
}

/// Writes beside the file and renames: whoever reads sees the old file or the new one, never a part.
///
/// # Errors
/// The system's; what was at `path` is as it was.
pub(in crate::cli) fn write(path: &Path, lines: impl FnOnce(&mut File) -> io::Result<()>) -> io::Result<()> {
    let found = path.metadata().ok();
    if found.as_ref().is_some_and(|target| !target.is_file() && !target.is_dir()) {
        // A pipe or a device is written to, not replaced.
        return lines(&mut File::options().write(true).open(path)?);
    }
    if found.as_ref().is_some_and(|target| target.is_file() && target.permissions().readonly()) {
        // The rename below would ask only for the folder's permission.
        return Err(io::Error::new(io::ErrorKind::PermissionDenied, "the file is write-protected"));
    }
    // Through a symbolic link, its target is what is replaced, or made where nothing is there yet.
    let path = &through_links(path)?;
    let temporary = beside(path)?;
    let write = || {
        let mut file = create(&temporary)?;
        lines(&mut file)?;
        if let Some(rights) = found.as_ref().map(Metadata::permissions) {
            keep_rights(&file, rights)?;
        }
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

/// Where a path leads, link by link, whether or not something is there.
fn through_links(path: &Path) -> io::Result<PathBuf> {
    if let Ok(real) = fs::canonicalize(path) {
        return Ok(real);
    }
    let mut real = path.to_owned();
    // As many as systems follow.
    for _ in 0..40 {
        let Ok(target) = fs::read_link(&real) else { break };
        real = real.parent().unwrap_or(Path::new("")).join(target);
    }
    let folder = real.parent().filter(|folder| !folder.as_os_str().is_empty());
    if path.is_symlink() && (fs::read_link(&real).is_ok() || folder.is_some_and(|folder| !folder.is_dir())) {
        let why = format!("it is a link to {}, where no file can be", real.display());
        return Err(io::Error::new(io::ErrorKind::NotFound, why));
    }
    Ok(real)
}

/// A new file that only its owner can read: an export holds everything that is remembered.
fn create(path: &Path) -> io::Result<File> {
    let mut options = File::options();
    options.write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options.open(path)
}

/// Whoever opened an older export to others goes on doing so.
fn keep_rights(file: &File, rights: Permissions) -> io::Result<()> {
    if cfg!(unix) { file.set_permissions(rights) } else { Ok(()) }
}

fn beside(path: &Path) -> io::Result<PathBuf> {
    let name = path.file_name().ok_or_else(|| io::Error::new(io::ErrorKind::InvalidInput, "this names no file"))?;
    let mut temporary = OsString::from(".");
    temporary.push(name);
    temporary.push(format!(".{}.tmp", std::process::id()));
    Ok(path.with_file_name(temporary))
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use super::*;

    #[test]
    fn a_file_is_replaced_whole_or_not_at_all() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("out.jsonl");
        fs::write(&path, "old").unwrap();
        let half = |out: &mut File| out.write_all(b"ne").and_then(|()| Err(io::Error::other("the disk is full")));
        assert!(write(&path, half).is_err());
        assert_eq!(fs::read_to_string(&path).unwrap(), "old");
        write(&path, |out| out.write_all(b"new")).unwrap();
        assert_eq!(fs::read_to_string(&path).unwrap(), "new");
        assert!(write(&folder.path().join("no/such/folder.jsonl"), |_| Ok(())).is_err());
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
    }

    #[cfg(unix)]
    #[test]
    fn a_link_is_written_through_and_never_replaced() {
        use std::os::unix::fs::symlink;
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        fs::create_dir(at("real")).unwrap();
        symlink("real/out", at("second")).unwrap();
        symlink("second", at("first")).unwrap();
        for text in ["one", "two"] {
            write(&at("first"), |out| out.write_all(text.as_bytes())).unwrap();
            assert_eq!(fs::read_to_string(at("real/out")).unwrap(), text);
        }
        symlink("gone/out", at("lost")).unwrap();
        symlink("round", at("round")).unwrap();
        for name in ["lost", "round"] {
            let refused = write(&at(name), |_| Ok(())).unwrap_err().to_string();
            assert!(refused.starts_with("it is a link to "), "{refused}");
        }
        for name in ["first", "second", "lost", "round"] {
            assert!(at(name).is_symlink(), "{name}");
        }
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 5);
    }
}
