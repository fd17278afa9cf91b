//! Judges one line of input before the protocol library sees it: what is no message is answered as JSON-RPC says,
//! and what would end a session that has not begun is kept from doing so.

use std::collections::HashSet;

use rmcp::model::{
    ClientJsonRpcMessage, ClientRequest, ErrorCode, GetMeta, JsonRpcMessage, ProtocolVersion, RequestId,
};
use serde_json::{Map, Value, json};

use super::{
    ident::{self, Scan},
    reply,
};

/// The requests that this server knows.
const METHODS: [&str; 5] = ["initialize", "ping", "server/discover", "tools/list", "tools/call"];

/// What to do with a line.
#[derive(Debug)]
pub(super) enum Verdict {
    /// Hand it on.
    Pass(Box<ClientJsonRpcMessage>),
    /// Answer it with this at once.
    Answer(Value),
    /// Nothing is to be said.
    Ignore,
}

/// Judges lines, and knows whether a session has begun and which requests are still to be answered.
#[derive(Debug, Default)]
pub(super) struct Gate {
    open: bool,
    /// Handed on and not answered. The library knows a request by its id alone: of two with the same, one would never be
    /// answered. A cancelled one gets no answer and stays here: its work may go on, and no id serves twice in a session.
    pending: HashSet<RequestId>,
}

impl Gate {
    /// Judges one line, without its line feed.
    pub(super) fn judge(&mut self, line: &[u8]) -> Verdict {
        let line = line.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(line).trim_ascii();
        if line.is_empty() {
            return Verdict::Ignore;
        }
        let mut whole = None;
        let read = serde_json::from_slice(line).or_else(|error| match ident::with_whole_characters(line) {
            Some(mended) => serde_json::from_slice(whole.insert(mended)),
            None => Err(error),
        });
        match read {
            Ok(message) => self.judge_message(message, whole.as_deref().unwrap_or(line)),
            // Line and column, never the text: it may hold what is nobody's business.
            Err(error) => {
                let id = Scan::id_in(line).unwrap_or_default();
                refuse(&id, ErrorCode::PARSE_ERROR, format!("Parse error: {}", reason(&error)))
            }
        }
    }

    /// The answer to a line of more than `limit` bytes, with its id where it had one.
    pub(super) fn too_long(limit: usize, id: Option<Value>) -> Verdict {
        let message = format!("Invalid request: a message has at most {limit} bytes");
        refuse(&id.unwrap_or_default(), ErrorCode::INVALID_REQUEST, message)
    }

    /// Takes note that a request is answered: its id may serve again.
    pub(super) fn answered(&mut self, id: &RequestId) {
        self.pending.remove(id);
    }

    fn judge_message(&mut self, message: Value, line: &[u8]) -> Verdict {
        let invalid = |id: &Value, why: &str| refuse(id, ErrorCode::INVALID_REQUEST, format!("Invalid request: {why}"));
        if message.is_array() {
            return invalid(&Value::Null, "batches are not part of this protocol; send one message a line");
        }
        let Some(fields) = message.as_object() else {
            return invalid(&Value::Null, "a message is a JSON object");
        };
        let id = fields.get("id").filter(|id| id.is_string() || is_whole(id)).cloned();
        let reply_to = id.clone().unwrap_or_default();
        if fields.contains_key("result") || fields.contains_key("error") {
            if fields.contains_key("method") {
                return invalid(&reply_to, "a message has a method, or a result or an error, not both");
            }
            // The answer to a question of this server, which the library knows by its id, or to none, which it drops.
            return match reply::strictly(message, line).filter(|_| self.open) {
                Some(answer) => Verdict::Pass(Box::new(answer)),
                None => Verdict::Ignore,
            };
        }
        if fields.get("jsonrpc").and_then(Value::as_str) != Some("2.0") {
            return invalid(&reply_to, "jsonrpc must be \"2.0\"");
        }
        let Some(method) = fields.get("method").and_then(Value::as_str).map(str::to_owned) else {
            return invalid(&reply_to, "method must be a text");
        };
        if !fields.contains_key("id") {
            return self.judge_notification(message);
        }
        if id.is_none() {
            return invalid(&Value::Null, "id must be a text or a whole number");
        }
        if !METHODS.contains(&method.as_str()) {
            return refuse(&reply_to, ErrorCode::METHOD_NOT_FOUND, format!("Method not found: {}", cut(&method)));
        }
        if brings_answers(fields) && !reply::distinct_keys(line) {
            return invalid(&reply_to, "a call that brings back an answer names no key twice");
        }
        match serde_json::from_value(message) {
            Ok(message) => self.judge_request(&method, &reply_to, message),
            Err(_) => wrong_params(&reply_to, &method),
        }
    }

    fn judge_notification(&self, message: Value) -> Verdict {
        match serde_json::from_value(message) {
            Ok(message) if self.open => Verdict::Pass(Box::new(message)),
            _ => Verdict::Ignore,
        }
    }

    fn judge_request(&mut self, method: &str, id: &Value, message: ClientJsonRpcMessage) -> Verdict {
        if let JsonRpcMessage::Request(asked) = &message {
            if self.pending.contains(&asked.id) {
                let why = "Invalid request: an earlier request has this id and is not answered; give each its own";
                return refuse(id, ErrorCode::INVALID_REQUEST, why.to_owned());
            }
            match &asked.request {
                ClientRequest::InitializeRequest(_) => self.open = true,
                // A call whose arguments are no object is read more leniently further on.
                ClientRequest::CustomRequest(_) if method != "tools/call" => {
                    return wrong_params(id, method);
                }
                ClientRequest::DiscoverRequest(_) | ClientRequest::PingRequest(_) => {}
                request => self.open |= carries_session(request),
            }
            self.pending.insert(asked.id.clone());
        }
        Verdict::Pass(Box::new(message))
    }
}

/// Whether a request carries what a human answered (2026-07-28).
fn brings_answers(request: &Map<String, Value>) -> bool {
    request.get("params").is_some_and(|params| params.get("inputResponses").is_some())
}

/// Whether an id is a whole number, perhaps written as `1.0`.
fn is_whole(id: &Value) -> bool {
    // From 2^53 on, a number written so may stand for another.
    id.is_i64() || id.as_f64().is_some_and(|float| float.fract() == 0.0 && float.abs() < 9_007_199_254_740_992.0)
}

/// Whether the request says of itself all that a session needs, so that the library begins one with it.
fn carries_session(request: &ClientRequest) -> bool {
    let meta = request.get_meta();
    meta.missing_required_keys(&ProtocolVersion::V_2026_07_28).is_empty()
        && meta.protocol_version().is_some_and(|version| ProtocolVersion::KNOWN_VERSIONS.contains(&version))
}

fn wrong_params(id: &Value, method: &str) -> Verdict {
    refuse(id, ErrorCode::INVALID_PARAMS, format!("Invalid params: they are not those of {method}"))
}

fn refuse(id: &Value, code: ErrorCode, message: String) -> Verdict {
    Verdict::Answer(json!({"jsonrpc": "2.0", "id": id, "error": {"code": code.0, "message": message}}))
}

fn reason(error: &serde_json::Error) -> String {
    let what = match error.classify() {
        serde_json::error::Category::Eof => "the JSON ends too early",
        // The library has no other name for it.
        _ if error.to_string().starts_with("recursion limit") => "the JSON is nested too deep",
        _ => "this is not JSON in UTF-8",
    };
    format!("{what} (line 1, column {})", error.column())
}

fn cut(method: &str) -> String {
    ebbtrace_core::limits::excerpt(method)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn answer(gate: &mut Gate, line: &[u8]) -> (i64, Value) {
        match gate.judge(line) {
            Verdict::Answer(answer) => (answer["error"]["code"].as_i64().unwrap(), answer["id"].clone()),
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn what_is_no_message_is_answered_as_json_rpc_says() {
        let mut gate = Gate::default();
        for (line, code, id) in [
            (&b"{oops"[..], -32700, json!(null)),
            (b"{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"", -32700, json!(1)),
            (b"{\"jsonrpc\":\"2.0\",\"method\":\"ping\",\"params\":{\xff},\"id\":\"b\"}", -32700, json!("b")),
            (b"\xff\xfe{}", -32700, json!(null)),
            (b"\"\xc3\x28\"", -32700, json!(null)),
            (b"[]", -32600, json!(null)),
            (b"[{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}]", -32600, json!(null)),
            (b"7", -32600, json!(null)),
            (b"null", -32600, json!(null)),
            (b"{}", -32600, json!(null)),
            (b"{\"id\":3,\"method\":\"ping\"}", -32600, json!(3)),
            (b"{\"jsonrpc\":\"1.0\",\"id\":3,\"method\":\"ping\"}", -32600, json!(3)),
            (b"{\"jsonrpc\":\"2.0\",\"id\":\"a\"}", -32600, json!("a")),
            (b"{\"jsonrpc\":\"2.0\",\"id\":4,\"method\":5}", -32600, json!(4)),
            (b"{\"jsonrpc\":\"2.0\",\"id\":null,\"method\":\"ping\"}", -32600, json!(null)),
            (b"{\"jsonrpc\":\"2.0\",\"id\":1.5,\"method\":\"ping\"}", -32600, json!(null)),
            (b"{\"jsonrpc\":\"2.0\",\"id\":18446744073709551615,\"method\":\"ping\"}", -32600, json!(null)),
            (b"{\"jsonrpc\":\"2.0\",\"id\":{},\"method\":\"ping\"}", -32600, json!(null)),
            (b"{\"jsonrpc\":\"2.0\",\"id\":5,\"method\":\"does/not/exist\"}", -32601, json!(5)),
            (b"{\"jsonrpc\":\"2.0\",\"id\":5,\"method\":\"resources/list\"}", -32601, json!(5)),
            (b"{\"jsonrpc\":\"2.0\",\"id\":6,\"method\":\"initialize\"}", -32602, json!(6)),
            (b"{\"jsonrpc\":\"2.0\",\"id\":6,\"method\":\"tools/list\",\"params\":[1]}", -32602, json!(6)),
        ] {
            assert_eq!(answer(&mut gate, line), (code, id), "{}", String::from_utf8_lossy(line));
        }
        for line in [&b""[..], b"  \r", b"{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{}}"] {
            assert!(matches!(gate.judge(line), Verdict::Ignore), "{line:?}");
        }
    }

    #[test]
    fn an_id_serves_again_only_when_its_request_is_answered() {
        let mut gate = Gate::default();
        let ping = |id: &str| format!(r#"{{"jsonrpc":"2.0","id":{id},"method":"ping"}}"#).into_bytes();
        for id in ["1", "\"1\""] {
            assert!(matches!(gate.judge(&ping(id)), Verdict::Pass(_)));
        }
        for (id, said) in [("1", json!(1)), ("1.0", json!(1.0)), ("\"1\"", json!("1"))] {
            assert_eq!(answer(&mut gate, &ping(id)), (-32600, said));
        }
        gate.answered(&RequestId::Number(1));
        assert!(matches!(gate.judge(&ping("1")), Verdict::Pass(_)));
        assert_eq!(answer(&mut gate, &ping("\"1\"")), (-32600, json!("1")));
    }

    #[test]
    fn notifications_pass_once_a_session_is_open_and_not_before() {
        let mut gate = Gate::default();
        let notice = br#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#;
        assert!(matches!(gate.judge(notice), Verdict::Ignore));
        let ping = br#"{"jsonrpc":"2.0","id":1.0,"method":"ping"}"#;
        assert!(matches!(gate.judge(ping), Verdict::Pass(_)));
        assert!(matches!(gate.judge(notice), Verdict::Ignore));
        let hello = br#"{"jsonrpc":"2.0","id":2,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"a","version":"1"}}}"#;
        assert!(matches!(gate.judge(hello), Verdict::Pass(_)));
        assert!(matches!(gate.judge(notice), Verdict::Pass(_)));
    }
}
