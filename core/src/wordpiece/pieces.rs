//! A list of pieces, indexed by what they say.

use super::{PIECE_LIMIT, VOCABULARY_LIMIT, VocabularyError};

/// Pieces by number, in the order they were given, and numbers by piece. About 0.5 MB for 30,522 pieces.
pub(crate) struct PieceIndex {
    /// All pieces one after the other, without `##`.
    text: Box<[u8]>,
    /// Piece `i` is `text[starts[i]..starts[i + 1]]`.
    starts: Box<[u32]>,
    /// Whether piece `i` continues a word.
    continues: Box<[bool]>,
    /// Open-addressing hash table of numbers; a power of two of them, at most half full.
    slots: Box<[u16]>,
    /// Length in bytes of the longest piece.
    longest: usize,
}

impl PieceIndex {
    /// Of pieces and whether each continues a word; `bytes` is about how much text there is in all. Where a piece is
    /// listed twice, the later number counts.
    pub(crate) fn new<'t>(
        pieces: impl Iterator<Item = (&'t str, bool)>,
        bytes: usize,
    ) -> Result<Self, VocabularyError> {
        let mut text = Vec::with_capacity(bytes);
        let (mut starts, mut continues) = (vec![0], Vec::new());
        let mut longest = 0;
        for (line, (piece, continuing)) in pieces.enumerate() {
            let bytes = piece.len();
            if bytes > PIECE_LIMIT {
                return Err(VocabularyError::PieceTooLong { line, bytes });
            }
            longest = longest.max(bytes);
            text.extend_from_slice(piece.as_bytes());
            starts.push(text.len() as u32);
            continues.push(continuing);
        }
        let count = continues.len();
        if count > VOCABULARY_LIMIT {
            return Err(VocabularyError::TooMany { pieces: count });
        }
        let mut index = Self {
            text: text.into(),
            starts: starts.into(),
            continues: continues.into(),
            slots: vec![EMPTY; (2 * count).next_power_of_two()].into(),
            longest,
        };
        for number in 0..count {
            index.insert(number as u16);
        }
        Ok(index)
    }

    pub(crate) fn len(&self) -> usize {
        self.continues.len()
    }

    /// The piece that is all of `text`.
    pub(crate) fn find(&self, text: &[u8], continuing: bool) -> Option<u16> {
        let known = (1..=self.longest).contains(&text.len());
        known.then(|| self.lookup(text, continuing, hash(text, continuing))).flatten()
    }

    /// The longest piece that `rest` begins with, and its length in bytes.
    pub(crate) fn longest(&self, rest: &[u8], continuing: bool) -> Option<(u16, usize)> {
        let reach = rest.len().min(self.longest);
        let mut hashes = [0_u32; PIECE_LIMIT];
        let mut hash = seed(continuing);
        for (slot, &byte) in hashes.iter_mut().zip(&rest[..reach]) {
            hash = extend(hash, byte);
            *slot = hash;
        }
        // A cut inside a character finds nothing: pieces are whole UTF-8.
        (1..=reach).rev().find_map(|bytes| {
            let number = self.lookup(&rest[..bytes], continuing, hashes[bytes - 1])?;
            Some((number, bytes))
        })
    }

    /// All pieces that begin a word and that `rest` begins with, and their lengths in bytes, the shortest first.
    pub(crate) fn beginnings<'i>(&'i self, rest: &'i str) -> impl Iterator<Item = (u16, usize)> + 'i {
        let bytes = &rest.as_bytes()[..rest.len().min(self.longest)];
        let mut hash = seed(false);
        bytes.iter().enumerate().filter_map(move |(at, &byte)| {
            hash = extend(hash, byte);
            let whole = rest.is_char_boundary(at + 1);
            let number = whole.then(|| self.lookup(&bytes[..=at], false, hash)).flatten()?;
            Some((number, at + 1))
        })
    }

    /// What a piece says, without `##`, and whether it continues a word.
    pub(crate) fn piece(&self, number: u16) -> (&[u8], bool) {
        let number = usize::from(number);
        let range = self.starts[number] as usize..self.starts[number + 1] as usize;
        (&self.text[range], self.continues[number])
    }

    fn insert(&mut self, number: u16) {
        let (text, continuing) = self.piece(number);
        let mut slot = self.slot(hash(text, continuing));
        while self.slots[slot] != EMPTY && self.piece(self.slots[slot]) != (text, continuing) {
            slot = (slot + 1) & (self.slots.len() - 1);
        }
        self.slots[slot] = number;
    }

    fn slot(&self, hash: u32) -> usize {
        // The multiplications carry entropy upwards, so the slot is taken from the high bits.
        ((u64::from(hash) * self.slots.len() as u64) >> 32) as usize
    }

    fn lookup(&self, text: &[u8], continuing: bool, hash: u32) -> Option<u16> {
        let mut slot = self.slot(hash);
        loop {
            let number = self.slots[slot];
            if number == EMPTY {
                return None;
            }
            if self.piece(number) == (text, continuing) {
                return Some(number);
            }
            slot = (slot + 1) & (self.slots.len() - 1);
        }
    }
}

/// An empty slot; [`VOCABULARY_LIMIT`] keeps it from being a number.
const EMPTY: u16 = u16::MAX;

fn hash(text: &[u8], continuing: bool) -> u32 {
    text.iter().fold(seed(continuing), |hash, &byte| extend(hash, byte))
}

fn seed(continuing: bool) -> u32 {
    if continuing { 0x85EB_CA6B } else { 0x27D4_EB2F }
}

fn extend(hash: u32, byte: u8) -> u32 {
    (hash.rotate_left(5) ^ u32::from(byte)).wrapping_mul(0x9E37_79B1)
}
