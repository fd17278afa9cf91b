//! The same of the stores that are graph databases: Kùzu's engine allows one process at a time, a server any number.

#[cfg(feature = "kuzu")]
mod kuzu {
    use std::{fs, path::Path};

    use ebbtrace::{StoreError, store::KuzuStore};

    use super::super::{Process, assert_kept, contents, killed_at_any_instant, open};

    /// The files in a folder with what is in them.
    fn files(folder: &Path) -> Vec<(String, Vec<u8>)> {
        let mut files: Vec<_> = fs::read_dir(folder)
            .expect("a folder")
            .map(|entry| {
                let path = entry.expect("an entry").path();
                (path.display().to_string(), fs::read(&path).expect("a file"))
            })
            .collect();
        files.sort();
        files
    }

    #[test]
    fn a2_a_second_process_is_told_who_has_a_kuzu_store_and_touches_nothing() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("memory.kuzu");
        let mut holder = Process::start(&path, "serve holder");
        holder.expect("ready");
        holder.tell("tulips");
        holder.expect("ack holder-0");
        let before = files(folder.path());
        #[cfg(unix)]
        for (file, _) in &before {
            use std::os::unix::fs::PermissionsExt;
            let mode = fs::metadata(file).expect("a file").permissions().mode();
            assert_eq!(mode & 0o077, 0, "others may read {file}");
        }
        let refused = KuzuStore::open(&path).expect_err("it is held");
        let StoreError::Held { holder: named, .. } = &refused else { panic!("{refused:?}") };
        assert!(named.contains(&format!("process {}", holder.child.id())), "{named}");
        assert_eq!(refused.code(), "store_held");
        assert_eq!(files(folder.path()), before);
        // A holder that is ending is waited for, and one that was killed blocks nobody.
        let waits = std::thread::spawn({
            let path = path.clone();
            move || contents(&open(&path)).len()
        });
        std::thread::sleep(std::time::Duration::from_millis(300));
        holder.kill();
        assert_eq!(waits.join().expect("an open store"), 1);
    }

    #[test]
    fn a6_an_acknowledged_write_in_kuzu_survives_a_kill_at_any_instant() {
        let folder = tempfile::tempdir().expect("a folder");
        killed_at_any_instant(&folder.path().join("memory.kuzu"), 12);
    }

    #[test]
    fn a3_what_is_no_kuzu_store_is_left_as_it_is() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("memory.kuzu");
        for text in ["not a database", "", &"x".repeat(100_000)] {
            fs::write(&path, text).expect("a file");
            let opened = KuzuStore::open(&path);
            if text.is_empty() {
                continue; // An empty file is where a store begins.
            }
            let refused = opened.expect_err("it is no store");
            assert!(matches!(refused.code(), "store_damaged" | "store_open"), "{refused:?}");
            assert_eq!(fs::read_to_string(&path).expect("the file"), text);
        }
        assert_eq!(assert_kept(&folder.path().join("new.kuzu"), &[]), 0);
    }
}

#[cfg(feature = "neo4j")]
pub(crate) fn server() -> ebbtrace::store::Neo4jStore {
    use ebbtrace::store::{Neo4jServer, Neo4jStore};
    let server = Neo4jServer::of_environment().expect("EBBTRACE_NEO4J_PASSWORD: see `cargo xtask neo4j`");
    Neo4jStore::open(server).expect("a store")
}

#[cfg(feature = "neo4j")]
mod neo4j {
    use std::path::Path;

    use ebbtrace::store::Neo4jServer;

    use super::super::{Process, assert_kept, eight_writers, killed_at_any_instant};

    /// The server, empty, for one test at a time.
    fn alone() -> std::sync::MutexGuard<'static, ()> {
        static ALONE: std::sync::Mutex<()> = std::sync::Mutex::new(());
        let alone = ALONE.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        let server = Neo4jServer::of_environment().expect("EBBTRACE_NEO4J_PASSWORD: see `cargo xtask neo4j`");
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime");
        runtime.block_on(async {
            let graph = neo4rs::Graph::new(&server.uri, &server.user, &server.password).expect("a server");
            graph.run(neo4rs::query("MATCH (n) DETACH DELETE n")).await.expect("an empty database");
        });
        alone
    }

    #[test]
    fn a4_eight_processes_start_at_once_on_an_empty_neo4j() {
        let _alone = alone();
        let mut servers: Vec<Process> =
            (0..8).map(|number| Process::start(Path::new("neo4j"), &format!("serve server{number}"))).collect();
        servers.iter_mut().for_each(|server| server.expect("ready"));
        for server in &mut servers {
            server.tell("lilies");
        }
        for (number, server) in servers.iter_mut().enumerate() {
            server.expect(&format!("ack server{number}-0"));
        }
        let said: Vec<String> = (0..8).map(|number| format!("ack server{number}-0")).collect();
        assert_eq!(assert_kept(Path::new("neo4j"), &said), 8);
    }

    #[test]
    fn a5_eight_writers_lose_nothing_in_neo4j() {
        let _alone = alone();
        eight_writers(Path::new("neo4j"), 25);
    }

    #[test]
    fn a6_an_acknowledged_write_in_neo4j_survives_a_kill_at_any_instant() {
        let _alone = alone();
        killed_at_any_instant(Path::new("neo4j"), 8);
    }
}
