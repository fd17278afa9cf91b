//! Asking a reranker within a time: on a thread of its own, a few texts at a time, so that one that is too slow is told
//! to stop and the first stage's order stands.

use std::{
    panic::{AssertUnwindSafe, catch_unwind},
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
        mpsc,
    },
    thread,
    time::Duration,
};

use super::Reranker;

/// After so many texts it is looked whether the answer is still waited for.
const BATCH: usize = 8;

/// How well each text answers `query`, 0..=1; or why that can't be told, in a sentence.
pub(crate) fn scores(
    reranker: &Arc<dyn Reranker>,
    query: &str,
    texts: Vec<String>,
    timeout: Duration,
) -> Result<Vec<f64>, String> {
    let name = reranker.model().to_owned();
    // Loading takes the time that it takes, once; a panic in it is caught as one of the scoring is.
    match catch_unwind(AssertUnwindSafe(|| reranker.prepare())) {
        Ok(Ok(())) => {}
        Ok(Err(error)) => return Err(format!("{error}. {}", error.next_step())),
        Err(_) => return Err(format!("the reranker {name:?} has a defect.")),
    }
    let over = Arc::new(AtomicBool::new(false));
    let (send, answer) = mpsc::sync_channel(1);
    let (reranker, query, stop) = (Arc::clone(reranker), query.to_owned(), Arc::clone(&over));
    let count = texts.len();
    let work = move || {
        let mut scores = Vec::with_capacity(texts.len());
        for batch in texts.chunks(BATCH) {
            if stop.load(Ordering::Relaxed) {
                return;
            }
            let batch: Vec<&str> = batch.iter().map(String::as_str).collect();
            let scored = catch_unwind(AssertUnwindSafe(|| reranker.score(&query, &batch)));
            match scored {
                Ok(Ok(some)) => scores.extend(some),
                Ok(Err(error)) => return drop(send.send(Err(format!("{error}. {}", error.next_step())))),
                Err(_) => return drop(send.send(Err(format!("the reranker {:?} has a defect.", reranker.model())))),
            }
        }
        // Nobody may be waiting any more.
        let _ = send.send(Ok(scores));
    };
    if let Err(error) = thread::Builder::new().name("reranker".to_owned()).spawn(work) {
        return Err(format!("the reranker {name:?} can't be run: {error}."));
    }
    let answered = answer.recv_timeout(timeout);
    over.store(true, Ordering::Relaxed);
    let scores = match answered {
        Ok(answer) => answer?,
        Err(mpsc::RecvTimeoutError::Timeout) => {
            let waited = timeout.as_millis();
            return Err(format!(
                "the reranker {name:?} took longer than {waited} ms; --reranker-timeout-ms sets that."
            ));
        }
        Err(mpsc::RecvTimeoutError::Disconnected) => {
            return Err(format!("the reranker {name:?} ended without a word."));
        }
    };
    if scores.len() != count || scores.iter().any(|score| !score.is_finite()) {
        return Err(format!(
            "the reranker {name:?} gave {} scores for {count} texts, or some that are none.",
            scores.len()
        ));
    }
    Ok(scores.into_iter().map(|score| f64::from(score).clamp(0.0, 1.0)).collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::ModelError;

    struct Script(fn(&[&str]) -> Result<Vec<f32>, ModelError>);

    impl Reranker for Script {
        fn model(&self) -> &str {
            "script"
        }

        fn score(&self, _: &str, texts: &[&str]) -> Result<Vec<f32>, ModelError> {
            (self.0)(texts)
        }
    }

    fn asked(script: fn(&[&str]) -> Result<Vec<f32>, ModelError>, timeout: Duration) -> Result<Vec<f64>, String> {
        let texts = (0..20).map(|n| n.to_string()).collect();
        scores(&(Arc::new(Script(script)) as Arc<dyn Reranker>), "?", texts, timeout)
    }

    #[test]
    fn scores_come_in_order_and_in_range() {
        let script = |texts: &[&str]| Ok(texts.iter().map(|text| text.parse::<f32>().unwrap() / 10.0).collect());
        let scores = asked(script, Duration::from_secs(60)).unwrap();
        assert_eq!((scores.len(), scores[0], scores[19]), (20, 0.0, 1.0));
        assert!((scores[3] - 0.3).abs() < 1e-6);
    }

    #[test]
    fn whatever_goes_wrong_is_said() {
        let slow = |texts: &[&str]| {
            thread::sleep(Duration::from_millis(200));
            Ok(vec![0.5; texts.len()])
        };
        let failed = |_: &[&str]| Err(ModelError::Failed { model: "script".to_owned(), reason: "no paper".to_owned() });
        let minute = Duration::from_secs(60);
        assert!(asked(slow, Duration::from_millis(10)).unwrap_err().contains("longer than 10 ms"));
        assert!(asked(failed, minute).unwrap_err().contains("no paper"));
        assert!(asked(|_| panic!("a defect, as the test wants it"), minute).unwrap_err().contains("defect"));
        assert!(asked(|_| Ok(vec![0.5]), minute).unwrap_err().contains("3 scores for 20 texts"));
        assert!(asked(|texts| Ok(vec![f32::NAN; texts.len()]), minute).unwrap_err().contains("some that are none"));
    }
}
