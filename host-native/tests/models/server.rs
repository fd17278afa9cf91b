//! A hub of one model, on this computer: small files as they are, the weights kept apart and sent on to.

use std::{
    io::{BufRead, BufReader, Write},
    net::{TcpListener, TcpStream},
    path::PathBuf,
    sync::{Arc, Mutex},
    thread,
};

use sha2::{Digest, Sha256};

use super::tiny;

/// The one model's id.
pub(crate) const ID: &str = "acme/tiny-bert";

/// What a hub does wrong.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Faults {
    /// The checksum of the weights is another's.
    pub(crate) wrong_sum: bool,
    /// Each connection breaks off after so many bytes of the weights.
    pub(crate) breaks_after: Option<usize>,
    /// Ranges are not known: every answer begins anew.
    pub(crate) no_ranges: bool,
    /// A model is shown only to who has this token.
    pub(crate) token: Option<&'static str>,
}

/// A hub; it serves until the tests end.
pub(crate) struct HubServer {
    port: u16,
    asked: Arc<Mutex<Vec<String>>>,
}

impl HubServer {
    pub(crate) fn start(faults: Faults) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let port = listener.local_addr().unwrap().port();
        let asked = Arc::new(Mutex::new(Vec::new()));
        let log = Arc::clone(&asked);
        thread::spawn(move || {
            for stream in listener.incoming() {
                let log = Arc::clone(&log);
                // A client that goes away ends its own connection.
                thread::spawn(move || drop(serve(stream.unwrap(), port, faults, &log)));
            }
        });
        Self { port, asked }
    }

    pub(crate) fn endpoint(&self) -> String {
        format!("http://127.0.0.1:{}", self.port)
    }

    /// What was asked for so far: each request's first line and the headers that matter.
    pub(crate) fn asked(&self) -> Vec<String> {
        self.asked.lock().unwrap().clone()
    }
}

fn serve(stream: TcpStream, port: u16, faults: Faults, log: &Mutex<Vec<String>>) -> std::io::Result<()> {
    let mut out = stream.try_clone()?;
    let mut lines = BufReader::new(stream).lines();
    while let Some(request) = lines.next() {
        let request = request?;
        let mut headers = Vec::new();
        for line in lines.by_ref() {
            let line = line?.to_ascii_lowercase();
            if line.is_empty() {
                break;
            }
            headers.push(line);
        }
        let header = |name: &str| headers.iter().find_map(|line| line.strip_prefix(name)).map(str::trim);
        let (range, token) = (header("range:"), header("authorization:"));
        log.lock().unwrap().push(format!("{request} {} {}", range.unwrap_or("-"), token.unwrap_or("-")));
        let path = request.split(' ').nth(1).unwrap_or_default();
        let commit = "0123456789abcdef0123456789abcdef01234567";
        let prefix = [format!("/{ID}/resolve/main/"), format!("/{ID}/resolve/{commit}/")];
        let name = prefix.iter().find_map(|prefix| path.strip_prefix(prefix.as_str()));
        if faults.token.is_some_and(|wanted| name.is_some() && token != Some(&format!("bearer {wanted}"))) {
            out.write_all(b"HTTP/1.1 401 Unauthorized\r\ncontent-length: 0\r\n\r\n")?;
            continue;
        }
        match (name, path.strip_prefix("/cdn/")) {
            (Some("model.safetensors"), _) => {
                let sum = Sha256::digest(std::fs::read(tiny().join("model.safetensors"))?);
                let mut sum: String = sum.iter().map(|byte| format!("{byte:02x}")).collect();
                if faults.wrong_sum {
                    sum.replace_range(..4, "beef");
                }
                // From one name of this computer to another: the token is not to go along.
                write!(
                    out,
                    "HTTP/1.1 302 Found\r\nlocation: http://localhost:{port}/cdn/model.safetensors\r\n\
                     x-linked-etag: \"{sum}\"\r\nx-repo-commit: {commit}\r\ncontent-length: 0\r\n\r\n"
                )?;
            }
            (Some(name), _) | (_, Some(name)) => {
                let large = path.starts_with("/cdn/");
                if !send(
                    &mut out,
                    tiny().join(name),
                    range.filter(|_| !faults.no_ranges),
                    faults.breaks_after.filter(|_| large),
                    commit,
                )? {
                    return Ok(());
                }
            }
            _ => out.write_all(b"HTTP/1.1 404 Not Found\r\ncontent-length: 0\r\n\r\n")?,
        }
    }
    Ok(())
}

/// Sends a file, or what a range asks of it; false where it breaks off.
fn send(
    out: &mut TcpStream,
    path: PathBuf,
    range: Option<&str>,
    breaks_after: Option<usize>,
    commit: &str,
) -> std::io::Result<bool> {
    let Ok(bytes) = std::fs::read(path) else {
        out.write_all(b"HTTP/1.1 404 Not Found\r\ncontent-length: 0\r\n\r\n")?;
        return Ok(true);
    };
    let from: usize =
        range.map_or(0, |range| range.trim_start_matches("bytes=").trim_end_matches('-').parse().unwrap());
    let status = if range.is_some() { "206 Partial Content" } else { "200 OK" };
    let rest = &bytes[from..];
    let etag = "\"952a9b81c0bfd99800fabf352f69c7ccd46c5e43\"";
    write!(
        out,
        "HTTP/1.1 {status}\r\netag: {etag}\r\nx-repo-commit: {commit}\r\ncontent-length: {}\r\n\r\n",
        rest.len()
    )?;
    let sent = breaks_after.map_or(rest, |most| &rest[..most.min(rest.len())]);
    out.write_all(sent)?;
    if sent.len() < rest.len() {
        out.shutdown(std::net::Shutdown::Both)?;
        return Ok(false);
    }
    Ok(true)
}
