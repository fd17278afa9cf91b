//! The engine alone, in a host of your own: here the store is a file of JSON lines, one committed entry a line.
//!
//! `cargo run -p ebbtrace-examples --example host_loop`

use std::{
    error::Error,
    fs::{File, OpenOptions},
    io::{BufRead, BufReader, Write},
    path::Path,
    time::{SystemTime, UNIX_EPOCH},
};

use ebbtrace_core::{Config, Engine, JournalEntry, Moment, RecallInput, RememberInput, Revision, Staged};

/// Replays the journal into a new engine: opening is applying.
fn open(path: &Path) -> Result<Engine, Box<dyn Error>> {
    let mut engine = Engine::opener(Config::default(), None).finish(Revision(0));
    if path.exists() {
        for line in BufReader::new(File::open(path)?).lines() {
            engine.apply(&serde_json::from_str::<JournalEntry>(&line?)?);
        }
    }
    Ok(engine)
}

/// Commits, then applies. With several writers the store must compare `staged.base` with its own revision first.
fn commit<T>(engine: &mut Engine, path: &Path, staged: Staged<T>) -> Result<T, Box<dyn Error>> {
    if !staged.is_empty() {
        let mut file = OpenOptions::new().create(true).append(true).open(path)?;
        writeln!(file, "{}", serde_json::to_string(&staged.entry)?)?;
        file.sync_data()?;
        engine.apply(&staged.entry);
    }
    Ok(staged.outcome)
}

/// The engine has no clock and no randomness: the host brings both.
fn moment() -> Result<Moment, Box<dyn Error>> {
    let since = SystemTime::now().duration_since(UNIX_EPOCH)?;
    Ok(Moment::new(i64::try_from(since.as_millis())?, u64::from(since.subsec_nanos())))
}

fn main() -> Result<(), Box<dyn Error>> {
    let folder = tempfile::tempdir()?;
    let path = folder.path().join("journal.jsonl");

    let mut engine = open(&path)?;
    let input = RememberInput { content: "Deploys happen on Wednesdays".into(), ..RememberInput::default() };
    let staged = engine.stage_remember(&input, moment()?)?;
    let remembered = commit(&mut engine, &path, staged)?;
    println!("remembered {}", remembered.id);

    let mut reopened = open(&path)?;
    assert_eq!(reopened.revision(), engine.revision());
    let query = RecallInput { query: "when do we deploy?".into(), ..RecallInput::default() };
    let staged = reopened.stage_recall(&query, moment()?)?;
    let recalled = commit(&mut reopened, &path, staged)?;
    println!("recalled {:?}", recalled.hits[0].memory.content);
    assert_eq!(recalled.hits[0].memory.id, remembered.id);
    Ok(())
}
