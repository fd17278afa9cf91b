//! How a law is tried, and what it looks at.

use std::{
    collections::{BTreeMap, BTreeSet},
    fmt::Debug,
    hash::{BuildHasher, RandomState},
};

use ebbtrace_core::{
    Change, Config, Engine, JournalEntry, Memory, Moment, Profile, RecallInput, Record, Score, Tier, Timestamp,
    config::{Fading, RecallConfig, ranges::CONSTANTS},
    resolve::is_one_text,
};
use proptest::{
    prelude::*,
    test_runner::{FileFailurePersistence, RngSeed, TestError, TestRunner},
};

use crate::{
    plan::Op,
    world::{Answer, SCOPES, World, readings},
};

/// On how many plans each law is tried where the environment does not say.
const CASES: u32 = 96;

/// Tries `law` on random inputs; fails with the seed and the smallest input that breaks it.
#[expect(clippy::disallowed_methods, reason = "what is tried may differ from run to run: the seed is printed")]
pub(crate) fn holds<S: Strategy>(name: &str, inputs: S, law: impl Fn(S::Value) -> Result<(), TestCaseError>)
where
    S::Value: Debug,
{
    // What the environment sets is in here already.
    let mut config = ProptestConfig::default();
    if std::env::var_os("PROPTEST_CASES").is_none() {
        config.cases = CASES;
    }
    config.max_shrink_iters = 4_000;
    config.source_file = Some(file!());
    config.failure_persistence = Some(Box::new(FileFailurePersistence::Direct("tests/laws/regressions.txt")));
    let seed = match config.rng_seed {
        RngSeed::Fixed(seed) => seed,
        RngSeed::Random => RandomState::new().hash_one(name),
    };
    config.rng_seed = RngSeed::Fixed(seed);
    match TestRunner::new(config).run(&inputs, law) {
        Ok(()) => {}
        Err(TestError::Fail(reason, input)) => {
            panic!(
                "{name} does not hold; again with PROPTEST_RNG_SEED={seed}\n{reason}\nthe smallest input: {input:#?}"
            )
        }
        Err(TestError::Abort(reason)) => panic!("{name} could not be tried, PROPTEST_RNG_SEED={seed}: {reason}"),
    }
}

/// Whether two things are the same; where they are not, the first lines in which their texts differ.
pub(crate) fn same<T: PartialEq + Debug>(what: &str, left: &T, right: &T) -> Result<(), TestCaseError> {
    if left == right {
        return Ok(());
    }
    let lines = |value: &T| format!("{value:#?}").replace("\\n", "\n").lines().map(str::to_owned).collect::<Vec<_>>();
    let (left, right) = (lines(left), lines(right));
    let at = left.iter().zip(&right).position(|(a, b)| a != b).unwrap_or(left.len().min(right.len()));
    let around = |lines: &[String]| lines[at.saturating_sub(6)..lines.len().min(at + 6)].join("\n");
    Err(TestCaseError::fail(format!("{what} differ\n<<<<\n{}\n====\n{}\n>>>>", around(&left), around(&right))))
}

/// Configs within their documented ranges.
pub(crate) fn configs() -> impl Strategy<Value = Config> {
    let fading =
        (0.01_f64..2_000.0, 0.0_f64..20.0, 0.0_f64..=1.0, 0.01_f64..20.0, 0.0_f64..3.0, 0.0_f64..=1.0, 0.0_f64..5.0);
    let tiers = (0.0_f64..=1.0, 0.0_f64..=1.0, 0.0_f64..=1.0);
    let recall =
        (prop::array::uniform11(0.0_f64..1.0), 0_usize..4, 0_usize..12, 0_usize..40, 0.0_f64..0.9, 0.0_f64..=1.0);
    (fading, tiers, recall, 0.0_f64..5.0, 0.0_f64..=1.0).prop_map(|(fading, tiers, recall, k1, b)| {
        let mut config = Config::default();
        let (half_life_days, read_bonus, spread, full_activation, lambda, importance_shield, recall_boost) = fading;
        config.fading = Fading {
            half_life_days,
            read_bonus,
            spread,
            full_activation,
            lambda_fact: lambda,
            importance_shield,
            recall_boost,
            ..config.fading
        };
        let mut lines = [tiers.0, tiers.1, tiers.2];
        lines.sort_by(f64::total_cmp);
        [config.tiers.frozen, config.tiers.warm, config.tiers.hot] = lines;
        let (shares, graph_depth, graph_seeds, graph_fan, floor, min_support) = recall;
        let total = shares.iter().sum::<f64>().max(1e-9);
        let [lexical, session, tokens, vector, author, time, answer, substance, graph, strength, activation] =
            shares.map(|share| share / total);
        config.recall = RecallConfig {
            lexical,
            session,
            tokens,
            vector,
            author,
            time,
            answer,
            substance,
            graph,
            strength,
            activation,
            context: floor,
            context_tokens: 0.9 - floor,
            graph_depth,
            graph_seeds,
            graph_fan,
            k1,
            b,
            tokens_floor: floor,
            vector_floor: floor,
            min_support,
            ..config.recall
        };
        config
    })
}

/// Configs with every constant at one of the ends of its range, or where it is by default.
pub(crate) fn extremes() -> impl Strategy<Value = Config> {
    prop::collection::vec(0_usize..3, CONSTANTS.len()).prop_map(|ends| {
        let mut data = serde_json::to_value(Config::default()).unwrap();
        let mut set = |field: &str, value: f64| {
            let (group, name) = field.split_once('.').unwrap();
            let whole = data[group][name].is_u64();
            data[group][name] = if whole { (value as u64).into() } else { value.into() };
        };
        let mut values: BTreeMap<&str, f64> = CONSTANTS
            .iter()
            .zip(ends)
            .map(|(constant, end)| {
                let value = [(constant.read)(&Config::default()), constant.low, constant.high][end];
                (constant.field, value)
            })
            .collect();
        for ordered in [
            ["tiers.frozen", "tiers.warm", "tiers.hot"],
            ["resolution.comparable", "resolution.related", "resolution.reinforce"],
        ] {
            let mut sorted = ordered.map(|field| values[field]);
            sorted.sort_by(f64::total_cmp);
            values.extend(ordered.into_iter().zip(sorted));
        }
        let fields = [
            "recall.lexical",
            "recall.session",
            "recall.tokens",
            "recall.vector",
            "recall.author",
            "recall.time",
            "recall.answer",
            "recall.substance",
            "recall.graph",
            "recall.strength",
            "recall.activation",
        ];
        let total: f64 = fields.iter().map(|field| values[field]).sum();
        let share = |field: &str| if total > 0.0 { values[field] / total } else { 0.1 };
        let shared = fields.map(|field| (field, share(field)));
        values.extend(shared);
        values.iter().for_each(|(field, value)| set(field, *value));
        serde_json::from_value(data).unwrap()
    })
}

/// That every figure the engine gives at `now` is a number in its range, and every tier the one of its retention.
pub(crate) fn in_range(engine: &Engine, now: Timestamp) -> Result<(), TestCaseError> {
    let text = readings(engine, now);
    let not_a_number = text.split(|c: char| !c.is_alphanumeric()).any(|word| word == "NaN" || word == "inf");
    prop_assert!(!not_a_number, "not a number at {now:?}:\n{text}");
    for scope in engine.scopes() {
        let stats = engine.stats(Some(&scope), now).unwrap();
        prop_assert!((0.0..=1.0).contains(&stats.average_strength), "{stats:?}");
        for (query, profile) in [("retry limit of Atlas", Profile::Fused), ("coffee and PostgreSQL", Profile::Engram)] {
            let input = RecallInput {
                scope: Some(scope.clone()),
                query: query.to_owned(),
                depth: Some("frozen".to_owned()),
                k: Some(1000),
                profile,
                ..RecallInput::default()
            };
            let recalled = engine.stage_recall(&input, Moment { now, entropy: 0 }).unwrap().outcome;
            for hit in &recalled.hits {
                score_is_sound(&hit.score, profile, &engine.config().recall)?;
                prop_assert!((0.0..=1.0).contains(&hit.retention), "{hit:?}");
                prop_assert!(hit.age_days >= 0.0, "{hit:?}");
                let tiers = &engine.config().tiers;
                let wanted = match hit.retention {
                    r if r >= tiers.hot => Tier::Hot,
                    r if r >= tiers.warm => Tier::Warm,
                    _ => Tier::Cold,
                };
                let as_retained = match hit.memory.state.as_str() {
                    "active" if hit.memory.pinned => hit.tier == Tier::Hot,
                    // Below the warm line, links and the prune line decide between cold and frozen.
                    "active" if wanted == Tier::Cold && hit.retention < tiers.frozen => hit.tier >= Tier::Cold,
                    "active" => hit.tier == wanted,
                    "proposed" => hit.tier == Tier::Frozen,
                    _ => hit.tier >= Tier::Cold,
                };
                prop_assert!(as_retained, "{:?} at retention {}: {:?}", hit.tier, hit.retention, hit.memory);
            }
            let ranked = recalled.hits.is_sorted_by(|a, b| {
                a.score.total > b.score.total || a.score.total == b.score.total && a.memory.id < b.memory.id
            });
            prop_assert!(ranked, "not in order: {:?}", recalled.hits);
        }
    }
    Ok(())
}

fn score_is_sound(score: &Score, profile: Profile, config: &RecallConfig) -> Result<(), TestCaseError> {
    let shares = match profile {
        Profile::Fused => config.shares(),
        Profile::Engram => [0.4 / 1.3, 0.0, 0.0, 0.6 / 1.3, 0.0, 0.0, 0.0, 0.0, 0.3 / 1.3, 0.0, 0.0],
    };
    let parts = score.parts().map(|(_, part)| part);
    for (part, share) in parts.iter().zip(shares) {
        prop_assert!((0.0..=share + 1e-6).contains(part), "a part of {part} with a share of {share}: {score:?}");
    }
    let sum: f64 = parts.iter().sum();
    prop_assert!((sum - score.total).abs() <= 1e-9 && score.total <= 1.0, "{sum} is not the total: {score:?}");
    Ok(())
}

/// Every text with the scope and id that hold it.
pub(crate) fn contents(engine: &Engine) -> BTreeMap<(String, String), String> {
    let memories = engine.records(None).filter_map(|record| match record {
        Record::Memory(memory) => Some(((memory.scope.to_string(), memory.id.to_string()), memory.content)),
        _ => None,
    });
    memories.collect()
}

/// The memories of a scope by id.
pub(crate) fn memories(world: &World, scope: u8) -> BTreeMap<String, Memory> {
    let found = world.ids(scope).into_iter().map(|id| {
        let memory = world.engine.find(Some(SCOPES[usize::from(scope)]), &id).unwrap().clone();
        (id, memory)
    });
    found.collect()
}

/// The memories that an entry deletes.
pub(crate) fn deleted(entry: &JournalEntry) -> Vec<(String, String)> {
    let deleted = entry.changes.iter().filter_map(|change| match change {
        Change::DeleteMemory { scope, id } => Some((scope.to_string(), id.to_string())),
        _ => None,
    });
    deleted.collect()
}

/// That a text which was taken in is readable in some memory, whatever was made of it, up to the end of its sentence and
/// the case of its first letter.
pub(crate) fn accepted(
    op: &Op,
    answer: &Answer,
    after: &BTreeMap<(String, String), String>,
) -> Result<(), TestCaseError> {
    let text = match op {
        Op::Remember(new) => new.text.text(),
        Op::Update { text: Some(text), .. } => text.text(),
        _ => return Ok(()),
    };
    let kept = after.values().any(|content| is_one_text(content, &text));
    prop_assert!(kept, "{text:?} was lost: {}", answer.text);
    Ok(())
}

/// The memories of the caller's own keys that are current.
pub(crate) fn current_keys(engine: &Engine) -> BTreeSet<(String, String)> {
    let keys = engine.records(None).filter_map(|record| match record {
        Record::Memory(memory) if memory.id.is_own_key() && memory.state.is_current() => {
            Some((memory.scope.to_string(), memory.id.to_string()))
        }
        _ => None,
    });
    keys.collect()
}

/// That nothing that is remembered ends a memory of the caller's own key, where no link says so.
pub(crate) fn keys_stay(op: &Op, before: &BTreeSet<(String, String)>, engine: &Engine) -> Result<(), TestCaseError> {
    if matches!(op, Op::Remember(new) if new.links.is_empty()) {
        let after = current_keys(engine);
        let gone: Vec<_> = before.difference(&after).collect();
        prop_assert!(gone.is_empty(), "{op:?} ended {gone:?}");
    }
    Ok(())
}

/// That nothing speaks of a memory that was purged: no record, no answer.
pub(crate) fn no_trace(world: &World, (scope, id): &(String, String)) -> Result<(), TestCaseError> {
    for record in world.engine.records(Some(scope)) {
        let text = format!("{record:?}");
        prop_assert!(!text.contains(id.as_str()), "{id} was purged, but is in {text}");
    }
    let text = format!("{:?}", world.engine.review_queue(Some(scope), Some(1000), None, world.now));
    prop_assert!(!text.contains(id.as_str()), "{id} was purged, but is in {text}");
    prop_assert_eq!(world.engine.find(Some(scope), id).unwrap_err().code(), "not_found");
    Ok(())
}
