//! What a server is started with: what is given now, and what an earlier setup, or its owner, gave it.

use serde_json::Value;

/// An option with its value, where it has one.
pub(super) type Given = (String, Option<String>);

/// Those that hooks take too: the store, whose memory it is, and the models.
const OF_HOOKS: [&str; 6] = ["--db", "--scope", "--me", "--embedder", "--reranker", "--allow-secrets"];

/// The options that a server is started with so far; none where it is not started as we start it.
pub(super) fn earlier(server: Option<&Value>) -> Vec<Given> {
    let args: Vec<&str> =
        server.and_then(|server| server["args"].as_array()).into_iter().flatten().filter_map(Value::as_str).collect();
    let Some(("mcp", rest)) = args.split_first().map(|(first, rest)| (*first, rest)) else { return Vec::new() };
    let mut options: Vec<Given> = Vec::new();
    for word in rest {
        match (word.strip_prefix("--"), options.last_mut()) {
            (Some(_), _) => {
                let (name, value) = word.split_once('=').map_or((*word, None), |(name, value)| (name, Some(value)));
                options.push((name.to_owned(), value.map(str::to_owned)));
            }
            (None, Some((_, value @ None))) => *value = Some((*word).to_owned()),
            // A word that belongs to nothing.
            (None, _) => {}
        }
    }
    options
}

/// What is given now, and behind it what of the earlier ones is about something else.
pub(super) fn together(given: Vec<Given>, earlier: Vec<Given>) -> (Vec<Given>, Vec<Given>) {
    let kept: Vec<Given> = earlier.into_iter().filter(|(name, _)| given.iter().all(|(new, _)| new != name)).collect();
    (given.into_iter().chain(kept.iter().cloned()).collect(), kept)
}

/// As words of a command.
pub(super) fn words(options: &[Given]) -> Vec<String> {
    options.iter().flat_map(|(name, value)| std::iter::once(name.clone()).chain(value.clone())).collect()
}

/// Those that hooks take too.
pub(super) fn of_hooks(options: &[Given]) -> Vec<Given> {
    options.iter().filter(|(name, _)| OF_HOOKS.contains(&name.as_str())).cloned().collect()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn what_is_given_wins_and_the_rest_stays() {
        let server =
            json!({ "args": ["mcp", "--db", "/a.db", "--scope=work", "--fence", "--maintenance-every-ms", "9"] });
        let given = vec![("--scope".to_owned(), Some("home".to_owned()))];
        let (all, kept) = together(given, earlier(Some(&server)));
        assert_eq!(
            words(&all),
            ["--scope", "home", "--db", "/a.db", "--fence", "--maintenance-every-ms", "9"],
            "{kept:?}"
        );
        assert_eq!(words(&of_hooks(&all)), ["--scope", "home", "--db", "/a.db"]);
        assert!(earlier(Some(&json!({ "args": ["-c", "mcp"] }))).is_empty() && earlier(None).is_empty());
    }
}
