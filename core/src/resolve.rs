//! Resolution: what a new memory is to a known one. Pure functions over two texts and how alike they are.
//!
//! Similarity alone can't tell 'the limit is 3' from 'the limit is 5', so it only opens the question; the words decide
//! it. A differing number, date, version, amount, name or negation, or two things that changed places, are vetoes: such
//! texts are never taken for one. They may contradict each other, where the subject is the same and the newer text takes
//! the opposite stance, denies, gives another value for what has one value at a time, or says that something changed.

mod base;
mod chunks;
mod compare;
mod contradict;
mod exact;
mod form;
mod holder;
mod lexicon;
mod pairing;
mod places;
mod script_words;
mod scripts;
mod statement;
mod value;
mod values;
mod ways;
mod word;

pub use form::is_one_text;
pub use statement::Statement;

use crate::{config::ResolutionConfig, record::Memory, resolve::compare::Comparison, static_model::StaticModel};

/// What a new text is to a known one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// The known one again, word for word or nearly so.
    Same,
    /// The known one in other words, or told more or less fully.
    Restated,
    /// The known one no longer holds; why, in a few words.
    Contradiction(&'static str),
    /// Another fact.
    Distinct,
}

/// A known memory near a new text.
pub struct Near<'p> {
    /// Its slot.
    pub slot: u32,
    /// The memory.
    pub memory: &'p Memory,
    /// How alike the texts are, 0..=1.
    pub similarity: f64,
    verdict: Verdict,
}

/// What the comparison of two texts needs beside the texts.
pub struct Terms<'a> {
    /// How alike they are, 0..=1.
    pub similarity: f64,
    /// Whether one author said both.
    pub same_author: bool,
    /// The token table, for words in other clothes.
    pub model: Option<&'a StaticModel>,
    /// The thresholds.
    pub config: &'a ResolutionConfig,
}

impl Terms<'_> {
    /// Whether a known text may be more than distinct from `new`, which is in a script that the measure knows: only what
    /// is short can end a fact, and only what is very like it can be it.
    #[must_use]
    pub fn decides(&self, new: &Statement) -> bool {
        let least = if new.fact { self.config.comparable } else { self.config.related };
        self.same_author && self.similarity >= least
    }
}

impl<'p> Near<'p> {
    /// Judges a new text against the one of `memory`.
    #[must_use]
    pub fn new(slot: u32, memory: &'p Memory, new: &Statement, old: &Statement, terms: &Terms<'_>) -> Self {
        Self { slot, memory, similarity: terms.similarity, verdict: judge(new, old, terms) }
    }

    /// A memory that is known to be another fact without a look at its words.
    #[must_use]
    pub fn distinct(slot: u32, memory: &'p Memory, similarity: f64) -> Self {
        Self { slot, memory, similarity, verdict: Verdict::Distinct }
    }

    /// What the new text is to this memory.
    #[must_use]
    pub fn verdict(&self) -> Verdict {
        self.verdict
    }
}

/// Judges a new text against a known one.
///
/// ```
/// use ebbtrace_core::{config::ResolutionConfig, resolve::{Statement, Terms, Verdict, judge, word_similarity}};
/// let config = ResolutionConfig::default();
/// let verdict = |old: &str, new: &str| {
///     let (old, new) = (Statement::parse(old), Statement::parse(new));
///     let similarity = word_similarity(&new, &old);
///     judge(&new, &old, &Terms { similarity, same_author: true, model: None, config: &config })
/// };
/// assert_eq!(verdict("The limit is 3 retries", "The limit is three retries"), Verdict::Same);
/// assert_eq!(
///     verdict("The limit is 3 retries", "The limit is 5 retries"),
///     Verdict::Contradiction("it gives another value for the same"),
/// );
/// assert_eq!(
///     verdict("User prefers TypeScript", "User decided to abandon TypeScript and use Go"),
///     Verdict::Contradiction("it takes the opposite stance"),
/// );
/// assert_eq!(verdict("Alice lives in Berlin", "Bob lives in Paris"), Verdict::Distinct);
/// ```
#[must_use]
pub fn judge(new: &Statement, old: &Statement, terms: &Terms<'_>) -> Verdict {
    let config = terms.config;
    // What two people say of themselves in the same words is two facts.
    let alike = terms.similarity.max(old.script.shared(&new.script));
    if !terms.same_author || alike < config.comparable {
        return Verdict::Distinct;
    }
    if terms.similarity < config.related && !(new.fact && old.fact) {
        return Verdict::Distinct;
    }
    let comparison = Comparison::new(new, old, terms.model);
    if comparison.agrees() {
        return match terms.similarity {
            alike if alike >= config.reinforce && comparison.is_complete() => Verdict::Same,
            alike if alike >= config.related => Verdict::Restated,
            _ => Verdict::Distinct,
        };
    }
    comparison.contradiction().map_or(Verdict::Distinct, Verdict::Contradiction)
}

/// How alike two texts are by their words alone, 0..=1: the share of telling words in common, of the longer text's.
/// The measure where there is no token table, and for scripts that it does not know.
#[must_use]
pub fn word_similarity(a: &Statement, b: &Statement) -> f64 {
    if !a.is_latin() && a.script.says_the_same(&b.script) {
        return 1.0;
    }
    let forth = Comparison::new(a, b, None);
    let words = forth.shared() as f64;
    let shared = a.script.shared(&b.script) * a.script.grams.len() as f64;
    let longer = a.telling().max(b.telling());
    if longer == 0 { 0.0 } else { (words + shared) / longer as f64 }
}

/// How many telling words a text has.
#[must_use]
pub fn telling_words(text: &str) -> usize {
    Statement::parse(text).telling()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What `new` is to `old` by the words alone.
    fn verdict(old: &str, new: &str) -> Verdict {
        let config = ResolutionConfig::default();
        let (old, new) = (Statement::parse(old), Statement::parse(new));
        let similarity = word_similarity(&new, &old);
        judge(&new, &old, &Terms { similarity, same_author: true, model: None, config: &config })
    }

    /// Each pair is another fact, or the end of the one before it, but never the same.
    fn differ(pairs: &[(&str, &str)]) {
        for (old, new) in pairs {
            let verdict = verdict(old, new);
            assert!(!matches!(verdict, Verdict::Same | Verdict::Restated), "{old} / {new}: {verdict:?}");
        }
    }

    #[test]
    fn who_is_spoken_of_and_how_far_it_goes_matter() {
        differ(&[
            ("He is allergic to penicillin", "She is allergic to penicillin"),
            ("His mother lives in Turin", "Her mother lives in Turin"),
            ("Tests must pass before merging", "Tests may pass before merging"),
            ("Tests must pass before merging", "Tests should pass before merging"),
            ("Deploys are allowed on Friday", "Deploys are only allowed on Friday"),
            ("Some tests are flaky", "Most tests are flaky"),
            ("Maria Berg leads payments", "Mary Berg leads payments"),
            ("My former manager is Lena Berg", "My manager is Lena Berg"),
            ("Der Server ist heute aktiv", "Der Server ist heute nicht aktiv"),
        ]);
    }

    #[test]
    fn code_is_compared_as_it_stands() {
        differ(&[
            ("Call user.getName in the template", "Call user.getNames in the template"),
            ("The flag of the script is --dry-run", "The flag of the script is --no-dry-run"),
            ("Set DEBUG=1 in the shell", "Set DEBUG=0 in the shell"),
            ("The check is x == y", "The check is x != y"),
            ("The script is thread-safe", "The script is thread-unsafe"),
            ("The sensor reads -3.5 volts", "The sensor reads 3.5 volts"),
        ]);
    }

    #[test]
    fn what_changed_places_is_not_the_same() {
        differ(&[
            ("the parent owns the child", "the child owns the parent"),
            ("Anna hired Boris", "Anna was hired by Boris"),
            ("Server 2 has 4 disks", "Server 4 has 2 disks"),
            ("The user drinks tea, not coffee", "The user drinks coffee, not tea"),
            ("Use pnpm instead of yarn", "Use yarn instead of pnpm"),
            ("Anna owes me 20 euros", "I owe Anna 20 euros"),
            ("I lent Ben the drill", "Ben lent me the drill"),
            ("We sued them", "They sued us"),
            ("She forgave him", "He forgave her"),
            ("Return early if (x) is set", "Return early if (!x) is set"),
            ("The guard is !ready", "The guard is ready"),
        ]);
        assert_eq!(verdict("Boris was hired by Anna", "Anna hired Boris"), Verdict::Same);
        assert_eq!(verdict("In 2024 we had 3 outages", "We had 3 outages in 2024"), Verdict::Same);
    }

    #[test]
    fn one_form_for_dates_amounts_and_courtesy() {
        for (old, new) in [
            ("The report is due on 2024-11-30", "The report is due on November 30, 2024"),
            ("The kitchen cost 12,000 euros", "The kitchen cost €12000"),
            ("The limit is 100 requests per minute", "The limit is 100 requests/minute"),
            ("The standup is at 9:30", "The stand-up is at 9:30"),
            ("사용자는 커피보다 차를 좋아한다.", "사용자는 커피보다 차를 좋아합니다."),
            ("后端服务使用Go语言编写。", "后端服务是用Go语言编写的。"),
            ("テストは毎晩実行される。", "テストは毎晩実行されます。"),
        ] {
            assert_eq!(verdict(old, new), Verdict::Same, "{old} / {new}");
        }
    }

    #[test]
    fn one_character_of_a_long_sentence_makes_another_fact() {
        differ(&[
            (
                "服务器在北京机房的第三排机柜里,由张伟负责日常维护。",
                "服务器在北京机房的第三排机柜里,由李伟负责日常维护。",
            ),
            ("サーバーは東京の三番目のラックに設置されている。", "サーバーは東京の四番目のラックに設置されている。"),
            ("민수는 지영을 회사에서 만났다.", "지영은 민수를 회사에서 만났다."),
        ]);
    }

    #[test]
    fn what_was_done_stays_done() {
        for (old, new) in [
            ("Ran 5 km on Monday", "Ran 8 km on Wednesday"),
            ("TODO: call the bank", "TODO: call the school"),
            ("Server alpha has 16 cores", "Server beta has 32 cores"),
            ("Reviewed ticket 311", "Reviewed ticket 318"),
            ("Temperature at 10:00 was 21 degrees", "Temperature at 11:00 was 23 degrees"),
            ("The new office has a projector", "The new office has a printer"),
            ("The API supports JSON", "The API does not support XML"),
            ("Login with Google works", "Login with Facebook no longer works"),
            ("Grandma takes ramipril in the morning", "Grandma no longer takes bisoprolol in the morning"),
            ("The concert in Dresden on 3 May takes place", "The concert in Leipzig on 3 May was cancelled"),
            ("Package left-pad is deprecated", "Package right-pad is not deprecated"),
            ("I have read Dune", "I have not read Dune Messiah"),
            ("Use retries for GET requests", "Do not use retries for POST requests"),
            ("The user stopped by the bakery", "The user likes the bakery"),
            ("订单1001已发货。", "订单1002已发货。"),
            ("請求書1001を支払った。", "請求書1002を支払った。"),
        ] {
            assert_eq!(verdict(old, new), Verdict::Distinct, "{old} / {new}");
        }
    }

    #[test]
    fn what_no_longer_holds_is_seen() {
        for (old, new) in [
            ("The default branch is called master", "The default branch is called main"),
            ("Standup is at 9:00", "Standup was moved to 10:00"),
            ("Always squash commits before merging", "Never squash commits before merging"),
            ("알림 기능이 켜져 있다.", "알림 기능이 꺼져 있다."),
            ("我住在北京。", "我现在住在上海。"),
            ("允许直接推送到主分支。", "禁止直接推送到主分支。"),
            ("通知は有効です。", "通知は無効です。"),
        ] {
            assert!(matches!(verdict(old, new), Verdict::Contradiction(_)), "{old} / {new}");
        }
    }

    #[test]
    fn a_text_that_goes_on_otherwise_after_a_long_start_is_another() {
        let start = "shelf holds boxes ".repeat(5_000);
        differ(&[(&format!("{start} code 1142"), &format!("{start} code 1143"))]);
        assert_eq!(verdict(&start, &start), Verdict::Same);
    }
}
