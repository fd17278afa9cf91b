//! The strict reading of a client's answer. On it hangs what is deleted, so it is taken as it stands or not at all: where
//! two readers could understand it differently, it decides nothing.

use std::{collections::HashSet, fmt};

use rmcp::model::{ClientJsonRpcMessage, ClientResult, JsonRpcMessage, RequestId};
use serde::de::{Deserialize, Deserializer, Error, MapAccess, SeqAccess, Visitor};
use serde_json::Value;

/// The answer in `message`, which was read from `line`. One that is malformed and yet names its question comes out as an
/// empty one, which is an answer to nothing that is asked; `None`: it names no question that this server can have put.
pub(super) fn strictly(message: Value, line: &[u8]) -> Option<ClientJsonRpcMessage> {
    // The ids of this server are whole numbers, written as such; the library would also take 0.0 and "0" for 0.
    let id = message.get("id")?.as_i64()?;
    let one = message.get("result").is_some() != message.get("error").is_some();
    let distinct = distinct_keys(line);
    if !distinct && !id_is_distinct(line) {
        return None;
    }
    let read = if one && distinct { serde_json::from_value(message).ok() } else { None };
    Some(read.unwrap_or_else(|| JsonRpcMessage::response(ClientResult::empty(()), RequestId::Number(id))))
}

/// Whether no object in `line`, however deep, names a key twice: some readers take the first, others the last.
pub(super) fn distinct_keys(line: &[u8]) -> bool {
    serde_json::from_slice::<Distinct>(line).is_ok()
}

/// Whether the message names its id once.
fn id_is_distinct(line: &[u8]) -> bool {
    serde_json::from_slice::<TopKeys>(line)
        .is_ok_and(|TopKeys(keys)| keys.iter().filter(|key| *key == "id").count() == 1)
}

/// Any JSON without a key named twice.
struct Distinct;

impl<'de> Deserialize<'de> for Distinct {
    fn deserialize<D: Deserializer<'de>>(json: D) -> Result<Self, D::Error> {
        json.deserialize_any(DistinctVisitor)
    }
}

struct DistinctVisitor;

impl<'de> Visitor<'de> for DistinctVisitor {
    type Value = Distinct;

    fn expecting(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str("JSON whose objects name each key once")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut object: A) -> Result<Distinct, A::Error> {
        let mut seen = HashSet::new();
        while let Some((key, Distinct)) = object.next_entry::<String, Distinct>()? {
            if !seen.insert(key) {
                return Err(A::Error::custom("a key is named twice"));
            }
        }
        Ok(Distinct)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut array: A) -> Result<Distinct, A::Error> {
        while array.next_element::<Distinct>()?.is_some() {}
        Ok(Distinct)
    }

    fn visit_unit<E>(self) -> Result<Distinct, E> {
        Ok(Distinct)
    }

    fn visit_bool<E>(self, _: bool) -> Result<Distinct, E> {
        Ok(Distinct)
    }

    fn visit_i64<E>(self, _: i64) -> Result<Distinct, E> {
        Ok(Distinct)
    }

    fn visit_u64<E>(self, _: u64) -> Result<Distinct, E> {
        Ok(Distinct)
    }

    fn visit_f64<E>(self, _: f64) -> Result<Distinct, E> {
        Ok(Distinct)
    }

    fn visit_str<E>(self, _: &str) -> Result<Distinct, E> {
        Ok(Distinct)
    }
}

/// The keys of one object, as often as it names them.
struct TopKeys(Vec<String>);

impl<'de> Deserialize<'de> for TopKeys {
    fn deserialize<D: Deserializer<'de>>(json: D) -> Result<Self, D::Error> {
        json.deserialize_map(TopKeysVisitor)
    }
}

struct TopKeysVisitor;

impl<'de> Visitor<'de> for TopKeysVisitor {
    type Value = TopKeys;

    fn expecting(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str("an object")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut object: A) -> Result<TopKeys, A::Error> {
        let mut keys = Vec::new();
        while let Some((key, serde::de::IgnoredAny)) = object.next_entry()? {
            keys.push(key);
        }
        Ok(TopKeys(keys))
    }
}

#[cfg(test)]
mod tests {
    use rmcp::model::JsonRpcResponse;

    use super::*;

    fn read(line: &str) -> Option<ClientJsonRpcMessage> {
        strictly(serde_json::from_str(line).unwrap(), line.as_bytes())
    }

    #[test]
    fn an_answer_is_taken_as_it_stands_or_decides_nothing() {
        let good = r#"{"jsonrpc":"2.0","id":3,"result":{"action":"accept","content":{"a":[{"x":1.5},{"x":null}]}}}"#;
        assert!(matches!(
            read(good),
            Some(JsonRpcMessage::Response(JsonRpcResponse { result: ClientResult::ElicitResult(_), .. }))
        ));
        let error = r#"{"jsonrpc":"2.0","id":3,"error":{"code":-32601,"message":"no"}}"#;
        assert!(matches!(read(error), Some(JsonRpcMessage::Error(_))));
        for malformed in [
            r#"{"jsonrpc":"2.0","id":3,"result":{"action":"accept"},"error":{"code":1,"message":"no"}}"#,
            r#"{"jsonrpc":"2.0","id":3,"result":{"action":"accept"},"error":null}"#,
            r#"{"jsonrpc":"2.0","id":3,"error":"no"}"#,
            r#"{"jsonrpc":"1.0","id":3,"result":{"action":"accept"}}"#,
            r#"{"id":3,"result":{"action":"accept"}}"#,
            r#"{"jsonrpc":"2.0","id":3,"result":{"action":"decline","action":"accept"}}"#,
            r#"{"jsonrpc":"2.0","id":3,"result":{"action":"decline","\u0061ction":"accept"}}"#,
            r#"{"jsonrpc":"2.0","id":3,"result":{"action":"accept","content":{"p":"keep","p":"approve"}}}"#,
            r#"{"jsonrpc":"2.0","id":3,"result":{"action":"decline"},"result":{"action":"accept"}}"#,
            r#"{"jsonrpc":"2.0","id":3,"result":{"action":"accept","_meta":{"a":[{"b":1,"b":1}]}}}"#,
        ] {
            let Some(JsonRpcMessage::Response(JsonRpcResponse { id, result, .. })) = read(malformed) else {
                panic!("{malformed}")
            };
            assert_eq!(id, RequestId::Number(3), "{malformed}");
            assert!(matches!(result, ClientResult::EmptyResult(_)), "{malformed}");
        }
        for unknown in ["\"3\"", "3.0", "3e0", "-0", "null", "[3]", "18446744073709551615", "4,\"id\":3"] {
            let line = format!(r#"{{"jsonrpc":"2.0","id":{unknown},"result":{{"action":"accept"}}}}"#);
            assert!(read(&line).is_none(), "{line}");
        }
        assert!(read(r#"{"jsonrpc":"2.0","result":{"action":"accept"}}"#).is_none());
    }
}
