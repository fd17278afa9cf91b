//! The state that goes out with a question of the era 2026-07-28 and comes back with its answer. The client carries it,
//! so it is signed with a key of this process, ends after a while, serves once, and is for one call.

use std::{
    collections::HashMap,
    sync::{Mutex, PoisonError},
    time::{Duration, Instant},
};

use rmcp::model::{RequestStateCodec, RequestStateError, SealOptions};
use serde::{Deserialize, Serialize};

use super::{super::refusal::Refusal, Subject};

/// What a state says; anybody may read it, so it holds nothing but names.
#[derive(Serialize, Deserialize)]
struct Payload {
    nonce: String,
    subject: Subject,
}

/// Makes states and takes them back.
pub(in crate::mcp) struct States {
    /// `None` where the system gave no random bytes: then nothing can be signed.
    codec: Option<RequestStateCodec>,
    lifetime: Duration,
    /// The nonces that have served, until their states have expired anyhow.
    used: Mutex<HashMap<String, Instant>>,
}

impl States {
    /// With a fresh key, for states that live so long.
    pub(in crate::mcp) fn new(lifetime: Duration) -> Self {
        let codec = random::<32>().and_then(|key| RequestStateCodec::try_new(key).ok());
        Self { codec, lifetime, used: Mutex::default() }
    }

    /// A state about `subject`, for the call that `binding` stands for.
    pub(in crate::mcp) fn seal(&self, subject: &Subject, binding: &[u8]) -> Result<String, Refusal> {
        let (Some(codec), Some(nonce)) = (&self.codec, random::<16>()) else {
            tracing::error!("the system gives no random bytes, so no request state can be signed");
            return Err(Refusal::internal());
        };
        let nonce = nonce.iter().map(|byte| format!("{byte:02x}")).collect();
        let options = SealOptions::new().associated_data(binding).ttl(self.lifetime);
        let payload = Payload { nonce, subject: subject.clone() };
        codec.seal_json_with(&payload, &options).map_err(|_| Refusal::internal())
    }

    /// What a state is about. It has served with that, whatever comes of the answer.
    pub(in crate::mcp) fn open(&self, state: &str, binding: &[u8]) -> Result<Subject, Refusal> {
        let codec = self.codec.as_ref().ok_or_else(Refusal::internal)?;
        let Payload { nonce, subject } = codec.open_json_with(state, binding).map_err(|error| match error {
            RequestStateError::Expired => refused("state_expired", "it has expired"),
            _ => refused("state_invalid", "this server process did not make it so for this call"),
        })?;
        let now = Instant::now();
        let mut used = self.used.lock().unwrap_or_else(PoisonError::into_inner);
        used.retain(|_, until| *until > now);
        // Kept longer than any state lives, so that a clock that is set back can't let one serve again.
        match used.insert(nonce, now + self.lifetime * 2 + Duration::from_secs(3_600)) {
            None => Ok(subject),
            Some(_) => Err(refused("state_used", "it has served before")),
        }
    }
}

fn refused(code: &'static str, why: &str) -> Refusal {
    Refusal {
        code,
        field: Some("requestState".to_owned()),
        message: format!("the request state is refused: {why}; nothing was decided"),
        next_step: "Call review_queue with ask once more, without a request state: the human is asked anew.".to_owned(),
    }
}

fn random<const N: usize>() -> Option<[u8; N]> {
    let mut bytes = [0; N];
    getrandom::fill(&mut bytes).ok().map(|()| bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn subject() -> Subject {
        Subject { scope: "default".to_owned(), shown: Vec::new() }
    }

    #[test]
    fn a_state_serves_once_for_its_call_and_its_server() {
        let states = States::new(Duration::from_secs(600));
        let code = |outcome: Result<Subject, Refusal>| outcome.map_err(|refusal| refusal.code);
        let state = states.seal(&subject(), b"this call").unwrap();
        assert_eq!(code(states.open(&state, b"another call")), Err("state_invalid"));
        assert_eq!(code(States::new(Duration::from_secs(600)).open(&state, b"this call")), Err("state_invalid"));
        assert_eq!(code(states.open(&state, b"this call")), Ok(subject()));
        assert_eq!(code(states.open(&state, b"this call")), Err("state_used"));
        for broken in ["", "rs1", "rs1..", &state[..state.len() - 1], &format!("{state}A")] {
            assert_eq!(code(states.open(broken, b"this call")), Err("state_invalid"), "{broken}");
        }
        let ended = States::new(Duration::ZERO);
        let state = ended.seal(&subject(), b"this call").unwrap();
        std::thread::sleep(Duration::from_millis(2));
        assert_eq!(code(ended.open(&state, b"this call")), Err("state_expired"));
    }
}
