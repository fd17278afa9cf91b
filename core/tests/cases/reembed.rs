//! H2: vectors of another model take the place of what is stored, and nothing else changes.

use ebbtrace_core::{RawEmbedding, RecallInput, ReembedInput, Reembedding, RememberInput, UpdateInput, VectorKind};

use crate::support::Host;

fn raw(model: &str, values: &[f32]) -> Option<RawEmbedding> {
    Some(RawEmbedding { model: model.to_owned(), values: values.to_vec() })
}

fn kind(model: &str, dimension: usize) -> VectorKind {
    VectorKind { model: model.into(), dimension }
}

/// Two memories with vectors of the model `old`.
fn host() -> Host {
    let mut host = Host::new();
    for (id, content, values) in
        [("tram", "The tram stops at the harbour", [1.0, 0.0]), ("cello", "Priya plays the cello", [0.0, 1.0])]
    {
        let (id, content, embedding) = (Some(id.to_owned()), content.to_owned(), raw("old", &values));
        host.put(&RememberInput { id, content, embedding, ..RememberInput::default() });
    }
    host
}

/// A new vector of the memory as it is now.
fn of(host: &Host, id: &str, embedding: Option<RawEmbedding>) -> Reembedding {
    let memory = host.engine.find(None, id).unwrap();
    Reembedding { id: id.to_owned(), version: memory.version, content: memory.content.clone(), embedding }
}

fn input(memories: Vec<Reembedding>) -> ReembedInput {
    ReembedInput { scope: None, memories }
}

#[test]
fn nothing_but_the_vector_changes() {
    let mut host = host();
    let before = host.engine.find(None, "tram").unwrap().clone();
    host.wait(9.0);
    let new = of(&host, "tram", raw("new", &[0.0, 3.0, 4.0]));
    let done = host.run(|engine, moment| engine.stage_reembed(&input(vec![new]), moment));
    assert_eq!((done.changed, done.left_out.len()), (1, 0));
    let mut after = host.engine.find(None, "tram").unwrap().clone();
    let embedding = after.embedding.take().unwrap();
    assert_eq!((&*embedding.model, &*embedding.values), ("new", &[0, 95, 127][..]));
    after.embedding = before.embedding.clone();
    assert_eq!(after, before);
}

#[test]
fn what_is_done_is_not_asked_for_again() {
    let mut host = host();
    let wanted = kind("new", 3);
    let lacking = |host: &Host| -> Vec<String> {
        host.engine.unembedded(None, Some(&wanted)).unwrap().iter().map(|one| one.id.to_string()).collect()
    };
    assert_eq!(lacking(&host), ["cello", "tram"]);
    let new = input(vec![of(&host, "cello", raw("new", &[1.0, 1.0, 0.0]))]);
    host.run(|engine, moment| engine.stage_reembed(&new, moment));
    assert_eq!(lacking(&host), ["tram"]);
    let again = host.moment();
    assert!(host.engine.stage_reembed(&new, again).unwrap().is_empty());
    let vectors = host.engine.vectors(None).unwrap();
    assert_eq!((vectors.memories, vectors.of(&wanted), vectors.others(Some(&wanted))), (2, 1, 1));
}

#[test]
fn a_memory_that_was_edited_meanwhile_is_left_out() {
    let mut host = host();
    let tram = of(&host, "tram", raw("new", &[1.0, 1.0, 0.0]));
    let gone = Reembedding { id: "gone".to_owned(), ..tram.clone() };
    let content = Some("The tram stops at the airport".to_owned());
    let edit = UpdateInput { id: "tram".to_owned(), content, ..UpdateInput::default() };
    host.run(|engine, moment| engine.stage_update(&edit, moment));
    let done = host.run(|engine, moment| engine.stage_reembed(&input(vec![tram, gone]), moment));
    assert_eq!((done.changed, done.left_out), (0, vec!["tram".to_owned(), "gone".to_owned()]));
    // An import can set another text under the same version.
    let stale = Reembedding { content: "The tram stops here".to_owned(), ..of(&host, "tram", raw("new", &[1.0])) };
    let done = host.run(|engine, moment| engine.stage_reembed(&input(vec![stale]), moment));
    assert_eq!(done.left_out, ["tram"]);
}

#[test]
fn vectors_are_dropped_and_recall_still_answers() {
    let mut host = host();
    assert_eq!(host.engine.unembedded(None, None).unwrap().len(), 2);
    let none = input(vec![of(&host, "tram", None), of(&host, "cello", None)]);
    host.run(|engine, moment| engine.stage_reembed(&none, moment));
    assert!(host.engine.unembedded(None, None).unwrap().is_empty());
    assert_eq!(host.engine.vectors(None).unwrap().kinds, []);
    assert_eq!(host.look("where does the tram stop?"), ["The tram stops at the harbour"]);
}

#[test]
fn a_dimension_may_change_but_not_within_one_batch() {
    let mut host = host();
    let (tram, cello) = (of(&host, "tram", raw("old", &[1.0, 0.0, 0.0])), of(&host, "cello", raw("old", &[1.0])));
    let moment = host.moment();
    let refused = host.engine.stage_reembed(&input(vec![tram.clone(), cello]), moment).unwrap_err();
    assert_eq!(refused.code(), "wrong_dimension");
    host.run(|engine, moment| engine.stage_reembed(&input(vec![tram]), moment));
    assert_eq!(host.engine.unembedded(None, Some(&kind("old", 3))).unwrap().len(), 1);
}

#[test]
fn a_scope_of_its_own_stays_as_it_is() {
    let mut host = host();
    let content = "Priya plays the cello".to_owned();
    let scope = Some("other".to_owned());
    host.put(&RememberInput { scope, content, embedding: raw("old", &[0.0, 1.0]), ..RememberInput::default() });
    assert_eq!(host.engine.unembedded(None, None).unwrap().len(), 3);
    assert_eq!(host.engine.unembedded(Some("other"), None).unwrap().len(), 1);
    let none = input(vec![of(&host, "tram", None), of(&host, "cello", None)]);
    host.run(|engine, moment| engine.stage_reembed(&none, moment));
    assert_eq!(host.engine.vectors(Some("other")).unwrap().others(None), 1);
    let query = RecallInput { query: "cello".to_owned(), scope: Some("other".to_owned()), ..RecallInput::default() };
    assert_eq!(host.recall(&query).hits.len(), 1);
}
