//! The second stage: a reranker's word on the best of the first, and the first's order where it has none.

use std::{
    sync::{Arc, Mutex, mpsc},
    thread,
    time::Duration,
};

use ebbtrace::{
    Embedder, Reranker, Service,
    embed::Transformer,
    model::{ModelError, ModelSource},
    rerank::{CrossEncoder, LateInteraction},
    service::Options,
    store::MemoryStore,
};
use ebbtrace_core::{RecallInput, Recalled, RememberInput};

use super::tiny;

type Script = dyn Fn(&str, &[&str]) -> Result<Vec<f32>, ModelError> + Send + Sync;

struct Scripted(Box<Script>);

impl Reranker for Scripted {
    fn model(&self) -> &str {
        "scripted"
    }

    fn score(&self, query: &str, texts: &[&str]) -> Result<Vec<f32>, ModelError> {
        (self.0)(query, texts)
    }
}

/// Twelve memories that all answer a question about deploying.
fn service(
    script: impl Fn(&str, &[&str]) -> Result<Vec<f32>, ModelError> + Send + Sync + 'static,
    timeout: Duration,
) -> Service {
    over(Arc::new(Scripted(Box::new(script))), timeout)
}

fn over(reranker: Arc<dyn Reranker>, reranker_timeout: Duration) -> Service {
    let options = Options { reranker: Some(reranker), reranker_timeout, ..Options::new(Box::new(MemoryStore::new())) };
    let service = Service::open(options).unwrap();
    let places = [
        "harbour", "airport", "castle", "museum", "library", "stadium", "bakery", "school", "theatre", "market",
        "church", "tower",
    ];
    for place in places {
        let (id, content) = (Some(format!("of:{place}")), format!("The deploy of the {place} is run by hand"));
        service.remember(RememberInput { id, content, ..RememberInput::default() }).unwrap();
    }
    service
}

fn recall(service: &Service, k: i64) -> Recalled {
    let query = "how is the deploy run?".to_owned();
    service.recall(RecallInput { query, k: Some(k), ..RecallInput::default() }).unwrap()
}

fn ids(recalled: &Recalled) -> Vec<String> {
    recalled.hits.iter().map(|hit| hit.memory.id.to_string()).collect()
}

const MINUTE: Duration = Duration::from_secs(60);

/// The castle, above all, and the museum after it.
fn castle(_: &str, texts: &[&str]) -> Result<Vec<f32>, ModelError> {
    let score = |text: &&str| {
        if text.contains("castle") {
            1.0
        } else if text.contains("museum") {
            0.8
        } else {
            0.0
        }
    };
    Ok(texts.iter().map(score).collect())
}

#[test]
fn the_rerankers_word_moves_what_the_first_stage_found() {
    let service = service(castle, MINUTE);
    let recalled = recall(&service, 3);
    assert_eq!(ids(&recalled)[..2], ["of:castle", "of:museum"]);
    assert_eq!((recalled.hits.len(), recalled.notices.len()), (3, 0), "{:?}", recalled.notices);
    // What was merely looked at is not in use.
    for (id, used) in [("of:castle", 1), ("of:museum", 1), ("of:tower", 0), ("of:theatre", 0)] {
        let count = service.memory(None, id).unwrap().recall_count;
        assert!(count == used || ids(&recalled).contains(&id.to_owned()), "{id}: {count}");
    }
    let used: u32 = service
        .tiers(None)
        .unwrap()
        .0
        .iter()
        .map(|(id, _)| service.memory(None, id.as_str()).unwrap().recall_count)
        .sum();
    assert_eq!(used, 3);
}

#[test]
fn a_failure_leaves_the_first_stages_order_with_a_notice() {
    let plain = ids(&recall(&service(|_, texts| Ok(vec![0.0; texts.len()]), MINUTE), 5));
    let failing =
        |_: &str, _: &[&str]| Err(ModelError::Failed { model: "scripted".to_owned(), reason: "no paper".to_owned() });
    let slow = |_: &str, texts: &[&str]| {
        thread::sleep(Duration::from_millis(300));
        Ok(vec![1.0; texts.len()])
    };
    for (service, said) in [
        (service(failing, MINUTE), "no paper"),
        (service(|_, _| panic!("a defect, as the test wants it"), MINUTE), "defect"),
        (service(slow, Duration::from_millis(20)), "longer than 20 ms"),
    ] {
        let recalled = recall(&service, 5);
        assert_eq!(ids(&recalled), plain);
        assert!(recalled.notices.len() == 1 && recalled.notices[0].contains(said), "{:?}", recalled.notices);
    }
}

#[test]
fn others_are_not_held_while_it_reads() {
    let (began, begun) = mpsc::channel();
    let (go, waits) = mpsc::channel::<()>();
    let (began, waits) = (Mutex::new(Some(began)), Mutex::new(waits));
    let script = move |_: &str, texts: &[&str]| {
        if let Some(began) = began.lock().unwrap().take() {
            began.send(()).unwrap();
            waits.lock().unwrap().recv().unwrap();
        }
        Ok(vec![0.5; texts.len()])
    };
    let service = Arc::new(service(script, MINUTE));
    let asking = thread::spawn({
        let service = Arc::clone(&service);
        move || recall(&service, 3)
    });
    begun.recv_timeout(MINUTE).unwrap();
    let content = "Written while the reranker reads".to_owned();
    service.remember(RememberInput { content, ..RememberInput::default() }).unwrap();
    go.send(()).unwrap();
    assert_eq!(asking.join().unwrap().hits.len(), 3);
}

#[test]
fn transformers_rerank() {
    let embedder: Arc<dyn Embedder> = Arc::new(Transformer::new(ModelSource::Folder(tiny())));
    let cross: Arc<dyn Reranker> = Arc::new(CrossEncoder::new(ModelSource::Folder(tiny())));
    for reranker in [cross, Arc::new(LateInteraction::new(embedder)) as Arc<dyn Reranker>] {
        let recalled = recall(&over(reranker, MINUTE), 12);
        assert_eq!((recalled.hits.len(), recalled.notices.len()), (12, 0), "{:?}", recalled.notices);
    }
}

#[test]
fn archived_memories_fill_in_only_where_others_are_few() {
    let service = service(castle, MINUTE);
    service.forget(None, "of:castle", None).unwrap();
    let recalled = recall(&service, 3);
    assert_eq!(ids(&recalled)[0], "of:museum");
    assert_eq!(recalled.archived, 1, "{:?}", ids(&recalled));
}
