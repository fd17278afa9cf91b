//! Late interaction (after ColBERT, Khattab & Zaharia 2020) over static token vectors: each token of one text seeks
//! its best match in the other, and counts by how much it tells.

use rustc_hash::FxHashMap;

use crate::{static_model::StaticModel, vector_math::dot_wide, wordpiece::TokenId};

/// Cosines are kept in blocks of so many, which the compiler compares at once.
const LANES: usize = 8;

/// A text's tokens, ready to be matched against many others.
pub struct Matcher<'m> {
    model: &'m StaticModel,
    /// The text's distinct tokens that tell something, with how much.
    tokens: Vec<(TokenId, f32)>,
    total: f32,
    /// Their rows in the model, one after the other, widened.
    rows: Vec<i16>,
    /// Scratch: another token's row, widened.
    other_row: Vec<i16>,
    /// Where each vocabulary entry's row of cosines is, plus 1; 0: not worked out yet.
    places: Vec<u32>,
    /// Rows of cosines with each of `tokens`, each filled up with zeros to whole blocks.
    cosines: Vec<[f32; LANES]>,
    /// For each row its highest cosine, at least 0.
    nearest: Vec<f32>,
    best: Vec<[f32; LANES]>,
    /// The best cosines with texts that were met in context, by the caller's number.
    known: FxHashMap<u32, usize>,
    kept: Vec<[f32; LANES]>,
}

impl<'m> Matcher<'m> {
    /// For the text with `tokens`.
    #[must_use]
    pub fn new(model: &'m StaticModel, tokens: &[TokenId]) -> Self {
        let distinct: Vec<_> = telling(model, tokens).into_iter().map(|token| (token, model.idf(token))).collect();
        let total = distinct.iter().map(|(_, weight)| weight).sum();
        let mut rows = vec![0; distinct.len() * model.dimension()];
        for ((token, _), row) in distinct.iter().zip(rows.chunks_exact_mut(model.dimension())) {
            model.row_into(*token, row);
        }
        Self {
            model,
            total,
            rows,
            other_row: vec![0; model.dimension()],
            places: vec![0; model.vocabulary()],
            cosines: Vec::new(),
            nearest: Vec::new(),
            best: vec![[0.0; LANES]; distinct.len().div_ceil(LANES)],
            tokens: distinct,
            known: FxHashMap::default(),
            kept: Vec::new(),
        }
    }

    /// As [`Matcher::coverage`] by the text that the caller numbers `of`, read together with those beside it: each token's
    /// best match in any of them counts, by that text's share.
    pub fn coverage_in_context<'t>(&mut self, texts: impl Iterator<Item = (u32, f32, &'t [TokenId])>) -> f64 {
        let width = self.best.len();
        let mut best = vec![[0.0; LANES]; width];
        for (number, share, tokens) in texts {
            let at = match self.known.get(&number) {
                Some(&at) => at,
                None => {
                    self.coverage(tokens);
                    let at = self.kept.len();
                    self.kept.extend_from_slice(&self.best);
                    self.known.insert(number, at);
                    at
                }
            };
            for (best, kept) in best.iter_mut().zip(&self.kept[at..]) {
                for (best, &kept) in best.iter_mut().zip(kept) {
                    *best = f32::max(*best, share * kept);
                }
            }
        }
        let best = best.as_flattened().iter();
        share(best.zip(&self.tokens).map(|(best, (_, weight))| best * weight).sum(), self.total)
    }

    /// Whether the text has nothing that tells anything.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.total <= 0.0
    }

    /// How well the text with the [`telling`] tokens `other` covers this one: the mean over this text's tokens of the
    /// best cosine in `other`, weighted by how much the token tells; 0..=1.
    pub fn coverage(&mut self, other: &[TokenId]) -> f64 {
        self.best.fill([0.0; LANES]);
        for &token in other {
            self.meet(token);
        }
        let best = self.best.as_flattened().iter();
        share(best.zip(&self.tokens).map(|(best, (_, weight))| best * weight).sum(), self.total)
    }

    /// How alike this text and that with the [`telling`] tokens `other` are, 0..=1: the lower of how well each covers
    /// the other.
    pub fn similarity(&mut self, other: &[TokenId]) -> f64 {
        let forth = self.coverage(other);
        let (mut back, mut total) = (0.0_f32, 0.0_f32);
        for &token in other {
            let Some(place) = self.places.get(token.index()).filter(|place| **place > 0) else { continue };
            let weight = self.model.idf(token);
            back += self.nearest[*place as usize - 1] * weight;
            total += weight;
        }
        forth.min(share(back, total))
    }

    /// Lets every token of this text see `token` of the other.
    fn meet(&mut self, token: TokenId) {
        let width = self.best.len();
        let row = match self.places.get(token.index()) {
            None => return,
            Some(0) => self.add_row(token),
            Some(place) => *place as usize - 1,
        };
        for (best, cosines) in self.best.iter_mut().zip(&self.cosines[row * width..][..width]) {
            for (best, &cosine) in best.iter_mut().zip(cosines) {
                *best = if cosine > *best { cosine } else { *best };
            }
        }
    }

    /// Works out the row of cosines with `token`; its number.
    fn add_row(&mut self, token: TokenId) -> usize {
        let row = self.nearest.len();
        self.model.row_into(token, &mut self.other_row);
        let scale = self.model.scale(token);
        let start = self.cosines.len();
        self.cosines.resize(start + self.best.len(), [0.0; LANES]);
        let cosines = self.cosines[start..].as_flattened_mut();
        let mut nearest = 0.0;
        let rows = self.rows.chunks_exact(self.model.dimension());
        for ((cosine, row), (mine, _)) in cosines.iter_mut().zip(rows).zip(&self.tokens) {
            // As `StaticModel::cosine`, to the last bit.
            *cosine = (dot_wide(row, &self.other_row) as f32 * self.model.scale(*mine) * scale).clamp(-1.0, 1.0);
            nearest = f32::max(nearest, *cosine);
        }
        self.nearest.push(nearest);
        self.places[token.index()] = row as u32 + 1;
        row
    }
}

fn share(sum: f32, total: f32) -> f64 {
    if total > 0.0 { f64::from((sum / total).clamp(0.0, 1.0)) } else { 0.0 }
}

/// The tokens that a [`Matcher`] looks at, each once, in order.
#[must_use]
pub fn telling(model: &StaticModel, tokens: &[TokenId]) -> Vec<TokenId> {
    let mut telling: Vec<TokenId> = Vec::with_capacity(tokens.len());
    for &token in tokens {
        if model.idf(token) > 0.0 && !telling.contains(&token) {
            telling.push(token);
        }
    }
    telling
}
