//! A running server maintains what it serves, beside the calls.

use std::{path::Path, thread, time::Duration};

use serde_json::json;

use super::{
    client::{Era, PATIENCE, Program},
    database::journal,
    faded::{run, store_old},
};

fn maintained(path: &Path) -> usize {
    journal(path).iter().filter(|operation| *operation == "maintain").count()
}

fn wait_for(mut what: impl FnMut() -> bool) {
    let started = std::time::Instant::now();
    while !what() {
        assert!(started.elapsed() < PATIENCE, "it did not come");
        thread::sleep(Duration::from_millis(20));
    }
}

#[test]
fn each_scope_is_maintained_when_its_time_has_come_and_others_write_meanwhile() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.db");
    store_old(&path);
    run(&path, &["remember", "Another scope's memory", "--scope", "other", "--now", "2024-01-01"]);
    let mut program = Program::with(&path, &["--maintenance-every-ms", "300"], &[]);
    program.client.greet(Era::Session);
    let mut writer = Program::with(&path, &["--no-maintenance"], &[]);
    writer.client.greet(Era::Discover);
    let mut written = 0;
    // Both scopes, and both again.
    while maintained(&path) < 4 {
        writer
            .client
            .done("remember", json!({"id": format!("w{written}"), "content": format!("Entry w{written} written")}));
        written += 1;
        assert!(written < 5_000);
    }
    assert_eq!(program.client.done("review_queue", json!({}))["total"], 3);
    let stats = program.client.done("stats", json!({}));
    assert_eq!(stats["memories"], 3 + written);
    assert_eq!(program.finish().0.code(), Some(0));
    writer.finish();
}

#[test]
fn a_server_that_is_always_busy_is_maintained_all_the_same() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.db");
    store_old(&path);
    let mut program = Program::with(&path, &["--maintenance-every-ms", "300"], &[]);
    program.client.greet(Era::Session);
    wait_for(|| {
        program.client.done("stats", json!({}));
        maintained(&path) > 0
    });
    program.kill();
}

#[test]
fn of_many_servers_on_one_store_one_does_it() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.db");
    store_old(&path);
    // Looked at four times in the interval; the time that the store has does not come again within this test.
    let servers: Vec<Program> =
        (0..4).map(|_| Program::with(&path, &["--maintenance-every-ms", "4000"], &[])).collect();
    wait_for(|| maintained(&path) == 1);
    thread::sleep(Duration::from_millis(1_500));
    assert_eq!(maintained(&path), 1);
    servers.into_iter().for_each(Program::kill);
}

#[test]
fn it_keeps_away_where_it_was_told_to_and_from_a_clock_that_is_ahead_and_from_other_scopes_than_its_own() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.db");
    store_old(&path);
    let every = ["--maintenance-every-ms", "50"];
    for more in [&["--no-maintenance"][..], &["--now", "+400d"], &["--fence", "--scope", "empty"]] {
        let mut program = Program::with(&path, &[&every[..], more].concat(), &[]);
        program.client.greet(Era::Session);
        thread::sleep(Duration::from_millis(500));
        program.finish();
        assert_eq!(maintained(&path), 0, "{more:?}");
    }
    let program = Program::with(&path, &every, &[]);
    wait_for(|| maintained(&path) > 0);
    program.kill();
}
