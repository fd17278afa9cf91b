//! What can still be said about a line that is no JSON: whom its answer is for, and what it was meant to be.

use serde_json::Value;

/// The most bytes of a key or an id that are kept.
const TOKEN_BYTES: usize = 4_096;

/// Looks for the id of a request in a line that can't be read as a whole, fed in pieces: a client that is answered
/// without its id waits for ever. Keeps no more than the id, however long and however deep the line is.
#[derive(Debug, Default)]
pub(super) struct Scan {
    begun: bool,
    /// Whether the line is an object, and nothing came before it.
    object: bool,
    depth: usize,
    in_text: bool,
    escaped: bool,
    /// Whether the next text of the object is a key.
    at_key: bool,
    /// Whether what comes is kept in `token`.
    keeps: bool,
    token: Vec<u8>,
    key: Vec<u8>,
    id: Option<Vec<u8>>,
    /// Whether it is an answer, which is not answered.
    answer: bool,
}

impl Scan {
    /// The id of the request in `line`, where it can be made out.
    pub(super) fn id_in(line: &[u8]) -> Option<Value> {
        let mut scan = Self::default();
        scan.feed(line);
        scan.id()
    }

    /// Takes in the next piece of the line.
    pub(super) fn feed(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            if self.in_text { self.within_text(byte) } else { self.between_texts(byte) }
        }
    }

    /// The id, a text or a number, where one was told to its end.
    pub(super) fn id(&self) -> Option<Value> {
        let id = self.id.as_deref().filter(|_| !self.answer)?;
        serde_json::from_slice(id).ok().filter(|id: &Value| id.is_string() || id.is_number())
    }

    fn within_text(&mut self, byte: u8) {
        let ends = byte == b'"' && !self.escaped;
        self.escaped = byte == b'\\' && !self.escaped;
        self.in_text = !ends;
        if ends && self.depth == 1 && self.at_key {
            self.key = std::mem::take(&mut self.token);
            self.keeps = false;
        } else {
            self.keep(byte);
        }
    }

    fn between_texts(&mut self, byte: u8) {
        match byte {
            b'"' => {
                self.in_text = true;
                if self.depth == 1 && self.at_key {
                    self.token.clear();
                    self.keeps = true;
                } else {
                    self.keep(byte);
                }
            }
            b'{' | b'[' => {
                if self.depth == 0 {
                    self.object = !self.begun && byte == b'{';
                    self.at_key = self.object;
                }
                self.depth += 1;
                self.keep(byte);
            }
            b'}' | b']' | b',' if self.depth == 1 => {
                if self.keeps {
                    self.id = Some(std::mem::take(&mut self.token));
                    self.keeps = false;
                }
                self.at_key = self.object && byte == b',';
                self.depth -= usize::from(byte != b',');
            }
            b'}' | b']' => {
                self.depth = self.depth.saturating_sub(1);
                self.keep(byte);
            }
            b':' if self.depth == 1 && self.at_key => {
                self.at_key = false;
                self.token.clear();
                self.keeps = self.key == b"id";
                self.answer |= self.key == b"result" || self.key == b"error";
            }
            _ => self.keep(byte),
        }
        self.begun |= !byte.is_ascii_whitespace();
    }

    fn keep(&mut self, byte: u8) {
        if self.keeps && self.token.len() < TOKEN_BYTES {
            self.token.push(byte);
        }
    }
}

/// The line with U+FFFD in place of each half of a character that JSON allows and Unicode does not, as a client leaves it
/// that cuts a text in the middle of an emoji; `None` where there is none.
pub(super) fn with_whole_characters(line: &[u8]) -> Option<Vec<u8>> {
    let mut whole = Vec::with_capacity(line.len());
    let mut rest = line;
    let mut mended = false;
    while let Some((&byte, after)) = rest.split_first() {
        let length = match (byte, unit(rest)) {
            (_, Some(0xd800..=0xdbff)) if matches!(unit(&rest[6..]), Some(0xdc00..=0xdfff)) => 12,
            (_, Some(0xd800..=0xdfff)) => {
                whole.extend_from_slice(b"\\ufffd");
                rest = &rest[6..];
                mended = true;
                continue;
            }
            // Any escape: what follows the backslash begins no escape of its own.
            (b'\\', _) if !after.is_empty() => 2,
            _ => 1,
        };
        whole.extend_from_slice(&rest[..length]);
        rest = &rest[length..];
    }
    mended.then_some(whole)
}

/// The UTF-16 unit that an escape `\uXXXX` at the beginning of `text` stands for.
fn unit(text: &[u8]) -> Option<u16> {
    let digits = text.strip_prefix(b"\\u")?.get(..4)?;
    digits.iter().try_fold(0, |unit: u16, &digit| Some(unit << 4 | char::from(digit).to_digit(16)? as u16))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn an_id_is_found_wherever_it_stands() {
        for (line, id) in [
            (r#"{"jsonrpc":"2.0","id":1,"method":"ping"#, json!(1)),
            (r#" { "id" : "a,\"}" , oops"#, json!("a,\"}")),
            (
                r#"{"method":"tools/call","params":{"id":7,"a":[{"id":8},"id",{"x":"\"id\":9"}]},"jsonrpc":"2.0","id":2}}"#,
                json!(2),
            ),
            (r#"{"params":{"\"":"\\"},"id":3}"#, json!(3)),
            (r#"{"a":"id","b":"id","id":-4,"#, json!(-4)),
        ] {
            assert_eq!(Scan::id_in(line.as_bytes()), Some(id), "{line}");
            let mut scan = Scan::default();
            line.as_bytes().chunks(3).for_each(|piece| scan.feed(piece));
            assert_eq!(scan.id(), Scan::id_in(line.as_bytes()));
        }
        for line in [
            "{oops",
            "[{\"id\":1}]",
            "\"id\":1,",
            r#"{"params":{"id":1}}"#,
            r#"{"id":1"#,
            r#"{"id":{"id":1},"x"#,
            r#"{"id":null,"#,
            r#"{"id":tru,"#,
            r#"{"id":1,"result":{oops"#,
            r#"x{"id":1,"#,
            "",
            "}}}",
            r#"{"id":"a"#,
        ] {
            assert_eq!(Scan::id_in(line.as_bytes()), None, "{line}");
        }
    }

    #[test]
    fn halves_of_characters_are_replaced_and_nothing_else() {
        for (line, mended) in [
            (r#"a \ud83d b"#, Some(r#"a \ufffd b"#)),
            (r#"\ud83d\ude00"#, None),
            (r#"\uD83D\uDE00\udE00"#, Some(r#"\uD83D\uDE00\ufffd"#)),
            (r#"\ud83d\ud83d\ude00"#, Some(r#"\ufffd\ud83d\ude00"#)),
            (r#"\\ud83d"#, None),
            (r#"\\\ud83d""#, Some(r#"\\\ufffd""#)),
            (r#"\ud83d\n"#, Some(r#"\ufffd\n"#)),
            (r#"\ud8"#, None),
            (r#"\"#, None),
        ] {
            let found = with_whole_characters(line.as_bytes()).map(|found| String::from_utf8(found).unwrap());
            assert_eq!(found.as_deref(), mended, "{line}");
        }
    }
}
