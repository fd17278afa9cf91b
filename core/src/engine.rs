//! The engine: every scope's partition, and the operations over them. Reading and deciding take `&self`; only
//! [`Engine::apply`] changes anything.

mod decide;
mod digest;
mod draft;
mod edit;
mod forecast;
mod history;
mod import;
mod maintain;
mod near;
mod opener;
mod purge;
mod read;
mod recall;
mod redacted;
mod reembed;
mod remember;
mod restore;
mod sessions;
mod state;
mod undo;

use std::sync::Arc;

use crate::{
    analysis::Analysis,
    change::{Change, JournalEntry, Operation, Revision, Staged},
    config::Config,
    error::Error,
    label::{MemoryId, Scope},
    operation::RawEmbedding,
    partition::Partition,
    record::{Memory, Record},
    static_model::StaticModel,
    time::{Moment, Timestamp},
    vector::Embedding,
};

pub(crate) use near::Sameness;
pub use opener::{Analysed, Analyst, Opener};
pub use state::is_tracked as is_work_record;
pub(crate) use undo::taken_back;

/// The memory: records, indexes and rules. One for each store; see the crate's documentation for the host loop.
pub struct Engine {
    config: Config,
    model: Option<Arc<StaticModel>>,
    revision: Revision,
    /// By scope.
    #[expect(clippy::vec_box, reason = "a new scope moves those behind it, and they are large")]
    partitions: Vec<Box<Partition>>,
}

impl Engine {
    /// An engine over an empty store.
    ///
    /// # Panics
    /// Where `config` does not pass [`Config::check`]. One that was read as data, or is the default, does; code that
    /// sets numbers of somebody else's checks them first, and gets a reason.
    #[must_use]
    pub fn new(config: Config, model: Option<Arc<StaticModel>>) -> Self {
        if let Err(refused) = config.check() {
            panic!("{refused}");
        }
        Self { config, model, revision: Revision::default(), partitions: Vec::new() }
    }

    /// Takes in a store's records one by one.
    ///
    /// # Panics
    /// As [`Engine::new`].
    #[must_use]
    pub fn opener(config: Config, model: Option<Arc<StaticModel>>) -> Opener {
        Opener::new(Self::new(config, model))
    }

    /// Takes in a committed entry. The only mutator: it can't fail, and applying an entry twice is applying it once.
    pub fn apply(&mut self, entry: &JournalEntry) {
        for change in &entry.changes {
            self.change(change);
        }
        for scope in entry.changes.iter().map(scope_of) {
            let Ok(place) = self.place(scope) else { continue };
            self.partitions[place].settle(&self.config);
            if self.partitions[place].is_empty() {
                self.partitions.remove(place);
            }
        }
        self.revision = self.revision.max(entry.revision);
    }

    /// The revision of the last entry applied.
    #[must_use]
    pub fn revision(&self) -> Revision {
        self.revision
    }

    /// The constants in use.
    #[must_use]
    pub fn config(&self) -> &Config {
        &self.config
    }

    fn change(&mut self, change: &Change) {
        match change {
            Change::Put(record) => {
                let model = self.model.clone();
                self.put(record.clone(), |memory| model.map(|model| Analysis::of(memory, &model)));
            }
            Change::Touch { scope, id, last_accessed_at, recalled_at, recall_count } => {
                if let Some(partition) = self.known_mut(scope) {
                    partition.touch(id, *last_accessed_at, *recalled_at, *recall_count);
                }
            }
            Change::TouchEdge { key, reinforced_at } => {
                let fading = self.config.fading.clone();
                if let Some(partition) = self.known_mut(&key.scope) {
                    partition.touch_edge(key, *reinforced_at, &fading);
                }
            }
            Change::DeleteMemory { scope, id } => {
                if let Some(partition) = self.known_mut(scope) {
                    partition.delete_memory(id);
                }
            }
            Change::DeleteEdge(key) => {
                if let Some(partition) = self.known_mut(&key.scope) {
                    partition.delete_edge(key);
                }
            }
            Change::DeleteProposal { scope, id } => {
                if let Some(partition) = self.known_mut(scope) {
                    partition.proposals.remove(id.as_str());
                }
            }
        }
    }

    fn put(&mut self, record: Record, analyse: impl FnOnce(&Memory) -> Option<Analysis>) {
        match record {
            Record::Memory(memory) => self.partition_mut(&memory.scope).put_memory(memory, analyse),
            Record::Edge(edge) => {
                let fading = self.config.fading.clone();
                self.partition_mut(&edge.key.scope).put_edge(&edge, &fading);
            }
            Record::Proposal(proposal) => {
                let proposals = &mut self.partition_mut(&proposal.scope).proposals;
                proposals.insert(proposal);
            }
            Record::Scope(status) => {
                self.partition_mut(&status.scope).maintained_at = Some(status.maintained_at);
            }
        }
    }

    fn partition_mut(&mut self, scope: &Scope) -> &mut Partition {
        let dimension = self.model.as_ref().map_or(0, |model| model.dimension());
        let place = self.place(scope).unwrap_or_else(|place| {
            self.partitions.insert(place, Box::new(Partition::new(scope.clone(), dimension)));
            place
        });
        &mut self.partitions[place]
    }

    /// Where a scope's partition is among them, or belongs.
    fn place(&self, scope: &Scope) -> Result<usize, usize> {
        self.partitions.binary_search_by(|partition| partition.scope().cmp(scope))
    }

    fn known_mut(&mut self, scope: &Scope) -> Option<&mut Partition> {
        self.place(scope).ok().map(|place| &mut *self.partitions[place])
    }

    fn partition(&self, scope: &Scope) -> Option<&Partition> {
        self.place(scope).ok().map(|place| &*self.partitions[place])
    }

    /// The memory `id` of `scope` with its slot and partition.
    fn locate(&self, field: &'static str, scope: &Scope, id: &str) -> Result<Found<'_>, Error> {
        let id = MemoryId::parse(field, id)?;
        self.lookup(scope, &id).ok_or_else(|| {
            let known = self.partition(scope).into_iter().flat_map(|partition| partition.memories());
            Error::not_found(field, "memory", id.as_str(), scope, known.map(|(_, memory)| &memory.id))
        })
    }

    /// As [`Engine::locate`], for an id that may well be new: whoever names it has made no mistake.
    fn lookup(&self, scope: &Scope, id: &MemoryId) -> Option<Found<'_>> {
        let partition = self.partition(scope)?;
        let slot = partition.slot_of(id.as_str())?;
        Some(Found { partition, slot, memory: partition.memory(slot)? })
    }

    fn stage<T>(&self, operation: Operation, at: Timestamp, outcome: T, changes: Vec<Change>) -> Staged<T> {
        let entry = JournalEntry { revision: self.revision.next(), at, operation, channel: None, changes };
        Staged { outcome, base: self.revision, entry }
    }

    /// Checks and quantises a vector against those that the scope holds.
    fn embedding(&self, scope: &Scope, raw: Option<&RawEmbedding>) -> Result<Option<Embedding>, Error> {
        let Some(raw) = raw else { return Ok(None) };
        let embedding = Embedding::quantise(raw)?;
        let (model, actual) = (&embedding.model, embedding.values.len());
        match self.partition(scope).and_then(|partition| partition.dimension(model)) {
            Some(expected) if expected != actual => {
                let field = "embedding.values";
                Err(Error::WrongDimension { field, model: model.to_string(), expected, actual })
            }
            _ => Ok(Some(embedding)),
        }
    }
}

/// A memory and where it is.
struct Found<'a> {
    partition: &'a Partition,
    slot: u32,
    memory: &'a Memory,
}

/// Checks the scope that a caller names, or takes the default.
fn scope_or_default(scope: Option<&str>) -> Result<Scope, Error> {
    scope.map_or_else(|| Ok(Scope::default()), |scope| Scope::parse("scope", scope))
}

/// Checks the host's clock.
fn checked(moment: Moment) -> Result<Moment, Error> {
    crate::limits::instant("now", moment.now)?;
    Ok(moment)
}

fn scope_of(change: &Change) -> &Scope {
    match change {
        Change::Put(Record::Memory(memory)) => &memory.scope,
        Change::Put(Record::Edge(edge)) => &edge.key.scope,
        Change::Put(Record::Proposal(proposal)) => &proposal.scope,
        Change::Put(Record::Scope(status)) => &status.scope,
        Change::Touch { scope, .. } | Change::DeleteMemory { scope, .. } | Change::DeleteProposal { scope, .. } => {
            scope
        }
        Change::TouchEdge { key, .. } | Change::DeleteEdge(key) => &key.scope,
    }
}
