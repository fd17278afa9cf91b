//! Which store, asking it in Cypher, and moving from one to another.

use serde_json::json;

use super::support::Home;

#[test]
fn a_kind_of_store_that_was_not_built_says_so_and_how_to_get_it() {
    let home = Home::new();
    home.remember("We deploy on Wednesdays", &[]);
    for (kind, is_built) in [("kuzu", cfg!(feature = "kuzu")), ("neo4j", cfg!(feature = "neo4j"))] {
        if is_built {
            continue; // Then its own cases are run.
        }
        for verb in [&["stats"][..], &["remember", "x"], &["export"], &["cypher", "MATCH (m) RETURN m"]] {
            assert_eq!(home.refused(&[verb, &["--store", kind]].concat(), "store_not_built"), "store", "{verb:?}");
        }
        let to = if kind == "kuzu" { "kuzu:other.kuzu" } else { kind };
        let ran = home.run(&["copy", "--from", "sqlite", "--to", to, "--json"]);
        let error = ran.object()["error"].clone();
        assert!(ran.code == Some(1) && error["next_step"].to_string().contains("--features"), "{error}");
    }
}

#[test]
fn a_memory_is_copied_whole_once_and_never_over_another() {
    let home = Home::new();
    home.remember("We deploy on Wednesdays", &["--id", "deploy"]);
    home.remember("We deploy on Thursdays", &["--id", "deploy"]);
    home.remember("The canary sings", &["--scope", "other"]);
    let before = home.records();
    let from = format!("sqlite:{}", home.path().join("memory.db").display());
    let copy = home.path().join("copy.db");
    let to = format!("sqlite:{}", copy.display());
    let first = home.json(&["copy", "--from", &from, "--to", &to]);
    assert_eq!((&first["records"], &first["written"]), (&json!(before.len()), &json!(before.len())), "{first}");
    let again = home.json(&["copy", "--from", &from, "--to", &to]);
    assert_eq!((&again["written"], &again["digest"]), (&json!(0), &first["digest"]));
    let db = copy.display().to_string();
    let exported = |more: &[&str]| home.run(&[&["export"], more].concat()).stdout;
    let records = |export: String| export.lines().skip(1).map(str::to_owned).collect::<Vec<_>>();
    let (copied, own) = (records(exported(&["--db", &db])), records(exported(&[])));
    assert_eq!(copied, own);
    // Once it is used, it is another memory.
    home.json(&["recall", "when do we deploy?", "--db", &db]);
    assert_eq!(home.refused(&["copy", "--from", &from, "--to", &to], "target_in_use"), "to");
    assert_eq!(home.records(), before);
}

#[test]
fn what_can_t_be_copied_or_asked_is_refused() {
    let home = Home::new();
    home.remember("We deploy on Wednesdays", &[]);
    let from = format!("sqlite:{}", home.path().join("memory.db").display());
    let new = format!("sqlite:{}", home.path().join("new.db").display());
    for (arguments, code, field) in [
        (&["copy", "--from", &from, "--to", &from][..], "bad_value", "to"),
        (&["copy", "--from", &from, "--to", "postgres:x"], "bad_value", "to"),
        (&["copy", "--from", "sqlite", "--to", "kuzu"], "bad_value", "to"),
        (&["copy", "--from", "memory.db", "--to", &new], "bad_value", "from"),
        (&["copy", "--from", "sqlite:/no/such.db", "--to", &new], "unreadable", "path"),
        (&["copy", "--from", &from], "usage", "to"),
        (&["cypher", "MATCH (m) RETURN m"], "bad_value", "store"),
        (&["cypher"], "usage", "cypher"),
    ] {
        assert_eq!(home.refused(arguments, code), field, "{arguments:?}");
    }
    assert!(!home.path().join("new.db").exists());
}
