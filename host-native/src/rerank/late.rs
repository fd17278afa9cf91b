//! Late interaction over the embedder's own token vectors, each as it is meant in its sentence.

use std::sync::{Arc, Mutex, PoisonError};

use ebbtrace_core::vector::quantise;

use super::{Reranker, recent::Recent};
use crate::{
    embed::{Embedder, TokenVectors},
    model::ModelError,
};

/// How much of memories' token vectors is kept for later questions, in bytes: 64 MiB, some 4,000 memories of 40 tokens
/// with MiniLM's 384 dimensions.
const KEPT: usize = 64 << 20;

/// What an entry takes beside its vectors, about: its key, twice, and the tables around them.
const OVERHEAD: usize = 192;

/// How much a token counts, by its number in a vocabulary and how large that is.
type Weight = dyn Fn(u32, usize) -> f64 + Send + Sync;

/// Each of the question's tokens is looked for in the memory, and its best cosine there counts: evenly, or as a weight
/// such as idf says.
pub struct LateInteraction {
    embedder: Arc<dyn Embedder>,
    weight: Option<Box<Weight>>,
    kept: Mutex<Recent<Key, Arc<Tokens>>>,
    /// The last question: a long list of texts comes in parts.
    asked: Mutex<Option<(String, Arc<TokenVectors>)>>,
}

/// A text by its content: what was edited is another one, and one text is the same in any scope. Two hashes and the
/// length, so that no two texts meet.
type Key = (u64, u64, usize);

/// A text's token vectors as bytes, each with the scale that turns them back.
struct Tokens {
    dimension: usize,
    values: Vec<i8>,
    scales: Vec<f32>,
}

impl LateInteraction {
    /// Over the vectors of `embedder`, every token counting alike.
    #[must_use]
    pub fn new(embedder: Arc<dyn Embedder>) -> Self {
        Self { embedder, weight: None, kept: Mutex::new(Recent::new(KEPT)), asked: Mutex::new(None) }
    }

    /// With a weight for each token of a question, at least 0, by its number in the embedder's vocabulary and how large
    /// that is.
    #[must_use]
    pub fn weighted(mut self, weight: impl Fn(u32, usize) -> f64 + Send + Sync + 'static) -> Self {
        self.weight = Some(Box::new(weight));
        self
    }

    /// With at most so many bytes of token vectors kept for later questions; by default 64 MiB.
    #[must_use]
    pub fn keeping(mut self, bytes: usize) -> Self {
        self.kept = Mutex::new(Recent::new(bytes));
        self
    }

    fn question(&self, query: &str) -> Result<Arc<TokenVectors>, ModelError> {
        let lock = || self.asked.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((_, vectors)) = lock().as_ref().filter(|(asked, _)| asked == query) {
            return Ok(Arc::clone(vectors));
        }
        let vectors = Arc::new(self.embedder.token_vectors(&[query])?.pop().unwrap_or_default());
        *lock() = Some((query.to_owned(), Arc::clone(&vectors)));
        Ok(vectors)
    }

    /// The token vectors of texts, as far as they are kept from before.
    fn tokens(&self, texts: &[&str]) -> Result<Vec<Arc<Tokens>>, ModelError> {
        let lock = || self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        let known: Vec<Option<Arc<Tokens>>> = {
            let mut kept = lock();
            texts.iter().map(|text| kept.get(&key(text))).collect()
        };
        let new: Vec<&str> =
            texts.iter().zip(&known).filter(|(_, known)| known.is_none()).map(|(text, _)| *text).collect();
        // Without the lock: another question need not wait for it.
        let mut made = self.embedder.token_vectors(&new)?.into_iter();
        let short =
            || ModelError::Failed { model: self.model().to_owned(), reason: "it gave too few texts".to_owned() };
        texts
            .iter()
            .zip(known)
            .map(|(text, known)| match known {
                Some(known) => Ok(known),
                None => {
                    let tokens = Arc::new(Tokens::new(&made.next().ok_or_else(short)?));
                    lock().put(key(text), Arc::clone(&tokens), tokens.bytes());
                    Ok(tokens)
                }
            })
            .collect()
    }

    /// The mean, weighted, of each query token's best cosine in `text`; what points away counts as nothing.
    fn similarity(&self, query: &TokenVectors, text: &Tokens) -> f32 {
        let (mut sum, mut weights) = (0.0, 0.0);
        for (token, vector) in query.tokens.iter().zip(query.values.chunks_exact(query.dimension.max(1))) {
            let weight = self.weight.as_ref().map_or(1.0, |weight| weight(*token, query.vocabulary).max(0.0));
            sum += weight * f64::from(text.best(vector));
            weights += weight;
        }
        if weights > 0.0 { (sum / weights) as f32 } else { 0.0 }
    }
}

impl Reranker for LateInteraction {
    fn model(&self) -> &str {
        "late"
    }

    fn score(&self, query: &str, texts: &[&str]) -> Result<Vec<f32>, ModelError> {
        let query = self.question(query)?;
        Ok(self.tokens(texts)?.iter().map(|text| self.similarity(&query, text)).collect())
    }

    fn prepare(&self) -> Result<(), ModelError> {
        self.embedder.model().map(drop)
    }
}

impl Tokens {
    fn new(vectors: &TokenVectors) -> Self {
        let (mut values, mut scales) = (Vec::with_capacity(vectors.values.len()), Vec::new());
        for vector in vectors.values.chunks_exact(vectors.dimension.max(1)) {
            let (bytes, scale) = quantise(vector);
            values.extend(bytes);
            scales.push(scale);
        }
        Self { dimension: vectors.dimension, values, scales }
    }

    fn bytes(&self) -> usize {
        self.values.len() + 4 * self.scales.len() + OVERHEAD
    }

    /// The best cosine of `vector`, which has unit length, with one of these; 0..=1.
    fn best(&self, vector: &[f32]) -> f32 {
        if vector.len() != self.dimension {
            return 0.0;
        }
        let rows = self.values.chunks_exact(self.dimension.max(1)).zip(&self.scales);
        let cosine = |(row, scale): (&[i8], &f32)| {
            row.iter().zip(vector).map(|(byte, value)| f32::from(*byte) * value).sum::<f32>() * scale
        };
        rows.map(cosine).fold(0.0, f32::max).min(1.0)
    }
}

fn key(text: &str) -> Key {
    use std::hash::{DefaultHasher, Hash, Hasher};
    let hash = |salt: u8| {
        let mut hasher = DefaultHasher::new();
        (salt, text).hash(&mut hasher);
        hasher.finish()
    };
    (hash(0), hash(1), text.len())
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};

    use super::*;

    /// Each letter is a token; `a`, `b` and `c` point along an axis each, `d` between the first two.
    #[derive(Default)]
    struct Letters {
        texts: AtomicUsize,
    }

    impl Embedder for Letters {
        fn model(&self) -> Result<&str, ModelError> {
            Ok("letters")
        }

        fn embed(&self, _: &[&str]) -> Result<Vec<Vec<f32>>, ModelError> {
            panic!("late interaction needs the tokens alone")
        }

        fn token_vectors(&self, texts: &[&str]) -> Result<Vec<TokenVectors>, ModelError> {
            self.texts.fetch_add(texts.len(), Ordering::Relaxed);
            let of = |text: &&str| {
                let values = text.chars().flat_map(|letter| match letter {
                    'a' => [1.0, 0.0, 0.0],
                    'b' => [0.0, 1.0, 0.0],
                    'c' => [0.0, 0.0, 1.0],
                    _ => [std::f32::consts::FRAC_1_SQRT_2, std::f32::consts::FRAC_1_SQRT_2, 0.0],
                });
                let tokens = text.chars().map(u32::from).collect();
                TokenVectors { tokens, vocabulary: 256, dimension: 3, values: values.collect() }
            };
            Ok(texts.iter().map(of).collect())
        }
    }

    #[test]
    fn each_token_counts_by_its_best_match() {
        let late = LateInteraction::new(Arc::new(Letters::default()));
        let scores = late.score("ab", &["ba", "aa", "d", "c", ""]).unwrap();
        for (score, wanted) in scores.iter().zip([1.0, 0.5, 0.707, 0.0, 0.0]) {
            assert!((score - wanted).abs() < 0.01, "{scores:?}");
        }
    }

    #[test]
    fn a_weight_says_how_much_each_counts() {
        let weight = |token: u32, _| if token == u32::from('a') { 3.0 } else { 1.0 };
        let late = LateInteraction::new(Arc::new(Letters::default())).weighted(weight);
        let scores = late.score("ab", &["a", "b"]).unwrap();
        assert!((scores[0] - 0.75).abs() < 0.01 && (scores[1] - 0.25).abs() < 0.01, "{scores:?}");
    }

    #[test]
    fn a_text_is_read_once_while_it_is_kept() {
        let letters = Arc::new(Letters::default());
        let late = LateInteraction::new(Arc::clone(&letters) as Arc<dyn Embedder>);
        let first = late.score("a", &["ab", "bc"]).unwrap();
        assert_eq!(late.score("a", &["ab", "bc"]).unwrap(), first);
        late.score("c", &["ab", "bc"]).unwrap();
        // Two texts and two questions.
        assert_eq!(letters.texts.load(Ordering::Relaxed), 4);
        let late = LateInteraction::new(Arc::clone(&letters) as Arc<dyn Embedder>).keeping(0);
        late.score("a", &["ab"]).unwrap();
        late.score("a", &["ab"]).unwrap();
        assert_eq!(letters.texts.load(Ordering::Relaxed), 7);
    }
}
