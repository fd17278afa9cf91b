//! Records and entries to store, and ways to look at what is stored.

use ebbtrace::{CommitAnswer, Store};
use ebbtrace_core::{
    Category, Change, Edge, EdgeKey, Editor, JournalEntry, Label, Memory, MemoryId, Operation, Proposal,
    ProposedAction, Record, Revision, Scope, ScopeStatus, Source, State, Tier, Timestamp, vector::Embedding,
};
use serde_json::{Map, Value, json};

pub(crate) fn scope(name: &str) -> Scope {
    Scope::try_from(name).expect("a valid scope")
}

pub(crate) fn id(name: &str) -> MemoryId {
    MemoryId::try_from(name).expect("a valid id")
}

pub(crate) fn label(name: &str) -> Label {
    Label::try_from(name).expect("a valid label")
}

/// A memory with the least that one can have.
pub(crate) fn plain(at: &str, name: &str) -> Memory {
    Memory {
        scope: scope(at),
        id: id(name),
        kind: label("note"),
        category: Category::Fact,
        content: format!("about {name}"),
        importance: 0.5,
        pinned: false,
        tags: Vec::new(),
        metadata: Map::new(),
        author: None,
        source: Source::default(),
        occurred_at: Timestamp(1),
        created_at: Timestamp(2),
        updated_at: Timestamp(3),
        valid_from: Timestamp(4),
        last_accessed_at: Timestamp(5),
        recalled_at: None,
        recall_count: 0,
        version: 1,
        state: State::Active,
        tier: Tier::Hot,
        embedding: None,
    }
}

/// A memory in which every field holds something, much of it at the edge of what is allowed.
pub(crate) fn full(at: &str, name: &str) -> Memory {
    let metadata = json!({ "deep": { "list": [1, -2, 0.1, null, true, "ü\u{0}\"\\"] }, "large": u64::MAX });
    let Value::Object(metadata) = metadata else { unreachable!("an object was written") };
    Memory {
        kind: label("회의"),
        category: Category::Strategy,
        content: "línea 1\nline 2\t\u{0}한국어 中文 🦀".to_owned(),
        importance: 0.1 + 0.2,
        pinned: true,
        tags: vec!["a \"quoted\" tag".into(), "日本".into()],
        metadata,
        author: Some("Ann".to_owned()),
        source: Source {
            client: Some("a client".to_owned()),
            session: Some("a session".to_owned()),
            position: u32::MAX,
            uri: Some("https://example.org/?q=%20".to_owned()),
            editor: Some(Editor { client: None, session: Some("a later session".to_owned()) }),
            shared: true,
        },
        occurred_at: Timestamp::MIN,
        created_at: Timestamp::MAX,
        updated_at: Timestamp(-1),
        valid_from: Timestamp(0),
        last_accessed_at: Timestamp(i64::from(u32::MAX)),
        recalled_at: Some(Timestamp(-62)),
        recall_count: u32::MAX,
        version: 7,
        state: State::Archived { at: Timestamp(9), reason: Some("no longer needed".to_owned()) },
        tier: Tier::Cold,
        embedding: Some(Embedding {
            model: "Vendor/Model With Capitals v2".into(),
            values: (i8::MIN..=i8::MAX).collect(),
            scale: 1.0 / 127.3,
        }),
        ..plain(at, name)
    }
}

pub(crate) fn edge(at: &str, from: &str, to: &str, relation: &str) -> Edge {
    let key = EdgeKey { scope: scope(at), from: id(from), to: id(to), relation: label(relation) };
    Edge { key, weight: 1.0 / 3.0, created_at: Timestamp(20), reinforced_at: Timestamp(21) }
}

pub(crate) fn proposal(at: &str, name: &str, action: ProposedAction) -> Proposal {
    let reason = format!("{name} was not used for 90 days");
    Proposal { scope: scope(at), id: id(name), action, reason, proposed_at: Timestamp(30) }
}

pub(crate) fn put_memory(memory: Memory) -> Change {
    Change::Put(Record::Memory(Box::new(memory)))
}

pub(crate) fn put_edge(edge: Edge) -> Change {
    Change::Put(Record::Edge(edge))
}

pub(crate) fn put_proposal(proposal: Proposal) -> Change {
    Change::Put(Record::Proposal(proposal))
}

pub(crate) fn put_scope(at: &str, maintained_at: i64) -> Change {
    Change::Put(Record::Scope(ScopeStatus { scope: scope(at), maintained_at: Timestamp(maintained_at) }))
}

pub(crate) fn entry(revision: u64, operation: Operation, changes: Vec<Change>) -> JournalEntry {
    JournalEntry {
        revision: Revision(revision),
        at: Timestamp(1_000 + revision as i64),
        operation,
        channel: None,
        changes,
    }
}

/// Commits `changes` as `revision`.
pub(crate) fn commit(store: &mut dyn Store, revision: u64, changes: Vec<Change>) {
    let answer = store.commit(&entry(revision, Operation::Remember, changes));
    assert_eq!(answer, Ok(CommitAnswer::Committed));
}

/// The revision and the records of a store, each as JSON, in order.
pub(crate) fn loaded(store: &mut dyn Store) -> (u64, Vec<String>) {
    let mut records = Vec::new();
    let revision = store.load(&mut |record| records.push(record)).expect("a store that loads");
    (revision.0, sorted(&records))
}

/// Records as JSON, in order.
pub(crate) fn sorted(records: &[Record]) -> Vec<String> {
    let mut texts: Vec<String> = records.iter().map(|record| json!(record).to_string()).collect();
    texts.sort();
    texts
}

/// The records that these changes put, as JSON, in order.
pub(crate) fn of(changes: &[Change]) -> Vec<String> {
    let put = |change: &Change| match change {
        Change::Put(record) => Some(record.clone()),
        _ => None,
    };
    sorted(&changes.iter().filter_map(put).collect::<Vec<_>>())
}

/// Numbers that look random and are the same each time.
#[derive(Debug)]
pub(crate) struct Dice(pub(crate) u64);

impl Dice {
    /// A number below `bound`.
    pub(crate) fn below(&mut self, bound: u64) -> u64 {
        // SplitMix64.
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        (mixed ^ (mixed >> 31)) % bound
    }
}
