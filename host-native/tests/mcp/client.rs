//! A scripted client of either era, over a program or over pipes.

use std::{
    io::{BufRead, BufReader, Read, Write},
    path::Path,
    process::{Child, Command, ExitStatus, Stdio},
    sync::{Arc, Mutex, mpsc},
    thread::{self, JoinHandle},
    time::Duration,
};

use ebbtrace::{
    Service, StoreError,
    mcp::{McpOptions, serve},
};
use serde_json::{Value, json};

/// How long a test waits for what must come. Never how long it should take.
pub(crate) const PATIENCE: Duration = Duration::from_secs(60);

/// Which handshake and metadata a client speaks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Era {
    /// `initialize`, then a session.
    Session,
    /// `server/discover`, then requests that say who asks.
    Discover,
}

impl Era {
    pub(crate) const BOTH: [Self; 2] = [Self::Session, Self::Discover];
}

/// A client's end of a connection.
pub(crate) struct Client {
    era: Era,
    input: Option<Box<dyn Write + Send>>,
    lines: mpsc::Receiver<Value>,
    next_id: i64,
    /// What the client says that it can do.
    pub(crate) capabilities: Value,
    /// What it says it is called.
    pub(crate) name: String,
}

/// What a tool call came to.
#[derive(Debug)]
pub(crate) struct Answer {
    pub(crate) text: String,
    pub(crate) structured: Value,
    pub(crate) failed: bool,
}

impl Client {
    fn over(input: impl Write + Send + 'static, output: impl Read + Send + 'static) -> Self {
        let (send, lines) = mpsc::channel();
        thread::spawn(move || {
            for line in BufReader::new(output).split(b'\n') {
                // A byte that is no protocol ends the thread, and the test that waits for an answer.
                let line = line.unwrap();
                let message: Value = serde_json::from_slice(&line)
                    .unwrap_or_else(|error| panic!("{error}: {:?}", String::from_utf8_lossy(&line)));
                assert_eq!(message["jsonrpc"], "2.0", "{message}");
                if send.send(message).is_err() {
                    return;
                }
            }
        });
        Self {
            era: Era::Session,
            input: Some(Box::new(input)),
            lines,
            next_id: 1,
            capabilities: json!({}),
            name: "scripted-client".to_owned(),
        }
    }

    /// Sends raw bytes and a line feed.
    pub(crate) fn send(&mut self, line: impl AsRef<[u8]>) {
        self.write(&[line.as_ref(), b"\n"].concat());
    }

    /// Sends raw bytes.
    pub(crate) fn write(&mut self, bytes: &[u8]) {
        let input = self.input.as_mut().unwrap();
        input.write_all(bytes).unwrap();
        input.flush().unwrap();
    }

    /// The next message from the server.
    pub(crate) fn next(&self) -> Value {
        self.lines.recv_timeout(PATIENCE).unwrap()
    }

    /// Every message from here to the end of output.
    pub(crate) fn rest(&self) -> Vec<Value> {
        let mut rest = Vec::new();
        while let Ok(message) = self.lines.recv_timeout(PATIENCE) {
            rest.push(message);
        }
        rest
    }

    /// Ends the input.
    pub(crate) fn hang_up(&mut self) {
        self.input = None;
    }

    /// Sends a request and returns its id, without waiting.
    pub(crate) fn ask(&mut self, method: &str, mut params: Value) -> i64 {
        let id = self.next_id;
        self.next_id += 1;
        if self.era == Era::Discover {
            params["_meta"] = json!({
                "io.modelcontextprotocol/protocolVersion": "2026-07-28",
                "io.modelcontextprotocol/clientInfo": {"name": self.name, "version": "1.0"},
                "io.modelcontextprotocol/clientCapabilities": self.capabilities,
            });
        }
        self.send(json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params}).to_string());
        id
    }

    /// Sends a request and waits for its response; others in between must not come.
    pub(crate) fn request(&mut self, method: &str, params: Value) -> Value {
        let id = self.ask(method, params);
        let response = self.next();
        assert_eq!(response["id"], id, "{response}");
        response
    }

    /// Greets the server as `era` does and returns its result.
    pub(crate) fn greet(&mut self, era: Era) -> Value {
        self.era = era;
        let hello = json!({
            "protocolVersion": "2025-11-25", "capabilities": self.capabilities,
            "clientInfo": {"name": self.name, "version": "1.0"},
        });
        let response = match era {
            Era::Session => self.request("initialize", hello),
            Era::Discover => self.request("server/discover", json!({})),
        };
        if era == Era::Session {
            self.send(json!({"jsonrpc": "2.0", "method": "notifications/initialized"}).to_string());
        }
        assert!(response["result"]["capabilities"]["tools"].is_object(), "{response}");
        response["result"].clone()
    }

    /// Calls a tool and checks what holds of every answer.
    pub(crate) fn call(&mut self, tool: &str, arguments: Value) -> Answer {
        let response = self.request("tools/call", json!({"name": tool, "arguments": arguments}));
        Answer::of(&response, self.era)
    }

    /// Calls a tool that must do as asked; its structured content.
    pub(crate) fn done(&mut self, tool: &str, arguments: Value) -> Value {
        let answer = self.call(tool, arguments);
        assert!(!answer.failed, "{answer:?}");
        answer.structured
    }

    /// Calls a tool that must refuse; the error in its structured content.
    pub(crate) fn refused(&mut self, tool: &str, arguments: Value) -> Value {
        let answer = self.call(tool, arguments);
        assert!(answer.failed, "{answer:?}");
        answer.structured["error"].clone()
    }

    /// The ids that a query finds, best first.
    pub(crate) fn found(&mut self, arguments: Value) -> Vec<String> {
        let hits = self.done("recall", arguments)["hits"].as_array().unwrap().clone();
        hits.iter().map(|hit| hit["id"].as_str().unwrap().to_owned()).collect()
    }
}

impl Answer {
    /// A call's answer, with what holds of every one of them checked.
    pub(crate) fn of(response: &Value, era: Era) -> Self {
        let result = &response["result"];
        assert!(result.is_object(), "{response}");
        let complete = json!("complete");
        assert_eq!(result.get("resultType"), (era == Era::Discover).then_some(&complete), "{result}");
        let content = result["content"].as_array().unwrap();
        assert_eq!((content.len(), &content[0]["type"]), (1, &json!("text")));
        let answer = Self {
            text: content[0]["text"].as_str().unwrap().to_owned(),
            structured: result["structuredContent"].clone(),
            failed: result["isError"].as_bool().unwrap(),
        };
        assert!(answer.structured.is_object() && !answer.text.is_empty(), "{answer:?}");
        if answer.failed {
            // Some clients show a model nothing of an error but its text.
            let error = &answer.structured["error"];
            for part in ["code", "message", "next_step"] {
                let said = error[part].as_str().unwrap().trim_end_matches('.');
                assert!(!said.is_empty() && answer.text.contains(said), "{part} of {answer:?}");
            }
        }
        for form in [answer.text.clone(), answer.structured.to_string()] {
            assert!(form.chars().count() <= 20_000, "{} characters: {form:.200}", form.chars().count());
        }
        answer
    }
}

/// The built program, serving a store.
pub(crate) struct Program {
    pub(crate) client: Client,
    child: Child,
    log: Arc<Mutex<String>>,
    logging: JoinHandle<()>,
}

impl Program {
    /// Starts `ebbtrace mcp` over the store at `path`.
    pub(crate) fn start(path: &Path) -> Self {
        Self::with(path, &[], &[])
    }

    /// Starts it with more arguments and variables.
    pub(crate) fn with(path: &Path, arguments: &[&str], variables: &[(&str, &str)]) -> Self {
        let mut child = Command::new(env!("CARGO_BIN_EXE_ebbtrace"))
            .args(["mcp", "--db"])
            .arg(path)
            .args(arguments)
            .env_remove("RUST_LOG")
            .envs(variables.iter().copied())
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let client = Client::over(child.stdin.take().unwrap(), child.stdout.take().unwrap());
        let log = Arc::new(Mutex::new(String::new()));
        let (mut stderr, written) = (child.stderr.take().unwrap(), Arc::clone(&log));
        let logging = thread::spawn(move || {
            let mut text = Vec::new();
            stderr.read_to_end(&mut text).unwrap();
            *written.lock().unwrap() = String::from_utf8_lossy(&text).into_owned();
        });
        Self { client, child, log, logging }
    }

    /// Starts it and greets it.
    pub(crate) fn greeted(path: &Path, era: Era) -> Self {
        let mut program = Self::start(path);
        program.client.greet(era);
        program
    }

    /// Ends the input and waits for the end: the exit status, what was still said, and the log.
    pub(crate) fn finish(mut self) -> (ExitStatus, Vec<Value>, String) {
        self.client.hang_up();
        let rest = self.client.rest();
        let status = self.child.wait().unwrap();
        self.logging.join().unwrap();
        let log = self.log.lock().unwrap().clone();
        (status, rest, log)
    }

    /// Kills it outright.
    pub(crate) fn kill(mut self) {
        self.child.kill().unwrap();
        self.child.wait().unwrap();
    }
}

/// The server in this process, over pipes.
pub(crate) struct Local {
    pub(crate) client: Client,
    served: mpsc::Receiver<u8>,
}

impl Local {
    /// Serves what `open` opens.
    pub(crate) fn start(open: impl FnMut() -> Result<Service, StoreError> + Send + 'static) -> Self {
        Self::with(McpOptions::default(), open)
    }

    /// Serves what `open` opens, as `options` say.
    pub(crate) fn with(
        options: McpOptions,
        open: impl FnMut() -> Result<Service, StoreError> + Send + 'static,
    ) -> Self {
        let (input, to_server) = std::io::pipe().unwrap();
        let (from_server, output) = std::io::pipe().unwrap();
        let (send, served) = mpsc::channel();
        thread::spawn(move || {
            let open = Mutex::new(open);
            let code = serve(move || (open.lock().unwrap())(), options, input, output);
            // The test may have ended.
            let _ = send.send(code);
        });
        Self { client: Client::over(to_server, from_server), served }
    }

    /// Ends the input and waits for the server's exit code.
    pub(crate) fn finish(mut self) -> u8 {
        self.client.hang_up();
        self.served.recv_timeout(PATIENCE).unwrap()
    }
}
