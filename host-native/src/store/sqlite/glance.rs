//! A quick look at a store: only what is asked for is read, nothing is written, and nobody is waited for long.

mod ahead;

use std::{
    cell::OnceCell,
    cmp::Reverse,
    collections::{BTreeMap, BinaryHeap},
    fs,
    path::{Path, PathBuf},
    time::{Duration, Instant},
};

use ahead::Ahead;
use ebbtrace_core::{Record, Revision};
use rusqlite::{Connection, OptionalExtension, params};

use super::{failure, read, reading};
use crate::store::StoreError;

/// How many rows a scan reads between two looks at the clock.
const STRIDE: usize = 512;

/// A scope with fewer memories than this is read by its index; a larger one is most of the file, which is read through.
const SMALL_SCOPE: i64 = 2_000;

/// What is fetched ahead of a scan, in this order: the memories, and then the links, of which some are followed.
const FETCHED: [&str; 3] = ["memory", "edge_target", "edge"];

/// A store as it stands at one instant, open to be read.
#[derive(Debug)]
pub(crate) struct Glance {
    // Closed first: see `Ahead`.
    connection: Connection,
    path: PathBuf,
    ahead: OnceCell<Option<Ahead>>,
}

/// A scope's key in the file.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ScopeKey(i64);

impl Glance {
    /// Opens the store at `path`; `None` where there is none. Waits at most `patience` for whoever has it for itself.
    ///
    /// # Errors
    /// [`StoreError`].
    pub(crate) fn open(path: &Path, patience: Duration) -> Result<Option<Self>, StoreError> {
        if !fs::metadata(path).is_ok_and(|found| found.len() > 0) {
            return Ok(None);
        }
        let path = std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
        let connection = reading::open_within(&path, Some(patience))?;
        let glance = Self { connection, path, ahead: OnceCell::new() };
        glance.asked(glance.connection.execute_batch("BEGIN"))?;
        Ok(Some(glance))
    }

    /// The revision the store is at.
    ///
    /// # Errors
    /// [`StoreError`].
    pub(crate) fn revision(&self) -> Result<Revision, StoreError> {
        self.asked(read::revision(&self.connection))
    }

    /// The scope of that name, where something is in it.
    ///
    /// # Errors
    /// [`StoreError`].
    pub(crate) fn scope(&self, name: &str) -> Result<Option<ScopeKey>, StoreError> {
        let sql = "SELECT key FROM scope WHERE name = ?1";
        self.asked(self.connection.query_row(sql, [name], |row| row.get(0)).optional().map(|key| key.map(ScopeKey)))
    }

    /// Hands key and text of the scope's current memories to `each`, newest first, until `until`; whether all were seen.
    ///
    /// # Errors
    /// [`StoreError`].
    pub(crate) fn texts(
        &self,
        ScopeKey(scope): ScopeKey,
        until: Instant,
        mut each: impl FnMut(i64, &str),
    ) -> Result<bool, StoreError> {
        let mut read = || {
            let sql = "SELECT count(*) FROM (SELECT 1 FROM memory WHERE scope = ?1 LIMIT ?2)";
            let found: i64 = self.connection.query_row(sql, [scope, SMALL_SCOPE], |row| row.get(0))?;
            let by = if found < SMALL_SCOPE { "scope" } else { "+scope" };
            if found >= SMALL_SCOPE {
                self.read_ahead(until);
            }
            let sql = format!("SELECT key, content FROM memory WHERE {by} = ?1 AND state = 'active' ORDER BY key DESC");
            let mut statement = self.connection.prepare(&sql)?;
            let mut rows = statement.query([scope])?;
            let mut count = 0_usize;
            while let Some(row) = rows.next()? {
                count += 1;
                if count.is_multiple_of(STRIDE) && Instant::now() >= until {
                    return Ok(false);
                }
                // A damaged row is no reason to stop.
                if let (Ok(key), Ok(content)) = (row.get(0), row.get_ref(1).and_then(|text| Ok(text.as_str()?))) {
                    each(key, content);
                }
            }
            Ok(true)
        };
        self.asked(read())
    }

    /// The memories of a scope that matter most to whoever starts: see [`Pressing`]. Those whose ids begin with one of
    /// `names` are looked up; the rest is looked through, newest first, until `until`.
    ///
    /// # Errors
    /// [`StoreError`].
    pub(crate) fn pressing(
        &self,
        ScopeKey(scope): ScopeKey,
        names: &[&str],
        kinds: &[&str],
        [tracked, used]: [usize; 2],
        until: Instant,
    ) -> Result<Pressing, StoreError> {
        let read = || {
            let mut named: Vec<i64> = Vec::new();
            let sql = "SELECT key FROM memory WHERE scope = ?1 AND id >= ?2 AND id < ?2 || char(0x10ffff)
                AND state <> 'superseded' ORDER BY id LIMIT ?3";
            let mut statement = self.connection.prepare(sql)?;
            for name in names {
                let mut rows = statement.query(params![scope, name, i64::try_from(tracked).unwrap_or(i64::MAX)])?;
                while let Some(row) = rows.next()? {
                    named.push(row.get(0)?);
                }
            }
            if kinds.is_empty() && used == 0 {
                return Ok(Pressing { tracked: named, used: Vec::new() });
            }
            let mut statement = self.connection.prepare("SELECT key FROM label WHERE name = ?1")?;
            let mut wanted: Vec<i64> = Vec::new();
            for kind in kinds {
                wanted.extend(statement.query_row([kind], |row| row.get::<_, i64>(0)).optional()?);
            }
            // One pass over the rows; nothing of them is indexed, and an index would cost each write.
            self.read_ahead(until);
            let mut statement = self.connection.prepare(
                "SELECT key, kind, updated_at, last_accessed_at, pinned, importance, state = 'active' FROM memory
                WHERE +scope = ?1 AND state <> 'superseded' ORDER BY key DESC",
            )?;
            let mut rows = statement.query([scope])?;
            let mut count = 0_usize;
            let [mut newest, mut last, mut pinned] = [Best::new(tracked), Best::new(used), Best::new(used)];
            while let Some(row) = rows.next()? {
                count += 1;
                if count.is_multiple_of(STRIDE) && Instant::now() >= until {
                    break;
                }
                let key: i64 = row.get(0)?;
                if wanted.contains(&row.get(1).unwrap_or_default()) {
                    newest.see(row.get(2).unwrap_or_default(), key);
                } else if row.get(6).unwrap_or_default() {
                    last.see(row.get(3).unwrap_or_default(), key);
                    if row.get(4).unwrap_or_default() {
                        pinned.see((row.get::<_, f64>(5).unwrap_or_default() * 1e6) as i64, key);
                    }
                }
            }
            let mut used = last.keys();
            used.extend(pinned.keys());
            named.extend(newest.keys());
            Ok(Pressing { tracked: named, used })
        };
        self.asked(read())
    }

    /// The keys of at most `limit` memories that are linked to one of `keys`, by the weight of the links; those of the
    /// last keys may be left out at `until`.
    ///
    /// # Errors
    /// [`StoreError`].
    pub(crate) fn linked_to(&self, keys: &[i64], limit: usize, until: Instant) -> Result<Vec<i64>, StoreError> {
        let read = || {
            let mut weights: BTreeMap<i64, f64> = BTreeMap::new();
            for (near, far) in [("source", "target"), ("target", "source")] {
                let mut statement =
                    self.connection.prepare(&format!("SELECT {far}, weight FROM edge WHERE {near} = ?1"))?;
                for key in keys {
                    if Instant::now() >= until {
                        break;
                    }
                    let mut rows = statement.query([key])?;
                    while let Some(row) = rows.next()? {
                        if let (Ok(key), Ok(weight)) = (row.get(0), row.get::<_, f64>(1)) {
                            *weights.entry(key).or_default() += weight;
                        }
                    }
                }
            }
            let mut linked: Vec<(i64, f64)> = weights.into_iter().collect();
            linked.sort_by(|one, other| other.1.total_cmp(&one.1).then(other.0.cmp(&one.0)));
            Ok(linked.into_iter().take(limit).map(|(key, _)| key).collect())
        };
        self.asked(read())
    }

    /// Hands the memories of `keys` to `sink`, with the edges between them that touch one of the first `linked`; what is
    /// not read at `until` is left out.
    ///
    /// # Errors
    /// [`StoreError`].
    pub(crate) fn records(
        &self,
        ScopeKey(scope): ScopeKey,
        keys: &[i64],
        linked: usize,
        until: Instant,
        sink: &mut dyn FnMut(Record),
    ) -> Result<(), StoreError> {
        self.asked(read::some(&self.connection, scope, keys, linked, until, sink))
    }

    /// Has the memories fetched while they are looked through.
    fn read_ahead(&self, until: Instant) {
        self.ahead.get_or_init(|| Ahead::begin(&self.connection, &self.path, &FETCHED, until));
    }

    fn asked<T>(&self, answer: rusqlite::Result<T>) -> Result<T, StoreError> {
        answer.map_err(|error| failure::on_use(&self.path, "reading", &error))
    }
}

/// Keys of memories.
#[derive(Debug)]
pub(crate) struct Pressing {
    /// Those of the names, then those of the kinds that were asked for, the last changed first.
    pub(crate) tracked: Vec<i64>,
    /// Of the others, the active ones used last, then those that are pinned.
    pub(crate) used: Vec<i64>,
}

/// The keys with the highest numbers, at most so many.
struct Best {
    limit: usize,
    kept: BinaryHeap<Reverse<(i64, i64)>>,
}

impl Best {
    fn new(limit: usize) -> Self {
        Self { limit, kept: BinaryHeap::new() }
    }

    fn see(&mut self, number: i64, key: i64) {
        if self.kept.len() >= self.limit && self.kept.peek().is_some_and(|lowest| lowest.0 >= (number, key)) {
            return;
        }
        self.kept.push(Reverse((number, key)));
        if self.kept.len() > self.limit {
            self.kept.pop();
        }
    }

    fn keys(self) -> Vec<i64> {
        self.kept.into_sorted_vec().into_iter().map(|Reverse((_, key))| key).collect()
    }
}
