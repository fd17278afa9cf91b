//! What the client says on stdin: one JSON object, whose fields are named alike by all of them, or nearly so.

use std::{
    io::{self, IsTerminal, Read},
    path::PathBuf,
    sync::mpsc,
    thread,
    time::Instant,
};

use serde_json::Value;

/// The most that is read. A pasted prompt of more is not looked at.
const MOST: usize = 4 << 20;

/// What is made use of.
#[derive(Debug, Default)]
pub(super) struct Input {
    /// The client's session.
    pub(super) session: Option<String>,
    /// The event, as the client calls it.
    pub(super) event: Option<String>,
    /// Why a session starts (`source`) or ends (`reason`).
    pub(super) reason: Option<String>,
    /// What was typed.
    pub(super) prompt: Option<String>,
    /// The folder that is worked in.
    pub(super) folder: Option<PathBuf>,
    /// Whether the client is Cursor, which reads answers of its own form.
    pub(super) is_cursor: bool,
}

impl Input {
    fn of(value: &Value) -> Self {
        let text = |names: &[&str]| {
            let found = names.iter().find_map(|name| value.get(name).and_then(Value::as_str));
            found.filter(|text| !text.trim().is_empty()).map(str::to_owned)
        };
        Self {
            session: text(&["session_id", "sessionId", "conversation_id"]),
            event: text(&["hook_event_name", "hookEventName"]),
            reason: text(&["source", "reason"]),
            prompt: text(&["prompt"]),
            folder: text(&["cwd"])
                .or_else(|| value["workspace_roots"][0].as_str().map(str::to_owned))
                .map(PathBuf::from),
            is_cursor: value.get("cursor_version").is_some() || std::env::var_os("CURSOR_VERSION").is_some(),
        }
    }
}

/// Reads what has come by `until`, with what is wrong with it, if anything.
pub(super) fn read(until: Instant) -> (Input, Option<&'static str>) {
    if io::stdin().is_terminal() {
        return (Input::of(&Value::Null), None);
    }
    let (bytes, why) = bytes(until);
    let bytes = unmarked(&bytes);
    let parsed = serde_json::from_slice::<Value>(bytes);
    match parsed {
        Ok(value) if value.is_object() => (Input::of(&value), None),
        _ => {
            let wrong = match why {
                Some(why) => why,
                None if bytes.iter().all(u8::is_ascii_whitespace) => "stdin is empty: the client's JSON is missing",
                None => "stdin is no JSON object: the client's input is not understood",
            };
            (Input::of(&Value::Null), Some(wrong))
        }
    }
}

/// What comes without the mark that some shells put before UTF-8.
fn unmarked(bytes: &[u8]) -> &[u8] {
    bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes)
}

/// All of stdin, or what of it makes an object, or what came in time.
fn bytes(until: Instant) -> (Vec<u8>, Option<&'static str>) {
    let (sender, chunks) = mpsc::sync_channel::<Vec<u8>>(4);
    // It is left behind where stdin never closes, and ends with the process.
    let reader = move || {
        let mut stdin = io::stdin().lock();
        let mut chunk = vec![0; 64 << 10];
        while let Ok(count) = stdin.read(&mut chunk) {
            if count == 0 || sender.send(chunk[..count].to_vec()).is_err() {
                break;
            }
        }
    };
    if thread::Builder::new().spawn(reader).is_err() {
        return (Vec::new(), Some("no thread can be started to read stdin"));
    }
    let mut bytes = Vec::new();
    let mut tried = 0;
    loop {
        match chunks.recv_timeout(until.saturating_duration_since(Instant::now())) {
            Ok(chunk) => bytes.extend(chunk),
            Err(mpsc::RecvTimeoutError::Disconnected) => return (bytes, None),
            Err(mpsc::RecvTimeoutError::Timeout) => {
                return (bytes, Some("stdin did not end in time"));
            }
        }
        if bytes.len() > MOST {
            return (Vec::new(), Some("stdin is over 4 MiB: it is not looked at"));
        }
        // A client that keeps stdin open has said all when its object is whole.
        if bytes.trim_ascii_end().ends_with(b"}") && bytes.len() > tried {
            if serde_json::from_slice::<Value>(unmarked(&bytes)).is_ok() {
                return (bytes, None);
            }
            // Twice as much must come before it is tried again: nested ends are many.
            tried = bytes.len() * 2;
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_byte_order_mark_is_no_part_of_what_is_said() {
        assert_eq!(unmarked(b"\xef\xbb\xbf{}"), b"{}");
        assert_eq!(unmarked(b"{}"), b"{}");
    }

    #[test]
    fn fields_are_found_by_any_client_s_names() {
        let claude = Input::of(&json!({
            "session_id": "s", "hook_event_name": "SessionStart", "source": "compact", "cwd": "/x",
        }));
        assert_eq!(claude.session.as_deref(), Some("s"));
        assert_eq!(claude.event.as_deref(), Some("SessionStart"));
        assert_eq!(claude.reason.as_deref(), Some("compact"));
        let code = Input::of(&json!({ "sessionId": "t", "hookEventName": "UserPromptSubmit", "prompt": "a" }));
        assert_eq!((code.session.as_deref(), code.prompt.as_deref()), (Some("t"), Some("a")));
        let cursor = Input::of(&json!({ "conversation_id": "c", "cursor_version": "3.2", "prompt": " " }));
        assert!(cursor.is_cursor && cursor.prompt.is_none() && cursor.session.as_deref() == Some("c"));
        assert!(Input::of(&json!({ "session_id": 7 })).session.is_none());
    }
}
