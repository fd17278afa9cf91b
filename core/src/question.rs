//! What a question asks for, and which texts have such a thing: a time for *when*, a number for *how many*, a name for
//! *who* and *where*. After the answer types of question answering (Li & Roth 2002), as far as plain marks in a text
//! tell them.

/// Kinds of things that a question asks for, or that a text has.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Kinds(u8);

impl Kinds {
    /// A date or a span of time.
    pub const TIME: Self = Self(1);
    /// A number.
    pub const NUMBER: Self = Self(2);
    /// The name of someone or something.
    pub const NAME: Self = Self(4);

    /// What `query` asks for.
    #[must_use]
    pub fn asked(query: &str) -> Self {
        let lower = query.to_lowercase();
        let words: Vec<&str> = lower.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()).collect();
        let has = |phrase: &&str| match phrase.contains(' ') {
            true => words.windows(2).any(|pair| phrase.split(' ').eq(pair.iter().copied())),
            false if phrase.is_ascii() => words.contains(phrase),
            false => lower.contains(*phrase),
        };
        let asks = |phrases: &[&str], kind: Self| if phrases.iter().any(has) { kind } else { Self(0) };
        let count = asks(ASKS_NUMBER, Self::NUMBER);
        asks(ASKS_TIME, Self::TIME) | count | asks(ASKS_NAME, Self::NAME)
    }

    /// What `text` has.
    #[must_use]
    pub fn told(text: &str) -> Self {
        let mut told = Self(0);
        let mut sentence_begins = true;
        let mut before = "";
        for chunk in text.split_whitespace() {
            let word = chunk.trim_matches(|c: char| !c.is_alphanumeric());
            told = told | of_word(word, before, sentence_begins);
            if !word.is_empty() {
                sentence_begins = chunk.ends_with(['.', '!', '?', ':']);
                before = word;
            }
        }
        if !text.is_ascii() && TIMES_INSIDE.iter().any(|time| text.contains(time)) {
            told = told | Self::TIME;
        }
        told
    }

    /// Whether the two have a kind in common.
    #[must_use]
    pub fn meet(self, other: Self) -> bool {
        self.0 & other.0 != 0
    }
}

impl std::ops::BitOr for Kinds {
    type Output = Self;

    fn bitor(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }
}

fn of_word(word: &str, before: &str, sentence_begins: bool) -> Kinds {
    let mut kinds = Kinds(0);
    let mut chars = word.chars();
    let Some(first) = chars.next() else { return kinds };
    if first.is_uppercase() && !sentence_begins && chars.next().is_some_and(char::is_lowercase) {
        kinds = kinds | Kinds::NAME;
    }
    let digits = word.bytes().take_while(u8::is_ascii_digit).count();
    if digits > 0 {
        let ordinal = digits <= 2 && matches!(&word[digits..], "st" | "nd" | "rd" | "th");
        let year = digits == 4 && (word.starts_with("19") || word.starts_with("20"));
        kinds = kinds | Kinds::NUMBER | if ordinal || year { Kinds::TIME } else { Kinds(0) };
    }
    if !first.is_ascii_alphabetic() || word.len() > 12 {
        return kinds;
    }
    let is = |words: &[&str], word: &str| words.iter().any(|known| known.eq_ignore_ascii_case(word));
    if is(NUMBERS, word) {
        kinds = kinds | Kinds::NUMBER;
    }
    let unit = word.strip_suffix('s').unwrap_or(word);
    if is(TIMES, word) || is(MARKERS, before) && (is(UNITS, unit) || is(TIMES, unit)) {
        kinds = kinds | Kinds::TIME;
    }
    kinds
}

const ASKS_TIME: &[&str] = &[
    "when",
    "what date",
    "what day",
    "what year",
    "what month",
    "what time",
    "how long",
    "which year",
    "which month",
    "which day",
    "deadline",
    "wann",
    "quand",
    "cuándo",
    "언제",
    "며칠",
    "몇 시",
    "몇 월",
    "什么时候",
    "何时",
    "几点",
    "哪天",
    "几月",
    "いつ",
    "何時",
    "何日",
    "何月",
    "เมื่อไร",
    "เมื่อไหร่",
    "когда",
];

const ASKS_NUMBER: &[&str] = &[
    "how many",
    "how much",
    "how often",
    "wie viele",
    "wie viel",
    "combien",
    "cuántos",
    "몇",
    "얼마",
    "多少",
    "几个",
    "几次",
    "いくつ",
    "いくら",
    "何個",
    "何回",
    "何人",
    "กี่",
    "เท่าไร",
    "เท่าไหร่",
    "сколько",
];

const ASKS_NAME: &[&str] = &["who", "whom", "whose", "where", "which", "name", "wer", "wo", "qui", "quién"];

/// Words that tell a time by themselves. `May` and `March` are words of other meaning too.
const TIMES: &[&str] = &[
    "yesterday",
    "today",
    "tomorrow",
    "tonight",
    "ago",
    "weekend",
    "recently",
    "just",
    "january",
    "february",
    "april",
    "june",
    "july",
    "august",
    "september",
    "october",
    "november",
    "december",
    "march",
    "monday",
    "tuesday",
    "wednesday",
    "thursday",
    "friday",
    "saturday",
    "sunday",
    "gestern",
    "heute",
    "montag",
    "dienstag",
    "mittwoch",
    "donnerstag",
    "freitag",
    "samstag",
    "sonntag",
    "januar",
    "februar",
    "märz",
    "juni",
    "juli",
    "oktober",
    "dezember",
];

/// Words that make a time of the unit after them.
const MARKERS: &[&str] = &[
    "last",
    "next",
    "this",
    "few",
    "two",
    "three",
    "four",
    "five",
    "six",
    "seven",
    "eight",
    "nine",
    "ten",
    "couple",
    "letzte",
    "letzten",
    "nächste",
    "nächsten",
];

const UNITS: &[&str] = &[
    "day", "night", "week", "month", "year", "summer", "winter", "spring", "fall", "morning", "woche", "monat", "jahr",
];

const NUMBERS: &[&str] = &[
    "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "dozen", "couple", "several",
    "twice", "once", "first", "second", "third", "zwei", "drei", "vier", "fünf", "zehn",
];

/// What tells a time inside of texts whose words aren't set apart.
const TIMES_INSIDE: &[&str] = &[
    "어제",
    "오늘",
    "내일",
    "지난주",
    "지난달",
    "작년",
    "올해",
    "내년",
    "다음 주",
    "다음 달",
    "월요일",
    "화요일",
    "수요일",
    "목요일",
    "금요일",
    "토요일",
    "일요일",
    "월 ",
    "昨天",
    "今天",
    "明天",
    "上周",
    "下周",
    "上个月",
    "下个月",
    "去年",
    "今年",
    "明年",
    "周一",
    "周二",
    "周三",
    "周四",
    "周五",
    "周六",
    "周日",
    "星期",
    "月",
    "昨日",
    "今日",
    "明日",
    "先週",
    "来週",
    "先月",
    "来月",
    "来年",
    "曜日",
    "เมื่อวาน",
    "วันนี้",
    "พรุ่งนี้",
    "สัปดาห์",
    "เดือน",
    "вчера",
    "сегодня",
    "завтра",
    "неделе",
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn questions_tell_what_they_ask_for() {
        assert!(Kinds::asked("When did we move?").meet(Kinds::TIME));
        assert!(Kinds::asked("how long ago was it").meet(Kinds::TIME));
        assert!(Kinds::asked("How many nodes are there?").meet(Kinds::NUMBER));
        assert!(Kinds::asked("Who approved it?").meet(Kinds::NAME));
        assert!(Kinds::asked("배포는 언제야?").meet(Kinds::TIME));
        assert!(Kinds::asked("服务器有多少台？").meet(Kinds::NUMBER));
        assert_eq!(Kinds::asked("why did it fail, whenever it ran"), Kinds::default());
    }

    #[test]
    fn texts_tell_what_they_have() {
        let told = Kinds::told;
        assert!(told("we moved last week").meet(Kinds::TIME));
        assert!(told("we moved in 2023").meet(Kinds::TIME));
        assert!(told("on the 5th").meet(Kinds::TIME));
        assert!(told("다음 주 금요일에 배포").meet(Kinds::TIME));
        assert!(!told("the last commit broke it").meet(Kinds::TIME));
        assert!(told("three nodes").meet(Kinds::NUMBER) && told("port 8080").meet(Kinds::NUMBER));
        assert!(told("then Priya approved it").meet(Kinds::NAME));
        assert!(!told("Then it failed. Nobody saw it").meet(Kinds::NAME));
    }
}
