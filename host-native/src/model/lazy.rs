//! Something dear that is made once, at its first use.

use std::{
    sync::{Mutex, OnceLock, PoisonError},
    time::{Duration, Instant},
};

use super::ModelError;

/// How long a failure is answered with again before another try: an agent's every call would else wait for a network
/// that is not there.
const PAUSE: Duration = Duration::from_secs(30);

/// Something dear that is made once, at its first use.
#[derive(Debug)]
pub(crate) struct Lazy<T> {
    made: OnceLock<T>,
    failed: Mutex<Option<(Instant, ModelError)>>,
}

impl<T> Lazy<T> {
    pub(crate) const fn new() -> Self {
        Self { made: OnceLock::new(), failed: Mutex::new(None) }
    }

    /// What was made, or what `make` makes now. Others wait meanwhile.
    pub(crate) fn get(&self, make: impl FnOnce() -> Result<T, ModelError>) -> Result<&T, ModelError> {
        if let Some(made) = self.made.get() {
            return Ok(made);
        }
        let mut failed = self.failed.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(made) = self.made.get() {
            return Ok(made);
        }
        if let Some((_, error)) = failed.as_ref().filter(|(at, _)| at.elapsed() < PAUSE) {
            return Err(error.clone());
        }
        match make() {
            Ok(made) => Ok(self.made.get_or_init(|| made)),
            Err(error) => {
                *failed = Some((Instant::now(), error.clone()));
                Err(error)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_is_made_once_and_a_failure_is_not_tried_at_each_call() {
        let lazy = Lazy::new();
        let error = ModelError::Failed { model: "m".to_owned(), reason: "no".to_owned() };
        assert_eq!(lazy.get(|| Err(error.clone())), Err(error.clone()));
        assert_eq!(lazy.get(|| panic!("tried again at once")), Err::<&i32, _>(error));
        let lazy = Lazy::new();
        assert_eq!(lazy.get(|| Ok(1)), Ok(&1));
        assert_eq!(lazy.get(|| panic!("made twice")), Ok(&1));
    }
}
