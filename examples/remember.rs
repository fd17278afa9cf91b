//! A memory on disk: remember, connect, recall with reasons, and what a year without use does.
//!
//! `cargo run -p ebbtrace-examples --example remember`

use std::{error::Error, sync::Arc};

use ebbtrace::{Service, clock::ManualClock, service::Options, store::SqliteStore};
use ebbtrace_core::{ConnectInput, RecallInput, RememberInput, Timestamp};

fn main() -> Result<(), Box<dyn Error>> {
    let folder = tempfile::tempdir()?;
    let path = folder.path().join("memory.db");
    // A clock that we move; leave it out to live in real time.
    let clock = Arc::new(ManualClock::new(Timestamp(1_790_000_000_000)));
    let open = || -> Result<Service, Box<dyn Error>> {
        let mut options = Options::new(Box::new(SqliteStore::open(&path)?));
        options.clock = Box::new(clock.clone());
        Ok(Service::open(options)?)
    };

    let memory = open()?;
    let remember = |id: &str, content: &str, importance: f64| {
        memory.remember(RememberInput {
            id: Some(id.into()),
            content: content.into(),
            importance: Some(importance),
            ..RememberInput::default()
        })
    };
    remember("incident:checkout", "Checkout takes nine seconds in the evening", 0.8)?;
    remember("limit:paylane", "Paylane allows twenty API calls per second", 0.5)?;
    memory.connect(&ConnectInput {
        from: "incident:checkout".into(),
        to: "limit:paylane".into(),
        relation: Some("caused-by".into()),
        ..ConnectInput::default()
    })?;
    memory.close()?;

    // Another day, another process.
    let memory = open()?;
    let query = "why is checkout slow?";
    println!("recall {query:?}");
    for hit in memory.recall(RecallInput { query: query.into(), ..RecallInput::default() })?.hits {
        let way = hit.path.iter().map(ToString::to_string).collect::<Vec<_>>().join(" -> ");
        println!("  {:.2} {} {:?} {way}", hit.score.total, hit.memory.content, hit.matched);
    }

    clock.set(clock.now().plus_days(365.0));
    let stats = memory.stats(None)?;
    println!("a year later, unused: {:?}", stats.tiers);
    assert_eq!(stats.memories, 2, "archived is not gone");
    assert_eq!(stats.tiers["hot"], 0);
    Ok(())
}
