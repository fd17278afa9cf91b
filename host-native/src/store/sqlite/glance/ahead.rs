//! Reading a table ahead of a scan. A scan by key goes through the file from its end to its begin, a page here and a page
//! there, and the system guesses wrong what comes next: where the file is not in its memory, the scan waits for each
//! page. The table's inner pages say where all the others are, so that threads beside the scan can fetch them in large
//! pieces. What they read is thrown away; a page that is another by now costs time and nothing else.

use std::{
    fs::{self, File},
    io,
    path::Path,
    sync::{
        Arc, Mutex,
        atomic::{AtomicBool, Ordering},
        mpsc::{Receiver, SyncSender, sync_channel},
    },
    thread,
    time::Instant,
};

use rusqlite::Connection;

/// A file of fewer bytes than this is read as fast without.
const LARGE: u64 = 4 << 20;

/// How many threads fetch at once: disks answer several questions faster than one after the other.
const THREADS: usize = 4;

/// The most that is fetched as one piece, in bytes.
const PIECE: u64 = 512 << 10;

/// How many bytes that nobody needs are fetched rather than begin another piece.
const GAP: u64 = 32 << 10;

/// What comes at more bytes a nanosecond than this was in the memory of the system: no disk is as fast.
const KNOWN: u128 = 2;

/// How many pieces are left alone after one that was known: to copy them all would take the processor from the scan.
const LEFT: usize = 7;

/// The inner pages of tables and of indexes, by their first byte, and the pages of rows.
const INNER: [u8; 2] = [0x05, 0x02];
const ROWS: [u8; 2] = [0x0d, 0x0a];

/// Threads that fetch a table, from its last row to its first. They end with it, at a time that is set, or when done. The
/// connection must be closed before it.
#[derive(Debug)]
pub(super) struct Ahead {
    /// Held to the end: to close a file gives up the locks that SQLite has on it.
    _file: Arc<File>,
    ended: Arc<AtomicBool>,
}

impl Ahead {
    /// Begins to fetch tables and indexes of the database at `path`, in this order; `None` where that is of no use or
    /// can't be done.
    pub(super) fn begin(connection: &Connection, path: &Path, names: &[&str], until: Instant) -> Option<Self> {
        let length = fs::metadata(path).ok()?.len();
        if length < LARGE {
            return None;
        }
        let root = "SELECT rootpage FROM sqlite_schema WHERE name = ?1";
        let root = |name| connection.query_row(root, [name], |row| row.get::<_, u32>(0));
        let roots: Vec<u32> = names.iter().map(root).collect::<Result<_, _>>().ok()?;
        let size: i64 = connection.pragma_query_value(None, "page_size", |row| row.get(0)).ok()?;
        let size = u64::try_from(size).ok()?;
        // From here on nothing may fail: the file would be closed.
        let file = Arc::new(File::open(path).ok()?);
        let ended = Arc::new(AtomicBool::new(false));
        let ahead = Self { _file: Arc::clone(&file), ended: Arc::clone(&ended) };
        let pages = Pages { file, length, size, until, ended };
        let (sender, pieces) = sync_channel(THREADS * 4);
        let pieces = Arc::new(Mutex::new(pieces));
        for _ in 0..THREADS {
            let (pages, pieces) = (pages.clone(), Arc::clone(&pieces));
            // With fewer threads it takes longer.
            let _ = thread::Builder::new().spawn(move || pages.fetch(&pieces));
        }
        let walk = move || roots.into_iter().try_for_each(|root| pages.walk(root, 0, &sender));
        let _ = thread::Builder::new().spawn(walk);
        Some(ahead)
    }
}

impl Drop for Ahead {
    fn drop(&mut self) {
        self.ended.store(true, Ordering::Relaxed);
    }
}

/// Where a piece of the file begins, and its bytes.
type Piece = (u64, u64);

#[derive(Clone)]
struct Pages {
    file: Arc<File>,
    length: u64,
    size: u64,
    until: Instant,
    ended: Arc<AtomicBool>,
}

impl Pages {
    fn is_over(&self) -> bool {
        self.ended.load(Ordering::Relaxed) || Instant::now() >= self.until
    }

    /// Hands on where the rows under `page` are; `None` where there is no more to do.
    fn walk(&self, page: u32, depth: usize, pieces: &SyncSender<Piece>) -> Option<()> {
        // No table is as deep; one that leads back to itself would be.
        if depth > 8 || self.is_over() {
            return None;
        }
        let children = children(&self.page(page)?, page)?;
        let first = *children.first()?;
        if self.page(first)?.first().is_some_and(|kind| ROWS.contains(kind)) {
            for piece in self.pieces(children) {
                pieces.send(piece).ok()?;
            }
            return Some(());
        }
        children.into_iter().try_for_each(|child| self.walk(child, depth + 1, pieces))
    }

    fn fetch(&self, pieces: &Mutex<Receiver<Piece>>) {
        let mut bytes = Vec::new();
        let mut left = 0;
        loop {
            let Ok(Ok((at, length))) = pieces.lock().map(|pieces| pieces.recv()) else { return };
            if self.is_over() {
                return;
            }
            if left > 0 {
                left -= 1;
                continue;
            }
            bytes.resize(length as usize, 0);
            let began = Instant::now();
            if read_at(&self.file, &mut bytes, at).is_err() {
                return;
            }
            if u128::from(length) > began.elapsed().as_nanos() * KNOWN {
                left = LEFT;
            }
        }
    }

    fn page(&self, page: u32) -> Option<Vec<u8>> {
        let at = u64::from(page).checked_sub(1)? * self.size;
        let mut bytes = vec![0; self.size as usize];
        read_at(&self.file, &mut bytes, at).ok()?;
        Some(bytes)
    }

    /// The pages in as few pieces as may be, in about their order.
    fn pieces(&self, pages: Vec<u32>) -> Vec<Piece> {
        let mut pieces: Vec<Piece> = Vec::new();
        for page in pages {
            let Some(at) = u64::from(page).checked_sub(1).map(|page| page * self.size) else { continue };
            let end = at + self.size;
            if end > self.length {
                continue;
            }
            if let Some((begin, length)) = pieces.last_mut() {
                let (from, to) = ((*begin).min(at), (*begin + *length).max(end));
                let (before, after) = (begin.saturating_sub(end), at.saturating_sub(*begin + *length));
                if before.max(after) <= GAP && to - from <= PIECE {
                    (*begin, *length) = (from, to - from);
                    continue;
                }
            }
            pieces.push((at, self.size));
        }
        pieces
    }
}

/// The pages that an inner page leads to, the last first; `None` where it is of another kind.
fn children(bytes: &[u8], page: u32) -> Option<Vec<u32>> {
    // The first page begins with the file's header.
    let header = bytes.get(if page == 1 { 100 } else { 0 }..)?;
    if !INNER.contains(header.first()?) {
        return None;
    }
    let number = |at: usize| bytes.get(at..at + 4).map(|four| u32::from_be_bytes([four[0], four[1], four[2], four[3]]));
    let begin = bytes.len() - header.len();
    let count = usize::from(u16::from_be_bytes([*header.get(3)?, *header.get(4)?]));
    let mut children = vec![number(begin + 8)?];
    for cell in (0..count).rev() {
        let place = header.get(12 + cell * 2..14 + cell * 2)?;
        children.push(number(usize::from(u16::from_be_bytes([place[0], place[1]])))?);
    }
    Some(children)
}

fn read_at(file: &File, bytes: &mut [u8], at: u64) -> io::Result<()> {
    #[cfg(unix)]
    return std::os::unix::fs::FileExt::read_exact_at(file, bytes, at);
    #[cfg(windows)]
    return std::os::windows::fs::FileExt::seek_read(file, bytes, at).map(drop);
    #[cfg(not(any(unix, windows)))]
    Err(io::Error::from(io::ErrorKind::Unsupported))
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    #[test]
    fn all_pages_of_a_table_are_found_the_last_first() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("a.db");
        let connection = Connection::open(&path).expect("a database");
        connection
            .execute_batch(
                "PRAGMA page_size = 512;
                CREATE TABLE one (key INTEGER PRIMARY KEY, text TEXT); CREATE TABLE two (key INTEGER PRIMARY KEY, text);
                WITH RECURSIVE number (n) AS (VALUES (1) UNION ALL SELECT n + 1 FROM number WHERE n < 4000)
                INSERT INTO one SELECT n, printf('%0100d', n) FROM number;
                INSERT INTO two SELECT * FROM one;",
            )
            .expect("rows");
        let root = |table: &str| -> u32 {
            let sql = "SELECT rootpage FROM sqlite_schema WHERE name = ?1";
            connection.query_row(sql, [table], |row| row.get(0)).expect("a root")
        };
        let file = Arc::new(File::open(&path).expect("the file"));
        let pages = Pages {
            length: file.metadata().expect("metadata").len(),
            file,
            size: 512,
            until: Instant::now() + Duration::from_secs(60),
            ended: Arc::default(),
        };
        let (sender, pieces) = sync_channel(100_000);
        assert_eq!(pages.walk(root("two"), 0, &sender), Some(()));
        drop(sender);
        let pieces: Vec<Piece> = pieces.iter().collect();
        let mut bytes = Vec::new();
        for (at, length) in &pieces {
            let mut piece = vec![0; *length as usize];
            read_at(&pages.file, &mut piece, *at).expect("a piece");
            bytes.extend(piece);
        }
        let text = String::from_utf8_lossy(&bytes);
        for number in 1..=4_000 {
            assert!(text.contains(&format!("{number:0100}")), "{number} is missing");
        }
        let place = |number: u32| text.find(&format!("{number:0100}")).expect("it is there");
        assert!(place(4_000) < place(2_000) && place(2_000) < place(1), "the last first");
        assert!(pieces.len() < 40, "{} pieces", pieces.len());
        // Neither the schema's page nor rubbish is walked into.
        assert_eq!(pages.walk(1, 0, &sync_channel(1).0), None);
        assert_eq!(pages.walk(u32::MAX, 0, &sync_channel(1).0), None);
        assert_eq!(children(&[INNER[0]; 512], 2), None);
        assert_eq!(children(&[], 1), None);
    }
}
