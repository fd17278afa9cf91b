//! What a person has a say in: what was, what will be, what is taken back and what is removed for good.

use std::{
    cell::{Cell, RefCell},
    collections::BTreeMap,
    fmt::Write,
};

use ebbtrace_core::{
    Carrier, Change, Channel, Engine, Fading, History, JournalEntry, MemoryId, Operation, Page, Purged, Scope,
    SessionWritten, Staged, Timestamp, Undone,
};
use serde::Serialize;
use sha2::{Digest, Sha256};

use super::{Service, ServiceError, turn::Inner};
use crate::store::{DamagedMemory, Need, StoreError};

/// What to say where [`Service::files_clean`] is false.
pub(crate) const STILL_IN_LOG: &str = "The text is still in the store's files (the store or its log, -wal): another \
    program is reading the store as it was before. When that program lets go, `ebbtrace maintain` or any later command takes it out; a running \
    server does so at its next call.";

/// What was removed for good, and where it was. It holds no text.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Receipt {
    /// The scope.
    pub scope: Scope,
    /// When.
    pub at: Timestamp,
    /// Whether nothing was removed: it says what would be.
    pub dry_run: bool,
    /// What is gone, one entry a memory.
    pub removed: Vec<Removed>,
    /// What is still there and carries a part of it, by id.
    pub carriers: Vec<Carrier>,
    /// Whether no text of what was removed is left in the store's files. False while another process reads the store as
    /// it was before: then they are in the file or its log, until a later call of any process takes them out. None in a dry
    /// run.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub files_clean: Option<bool>,
}

impl Receipt {
    /// Every text in it, by id, with its hash.
    fn texts(&self) -> impl Iterator<Item = (&MemoryId, &str)> {
        self.removed.iter().flat_map(|removed| {
            let versions = removed.versions.iter().map(|version| (&version.id, version.sha256.as_str()));
            std::iter::once((&removed.id, removed.sha256.as_str())).chain(versions)
        })
    }
}

/// A memory, and the SHA-256 of its text in hexadecimal.
type TextHash = (MemoryId, String);

/// A memory that is gone, and where it was.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Removed {
    /// The memory.
    pub id: MemoryId,
    /// The SHA-256 of its content, in hexadecimal.
    pub sha256: String,
    /// Whether it could not be read any more.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub damaged: bool,
    /// The earlier texts behind it, which are gone too.
    pub versions: Vec<RemovedText>,
    /// How many links it and its versions had.
    pub edges: usize,
    /// How many proposals were about it, or about merging into it.
    pub proposals: usize,
    /// How many journal entries spoke of it or its versions.
    pub journal_entries: usize,
}

/// An earlier text that is gone.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct RemovedText {
    /// The record that kept it.
    pub id: MemoryId,
    /// The SHA-256 of its content, in hexadecimal.
    pub sha256: String,
}

impl Service {
    /// Every text that led to what a memory says now, oldest first.
    ///
    /// # Errors
    /// [`ServiceError`].
    pub fn history(&self, scope: Option<&str>, id: &str) -> Result<History, ServiceError> {
        self.read(&Need::scope(scope), |engine| engine.history(scope, id))
    }

    /// What of a scope will be archived or proposed for deletion within `days` if nothing is used, soonest first.
    ///
    /// # Errors
    /// [`ServiceError`].
    pub fn forecast_within(&self, scope: Option<&str>, days: f64, limit: Option<i64>) -> Result<Fading, ServiceError> {
        let now = self.moment().now;
        self.read(&Need::scope(scope), |engine| engine.forecast_within(scope, days, limit, now))
    }

    /// The sessions that wrote memories of a scope, the latest first.
    ///
    /// # Errors
    /// [`ServiceError`].
    pub fn sessions(
        &self,
        scope: Option<&str>,
        limit: Option<i64>,
        cursor: Option<&str>,
    ) -> Result<Page<SessionWritten>, ServiceError> {
        self.read(&Need::scope(scope), |engine| engine.sessions(scope, limit, cursor))
    }

    /// Takes back what a session wrote, as far as nobody has built on it since.
    ///
    /// # Errors
    /// [`ServiceError`].
    pub fn undo(&self, scope: Option<&str>, session: &str, dry_run: bool) -> Result<Undone, ServiceError> {
        self.write(&Need::scope(scope), |engine, moment| engine.stage_undo(scope, session, dry_run, moment))
    }

    /// Removes memories for good, with their earlier texts and, where `carriers` says so, with what carries them. For
    /// terminals only: no tool that a model can call leads here. A dry run says what would go.
    ///
    /// # Errors
    /// [`ServiceError`]; nothing was removed, except as [`ServiceError::Unknown`] says.
    pub fn purge(
        &self,
        scope: Option<&str>,
        ids: &[String],
        carriers: bool,
        dry_run: bool,
    ) -> Result<Receipt, ServiceError> {
        Ok(self.purge_if(scope, ids, carriers, dry_run, None, &|_| true)?.0)
    }

    /// Removes for good what the dry run `shown` named, `channel` being how a person said so, if its texts still are what they were then: a text that was
    /// written while the person made up their mind is not removed unseen. Then nothing is, and the dry run of now comes
    /// back, with false.
    ///
    /// # Errors
    /// As [`Service::purge`].
    pub fn purge_shown(
        &self,
        scope: Option<&str>,
        shown: &Receipt,
        channel: Option<Channel>,
    ) -> Result<(Receipt, bool), ServiceError> {
        let ids: Vec<String> = shown.removed.iter().map(|removed| removed.id.to_string()).collect();
        let known: BTreeMap<&MemoryId, &str> = shown.texts().collect();
        let (receipt, done) = self.purge_if(scope, &ids, false, false, channel, &|texts| {
            texts.iter().all(|(id, sha256)| known.get(id) == Some(&sha256.as_str()))
        })?;
        if done { Ok((receipt, true)) } else { Ok((self.purge(scope, &ids, false, true)?, false)) }
    }

    /// Removes memories if `agreed` says so of their ids and hashes; whether it did.
    fn purge_if(
        &self,
        scope: Option<&str>,
        ids: &[String],
        carriers: bool,
        dry_run: bool,
        channel: Option<Channel>,
        agreed: &dyn Fn(&[TextHash]) -> bool,
    ) -> Result<(Receipt, bool), ServiceError> {
        if !dry_run {
            self.by_the_present()?;
        }
        let did = Cell::new(true);
        let written = RefCell::new(Vec::new());
        let mut files_clean = None;
        let named = Scope::parse("scope", scope.unwrap_or(Scope::default().as_str()))?;
        let damaged = self.damaged_among(&named, ids)?;
        let sound: Vec<String> =
            ids.iter().filter(|id| !damaged.iter().any(|(name, _)| name.as_str() == **id)).cloned().collect();
        // What carries a text may be anywhere in its scope.
        let purged = self.write_with(
            &Need::scope(scope),
            |engine, moment| {
                let mut staged = if sound.is_empty() && !damaged.is_empty() {
                    nothing_known(engine, &named, moment.now)
                } else {
                    engine.stage_purge(scope, &sound, carriers, moment)?
                };
                let delete = |(id, _): &(MemoryId, _)| Change::DeleteMemory { scope: named.clone(), id: id.clone() };
                staged.entry.changes.extend(damaged.iter().map(delete));
                staged.entry.channel = channel;
                did.set(agreed(&hashes(engine, &named, &staged.outcome)));
                if dry_run || !did.get() {
                    staged.entry.changes.clear();
                }
                Ok(staged)
            },
            |inner, purged| {
                // Should the commit find another revision, all of it is looked up again.
                let mut all = removed(inner, purged)?;
                for (id, row) in &damaged {
                    all.push(removed_damaged(inner, &named, id, row)?);
                }
                *written.borrow_mut() = all;
                Ok(())
            },
            |inner, _| files_clean = (!dry_run && did.get()).then(|| inner.store.files_clean()),
        )?;
        let Purged { scope, at, carriers, .. } = purged;
        Ok((Receipt { scope, at, dry_run, removed: written.into_inner(), carriers, files_clean }, did.get()))
    }
}

impl Service {
    /// Those of `ids` that the memory does not know and the store has a row of: it can't be read.
    fn damaged_among(&self, scope: &Scope, ids: &[String]) -> Result<Vec<(MemoryId, DamagedMemory)>, ServiceError> {
        let mut inner = self.lock();
        inner.know(&Need::memories(Some(scope.as_str()), ids.iter().map(String::as_str)))?;
        let mut damaged: Vec<(MemoryId, DamagedMemory)> = Vec::new();
        // A bad id, and one that is not there, is refused with the others.
        for id in ids.iter().filter_map(|id| MemoryId::parse("ids", id).ok()) {
            let known = inner.engine.find(Some(scope.as_str()), id.as_str()).is_ok();
            if !known && !damaged.iter().any(|(other, _)| *other == id) {
                damaged.extend(inner.store.damaged(scope, &id)?.map(|row| (id, row)));
            }
        }
        Ok(damaged)
    }
}

/// The hash of every text that a purge removes, as it stands before it.
fn hashes(engine: &Engine, scope: &Scope, purged: &Purged) -> Vec<TextHash> {
    let all = purged.gone.iter().flat_map(|gone| std::iter::once(&gone.id).chain(&gone.versions));
    let hash = |id: &MemoryId| {
        let found = engine.find(Some(scope.as_str()), id.as_str());
        (id.clone(), sha256_of(found.map_or("", |memory| memory.content.as_str())))
    };
    all.map(hash).collect()
}

/// A purge of which the memory knows nothing: all of it is damaged rows.
fn nothing_known(engine: &Engine, scope: &Scope, at: Timestamp) -> Staged<Purged> {
    let base = engine.revision();
    let (operation, changes) = (Operation::Purge, Vec::new());
    let entry = JournalEntry { revision: base.next(), at, operation, channel: None, changes };
    let outcome = Purged { scope: scope.clone(), at, gone: Vec::new(), carriers: Vec::new() };
    Staged { outcome, base, entry }
}

/// What a purge removes of a row that can't be read.
fn removed_damaged(
    inner: &mut Inner,
    scope: &Scope,
    id: &MemoryId,
    row: &DamagedMemory,
) -> Result<Removed, StoreError> {
    let text = String::from_utf8_lossy(&row.content).into_owned();
    let journal_entries = inner.store.entries_about(scope, &[(id.clone(), text)])?;
    let DamagedMemory { content, edges, proposals } = row;
    let (sha256, versions) = (sha256_of(content), Vec::new());
    let (edges, proposals) = (*edges, *proposals);
    Ok(Removed { id: id.clone(), sha256, damaged: true, versions, edges, proposals, journal_entries })
}

/// What a purge removes, as it stands before it.
fn removed(inner: &mut Inner, purged: &Purged) -> Result<Vec<Removed>, StoreError> {
    let scope = &purged.scope;
    let mut all = Vec::with_capacity(purged.gone.len());
    for gone in &purged.gone {
        let text = |id: &MemoryId| {
            let found = inner.engine.find(Some(scope.as_str()), id.as_str());
            // What was staged a moment ago is there.
            found.map(|memory| memory.content.clone()).unwrap_or_default()
        };
        let texts: Vec<(MemoryId, String)> =
            std::iter::once(&gone.id).chain(&gone.versions).map(|id| (id.clone(), text(id))).collect();
        let journal_entries = inner.store.entries_about(scope, &texts)?;
        let sha256 = sha256_of(&texts[0].1);
        let removed = |(id, text): &(MemoryId, String)| RemovedText { id: id.clone(), sha256: sha256_of(text) };
        let versions = texts[1..].iter().map(removed).collect();
        let (id, edges, proposals) = (gone.id.clone(), gone.edges, gone.proposals);
        all.push(Removed { id, sha256, damaged: false, versions, edges, proposals, journal_entries });
    }
    Ok(all)
}

fn sha256_of(text: impl AsRef<[u8]>) -> String {
    let mut hex = String::with_capacity(64);
    for byte in Sha256::digest(text.as_ref()) {
        // Writing to a string can't fail.
        let _ = write!(hex, "{byte:02x}");
    }
    hex
}
