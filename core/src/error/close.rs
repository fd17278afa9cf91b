//! Names that a mistyped one may have meant.

use crate::{label::MemoryId, order};

/// How many are named at most.
const NAMED: usize = 3;

/// The ids among `known` that are like `wanted`, the likest first, then by id: the same in another case, begun or ended
/// alike, or a few typing errors away. Only ever asked for when a name was not found.
pub(super) fn ids<'a>(wanted: &str, known: impl Iterator<Item = &'a MemoryId>) -> Vec<MemoryId> {
    let wanted = wanted.to_lowercase();
    let length = wanted.chars().count();
    let mut close: Vec<(usize, &MemoryId)> =
        known.filter_map(|id| Some((distance(&wanted, length, &id.as_str().to_lowercase())?, id))).collect();
    order::sort(&mut close);
    close.into_iter().take(NAMED).map(|(_, id)| id.clone()).collect()
}

/// How far apart two names are; `None` for names that have nothing to do with each other.
fn distance(wanted: &str, length: usize, known: &str) -> Option<usize> {
    // A third of what was typed may be wrong, up to three characters.
    let most = (length / 3).min(3);
    if most == 0 {
        return (wanted == known).then_some(0);
    }
    let apart = known.chars().count().abs_diff(length);
    let typed = (apart <= most).then(|| strsim::osa_distance(wanted, known)).filter(|distance| *distance <= most);
    // A part of a longer name counts as more than any typing error.
    typed.or_else(|| (known.starts_with(wanted) || known.ends_with(wanted)).then_some(most + 1))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_like_it_is_named_and_nothing_else() {
        let all = ["decision:pricing", "decision:hiring", "Pricing", "note:1", "n1", "01M379T90002N51TME1YMYP5ZX"];
        let all: Vec<MemoryId> = all.iter().map(|id| MemoryId::parse("id", id).unwrap()).collect();
        for (wanted, close) in [
            ("decison:pricing", &["decision:pricing"][..]),
            ("pricing", &["Pricing", "decision:pricing"]),
            ("decision", &["decision:hiring", "decision:pricing"]),
            ("01m379t90002n51tme1ymyp5zx", &["01M379T90002N51TME1YMYP5ZX"]),
            ("01M379T90002N51TME1YMYP5XZ", &["01M379T90002N51TME1YMYP5ZX"]),
            ("01M379", &["01M379T90002N51TME1YMYP5ZX"]),
            ("N1", &["n1"]),
            ("n2", &[]),
            ("note:2", &["note:1"]),
            ("client:acme", &[]),
        ] {
            let found: Vec<String> = ids(wanted, all.iter()).iter().map(MemoryId::to_string).collect();
            assert_eq!(found, close, "{wanted}");
        }
    }
}
