//! What is taken, as what; and what is refused, in which words.

use serde_json::{Value, json};

use super::*;
use crate::mcp::{input, schema};

fn remember(given: Value) -> Result<input::Remember, Refusal> {
    read(&schema::input::<input::Remember>(), given.as_object().unwrap().clone())
}

fn recall(given: Value) -> Result<input::Recall, Refusal> {
    read(&schema::input::<input::Recall>(), given.as_object().unwrap().clone())
}

#[test]
fn texts_stand_for_what_they_spell() {
    let given = json!({
        "content": 5, "importance": "0.9", "tags": "[\"a\", \"b\"]", "metadata": "{\"k\": [1]}",
        "links": "[{\"to\": \"x\", \"weight\": \"2\"}]", "id": 7,
    });
    let read = remember(given).unwrap();
    assert_eq!((read.content.as_str(), read.importance, read.id.as_deref()), ("5", Some(0.9), Some("7")));
    assert_eq!(read.tags.unwrap(), ["a", "b"]);
    assert_eq!(Value::Object(read.metadata.unwrap()), json!({"k": [1]}));
    let links = read.links.unwrap();
    assert_eq!((links[0].to.as_str(), links[0].weight), ("x", Some(2.0)));
}

#[test]
fn one_entry_stands_for_a_list_of_one() {
    assert_eq!(recall(json!({"query": "q", "tags": "a", "kinds": "a, b"})).unwrap().kinds.unwrap(), ["a, b"]);
    let read = remember(json!({"content": "c", "links": ["x", {"to": "y"}]})).unwrap();
    assert_eq!(read.links.unwrap().iter().map(|link| link.to.as_str()).collect::<Vec<_>>(), ["x", "y"]);
    let read = remember(json!({"content": "c", "links": {"to": "z", "relation": "cites"}, "tags": 5})).unwrap();
    assert_eq!(read.links.unwrap()[0].relation.as_deref(), Some("cites"));
    assert_eq!(read.tags.unwrap(), ["5"]);
}

#[test]
fn null_in_every_spelling_is_left_out() {
    let read = recall(json!({"query": "null", "k": null, "depth": "null", "tags": "null", "scope": "", "as_of": " "}));
    let read = read.unwrap();
    assert_eq!(read.query, "null");
    assert!(read.k.is_none() && read.depth.is_none() && read.tags.is_none());
    assert!(read.scope.is_none() && read.as_of.is_none());
    assert!(recall(json!({"query": "q", "whatever": null})).is_ok());
}

#[test]
fn whole_numbers_come_in_many_spellings() {
    let k = |value: Value| recall(json!({"query": "q", "k": value})).map(|read| read.k);
    assert_eq!(k(json!("5")), Ok(Some(5)));
    assert_eq!(k(json!(2.0)), Ok(Some(2)));
    assert_eq!(k(json!("1e9")), Ok(Some(1_000_000_000)));
    assert_eq!(k(json!(-1)), Ok(Some(-1)));
    assert_eq!(k(json!(1e300)), Ok(Some(i64::MAX)));
    assert_eq!(k(json!(u64::MAX)), Ok(Some(i64::MAX)));
    for wrong in [json!(2.5), json!("five"), json!(true), json!([1]), json!("NaN"), json!("1e999")] {
        let refusal = k(wrong.clone()).unwrap_err();
        assert_eq!((refusal.code, refusal.field.as_deref()), ("invalid_argument", Some("k")), "{wrong}");
        assert!(refusal.message.contains("a whole number"), "{refusal:?}");
    }
}

#[test]
fn truth_values_and_choices_in_any_case() {
    let pinned = |value: Value| {
        let schema = schema::input::<input::Pin>();
        read::<input::Pin>(&schema, json!({"id": "x", "pinned": value}).as_object().unwrap().clone()).map(|r| r.pinned)
    };
    assert_eq!(pinned(json!("True")), Ok(Some(true)));
    assert_eq!(pinned(json!(0)), Ok(Some(false)));
    assert_eq!(
        pinned(json!("maybe")).unwrap_err().message,
        "pinned is the text \"maybe\"; allowed is true or false (Default true; false unpins)"
    );
    assert_eq!(recall(json!({"query": "q", "depth": "Cold"})).unwrap().depth.as_deref(), Some("cold"));
    let refusal = recall(json!({"query": "q", "depth": "lava"})).unwrap_err();
    assert_eq!(refusal.message, "depth is the text \"lava\"; allowed is one of hot, warm, cold, frozen");
}

#[test]
fn names_are_known_in_any_spelling_and_others_are_refused_with_the_right_ones() {
    assert_eq!(recall(json!({"query": "q", "minScore": 0.2})).unwrap().min_score, Some(0.2));
    let refusal = recall(json!({"query": "q", "project": "x"})).unwrap_err();
    assert_eq!(refusal.code, "unknown_argument");
    for name in ["query", "k", "depth", "kinds", "tags", "min_score", "as_of", "scope", "\"project\""] {
        assert!(refusal.message.contains(name), "{name} is not in {refusal:?}");
    }
    let refusal = recall(json!({"query": "q", "min_score": 0.2, "minScore": 0.3})).unwrap_err();
    assert_eq!(refusal.message, "min_score is given twice; allowed is one value");
    let refusal = remember(json!({"content": "c", "links": [{"to": "x", "kind": "y"}]})).unwrap_err();
    assert_eq!(refusal.field.as_deref(), Some("links[0].kind"));
}

#[test]
fn what_is_missing_or_of_another_kind_is_named_with_its_place() {
    assert_eq!(remember(json!({})).unwrap_err().code, "missing_argument");
    assert_eq!(remember(json!({"content": null})).unwrap_err().field.as_deref(), Some("content"));
    let refusal = remember(json!({"content": "c", "links": [{"relation": "x"}]})).unwrap_err();
    assert_eq!(refusal.field.as_deref(), Some("links[0].to"));
    let refusal = remember(json!({"content": {"a": 1}})).unwrap_err();
    assert!(refusal.message.starts_with("content is an object; allowed is a text"), "{refusal:?}");
    let refusal = remember(json!({"content": "c", "tags": ["a", null]})).unwrap_err();
    assert_eq!(refusal.field.as_deref(), Some("tags[1]"));
    assert_eq!(remember(json!({"content": "c", "tags": "['a', 'b']"})).unwrap_err().field.as_deref(), Some("tags"));
    let refusal = remember(json!({"content": "c", "metadata": "just words"})).unwrap_err();
    assert_eq!(refusal.field.as_deref(), Some("metadata"));
}

#[test]
fn arguments_as_a_whole_may_be_a_text_or_left_out() {
    assert_eq!(whole(None), Ok(Object::new()));
    assert_eq!(whole(Some(json!("null"))), Ok(Object::new()));
    assert_eq!(whole(Some(json!("{\"a\": 1}"))), Ok(json!({"a": 1}).as_object().unwrap().clone()));
    assert_eq!(whole(Some(json!([1, 2]))).unwrap_err().field.as_deref(), Some("arguments"));
    assert_eq!(whole(Some(json!("recall it"))).unwrap_err().field.as_deref(), Some("arguments"));
}
