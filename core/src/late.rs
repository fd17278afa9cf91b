//! Late interaction (after ColBERT, Khattab & Zaharia 2020) over static token vectors: each token of one text seeks
//! its best match in the other, and counts by how much it tells.

use crate::{
    static_model::StaticModel,
    vector_math::{dot_wide, widen},
    wordpiece::TokenId,
};

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
    /// Rows of cosines with each of `tokens`.
    cosines: Vec<f32>,
    /// For each row its highest cosine, at least 0.
    nearest: Vec<f32>,
    best: Vec<f32>,
}

impl<'m> Matcher<'m> {
    /// For the text with `tokens`.
    #[must_use]
    pub fn new(model: &'m StaticModel, tokens: &[TokenId]) -> Self {
        let distinct: Vec<_> = telling(model, tokens).into_iter().map(|token| (token, model.idf(token))).collect();
        let total = distinct.iter().map(|(_, weight)| weight).sum();
        let rows = distinct.iter().flat_map(|(token, _)| widen(model.row(*token))).collect();
        Self {
            model,
            total,
            rows,
            other_row: Vec::new(),
            places: vec![0; model.vocabulary()],
            cosines: Vec::new(),
            nearest: Vec::new(),
            best: vec![0.0; distinct.len()],
            tokens: distinct,
        }
    }

    /// Whether the text has nothing that tells anything.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.total <= 0.0
    }

    /// How well `other` covers this text: the mean over its tokens of the best cosine in `other`, weighted by how much
    /// the token tells; 0..=1.
    pub fn coverage(&mut self, other: &[TokenId]) -> f64 {
        self.both(other).0
    }

    /// How alike the two texts are, 0..=1: the lower of how well each covers the other.
    pub fn similarity(&mut self, other: &[TokenId]) -> f64 {
        let (forth, back) = self.both(other);
        forth.min(back)
    }

    /// How well `other` covers this text, and this text `other`.
    fn both(&mut self, other: &[TokenId]) -> (f64, f64) {
        let width = self.tokens.len();
        if width == 0 {
            return (0.0, 0.0);
        }
        self.best.fill(0.0);
        let (mut back, mut back_total) = (0.0_f32, 0.0_f32);
        for (i, &token) in other.iter().enumerate() {
            let weight = self.model.idf(token);
            // A repeated token adds nothing; texts are short, so looking back is cheap.
            if weight <= 0.0 || token.index() >= self.places.len() || other[..i].contains(&token) {
                continue;
            }
            let row = self.row(token);
            for (best, &cosine) in self.best.iter_mut().zip(&self.cosines[row * width..][..width]) {
                *best = if cosine > *best { cosine } else { *best };
            }
            back += self.nearest[row] * weight;
            back_total += weight;
        }
        let forth: f32 = self.best.iter().zip(&self.tokens).map(|(best, (_, weight))| best * weight).sum();
        let share = |sum: f32, total: f32| if total > 0.0 { f64::from((sum / total).clamp(0.0, 1.0)) } else { 0.0 };
        (share(forth, self.total), share(back, back_total))
    }

    /// The number of the row of cosines with `token`, worked out when it is first met.
    fn row(&mut self, token: TokenId) -> usize {
        let place = self.places[token.index()];
        if place > 0 {
            return place as usize - 1;
        }
        let row = self.nearest.len();
        self.other_row.clear();
        self.other_row.extend(widen(self.model.row(token)));
        let scale = self.model.scale(token);
        let rows = self.rows.chunks_exact(self.model.dimension());
        let start = self.cosines.len();
        self.cosines.extend(rows.zip(&self.tokens).map(|(row, (mine, _))| {
            // As `StaticModel::cosine`, to the last bit.
            (dot_wide(row, &self.other_row) as f32 * self.model.scale(*mine) * scale).clamp(-1.0, 1.0)
        }));
        self.nearest.push(self.cosines[start..].iter().fold(0.0, |nearest, &cosine| f32::max(nearest, cosine)));
        self.places[token.index()] = row as u32 + 1;
        row
    }
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
