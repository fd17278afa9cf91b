//! Front matter: the YAML between two lines of `---` at a Markdown file's top.

use ebbtrace_core::{Category, Label, Timestamp, limits};
use serde_json::{Map, Value};

use crate::cli::instant;

/// What a file says of itself.
#[derive(Debug, Default, PartialEq)]
pub(super) struct Front {
    /// Its title.
    pub(super) title: Option<String>,
    /// Other names that links may call it by.
    pub(super) aliases: Vec<String>,
    /// Its tags.
    pub(super) tags: Vec<String>,
    /// A label.
    pub(super) kind: Option<String>,
    /// fact, assumption, failure or strategy.
    pub(super) category: Option<String>,
    /// 0..=1.
    pub(super) importance: Option<f64>,
    /// Its date.
    pub(super) occurred_at: Option<Timestamp>,
    /// Everything else.
    pub(super) metadata: Map<String, Value>,
    /// What could not be read, in sentences.
    pub(super) notices: Vec<String>,
}

/// Splits a file into its front matter and its body. What can't be read as front matter stays in the body.
pub(super) fn split(text: &str) -> (Front, &str) {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let Some((yaml, body)) = fences(text) else { return (Front::default(), text) };
    let parsed = serde_norway::from_str::<serde_norway::Value>(yaml)
        .map_err(|error| error.to_string())
        .and_then(|value| serde_json::to_value(value).map_err(|error| error.to_string()));
    match parsed {
        Ok(Value::Object(fields)) => (Front::new(fields), body),
        Ok(Value::Null) => (Front::default(), body),
        Ok(_) => (Front::unread("it is no list of keys and values"), text),
        Err(reason) => (Front::unread(&reason), text),
    }
}

fn fences(text: &str) -> Option<(&str, &str)> {
    let mut lines = text.split_inclusive('\n');
    let opening = lines.next().filter(|line| line.trim_end() == "---")?;
    let mut end = opening.len();
    for line in lines {
        if matches!(line.trim_end(), "---" | "...") {
            return Some((&text[opening.len()..end], &text[end + line.len()..]));
        }
        end += line.len();
    }
    None
}

impl Front {
    fn unread(reason: &str) -> Self {
        Self {
            notices: vec![format!("its front matter is kept as text, since it can't be read: {reason}")],
            ..Self::default()
        }
    }

    fn new(fields: Map<String, Value>) -> Self {
        let mut front = Self::default();
        for (key, value) in fields {
            if let Some(value) = front.take(&key, value) {
                front.metadata.insert(key, value);
            }
        }
        // Many call a note's kind its type. Where it is no label, it is metadata like any other.
        let of_type = |key: &&String| key.eq_ignore_ascii_case("type");
        if let (None, Some(key)) = (&front.kind, front.metadata.keys().find(of_type).cloned()) {
            front.kind = front.metadata[&key].as_str().and_then(label);
            if front.kind.is_some() {
                front.metadata.remove(&key);
            }
        }
        front
    }

    /// Takes what it knows; hands back what it doesn't, or can't read.
    fn take(&mut self, key: &str, value: Value) -> Option<Value> {
        match (key.to_lowercase().as_str(), &value) {
            (_, Value::Null) => return None,
            ("title", Value::String(title)) => {
                // The title stays readable as metadata too.
                self.title = Some(title.trim().to_owned()).filter(|title| !title.is_empty());
                return Some(value);
            }
            (key, _) if is_aliases(key) => {
                // They stay readable as metadata too.
                self.aliases.extend(names(&value));
                return Some(value);
            }
            ("tags" | "tag", Value::String(list)) => {
                self.tags.extend(list.split([',', ' ']).filter_map(tag));
                return None;
            }
            ("tags" | "tag", Value::Array(list))
                if list.iter().all(|entry| !entry.is_object() && !entry.is_array()) =>
            {
                let texts = list.iter().map(|entry| entry.as_str().map_or_else(|| entry.to_string(), str::to_owned));
                self.tags.extend(texts.filter_map(|text| tag(&text)));
                return None;
            }
            ("kind", Value::String(kind)) => {
                if let Some(label) = label(kind) {
                    self.kind = Some(label);
                    return None;
                }
            }
            ("category", Value::String(name)) => {
                if let Ok(category) = Category::parse(&name.trim().to_lowercase()) {
                    self.category = Some(category.as_str().to_owned());
                    return None;
                }
                // Many notes have a category of their own; it is no mistake.
                return Some(value);
            }
            ("importance", Value::Number(number)) => {
                if let Some(importance) = number.as_f64().filter(|number| limits::unit("importance", *number).is_ok()) {
                    self.importance = Some(importance);
                    return None;
                }
            }
            ("date" | "created", Value::String(text)) => {
                if let Some(at) = instant::absolute(text).filter(|at| limits::instant("date", *at).is_ok()) {
                    // `date` says when it happened; `created` stands in for it.
                    if self.occurred_at.is_none() || key.eq_ignore_ascii_case("date") {
                        self.occurred_at = Some(at);
                    }
                    return None;
                }
            }
            ("tags" | "tag" | "kind" | "importance" | "date" | "created", _) => {}
            _ => return Some(value),
        }
        self.notices.push(format!("{key} is {}, which is kept as metadata", limits::excerpt(&value.to_string())));
        Some(value)
    }
}

/// Whether front matter under `key` names a note's other names.
pub(super) fn is_aliases(key: &str) -> bool {
    key.eq_ignore_ascii_case("aliases") || key.eq_ignore_ascii_case("alias")
}

/// The names in a text, which commas divide, or in a list.
pub(super) fn names(value: &Value) -> Vec<String> {
    let names: Vec<&str> = match value {
        Value::String(text) => text.split(',').collect(),
        Value::Array(list) => list.iter().filter_map(Value::as_str).collect(),
        _ => Vec::new(),
    };
    names.into_iter().map(str::trim).filter(|name| !name.is_empty()).map(str::to_owned).collect()
}

/// A text as a label, where it can be one.
fn label(text: &str) -> Option<String> {
    let label = text.trim().to_lowercase().replace(char::is_whitespace, "-");
    Label::parse("kind", &label).is_ok().then_some(label)
}

fn tag(text: &str) -> Option<String> {
    let tag = text.trim().trim_start_matches('#');
    (!tag.is_empty()).then(|| tag.to_owned())
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn what_is_known_is_taken_and_the_rest_is_metadata() {
        let text = "---\r\ntitle: Prices\r\ntags: [money, '#q3', 2027]\r\nkind: Meeting Notes\r\ncategory: strategy\r\n\
                    importance: 0.8\r\ndate: 2026-07-14\r\nclient: ACME\r\nempty:\r\n---\r\nBody";
        let (front, body) = split(text);
        assert_eq!(body, "Body");
        assert_eq!(front.title.as_deref(), Some("Prices"));
        assert_eq!(front.tags, ["money", "q3", "2027"]);
        assert_eq!(front.kind.as_deref(), Some("meeting-notes"));
        assert_eq!(front.category.as_deref(), Some("strategy"));
        assert_eq!(front.importance, Some(0.8));
        assert_eq!(front.occurred_at, Some(Timestamp(1_783_987_200_000)));
        assert_eq!(Value::Object(front.metadata), json!({ "title": "Prices", "client": "ACME" }));
        assert!(front.notices.is_empty());
    }

    #[test]
    fn a_type_is_a_kind_where_it_can_be_one() {
        let kind = |text: &str| split(text).0.kind;
        assert_eq!(kind("---\ntype: Meeting\n---\n").as_deref(), Some("meeting"));
        assert_eq!(kind("---\ntype: Meeting\nkind: call\n---\n").as_deref(), Some("call"));
        let (front, _) = split("---\nType: what?!\naliases: [The Rock, '']\nAlias: one, two\n---\n");
        assert_eq!((front.kind, front.notices.len()), (None, 0));
        assert_eq!(front.metadata["Type"], "what?!");
        assert_eq!(front.metadata["aliases"], json!(["The Rock", ""]));
        let mut aliases = front.aliases;
        aliases.sort();
        assert_eq!(aliases, ["The Rock", "one", "two"]);
    }

    #[test]
    fn what_cannot_be_read_is_named_and_kept() {
        let (front, body) = split("---\nimportance: high\ndate: soon\n---\nBody");
        assert_eq!((front.importance, front.occurred_at, front.notices.len()), (None, None, 2));
        assert_eq!(Value::Object(front.metadata), json!({ "importance": "high", "date": "soon" }));
        assert_eq!(body, "Body");
        let broken = "---\ntitle: [open\n---\nBody";
        let (front, body) = split(broken);
        assert_eq!((body, front.notices.len()), (broken, 1));
    }

    #[test]
    fn a_rule_is_no_front_matter() {
        for text in ["---\nno end", "text\n---\na: b\n---\n", "--- \n", ""] {
            assert_eq!(split(text), (Front::default(), text), "{text:?}");
        }
        assert_eq!(split("---\n---\nBody"), (Front::default(), "Body"));
    }
}
