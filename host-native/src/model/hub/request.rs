//! Requests to a hub: where it is, who asks, and where it sends on to.

use std::{env, fs, time::Duration};

use ureq::{
    Agent, Body,
    http::{Response, StatusCode, header},
    tls::{PemItem, RootCerts, TlsConfig, parse_pem},
};

const ENDPOINT: &str = "https://huggingface.co";
const REDIRECTS: usize = 5;

/// One model on a hub.
pub(super) struct Hub {
    agent: Agent,
    endpoint: String,
    id: String,
    token: Option<String>,
    /// `main`, until the hub's first answer says which commit that is: all files are of one.
    revision: String,
}

/// A hub's answer, and what it said of the file on the way.
pub(super) struct Found {
    pub(super) response: Response<Body>,
    /// The sha256 of the whole file, for those that the hub keeps apart from its Git.
    pub(super) sha256: Option<String>,
    /// Where the hub sent on to.
    pub(super) url: String,
}

impl Hub {
    /// The hub that `HF_ENDPOINT` names, else the public one, as whoever `HF_TOKEN` says. Proxies are those of the
    /// environment, and `SSL_CERT_FILE` takes the place of the certificates that are built in.
    pub(super) fn new(id: &str) -> Result<Self, String> {
        let set =
            |name: &str| env::var(name).ok().map(|value| value.trim().to_owned()).filter(|value| !value.is_empty());
        let endpoint = set("HF_ENDPOINT").unwrap_or_else(|| ENDPOINT.to_owned()).trim_end_matches('/').to_owned();
        let config = Agent::config_builder()
            .http_status_as_error(false)
            .max_redirects(0)
            .max_redirects_will_error(false)
            .user_agent(concat!("ebbtrace/", env!("CARGO_PKG_VERSION")))
            .timeout_connect(Some(Duration::from_secs(10)))
            .timeout_recv_response(Some(Duration::from_secs(30)))
            .timeout_per_read(Some(Duration::from_secs(30)));
        let config = match set("SSL_CERT_FILE") {
            Some(path) => config.tls_config(TlsConfig::builder().root_certs(certificates(&path)?).build()),
            None => config,
        };
        let (id, revision) = (id.to_owned(), "main".to_owned());
        Ok(Self { agent: config.build().new_agent(), endpoint, id, token: set("HF_TOKEN"), revision })
    }

    /// Asks for a file, from the byte `from` on; `None` where the model has no such file.
    pub(super) fn ask(&mut self, name: &str, from: u64) -> Result<Option<Found>, String> {
        let mut url = format!("{}/{}/resolve/{}/{name}", self.endpoint, self.id, self.revision);
        let mut sha256 = None;
        for _ in 0..=REDIRECTS {
            let mut request = self.agent.get(&url);
            if from > 0 {
                request = request.header(header::RANGE, format!("bytes={from}-"));
            }
            // The token is the hub's alone, not that of wherever it sends on to.
            if let Some(token) = self.token.as_deref().filter(|_| origin(&url) == origin(&self.endpoint)) {
                request = request.header(header::AUTHORIZATION, format!("Bearer {token}"));
            }
            let response = request.call().map_err(|error| format!("{url}: {}{}", whole(&error), proxy()))?;
            let said = |name: &str| response.headers().get(name).and_then(|value| value.to_str().ok());
            if let Some(commit) = said("x-repo-commit").filter(|commit| is_hex(commit, 40)) {
                self.revision = commit.to_owned();
            }
            // Elsewhere a tag may be a hash of another kind.
            let own = origin(&url) == origin(&self.endpoint);
            sha256 = sha256.or_else(|| sum(said("x-linked-etag"))).or_else(|| sum(said("etag").filter(|_| own)));
            let status = response.status();
            if status.is_redirection() {
                let to = said("location").unwrap_or_default().to_owned();
                url = follow(&url, &to).ok_or_else(|| format!("{url} sends on to {to:?}, which is no address"))?;
                continue;
            }
            return match status {
                StatusCode::OK | StatusCode::PARTIAL_CONTENT => Ok(Some(Found { response, sha256, url })),
                StatusCode::NOT_FOUND => Ok(None),
                StatusCode::UNAUTHORIZED | StatusCode::FORBIDDEN => {
                    Err(format!("{url} answers {status}: the id is wrong, or the model wants a token in HF_TOKEN"))
                }
                _ => Err(format!("{url} answers {status}")),
            };
        }
        Err(format!("{url} sends on and on"))
    }

    /// Where a file is, for a message.
    pub(super) fn place(&self, name: &str) -> String {
        format!("{}/{}/{name}", self.endpoint, self.id)
    }
}

fn certificates(path: &str) -> Result<RootCerts, String> {
    let pem = fs::read(path).map_err(|error| format!("SSL_CERT_FILE {path}: {error}"))?;
    let items = parse_pem(&pem).filter_map(|item| match item {
        Ok(PemItem::Certificate(certificate)) => Some(certificate),
        _ => None,
    });
    let certificates: Vec<_> = items.collect();
    if certificates.is_empty() {
        return Err(format!("SSL_CERT_FILE {path} holds no certificate"));
    }
    Ok(RootCerts::new_with_certs(&certificates))
}

/// An error with what lies behind it.
fn whole(error: &ureq::Error) -> String {
    let mut text = error.to_string();
    let mut behind = std::error::Error::source(error);
    while let Some(cause) = behind {
        let more = cause.to_string();
        if !text.contains(&more) {
            text = format!("{text}: {more}");
        }
        behind = cause.source();
    }
    text
}

/// Which variable names a proxy; never its value, which may hold a password.
fn proxy() -> String {
    let names = ["HTTPS_PROXY", "https_proxy", "ALL_PROXY", "all_proxy", "HTTP_PROXY", "http_proxy"];
    let set = names.into_iter().find(|name| env::var_os(name).is_some_and(|value| !value.is_empty()));
    set.map_or_else(String::new, |name| format!(" (by the proxy in {name})"))
}

/// The scheme and host of an address.
fn origin(url: &str) -> &str {
    let host = url.find("://").map_or(0, |at| at + 3);
    let end = url[host..].find('/').map_or(url.len(), |at| host + at);
    &url[..end]
}

/// The address that `location` names, as seen from `url`. From an encrypted one it leads to no plain one.
fn follow(url: &str, location: &str) -> Option<String> {
    let plain = |url: &str| url.starts_with("http://");
    if location.starts_with("https://") || (plain(location) && plain(url)) {
        Some(location.to_owned())
    } else if location.starts_with('/') && !location.starts_with("//") {
        Some(format!("{}{location}", origin(url)))
    } else {
        None
    }
}

/// The sha256 in an entity tag: of 64 digits, where Git's own hashes have 40.
fn sum(tag: Option<&str>) -> Option<String> {
    let tag = tag?.trim_start_matches("W/").trim_matches('"').to_ascii_lowercase();
    is_hex(&tag, 64).then_some(tag)
}

fn is_hex(text: &str, length: usize) -> bool {
    text.len() == length && text.bytes().all(|byte| byte.is_ascii_hexdigit())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn redirects_are_followed_to_addresses_alone() {
        let from = "https://hub.example/a/b/resolve/main/x";
        assert_eq!(follow(from, "/api/x").as_deref(), Some("https://hub.example/api/x"));
        assert_eq!(follow(from, "https://cdn.example/x").as_deref(), Some("https://cdn.example/x"));
        assert_eq!(follow("http://localhost:80/a", "http://localhost:81/b").as_deref(), Some("http://localhost:81/b"));
        for location in ["", "x", "//evil.example/x", "file:///etc/passwd", "http://cdn.example/x"] {
            assert_eq!(follow(from, location), None, "{location}");
        }
    }

    #[test]
    fn a_sum_is_told_from_a_hash_of_git() {
        let sha256 = "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db";
        assert_eq!(sum(Some(&format!("\"{sha256}\""))).as_deref(), Some(sha256));
        assert_eq!(sum(Some(&format!("W/\"{}\"", sha256.to_uppercase()))).as_deref(), Some(sha256));
        assert_eq!(sum(Some("\"952a9b81c0bfd99800fabf352f69c7ccd46c5e43\"")), None);
        assert_eq!(sum(None), None);
    }

    #[test]
    fn an_origin_is_scheme_and_host() {
        assert_eq!(origin("https://hub.example/a/b"), "https://hub.example");
        assert_eq!(origin("http://127.0.0.1:80"), "http://127.0.0.1:80");
    }
}
