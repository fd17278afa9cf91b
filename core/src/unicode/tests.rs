use std::fs;

use proptest::prelude::*;
use unicode_normalization::{
    UnicodeNormalization,
    char::{canonical_combining_class, is_combining_mark},
};

use super::*;

/// The file as a library would have it.
fn file() -> String {
    let mut parts: [Vec<(char, String)>; 3] = Default::default();
    for c in '\0'..=char::MAX {
        let (canonical, compatible): (String, String) = (c.nfd().collect(), c.nfkd().collect());
        if ('\u{AC00}'..='\u{D7A3}').contains(&c) {
            continue;
        }
        if !canonical.chars().eq([c]) {
            let again = canonical.nfc().eq([c]);
            parts[usize::from(!again)].push((c, canonical.clone()));
        }
        if compatible != canonical {
            parts[2].push((c, compatible));
        }
    }
    let part = |entries: &Vec<(char, String)>| {
        let runs = entries.chunk_by(|(a, _), (b, _)| u32::from(*a) + 1 == u32::from(*b));
        let line = |run: &[(char, String)]| {
            let forms: Vec<&str> = run.iter().map(|(_, form)| form.as_str()).collect();
            format!("{}\t{}", run[0].0, forms.join("\t"))
        };
        runs.map(line).collect::<Vec<_>>().join("\n")
    };
    parts.each_ref().map(part).join("\n\n") + "\n"
}

#[test]
fn the_file_is_what_a_library_has() {
    assert!(FORMS == file(), "make it anew: cargo test -p ebbtrace-core --lib unicode -- --ignored");
}

#[test]
#[ignore = "it makes the file"]
#[expect(clippy::disallowed_methods, reason = "a developer's tool: the engine writes nothing")]
fn makes_the_file() {
    fs::write(concat!(env!("CARGO_MANIFEST_DIR"), "/src/unicode/forms.txt"), file()).unwrap();
}

fn same_as_the_library(text: &str) {
    assert_eq!(nfc(text), text.nfc().collect::<String>(), "{text:?}");
    assert_eq!(nfkc(text), text.nfkc().collect::<String>(), "{text:?}");
    assert_eq!(nfd(&mut text.chars()).collect::<String>(), text.nfd().collect::<String>(), "{text:?}");
}

/// Every character, alone and between others that are composed and put in order.
#[test]
fn every_character_has_the_forms_that_a_library_gives_it() {
    for c in '\0'..=char::MAX {
        same_as_the_library(&String::from(c));
        same_as_the_library(&format!("a\u{302}{c}\u{327}\u{11A8}"));
        assert_eq!(class(c), canonical_combining_class(c), "{c:?}");
        assert_eq!(is_mark(c), is_combining_mark(c), "{c:?}");
    }
}

proptest! {
    /// Letters, marks of all classes, Hangul in parts, and what is composed over two steps.
    #[test]
    fn texts_have_the_forms_that_a_library_gives_them(
        text in "[a-ce\u{300}-\u{345}\u{1100}-\u{1105}\u{1161}-\u{1165}\u{11A7}-\u{11AA}\u{AC00}-\u{AC20}\u{1E60}-\u{1E70}\u{5B0}-\u{5C7}\u{9BE}\u{9C7}\u{FB1D}-\u{FB4F}\u{1F00}-\u{1FFF}\u{FF9E}\u{FF66}-\u{FF70}]{0,9}"
    ) {
        same_as_the_library(&text);
    }
}
