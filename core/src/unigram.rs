//! Pieces of the languages other than English, and how their words are cut into them.
//!
//! A stretch of another script than Latin is cut as SentencePiece's unigram model does: each piece has a cost, the
//! logarithm of how rare it is, and the cheapest way through the text counts. Unlike there a piece is the same at the
//! beginning of a word and within one: scripts that write no spaces have no beginnings, and a Korean noun is one token
//! whatever stands before it. A Latin-script word is looked up whole; in a text that is not English it may also be a
//! compound of known words, or a known word with an ending.

use crate::{
    unicode::nfc,
    wordpiece::{PieceIndex, TokenId, VocabularyError},
};

/// What a character that no piece holds costs above the dearest piece: 10, in steps of a cost.
const UNKNOWN_COST: u32 = 2560;

/// Shortest beginning of a compound, in characters.
const STEM_LENGTH: usize = 4;

/// Longest ending that is left away, in characters.
const ENDING_LENGTH: usize = 3;

/// Most words a compound is taken apart into.
const COMPOUND_LIMIT: usize = 3;

/// Pieces and their costs. By default there are none.
#[derive(Default)]
pub(crate) struct Unigram {
    pieces: Option<PieceIndex>,
    costs: Box<[u16]>,
    unknown: u32,
    /// The token of the first piece.
    first: u16,
}

/// A part of a text: a piece, or characters that no piece holds.
#[derive(Debug, PartialEq)]
pub(crate) enum Part<'t> {
    Known(TokenId),
    Unknown(&'t str),
}

impl Unigram {
    /// Of pieces one a line, with a cost each, whose tokens are numbered from `first`.
    pub(crate) fn new(pieces: &str, costs: Box<[u16]>, first: u16) -> Result<Self, VocabularyError> {
        let index = PieceIndex::new(pieces.split('\n').map(|piece| (piece, false)), pieces.len())?;
        let unknown = costs.iter().max().map_or(0, |&cost| u32::from(cost) + UNKNOWN_COST);
        Ok(Self { pieces: Some(index), costs, unknown, first })
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.pieces.is_none()
    }

    /// How many pieces there are.
    pub(crate) fn len(&self) -> usize {
        self.pieces.as_ref().map_or(0, PieceIndex::len)
    }

    /// Of each piece whether it is in Latin script: it begins below U+0370 or in U+1E00 to U+1EFF.
    pub(crate) fn latin(&self) -> impl Iterator<Item = bool> {
        let pieces =
            self.pieces.iter().flat_map(|pieces| (0..pieces.len()).map(|number| pieces.piece(number as u16).0));
        pieces.map(|text| matches!(text, [..0xCD, ..] | [0xCD, ..0xB0, ..] | [0xE1, 0xB8..=0xBB, ..]))
    }

    /// What a piece says.
    #[cfg(test)]
    pub(crate) fn piece(&self, token: TokenId) -> Option<&str> {
        let number = token.0.checked_sub(self.first)?;
        let pieces = self.pieces.as_ref().filter(|pieces| usize::from(number) < pieces.len())?;
        str::from_utf8(pieces.piece(number).0).ok()
    }

    /// Cuts a [folded](fold) text of another script than Latin. Of two equally cheap ways the one with the longer
    /// last piece counts.
    pub(crate) fn cut<'t>(&self, text: &'t str) -> Vec<Part<'t>> {
        let mut steps = vec![Step { cost: u32::MAX, from: 0, piece: None }; text.len() + 1];
        steps[0].cost = 0;
        for (start, character) in text.char_indices() {
            let cost = steps[start].cost;
            let mut take = |bytes: usize, piece: Option<u16>, more: u32| {
                let step = &mut steps[start + bytes];
                if cost.saturating_add(more) < step.cost {
                    *step = Step { cost: cost + more, from: start, piece };
                }
            };
            let mut single = false;
            for (piece, bytes) in self.beginnings(&text[start..]) {
                single |= bytes == character.len_utf8();
                take(bytes, Some(piece), self.costs.get(usize::from(piece)).map_or(0, |&cost| u32::from(cost)));
            }
            if !single {
                take(character.len_utf8(), None, self.unknown);
            }
        }
        self.walk(text, &steps)
    }

    /// The parts that lead to the end, unknown characters in a row as one.
    fn walk<'t>(&self, text: &'t str, steps: &[Step]) -> Vec<Part<'t>> {
        let mut parts = Vec::new();
        let mut end = text.len();
        while end > 0 {
            let mut start = steps[end].from;
            match steps[end].piece {
                Some(piece) => parts.push(Part::Known(self.token(piece))),
                None => {
                    while start > 0 && steps[start].piece.is_none() {
                        start = steps[start].from;
                    }
                    parts.push(Part::Unknown(&text[start..end]));
                }
            }
            end = start;
        }
        parts.reverse();
        parts
    }

    /// The tokens of a lower-cased, composed word in Latin script; if `compound`, also one made of several words.
    pub(crate) fn word(&self, word: &str, compound: bool) -> Option<Vec<TokenId>> {
        self.words(word, if compound { COMPOUND_LIMIT } else { 1 })
    }

    fn words(&self, word: &str, most: usize) -> Option<Vec<TokenId>> {
        match self.pieces.as_ref()?.find(word.as_bytes(), false) {
            Some(piece) => Some(vec![self.token(piece)]),
            None if most > 1 => self.compound(word, most),
            None => None,
        }
    }

    fn compound(&self, word: &str, most: usize) -> Option<Vec<TokenId>> {
        let beginnings: Vec<_> = self.beginnings(word).collect();
        beginnings.into_iter().rev().find_map(|(piece, bytes)| {
            let (stem, rest) = word.split_at(bytes);
            if stem.chars().count() < STEM_LENGTH {
                return None;
            }
            let stem = vec![self.token(piece)];
            if rest.chars().count() <= ENDING_LENGTH {
                return Some(stem);
            }
            let linked = [Some(rest), rest.strip_prefix('s')].into_iter().flatten();
            let rest = linked
                .filter(|rest| rest.chars().count() >= STEM_LENGTH)
                .find_map(|rest| self.words(rest, most - 1))?;
            Some([stem, rest].concat())
        })
    }

    fn beginnings<'i>(&'i self, text: &'i str) -> impl Iterator<Item = (u16, usize)> + 'i {
        self.pieces.iter().flat_map(move |pieces| pieces.beginnings(text))
    }

    fn token(&self, piece: u16) -> TokenId {
        TokenId(self.first + piece)
    }
}

/// The cheapest way to a place in a text: what it costs, and its last piece.
#[derive(Clone, Copy)]
struct Step {
    cost: u32,
    from: usize,
    piece: Option<u16>,
}

/// Composes and lower-cases a text and takes away what writers may leave out: dots over the Russian e, vowel points of
/// Arabic and Hebrew, lengthening strokes, the final form of sigma. Thai am is written as its two parts.
pub(crate) fn fold(text: &str) -> String {
    let mut folded = String::with_capacity(text.len());
    for c in nfc(text).chars() {
        match c {
            '\u{640}' | '\u{64B}'..='\u{652}' => {}
            '\u{591}'..='\u{5BD}' | '\u{5BF}' | '\u{5C1}' | '\u{5C2}' | '\u{5C4}' | '\u{5C5}' | '\u{5C7}' => {}
            '\u{E33}' => folded.push_str("\u{E4D}\u{E32}"),
            _ => folded.extend(c.to_lowercase().map(|c| match c {
                'ё' => 'е',
                'ς' => 'σ',
                c => c,
            })),
        }
    }
    folded
}

#[cfg(test)]
mod tests {
    use super::*;

    const PIECES: &str = "서버\n서\n버\n에서\n가\n데이터\nkunde\nprojekt\nüber";

    fn unigram() -> Unigram {
        Unigram::new(PIECES, [2000, 1500, 1500, 900, 800, 2100, 2000, 2000, 2000].into(), 100).unwrap()
    }

    fn spelled<'t>(unigram: &'t Unigram, text: &'t str) -> Vec<&'t str> {
        let parts = unigram.cut(text).into_iter();
        parts
            .map(|part| match part {
                Part::Known(token) => unigram.piece(token).unwrap(),
                Part::Unknown(text) => text,
            })
            .collect()
    }

    #[test]
    fn the_cheapest_way_counts() {
        let unigram = unigram();
        assert_eq!(spelled(&unigram, "서버에서"), ["서버", "에서"]);
        assert_eq!(spelled(&unigram, "서버가버"), ["서버", "가", "버"]);
        assert_eq!(unigram.cut(""), []);
    }

    #[test]
    fn unknown_characters_in_a_row_are_one_part() {
        let unigram = unigram();
        assert_eq!(spelled(&unigram, "뷁뷁서버뷁"), ["뷁뷁", "서버", "뷁"]);
        assert_eq!(unigram.cut("뷁"), [Part::Unknown("뷁")]);
    }

    #[test]
    fn words_are_found_whole_or_as_compounds() {
        let unigram = unigram();
        let word =
            |text, compound| unigram.word(text, compound).map(|tokens| tokens.iter().map(|t| t.0).collect::<Vec<_>>());
        assert_eq!(word("über", false), Some(vec![108]));
        assert_eq!(word("kunden", false), None);
        assert_eq!(word("kunden", true), Some(vec![106]));
        assert_eq!(word("kundeprojekte", true), Some(vec![106, 107]));
        assert_eq!(word("kundesprojekt", true), Some(vec![106, 107]));
        assert_eq!(word("kundenxyzw", true), None);
    }

    #[test]
    fn folding_takes_away_what_may_be_left_out() {
        assert_eq!(fold("ЁЖ Σίσυφος"), "еж σίσυφοσ");
        assert_eq!(fold("\u{1112}\u{1161}\u{11ab}"), "한");
        assert_eq!(fold("العَرَبِيَّة"), "العربية");
        assert_eq!(fold("น้ำ"), "น้ํา");
    }

    #[test]
    fn no_pieces_know_nothing() {
        let none = Unigram::default();
        assert!(none.is_empty());
        assert_eq!((none.word("a", true), none.piece(TokenId(0))), (None, None));
        assert_eq!(none.cut("서버"), [Part::Unknown("서버")]);
    }
}
