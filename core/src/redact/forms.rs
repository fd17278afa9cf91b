//! Secrets that are known by their own form.

use std::ops::Range;

use serde_json::Value;

use super::{Finding, is_placeholder, variety};

/// Which characters follow a prefix.
#[derive(Clone, Copy)]
enum Of {
    /// Letters and digits.
    Plain,
    /// Capitals and digits.
    Capitals,
    /// Digits and `a` to `f`.
    Hex,
    /// Letters, digits, `_` and `-`.
    Url,
    /// Letters, digits, `_`, `-` and `.`.
    Dotted,
}

impl Of {
    fn has(self, byte: u8) -> bool {
        match self {
            Self::Plain => byte.is_ascii_alphanumeric(),
            Self::Capitals => byte.is_ascii_uppercase() || byte.is_ascii_digit(),
            Self::Hex => byte.is_ascii_digit() || (b'a'..=b'f').contains(&byte),
            Self::Url => byte.is_ascii_alphanumeric() || b"_-".contains(&byte),
            Self::Dotted => byte.is_ascii_alphanumeric() || b"_-.".contains(&byte),
        }
    }
}

/// How the keys of providers begin, what follows, at least and at most how much of it, and whose they are.
const PREFIXES: &[(&str, Of, usize, usize, &str)] = &[
    ("AKIA", Of::Capitals, 16, 16, "AWS key"),
    ("ASIA", Of::Capitals, 16, 16, "AWS key"),
    ("ghp_", Of::Plain, 30, 255, "GitHub token"),
    ("gho_", Of::Plain, 30, 255, "GitHub token"),
    ("ghu_", Of::Plain, 30, 255, "GitHub token"),
    ("ghs_", Of::Plain, 30, 255, "GitHub token"),
    ("ghr_", Of::Plain, 30, 255, "GitHub token"),
    ("github_pat_", Of::Url, 30, 255, "GitHub token"),
    ("glpat-", Of::Dotted, 20, 255, "GitLab token"),
    ("gldt-", Of::Url, 20, 255, "GitLab token"),
    ("glrt-", Of::Url, 20, 255, "GitLab token"),
    ("xoxb-", Of::Url, 20, 255, "Slack token"),
    ("xoxp-", Of::Url, 20, 255, "Slack token"),
    ("xoxa-", Of::Url, 20, 255, "Slack token"),
    ("xoxr-", Of::Url, 20, 255, "Slack token"),
    ("xoxs-", Of::Url, 20, 255, "Slack token"),
    ("xapp-", Of::Url, 20, 255, "Slack token"),
    ("xoxe-", Of::Url, 20, 255, "Slack token"),
    ("xoxe.xoxp-", Of::Url, 20, 255, "Slack token"),
    ("xoxe.xoxb-", Of::Url, 20, 255, "Slack token"),
    ("sk_live_", Of::Plain, 16, 255, "Stripe key"),
    ("rk_live_", Of::Plain, 16, 255, "Stripe key"),
    ("sk_test_", Of::Plain, 16, 255, "Stripe key"),
    ("rk_test_", Of::Plain, 16, 255, "Stripe key"),
    ("whsec_", Of::Plain, 24, 255, "Stripe key"),
    ("sk-ant-", Of::Url, 20, 255, "Anthropic key"),
    ("sk-proj-", Of::Url, 20, 255, "OpenAI key"),
    ("sk-svcacct-", Of::Url, 20, 255, "OpenAI key"),
    ("sk-admin-", Of::Url, 20, 255, "OpenAI key"),
    ("sk-or-", Of::Url, 20, 255, "OpenRouter key"),
    ("sk-", Of::Plain, 32, 255, "OpenAI key"),
    ("AIza", Of::Url, 35, 35, "Google key"),
    ("ya29.", Of::Dotted, 20, 2_048, "Google token"),
    ("GOCSPX-", Of::Url, 20, 255, "Google secret"),
    ("hf_", Of::Plain, 30, 255, "Hugging Face token"),
    ("npm_", Of::Plain, 36, 36, "npm token"),
    ("pypi-", Of::Url, 50, 1_024, "PyPI token"),
    ("SG.", Of::Dotted, 50, 255, "SendGrid key"),
    ("SK", Of::Hex, 32, 32, "Twilio key"),
    ("dop_v1_", Of::Hex, 64, 64, "DigitalOcean token"),
    ("doo_v1_", Of::Hex, 64, 64, "DigitalOcean token"),
    ("dor_v1_", Of::Hex, 64, 64, "DigitalOcean token"),
    ("shpat_", Of::Plain, 32, 255, "Shopify token"),
    ("shpss_", Of::Plain, 32, 255, "Shopify token"),
    ("shpca_", Of::Plain, 32, 255, "Shopify token"),
    ("shppa_", Of::Plain, 32, 255, "Shopify token"),
    ("dckr_pat_", Of::Url, 20, 255, "Docker token"),
    ("lin_api_", Of::Plain, 30, 255, "Linear key"),
    ("gsk_", Of::Plain, 40, 255, "Groq key"),
    ("xai-", Of::Plain, 40, 255, "xAI key"),
    ("nvapi-", Of::Url, 40, 255, "NVIDIA key"),
    ("pplx-", Of::Plain, 40, 255, "Perplexity key"),
    ("r8_", Of::Plain, 36, 255, "Replicate token"),
    ("ntn_", Of::Plain, 40, 255, "Notion token"),
    ("figd_", Of::Url, 30, 255, "Figma token"),
    ("glsa_", Of::Url, 30, 255, "Grafana token"),
    ("ATATT3x", Of::Url, 60, 512, "Atlassian token"),
    ("sntrys_", Of::Url, 40, 512, "Sentry token"),
    ("hvb.", Of::Url, 24, 512, "Vault token"),
    ("hvs.", Of::Url, 24, 255, "Vault token"),
    ("AGE-SECRET-KEY-1", Of::Capitals, 50, 70, "age key"),
];

/// Every secret of a known form, in no order.
pub(super) fn findings(text: &str) -> Vec<Finding> {
    let mut found = private_keys(text);
    for &(prefix, of, least, most, kind) in PREFIXES {
        for start in starts(text, prefix) {
            let tail = run(text, start + prefix.len(), of);
            // A key at the end of a sentence has not its full stop.
            let tail = tail.start..tail.start + text[tail].trim_end_matches(['.', '-']).len();
            if (least..=most).contains(&tail.len()) && is_random(&text[tail.clone()], kind) {
                found.push((start..tail.end, kind));
            }
        }
    }
    found.extend(web_tokens(text));
    found.extend(telegram(text));
    found.extend(in_addresses(text));
    found.extend(headers(text));
    found.extend(webhooks(text));
    let images = images(text);
    found.retain(|(range, _)| !images.iter().any(|image| image.contains(&range.start)));
    found
}

/// Where `prefix` begins a word.
fn starts<'a>(text: &'a str, prefix: &'a str) -> impl Iterator<Item = usize> + 'a {
    let begins = |at: usize| {
        at == 0 || !matches!(text.as_bytes()[at - 1], b'_' | b'+' | b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9')
    };
    text.match_indices(prefix).map(|(at, _)| at).filter(move |at| begins(*at))
}

/// The characters from `at` on that belong to a key.
fn run(text: &str, at: usize, of: Of) -> Range<usize> {
    let length = text.as_bytes()[at..].iter().take_while(|byte| of.has(**byte)).count();
    at..at + length
}

/// Whether a key's rest is no placeholder and no word.
fn is_random(tail: &str, kind: &str) -> bool {
    let digit = tail.bytes().any(|byte| byte.is_ascii_digit());
    let mixed =
        tail.bytes().any(|byte| byte.is_ascii_lowercase()) && tail.bytes().any(|byte| byte.is_ascii_uppercase());
    // The name of Amazon's own example ends in EXAMPLE, and so would one that is made up from it.
    variety(tail) >= 8 && (digit || mixed) && (kind == "AWS key" || !is_placeholder(tail))
}

/// Private keys in PEM or of PGP, to the end of their block.
fn private_keys(text: &str) -> Vec<Finding> {
    let mut found = Vec::new();
    let mut from = 0;
    while let Some(at) = text[from..].find("-----BEGIN ").map(|at| from + at) {
        let head = text[at..].lines().next().unwrap_or_default();
        from = at + "-----BEGIN ".len();
        let name = text[from..].split("-----").next().unwrap_or_default();
        if name.len() > 60 || !name.contains("PRIVATE KEY") || head.len() <= name.len() {
            continue;
        }
        let foot = format!("-----END {name}-----");
        let body = from + name.len();
        let rest = &text[(body + 5).min(text.len())..];
        // Where the foot is missing, the block is the lines that can be one: the rest is no key.
        let begin = text.len() - rest.len();
        let end = match rest.find(&foot) {
            Some(at) => begin + at + foot.len(),
            None => {
                begin
                    + rest
                        .split_inclusive('\n')
                        .take_while(|line| !line.trim().contains(' '))
                        .map(str::len)
                        .sum::<usize>()
            }
        };
        if text[begin.min(end)..end].trim().len() < 24 {
            continue;
        }
        found.push((at..end, "private key"));
        from = end;
    }
    found
}

/// JSON Web Tokens: three parts, the first of which says its algorithm.
fn web_tokens(text: &str) -> Vec<Finding> {
    let token = |start: usize| {
        let range = run(text, start, Of::Dotted);
        let end = range.start + text[range.clone()].trim_end_matches('.').len();
        let parts: Vec<&str> = text[start..end].split('.').collect();
        let head: Value = serde_json::from_slice(&decoded(parts.first()?)?).ok()?;
        (parts.len() >= 3 && parts[1].len() >= 4 && head.get("alg").is_some()).then_some((start..end, "JWT"))
    };
    starts(text, "ey").filter_map(token).collect()
}

/// What base64 of the URL's alphabet says.
fn decoded(text: &str) -> Option<Vec<u8>> {
    let (mut bytes, mut held, mut bits) = (Vec::new(), 0_u32, 0);
    for byte in text.bytes() {
        let six = match byte {
            b'A'..=b'Z' => byte - b'A',
            b'a'..=b'z' => byte - b'a' + 26,
            b'0'..=b'9' => byte - b'0' + 52,
            b'-' => 62,
            b'_' => 63,
            _ => return None,
        };
        held = held << 6 & 0xffff | u32::from(six);
        bits += 6;
        if bits >= 8 {
            bits -= 8;
            bytes.push((held >> bits & 0xff) as u8);
        }
    }
    Some(bytes)
}

/// A Telegram bot's token: its number, a colon, and 35 characters that begin with `AA`.
fn telegram(text: &str) -> Vec<Finding> {
    let token = |(at, _): (usize, &str)| {
        let digits = text.as_bytes()[..at].iter().rev().take_while(|byte| byte.is_ascii_digit()).count();
        let tail = run(text, at + 1, Of::Url);
        ((8..=10).contains(&digits) && tail.len() == 35 && variety(&text[tail.clone()]) >= 8)
            .then_some((at - digits..tail.end, "Telegram token"))
    };
    text.match_indices(":AA").filter_map(token).collect()
}

/// Passwords in addresses: `scheme://user:PASSWORD@host`.
fn in_addresses(text: &str) -> Vec<Finding> {
    let password = |(at, mark): (usize, &str)| {
        let start = at + mark.len();
        let ends = |c: char| c.is_whitespace() || "\"'`<>|".contains(c);
        let address = &text[start..start + text[start..].find(ends).unwrap_or(text.len() - start)];
        // An @ in a path is none before a host.
        let authority = address.split(['/', '?', '#']).next().unwrap_or_default();
        let user = &authority[..authority.rfind('@')?];
        let colon = user.find(':')?;
        let password = &user[colon + 1..];
        let is_one =
            !password.is_empty() && !is_placeholder(password) && !["password", "pass", "pwd"].contains(&password);
        is_one.then_some((start + colon + 1..start + user.len(), "password"))
    };
    text.match_indices("://").filter_map(password).collect()
}

/// Where others' programs may post for whoever knows the address: what follows the place in it is the key.
fn webhooks(text: &str) -> Vec<Finding> {
    const PLACES: &[(&str, &str)] = &[
        ("hooks.slack.com/services/", "Slack webhook"),
        ("hooks.slack.com/workflows/", "Slack webhook"),
        ("hooks.slack.com/triggers/", "Slack webhook"),
        ("discord.com/api/webhooks/", "Discord webhook"),
        ("discordapp.com/api/webhooks/", "Discord webhook"),
    ];
    let mut found = Vec::new();
    for (place, kind) in PLACES {
        for (at, _) in text.match_indices(place) {
            let from = at + place.len();
            let belongs = |byte: &&u8| byte.is_ascii_alphanumeric() || b"_-/".contains(*byte);
            let end = from + text.as_bytes()[from..].iter().take_while(belongs).count();
            let key = text[from..end].trim_end_matches(['/', '-']);
            let last = key.rsplit('/').next().unwrap_or_default();
            if key.contains('/') && last.len() >= 16 && is_random(last, kind) {
                found.push((from..from + key.len(), *kind));
            }
        }
    }
    found
}

/// `Authorization: Bearer …` and `Basic …`.
fn headers(text: &str) -> Vec<Finding> {
    let small = text.to_ascii_lowercase();
    let mut found = Vec::new();
    for (scheme, least) in [("bearer ", 20), ("basic ", 8)] {
        for start in starts(&small, scheme) {
            let from = start + scheme.len();
            let belongs = |byte: &&u8| byte.is_ascii_alphanumeric() || b"-._~+/=".contains(*byte);
            let token = &text[from..from + text.as_bytes()[from..].iter().take_while(belongs).count()];
            let token = token.trim_end_matches('.');
            let digit = token.bytes().any(|byte| byte.is_ascii_digit());
            let before = small[..start].trim_end_matches([' ', '"', '\'', ':', '=', '\t']);
            let header = before.ends_with("authorization");
            let mixed = token.bytes().any(|byte| byte.is_ascii_uppercase()) || digit;
            let fits =
                if header { mixed && token.len() >= 8 } else { scheme == "bearer " && digit && token.len() >= least };
            if fits && !is_placeholder(token) && variety(token) >= 5 {
                found.push((from..from + token.len(), "authorization"));
            }
        }
    }
    found
}

/// Pictures and other files in data addresses: what they spell is chance.
fn images(text: &str) -> Vec<Range<usize>> {
    let data = |(at, mark): (usize, &str)| {
        let start = at + mark.len();
        let length =
            text.as_bytes()[start..].iter().take_while(|b| b.is_ascii_alphanumeric() || b"+/=".contains(*b)).count();
        start..start + length
    };
    text.match_indices(";base64,").map(data).collect()
}
