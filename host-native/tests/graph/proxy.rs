//! A way to the Neo4j server that can be cut at will, also inside of a commit.

use std::{
    io::{Read, Write},
    net::{Shutdown, TcpListener, TcpStream},
    sync::{
        Arc, Mutex, PoisonError,
        atomic::{AtomicBool, Ordering},
    },
    thread,
};

/// COMMIT as Bolt sends it: a chunk of two bytes, an empty structure of that tag, and the end of the message.
const COMMIT: [u8; 6] = [0, 2, 0xB0, 0x12, 0, 0];

/// When a connection is cut.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Cut {
    Never,
    /// The server never hears of the commit.
    BeforeCommit,
    /// The server commits, and its answer does not come.
    AfterCommit,
}

/// The way.
#[derive(Clone)]
pub(crate) struct Proxy {
    port: u16,
    cut: Arc<Mutex<Cut>>,
    open: Arc<Mutex<Vec<TcpStream>>>,
}

impl Proxy {
    /// A way to what `uri` names, `bolt://HOST:PORT`.
    pub(crate) fn to(uri: &str) -> Self {
        let server = uri.trim_start_matches("bolt://").to_owned();
        let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
        let port = listener.local_addr().expect("its address").port();
        let proxy = Self { port, cut: Arc::new(Mutex::new(Cut::Never)), open: Arc::default() };
        let at_work = proxy.clone();
        thread::spawn(move || {
            for client in listener.incoming() {
                let (Ok(client), Ok(server)) = (client, TcpStream::connect(&server)) else { continue };
                at_work.join(client, server);
            }
        });
        proxy
    }

    pub(crate) fn uri(&self) -> String {
        format!("bolt://127.0.0.1:{}", self.port)
    }

    /// Cuts the next connection that commits.
    pub(crate) fn cut(&self, cut: Cut) {
        *self.cut.lock().unwrap_or_else(PoisonError::into_inner) = cut;
    }

    /// Cuts every connection there is, as a server that starts anew does.
    pub(crate) fn cut_all(&self) {
        for stream in self.open.lock().unwrap_or_else(PoisonError::into_inner).drain(..) {
            // One that is gone needs no cutting.
            let _ = stream.shutdown(Shutdown::Both);
        }
    }

    fn join(&self, client: TcpStream, server: TcpStream) {
        let copy = |stream: &TcpStream| stream.try_clone().expect("a second handle");
        self.open.lock().unwrap_or_else(PoisonError::into_inner).extend([copy(&client), copy(&server)]);
        let silent = Arc::new(AtomicBool::new(false));
        let (told, proxy) = (Arc::clone(&silent), self.clone());
        let (from, to) = (copy(&client), copy(&server));
        thread::spawn(move || {
            pump(from, to, |bytes| {
                if !bytes.windows(COMMIT.len()).any(|window| window == COMMIT) {
                    return true;
                }
                let mut cut = proxy.cut.lock().unwrap_or_else(PoisonError::into_inner);
                let now = std::mem::replace(&mut *cut, Cut::Never);
                told.store(now == Cut::AfterCommit, Ordering::SeqCst);
                now != Cut::BeforeCommit
            });
        });
        thread::spawn(move || pump(server, client, |_| !silent.load(Ordering::SeqCst)));
    }
}

/// Carries over what comes, as long as `passes` says so; then both ends are cut.
fn pump(mut from: TcpStream, mut to: TcpStream, passes: impl Fn(&[u8]) -> bool) {
    let mut bytes = [0; 64 << 10];
    while let Ok(read @ 1..) = from.read(&mut bytes) {
        if !passes(&bytes[..read]) || to.write_all(&bytes[..read]).is_err() {
            break;
        }
    }
    for stream in [from, to] {
        let _ = stream.shutdown(Shutdown::Both);
    }
}
