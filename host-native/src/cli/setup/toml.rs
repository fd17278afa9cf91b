//! Setting a server in a TOML text, with all the rest as its owner wrote it.

use toml_edit::{Array, DocumentMut, Item, Table, Value, value};

use super::text::with_breaks;

/// The text with `command` and `args` of the server `name` under `list`, without the fields `others`; and which of those
/// there were.
///
/// # Errors
/// Why it can't be edited: it is no TOML, or something else stands there.
pub(super) fn set(
    text: &str,
    list: &str,
    name: &str,
    command: &str,
    args: &[String],
    others: &[&'static str],
) -> Result<(String, Vec<&'static str>), String> {
    let mut document: DocumentMut = text.parse().map_err(|error: toml_edit::TomlError| error.message().to_owned())?;
    let servers = document.entry(list).or_insert_with(|| {
        let mut table = Table::new();
        table.set_implicit(true);
        Item::Table(table)
    });
    let servers = servers.as_table_like_mut().ok_or_else(|| format!("{list} is no table"))?;
    if !servers.contains_key(name) {
        servers.insert(name, Item::Table(Table::new()));
    }
    let server = servers.get_mut(name).and_then(Item::as_table_like_mut);
    let server = server.ok_or_else(|| format!("{list}.{name} is no table"))?;
    let gone = others.iter().copied().filter(|other| server.remove(other).is_some()).collect();
    if server.get("command").and_then(Item::as_str) != Some(command) {
        server.insert("command", value(command));
    }
    let same = server
        .get("args")
        .and_then(Item::as_array)
        .is_some_and(|found| found.iter().map(Value::as_str).eq(args.iter().map(|argument| Some(argument.as_str()))));
    if !same {
        server.insert("args", value(args.iter().collect::<Array>()));
    }
    Ok((with_breaks(text, &document.to_string()), gone))
}

/// What is said of the servers under `list`, as a JSON object of them.
///
/// # Errors
/// That the text is no TOML.
pub(super) fn read(text: &str, list: &str) -> Result<serde_json::Value, String> {
    let document: DocumentMut = text.parse().map_err(|error: toml_edit::TomlError| error.message().to_owned())?;
    let servers = document.get(list).and_then(Item::as_table_like).into_iter().flat_map(|servers| servers.iter());
    let all = servers.map(|(name, server)| {
        let args = server.get("args").and_then(Item::as_array);
        let args: Vec<&str> = args.into_iter().flatten().filter_map(Value::as_str).collect();
        let env = server.get("env").and_then(Item::as_table_like);
        let env = env.into_iter().flat_map(|env| env.iter());
        let env: serde_json::Map<_, _> =
            env.filter_map(|(name, value)| Some((name.to_owned(), value.as_str()?.into()))).collect();
        let command = server.get("command").and_then(Item::as_str);
        (name.to_owned(), serde_json::json!({ "command": command, "args": args, "env": env }))
    });
    Ok(serde_json::Value::Object(all.collect()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn set(text: &str, list: &str, name: &str, command: &str, args: &[String]) -> Result<String, String> {
        super::set(text, list, name, command, args, &["url", "enabled"]).map(|(text, _)| text)
    }

    #[test]
    fn a_server_is_set_and_the_rest_stays() {
        let text = "# mine\nmodel = \"x\"   # keep\n\n[mcp_servers.other]\ncommand = \"y\"\n";
        let args = ["mcp".to_owned()];
        let edited = set(text, "mcp_servers", "ebbtrace", "/bin/e", &args).expect("edited");
        let wanted = format!("{text}\n[mcp_servers.ebbtrace]\ncommand = \"/bin/e\"\nargs = [\"mcp\"]\n");
        assert_eq!(edited, wanted);
        assert_eq!(set(&edited, "mcp_servers", "ebbtrace", "/bin/e", &args), Ok(edited.clone()));
        let kept = "[mcp_servers.ebbtrace]\ncommand = \"old\" # old\nenv = { A = \"1\" }\n";
        let edited = set(kept, "mcp_servers", "ebbtrace", "/bin/e", &args).expect("edited");
        assert!(edited.contains("env = { A = \"1\" }") && edited.contains("command = \"/bin/e\""), "{edited}");
        assert_eq!(
            read(&edited, "mcp_servers"),
            Ok(serde_json::json!({ "ebbtrace": { "command": "/bin/e", "args": ["mcp"], "env": { "A": "1" } } }))
        );
        let windows = "model = \"x\"\r\n\r\n[mcp_servers.other]\r\ncommand = \"y\" # keep\r\n";
        let edited = set(windows, "mcp_servers", "ebbtrace", "/bin/e", &args).expect("edited");
        let wanted = format!("{windows}\r\n[mcp_servers.ebbtrace]\r\ncommand = \"/bin/e\"\r\nargs = [\"mcp\"]\r\n");
        assert_eq!(edited, wanted);
        let other = "[mcp_servers.ebbtrace]\nurl = \"http://x\"\nenabled = false\nstartup_timeout_sec = 9\n";
        let (edited, gone) =
            super::set(other, "mcp_servers", "ebbtrace", "/bin/e", &args, &["url", "enabled"]).expect("edited");
        assert_eq!(gone, ["url", "enabled"]);
        assert_eq!(edited, "[mcp_servers.ebbtrace]\nstartup_timeout_sec = 9\ncommand = \"/bin/e\"\nargs = [\"mcp\"]\n");
        for broken in ["mcp_servers = 3", "[mcp_servers]\nebbtrace = 1", "= 1"] {
            assert!(set(broken, "mcp_servers", "ebbtrace", "/bin/e", &args).is_err(), "{broken}");
        }
    }
}
