//! Lines in, lines out. A thread of its own reads and another writes, so that no blocked pipe holds up the runtime
//! or the end of the process; between them the gate answers what is no message.

use std::{
    io::{self, BufRead, BufReader, Read, Write},
    sync::Arc,
    thread,
};

use rmcp::{
    RoleServer,
    model::{ClientJsonRpcMessage, JsonRpcError, JsonRpcMessage, JsonRpcResponse},
    service::TxJsonRpcMessage,
    transport::Transport,
};
use serde_json::Value;
use tokio::sync::{mpsc, oneshot, watch};

use super::{
    gate::{Gate, Verdict},
    ident::Scan,
};

/// The longest line that is read: 16 MiB. What is longer is skipped, and answered.
pub(super) const LINE_BYTES: usize = 16 << 20;

/// How many lines are read ahead of the calls that they ask for.
const READ_AHEAD: usize = 64;

enum Line {
    Whole(Vec<u8>),
    /// With the id of the request that it was.
    TooLong(Option<Value>),
}

type Written = (Vec<u8>, oneshot::Sender<io::Result<()>>);

/// Messages over a pair of byte streams.
pub(super) struct Lines {
    lines: mpsc::Receiver<Line>,
    gate: Gate,
    out: Out,
}

/// The way out; clones share it.
#[derive(Clone)]
pub(super) struct Out(mpsc::UnboundedSender<Written>);

impl Lines {
    /// Starts to read. The last value turns true at the end of input, or when nobody reads the output any more.
    pub(super) fn over(
        input: impl Read + Send + 'static,
        output: impl Write + Send + 'static,
    ) -> (Self, Out, watch::Receiver<bool>) {
        let (to_session, lines) = mpsc::channel(READ_AHEAD);
        let (ended, end) = watch::channel(false);
        let ended = Arc::new(ended);
        let reader_ended = Arc::clone(&ended);
        thread::spawn(move || {
            if let Err(error) = read(input, &to_session) {
                tracing::warn!(%error, "the input failed");
            }
            reader_ended.send_replace(true);
        });
        let (out, to_write) = mpsc::unbounded_channel();
        thread::spawn(move || {
            if let Err(error) = write(output, to_write) {
                tracing::warn!(%error, "the output failed");
                ended.send_replace(true);
            }
        });
        let out = Out(out);
        (Self { lines, gate: Gate::default(), out: out.clone() }, out, end)
    }
}

impl Out {
    /// Waits until everything handed over so far is written.
    pub(super) async fn drain(&self) -> io::Result<()> {
        self.hand_over(Vec::new()).await
    }

    /// Hands a line to the writer, now; the future is done when it is written.
    fn send(&self, line: Result<Vec<u8>, serde_json::Error>) -> impl Future<Output = io::Result<()>> + Send + 'static {
        let handed_over = line.map_err(io::Error::from).map(|mut line| {
            line.push(b'\n');
            self.hand_over(line)
        });
        async move { handed_over?.await }
    }

    fn hand_over(&self, bytes: Vec<u8>) -> impl Future<Output = io::Result<()>> + Send + 'static {
        let closed = || io::Error::from(io::ErrorKind::BrokenPipe);
        let (done, written) = oneshot::channel();
        let sent = self.0.send((bytes, done)).map_err(|_| closed());
        async move {
            sent?;
            written.await.unwrap_or_else(|_| Err(closed()))
        }
    }
}

impl Transport<RoleServer> for Lines {
    type Error = io::Error;

    fn send(&mut self, message: TxJsonRpcMessage<RoleServer>) -> impl Future<Output = io::Result<()>> + Send + 'static {
        if let JsonRpcMessage::Response(JsonRpcResponse { id, .. })
        | JsonRpcMessage::Error(JsonRpcError { id: Some(id), .. }) = &message
        {
            self.gate.answered(id);
        }
        self.out.send(serde_json::to_vec(&message))
    }

    async fn receive(&mut self) -> Option<ClientJsonRpcMessage> {
        loop {
            // Cancel-safe: a line is taken only when this returns it, or is dealt with before the next await.
            let verdict = match self.lines.recv().await? {
                Line::Whole(line) => self.gate.judge(&line),
                Line::TooLong(id) => Gate::too_long(LINE_BYTES, id),
            };
            match verdict {
                Verdict::Pass(message) => return Some(*message),
                // Handed over at once, in order; whether it could be written shows at the next answer.
                Verdict::Answer(answer) => drop(self.out.send(serde_json::to_vec(&answer))),
                Verdict::Ignore => {}
            }
        }
    }

    async fn close(&mut self) -> io::Result<()> {
        Ok(())
    }
}

fn read(input: impl Read, to_session: &mpsc::Sender<Line>) -> io::Result<()> {
    let mut input = BufReader::new(input);
    loop {
        let mut line = Vec::new();
        let read = input.by_ref().take(LINE_BYTES as u64 + 1).read_until(b'\n', &mut line)?;
        if read == 0 {
            return Ok(());
        }
        let whole = if line.last() == Some(&b'\n') || line.len() <= LINE_BYTES {
            Line::Whole(line)
        } else {
            let mut scan = Scan::default();
            scan.feed(&line);
            skip(&mut input, &mut scan)?;
            Line::TooLong(scan.id())
        };
        if to_session.blocking_send(whole).is_err() {
            return Ok(());
        }
    }
}

/// Reads to the end of the line and keeps nothing of it but what the scan does.
fn skip(input: &mut impl BufRead, scan: &mut Scan) -> io::Result<()> {
    loop {
        let read = match input.fill_buf() {
            Ok(read) => read,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            Err(error) => return Err(error),
        };
        let end = read.iter().position(|byte| *byte == b'\n');
        let piece = &read[..end.unwrap_or(read.len())];
        scan.feed(piece);
        let length = piece.len() + usize::from(end.is_some());
        input.consume(length);
        if end.is_some() || length == 0 {
            return Ok(());
        }
    }
}

fn write(mut output: impl Write, mut lines: mpsc::UnboundedReceiver<Written>) -> io::Result<()> {
    while let Some((line, done)) = lines.blocking_recv() {
        let written = output.write_all(&line).and_then(|()| output.flush());
        let failed = written.as_ref().err().map(|error| io::Error::from(error.kind()));
        // Nobody waits any more: the session is ending.
        let _ = done.send(written);
        if let Some(error) = failed {
            return Err(error);
        }
    }
    Ok(())
}
