//! `cargo xtask neo4j`: a real Neo4j server, resolved from Maven Central into a cache once, and run on a free port.

use std::{
    env, fs, io,
    net::{TcpListener, TcpStream},
    path::{Path, PathBuf},
    process::{Child, Command, Stdio},
    thread,
    time::{Duration, Instant},
};

use crate::cargo::root;

/// As `tests/neo4j/pom.xml` names it.
const VERSION: &str = "5.26.30";
/// Of a server for tests alone.
const PASSWORD: &str = "ebbtrace-tests";
/// How long a server may take to start.
const STARTING: Duration = Duration::from_secs(180);
/// What Java keeps shut, and the server needs.
const OPENED: [&str; 4] = ["java.nio", "java.io", "sun.nio.ch", "java.util.concurrent"];

/// How to get what it needs.
pub(crate) const GET_JAVA: &str = "apt-get install openjdk-17-jdk-headless maven (or your system's way)";

/// Whether Java and Maven are there.
pub(crate) fn can_run() -> bool {
    let runs = |program: &str, argument: &str| {
        let mut asked = Command::new(program);
        asked.arg(argument).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
        asked.status().is_ok_and(|status| status.success())
    };
    runs("java", "-version") && (jars().join("complete").exists() || runs("mvn", "-version"))
}

/// Where its jars are kept.
fn jars() -> PathBuf {
    let cache = env::var_os("XDG_CACHE_HOME").map(PathBuf::from);
    let cache = cache.or_else(|| env::home_dir().map(|home| home.join(".cache"))).unwrap_or_default();
    cache.join("ebbtrace/neo4j").join(VERSION)
}

/// A server that runs until this is dropped.
pub(crate) struct Server {
    child: Child,
    home: PathBuf,
    port: u16,
}

impl Server {
    /// Fetches it where it is not there yet, and starts it on an empty database.
    ///
    /// # Errors
    /// What went wrong, in a sentence.
    pub(crate) fn start() -> Result<Self, String> {
        fetch()?;
        let home = env::temp_dir().join(format!("ebbtrace-neo4j-{}", std::process::id()));
        let told = |error: io::Error| format!("{}: {error}", home.display());
        let port = free_port().map_err(told)?;
        for folder in ["conf", "data", "logs", "import", "plugins"] {
            fs::create_dir_all(home.join(folder)).map_err(told)?;
        }
        let config = format!(
            "server.default_listen_address=127.0.0.1\nserver.bolt.listen_address=127.0.0.1:{port}\n\
             server.http.enabled=false\nserver.https.enabled=false\ndbms.usage_report.enabled=false\n\
             server.memory.pagecache.size=512m\n"
        );
        fs::write(home.join("conf/neo4j.conf"), config).map_err(told)?;
        let mut admin = java(&home, "org.neo4j.server.startup.Neo4jAdminCommand");
        admin.args(["dbms", "set-initial-password", PASSWORD]).stdout(Stdio::null());
        if !admin.status().is_ok_and(|status| status.success()) {
            return Err("its first password can't be set".to_owned());
        }
        let mut server = java(&home, "org.neo4j.server.CommunityEntryPoint");
        server.arg(format!("--home-dir={}", home.display()));
        server.arg(format!("--config-dir={}", home.join("conf").display()));
        let log = fs::File::create(home.join("logs/out.log")).map_err(told)?;
        let errors = log.try_clone().map_err(told)?;
        let child = server.stdout(log).stderr(errors).spawn().map_err(told)?;
        let mut server = Self { child, home, port };
        server.wait()?;
        Ok(server)
    }

    /// What the tests and the program have to know of it, as environment variables.
    pub(crate) fn environment(&self) -> [(&'static str, String); 3] {
        [
            ("EBBTRACE_NEO4J_URI", format!("bolt://127.0.0.1:{}", self.port)),
            ("EBBTRACE_NEO4J_USER", "neo4j".to_owned()),
            ("EBBTRACE_NEO4J_PASSWORD", PASSWORD.to_owned()),
        ]
    }

    fn wait(&mut self) -> Result<(), String> {
        let started = Instant::now();
        while started.elapsed() < STARTING {
            if TcpStream::connect(("127.0.0.1", self.port)).is_ok() {
                return Ok(());
            }
            if let Ok(Some(status)) = self.child.try_wait() {
                let log = fs::read_to_string(self.home.join("logs/out.log")).unwrap_or_default();
                return Err(format!("it ended with {status}:\n{log}"));
            }
            thread::sleep(Duration::from_millis(200));
        }
        Err(format!("it does not listen within {} s", STARTING.as_secs()))
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        // Of what is thrown away, nothing needs to be put in order.
        let _ = self.child.kill();
        let _ = self.child.wait();
        let _ = fs::remove_dir_all(&self.home);
    }
}

/// Runs a server until its output is closed or it is interrupted.
pub(crate) fn run() -> Result<(), String> {
    println!("Neo4j {VERSION}: it is fetched once (125 MB), and takes some seconds to start.");
    let mut server = Server::start()?;
    println!("\nIt runs until Ctrl-C, and keeps nothing. To use it:\n");
    println!("export EBBTRACE_STORE=neo4j");
    for (name, value) in server.environment() {
        println!("export {name}='{value}'");
    }
    let ended = server.child.wait();
    ended.map(drop).map_err(|error| error.to_string())
}

fn fetch() -> Result<(), String> {
    let (jars, pom) = (jars(), root().join("tests/neo4j/pom.xml"));
    let complete = jars.join("complete");
    if complete.exists() {
        return Ok(());
    }
    fs::create_dir_all(&jars).map_err(|error| format!("{}: {error}", jars.display()))?;
    let mut maven = Command::new("mvn");
    maven.args(["--batch-mode", "--quiet", "--file"]).arg(pom).arg("dependency:copy-dependencies");
    maven.arg(format!("-DoutputDirectory={}", jars.display())).stdin(Stdio::null());
    if !maven.status().is_ok_and(|status| status.success()) {
        return Err("Maven could not fetch it".to_owned());
    }
    fs::write(&complete, "").map_err(|error| format!("{}: {error}", complete.display()))
}

fn java(home: &Path, class: &str) -> Command {
    let mut java = Command::new("java");
    java.arg("-cp").arg(jars().join("*")).arg("-XX:+UseParallelGC").arg(format!("-Dbasedir={}", home.display()));
    java.args(OPENED.iter().map(|package| format!("--add-opens=java.base/{package}=ALL-UNNAMED")));
    // What the configuration says of the heap is for its own starter.
    java.arg(format!("-Xmx{}", env::var("EBBTRACE_NEO4J_HEAP").unwrap_or_else(|_| "1g".to_owned())));
    java.arg("-Dio.netty.tryReflectionSetAccessible=true").arg(class);
    java.current_dir(home).env("NEO4J_HOME", home).env("NEO4J_CONF", home.join("conf")).stdin(Stdio::null());
    java
}

fn free_port() -> io::Result<u16> {
    Ok(TcpListener::bind(("127.0.0.1", 0))?.local_addr()?.port())
}
