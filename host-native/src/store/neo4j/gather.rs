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
const SURROUNDING: usize = 400;
/// The most words of a text that are looked for. Lucene takes 1,024 clauses.
const WORDS: usize = 256;
/// How many more are asked of the index of meanings, which knows no scopes, than are wanted.
const SPARE: usize = 4;

const BY_WORDS: &str = "CALL db.index.fulltext.queryNodes('ebbtrace_terms', $query, {limit: $limit}) YIELD node \
                        WHERE node.scope = $scope RETURN node.id AS id";
const BY_MEANING: &str = "CALL db.index.vector.queryNodes('ebbtrace_meaning', $limit, $vector) YIELD node \
                          WHERE node.scope = $scope RETURN node.id AS id";
const LINKED: &str = "UNWIND $ids AS id MATCH (:Memory {scope: $scope, id: id})-[l:Link]-(m:Memory) \
                      WITH m.id AS id, max(l.weight) AS weight ORDER BY weight DESC, id LIMIT $limit RETURN id";

/// What `need` names, with the revision that the store was at before.
pub(super) fn gather(driver: &Driver, model: &StaticModel, need: &Need) -> Result<Gathered, StoreError> {
    let ask = |cypher, told| driver.rows("gathering", Statement::new(cypher, told));
    let revision = read::revision(&ask(REVISION, Vec::new())?);
    let (scope, ids) = match need {
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
        Need::Around { scope, ids, depth } => (scope, around(&ask, scope, ids.iter().cloned().collect(), *depth)?),
        Need::Near { scope, texts, ids, candidates } => {
            let mut found: BTreeSet<String> = ids.iter().cloned().collect();
            for text in texts {
                if let Some(query) = query(scope, text) {
                    let told = vec![("query", json!(query)), ("limit", json!(candidates)), ("scope", json!(scope))];
                    found.extend(ask(BY_WORDS, told)?.iter().filter_map(id));
                }
                let vector = meaning(model, text);
                if !vector.is_empty() {
                    let limit = candidates * SPARE;
                    let told = vec![("vector", json!(vector)), ("limit", json!(limit)), ("scope", json!(scope))];
                    found.extend(ask(BY_MEANING, told)?.iter().filter_map(id).take(*candidates));
                }
            }
            (scope, around(&ask, scope, found, 2)?)
        }
    };
    let ids: Vec<String> = ids.into_iter().collect();
    let records = read::of_ids(driver, scope, &ids)?;
    Ok(Gathered { revision, records })
}

/// The ids and those of what surrounds them.
fn around(
    ask: &dyn Fn(&'static str, Vec<(&'static str, Value)>) -> Result<Vec<Columns>, StoreError>,
    scope: &str,
    mut known: BTreeSet<String>,
    depth: usize,
) -> Result<BTreeSet<String>, StoreError> {
    let mut ring: Vec<String> = known.iter().cloned().collect();
    for _ in 0..depth {
        if ring.is_empty() || known.len() > 2 * SURROUNDING {
            break;
        }
        let told = vec![("scope", json!(scope)), ("ids", json!(ring)), ("limit", json!(SURROUNDING))];
        let linked = ask(LINKED, told)?;
        ring = linked.iter().filter_map(id).filter(|id| known.insert(id.clone())).collect();
    }
    Ok(known)
}

fn id(row: &Columns) -> Option<String> {
    Some(row.get("id")?.as_str()?.to_owned())
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
