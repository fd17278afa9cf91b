//! What is worked out of a memory's text by itself, before any index sees it.

use crate::{late, record::Memory, static_model::StaticModel, vector::quantise, wordpiece::TokenId};

/// A memory's text in the static model's terms.
#[derive(Debug)]
pub struct Analysis {
    /// The pooled vector of what it says: int8 values and their scale.
    pub(crate) pooled: (Vec<i8>, f32),
    /// The telling pieces of its author's name and of what it says, in the model's vocabulary.
    pub(crate) tokens: Box<[TokenId]>,
    /// How many of them are the name's.
    pub(crate) author_tokens: u32,
}

impl Analysis {
    /// Of a memory's author and content.
    #[must_use]
    pub fn of(memory: &Memory, model: &StaticModel) -> Self {
        let content = model.tokens(&memory.content);
        let author = memory.author.as_deref().map(|author| model.tokens(author)).unwrap_or_default();
        let pooled = quantise(&model.pooled(&content));
        let (author, content) = (late::telling(model, &author), late::telling(model, &content));
        Self { pooled, author_tokens: author.len() as u32, tokens: [author, content].concat().into() }
    }
}
