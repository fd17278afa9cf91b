//! Push-down: what an operation needs, found by the server's own indexes and edges. What is found is decided on by the same
//! core as everywhere. What core takes from the scope as a whole, it takes from what was found: how rare a word is, whom
//! the scope knows by name, and the peak that activations are measured by.

use std::collections::{BTreeMap, BTreeSet};

use ebbtrace_core::{StaticModel, terms};
use serde_json::{Value, json};

use super::{
    driver::{Columns, Driver, Statement},
    read::{self, REVISION},
};
use crate::store::{Gathered, Need, StoreError};

/// The most memories that surround those that were found: those with the strongest links.
const SURROUNDING: usize = 100;
/// The most words of a text that are looked for. Lucene takes 1,024 clauses.
const WORDS: usize = 256;
/// How many more are asked of the index of meanings, which knows no scopes, than are wanted.
const SPARE: usize = 3;

const BY_WORDS: &str = "CALL db.index.fulltext.queryNodes('ebbtrace_terms', $query, {limit: $limit}) YIELD node \
                        WHERE node.scope = $scope RETURN id(node) AS node";
const BY_MEANING: &str = "CALL db.index.vector.queryNodes('ebbtrace_meaning', $limit, $vector) YIELD node \
                          WHERE node.scope = $scope RETURN id(node) AS node";
const BY_ID: &str = "UNWIND $ids AS id MATCH (m:Memory {scope: $scope, id: id}) RETURN id(m) AS node";
const LINKED: &str = "MATCH (a:Memory) WHERE id(a) IN $nodes MATCH (a)-[l:Link]-(m:Memory) \
                      WITH m, max(l.weight) AS weight ORDER BY weight DESC, m.id LIMIT $limit RETURN id(m) AS node";

/// What `need` names, with the revision that the store was at before.
pub(super) fn gather(driver: &Driver, model: &StaticModel, need: &Need) -> Result<Gathered, StoreError> {
    let ask = |cypher, told| driver.rows("gathering", Statement::new(cypher, told));
    let revision = read::revision(&ask(REVISION, Vec::new())?);
    let by_id = |scope: &str, ids: &[String]| -> Result<BTreeSet<i64>, StoreError> {
        if ids.is_empty() {
            return Ok(BTreeSet::new());
        }
        Ok(ask(BY_ID, vec![("scope", json!(scope)), ("ids", json!(ids))])?.iter().filter_map(node).collect())
    };
    let (scope, nodes) = match need {
        Need::Nothing => return Ok(Gathered { revision, records: Vec::new() }),
        Need::Everything => {
            let (revision, records, _) = read::everything(driver)?;
            return Ok(Gathered { revision, records });
        }
        Need::Scopes => return Ok(Gathered { revision, records: read::scopes(driver)? }),
        Need::Scope(scope) => {
            let (revision, records, _) = read::of_scope(driver, scope)?;
            return Ok(Gathered { revision, records });
        }
        Need::Around { scope, ids, depth } => (scope, around(&ask, by_id(scope, ids)?, *depth)?),
        Need::Near { scope, texts, ids, candidates } => {
            let mut found = by_id(scope, ids)?;
            for text in texts {
                if let Some(query) = query(scope, text) {
                    let told = vec![("query", json!(query)), ("limit", json!(candidates)), ("scope", json!(scope))];
                    found.extend(ask(BY_WORDS, told)?.iter().filter_map(node));
                }
                let vector = meaning(model, text);
                if !vector.is_empty() {
                    let limit = candidates * SPARE;
                    let told = vec![("vector", json!(vector)), ("limit", json!(limit)), ("scope", json!(scope))];
                    found.extend(ask(BY_MEANING, told)?.iter().filter_map(node).take(*candidates));
                }
            }
            (scope, around(&ask, found, 2)?)
        }
    };
    let records = read::of_nodes(driver, scope, &nodes)?;
    Ok(Gathered { revision, records })
}

/// What asks the server.
type Ask<'a> = dyn Fn(&'static str, Vec<(&'static str, Value)>) -> Result<Vec<Columns>, StoreError> + 'a;

/// The nodes and those of what surrounds them. They are named by the server's own numbers: those are short, and a message
/// that fits into one packet is not waited for.
fn around(ask: &Ask<'_>, mut known: BTreeSet<i64>, depth: usize) -> Result<BTreeSet<i64>, StoreError> {
    let mut ring: Vec<i64> = known.iter().copied().collect();
    for _ in 0..depth {
        if ring.is_empty() || known.len() > 10 * SURROUNDING {
            break;
        }
        let linked = ask(LINKED, vec![("nodes", json!(ring)), ("limit", json!(SURROUNDING))])?;
        ring = linked.iter().filter_map(node).filter(|node| known.insert(*node)).collect();
    }
    Ok(known)
}

fn node(row: &Columns) -> Option<i64> {
    row.get("node")?.as_i64()
}

/// The terms of a text, as core has them, for the full-text index: one of the scope first, so that a question can ask for
/// that alone.
pub(super) fn terms_of(scope: &str, text: &str) -> String {
    let mut all: BTreeMap<String, usize> = BTreeMap::new();
    terms::analyze(text, terms::Purpose::Index, |term| {
        let term = match term {
            terms::Term::Word(word) => terms::stem(word).into_owned(),
            terms::Term::Exact(text) => text.to_owned(),
        };
        *all.entry(term).or_default() += 1;
    });
    let words = all.into_iter().flat_map(|(word, count)| std::iter::repeat_n(word, count));
    std::iter::once(scope_term(scope)).chain(words).collect::<Vec<_>>().join(" ")
}

/// The vector of a text's meaning by the token table; of nothing it knows, an empty one.
pub(super) fn meaning(model: &StaticModel, text: &str) -> Vec<f32> {
    let vector = model.pooled(&model.tokens(text));
    // One of no length is like nothing, and refused by the index.
    if vector.iter().any(|value| *value != 0.0) { vector } else { Vec::new() }
}

/// A word for a scope, which may be of many words.
fn scope_term(scope: &str) -> String {
    scope.bytes().fold("scope_".to_owned(), |term, byte| format!("{term}{byte:02x}"))
}

fn query(scope: &str, text: &str) -> Option<String> {
    let mut words: Vec<String> = terms::query_terms(text).into_iter().map(|term| escaped(&term.term)).collect();
    words.truncate(WORDS);
    (!words.is_empty()).then(|| format!("+{} +({})", scope_term(scope), words.join(" ")))
}

/// A word that Lucene reads as one, whatever is in it.
fn escaped(word: &str) -> String {
    let plain = |c: char| c.is_alphanumeric() || c == '_';
    word.chars().flat_map(|c| (!plain(c)).then_some('\\').into_iter().chain([c])).collect()
}
