//! Plans: sequences of operations, made at random and shrunk by proptest.

use proptest::prelude::*;

/// One step of a plan. Numbers name things modulo how many there are, so that any plan can be run and shrunk.
#[derive(Clone, Debug)]
pub(crate) enum Op {
    Remember(NewMemory),
    Recall {
        scope: u8,
        query: Words,
        k: Option<i64>,
        depth: u8,
        peek: bool,
        as_of: Option<i32>,
        vector: Option<u8>,
    },
    Update {
        scope: u8,
        target: u8,
        text: Option<Words>,
        importance: Option<u8>,
        vector: Option<u8>,
    },
    Connect {
        scope: u8,
        from: u8,
        to: u8,
        relation: u8,
        weight: Option<u8>,
    },
    Reinforce {
        scope: u8,
        target: u8,
    },
    Forget {
        scope: u8,
        target: u8,
    },
    Pin {
        scope: u8,
        target: u8,
        pinned: bool,
    },
    Maintain {
        scope: u8,
        dry_run: bool,
    },
    Decide {
        scope: u8,
        target: u8,
        approve: bool,
    },
    Restore {
        scope: u8,
        target: u8,
    },
    /// Tells of a failure, a feature or a handoff.
    Track {
        scope: u8,
        sort: u8,
        of: u8,
        text: Words,
    },
    /// Takes back one of the sessions of new memories.
    Undo {
        scope: u8,
        session: u8,
        dry_run: bool,
    },
    /// Removes two memories for good, or one and the same.
    Purge {
        scope: u8,
        targets: (u8, u8),
        carriers: bool,
    },
    /// Takes in the records that stood at an earlier step of the plan.
    ImportEarlier {
        step: u8,
    },
    /// Half a year goes by unused, and then maintenance runs: what it proposes is there to be decided.
    Age {
        scope: u8,
    },
    /// Moves the clock by hours, forwards or back.
    Clock {
        hours: i32,
    },
}

/// What to remember.
#[derive(Clone, Debug)]
pub(crate) struct NewMemory {
    pub(crate) scope: u8,
    pub(crate) text: Words,
    pub(crate) id: Option<u8>,
    pub(crate) session: Option<u8>,
    pub(crate) links: Vec<(u8, u8)>,
    pub(crate) vector: Option<u8>,
    pub(crate) importance: Option<u8>,
    pub(crate) category: u8,
    pub(crate) kind: u8,
    pub(crate) tag: Option<u8>,
    pub(crate) pinned: bool,
    pub(crate) occurred_days_ago: Option<u16>,
}

/// A text, by its place among the frames and what fills them.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Words {
    frame: u8,
    filling: u8,
    number: u8,
}

/// Sentences with room for a name and a number. Several say the same, or the opposite, so that resolution has to decide.
const FRAMES: [&str; 25] = [
    "The retry limit of NAME is NUM",
    "NAME allows NUM retries at most",
    "NAME loves dark roast coffee in the morning",
    "NAME hates dark roast coffee in the morning",
    "NAME works at Acme as an engineer",
    "NAME now works at Globex as an engineer",
    "The deploy of NAME takes NUM minutes on staging",
    "The deploy of NAME takes NUM minutes on staging and is run by cron",
    "Force push to NAME is allowed",
    "Force push to NAME is not allowed",
    "Meeting with NAME about the roadmap on day NUM",
    "NAME prefers PostgreSQL over MySQL for storage",
    "ERR_CONN-NUM shows up when NAME restarts nginx",
    "NAME 프로젝트는 PostgreSQL을 사용한다",
    "NAME 프로젝트는 MySQL로 변경했다",
    "NAME项目使用数据库PostgreSQL",
    "NAME项目的数据库改为MySQL",
    "NAMEの締め切りはNUM日です",
    "NAME ordered NUM boxes of paper from the supplier in Lyon",
    "paper",
    "The retry limit of NAME is currently NUM.",
    "At most NUM retries are allowed by NAME",
    "PIN codes of NAME: door NUM, safe 3",
    "PIN codes of NAME: door 3, safe NUM",
    "NAME, engineer for NUM years",
];

const NAMES: [&str; 5] = ["Atlas", "billing", "Mira", "the gateway", "Otto"];

impl Words {
    pub(crate) fn text(self) -> String {
        let name = NAMES[usize::from(self.filling) % NAMES.len()];
        let number = (self.number % 6 + 2).to_string();
        FRAMES[usize::from(self.frame) % FRAMES.len()].replace("NAME", name).replace("NUM", &number)
    }
}

fn words() -> impl Strategy<Value = Words> {
    (0..FRAMES.len() as u8, 0..NAMES.len() as u8, 0_u8..6).prop_map(|(frame, filling, number)| Words {
        frame,
        filling,
        number,
    })
}

/// Mostly the first scope, so that things meet.
fn scope() -> impl Strategy<Value = u8> {
    prop_oneof![4 => Just(0_u8), 1 => Just(1_u8)]
}

fn new_memory() -> impl Strategy<Value = NewMemory> {
    let place = (scope(), words(), proptest::option::weighted(0.3, 0_u8..4), proptest::option::weighted(0.4, 0_u8..2));
    let rest = (
        proptest::collection::vec((any::<u8>(), 0_u8..4), 0..3),
        proptest::option::weighted(0.5, 0_u8..12),
        proptest::option::of(0_u8..=10),
        0_u8..4,
        0_u8..3,
        proptest::option::weighted(0.4, 0_u8..3),
        proptest::bool::weighted(0.1),
        proptest::option::weighted(0.2, 0_u16..400),
    );
    (place, rest).prop_map(|((scope, text, id, session), rest)| {
        let (links, vector, importance, category, kind, tag, pinned, occurred_days_ago) = rest;
        NewMemory {
            scope,
            text,
            id,
            session,
            links,
            vector,
            importance,
            category,
            kind,
            tag,
            pinned,
            occurred_days_ago,
        }
    })
}

fn op() -> impl Strategy<Value = Op> {
    let target = || (scope(), any::<u8>());
    prop_oneof![
        10 => new_memory().prop_map(Op::Remember),
        5 => (
            scope(),
            words(),
            proptest::option::weighted(0.3, -1_i64..9),
            0_u8..8,
            proptest::bool::weighted(0.3),
            proptest::option::weighted(0.2, -3000_i32..100),
            proptest::option::weighted(0.3, 0_u8..12),
        )
            .prop_map(|(scope, query, k, depth, peek, as_of, vector)| Op::Recall {
                scope, query, k, depth, peek, as_of, vector
            }),
        3 => (target(), proptest::option::weighted(0.7, words()), proptest::option::of(0_u8..=10), proptest::option::of(0_u8..12))
            .prop_map(|((scope, target), text, importance, vector)| Op::Update { scope, target, text, importance, vector }),
        3 => (target(), any::<u8>(), 0_u8..4, proptest::option::of(1_u8..=20))
            .prop_map(|((scope, from), to, relation, weight)| Op::Connect { scope, from, to, relation, weight }),
        1 => target().prop_map(|(scope, target)| Op::Reinforce { scope, target }),
        1 => target().prop_map(|(scope, target)| Op::Forget { scope, target }),
        1 => (target(), any::<bool>()).prop_map(|((scope, target), pinned)| Op::Pin { scope, target, pinned }),
        4 => (scope(), proptest::bool::weighted(0.2)).prop_map(|(scope, dry_run)| Op::Maintain { scope, dry_run }),
        4 => (target(), proptest::bool::weighted(0.7))
            .prop_map(|((scope, target), approve)| Op::Decide { scope, target, approve }),
        2 => target().prop_map(|(scope, target)| Op::Restore { scope, target }),
        3 => (scope(), 0_u8..3, 0_u8..3, words()).prop_map(|(scope, sort, of, text)| Op::Track { scope, sort, of, text }),
        2 => (scope(), 0_u8..2, proptest::bool::weighted(0.2))
            .prop_map(|(scope, session, dry_run)| Op::Undo { scope, session, dry_run }),
        1 => (target(), any::<u8>(), any::<bool>())
            .prop_map(|((scope, first), second, carriers)| Op::Purge { scope, targets: (first, second), carriers }),
        1 => any::<u8>().prop_map(|step| Op::ImportEarlier { step }),
        2 => scope().prop_map(|scope| Op::Age { scope }),
        5 => prop_oneof![4 => 0_i32..48, 3 => 24_i32..2400, 1 => -400_i32..0].prop_map(|hours| Op::Clock { hours }),
    ]
}

/// Plans of up to `longest` steps.
pub(crate) fn plans(longest: usize) -> impl Strategy<Value = Vec<Op>> {
    proptest::collection::vec(op(), 1..=longest)
}
