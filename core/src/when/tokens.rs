//! What a query has that could be of a time, in one form for all languages.

/// A unit of the calendar.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Unit {
    Day,
    Week,
    Month,
    Year,
}

impl Unit {
    /// About how many days it has.
    pub(super) fn days(self) -> i64 {
        match self {
            Self::Day => 1,
            Self::Week => 7,
            Self::Month => 30,
            Self::Year => 365,
        }
    }
}

/// One part of a time, or something else.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Token {
    Number(i64),
    Unit(Unit),
    /// 1..=12.
    Month(i64),
    /// What is a month or a verb.
    May,
    /// 0 for Monday.
    Weekday(i64),
    Year(i64),
    Date(i64, i64, i64),
    Last,
    This,
    Ago,
    /// As `Ago`, before the number.
    AgoFirst,
    /// Today, yesterday, the day before.
    DaysAgo(i64),
    Other,
}

/// The tokens of a query.
pub(super) fn tokens(query: &str) -> Vec<Token> {
    let lower = query.to_lowercase();
    let spaced = if lower.is_ascii() { lower } else { spaced(&lower) };
    let words: Vec<&str> = spaced.split(|c: char| !c.is_alphanumeric() && c != '-').collect();
    let mut found = Vec::new();
    for word in words.into_iter().map(|word| word.trim_matches('-')).filter(|word| !word.is_empty()) {
        found.extend(token(word));
    }
    found
}

/// A word's token; `None` for articles and prepositions, which may stand inside of a time.
fn token(word: &str) -> Option<Token> {
    if let Some(date) = iso(word) {
        return Some(date);
    }
    let digits = word.len() - word.trim_start_matches(|c: char| c.is_ascii_digit()).len();
    let after = &word[digits..];
    if digits > 0 {
        let number: i64 = word[..digits].parse().unwrap_or(i64::MAX);
        return Some(match after {
            "" if digits == 4 && (1900..2200).contains(&number) => Token::Year(number),
            "" | "st" | "nd" | "rd" | "th" => Token::Number(number),
            _ => Token::Other,
        });
    }
    if IGNORED.contains(&word) {
        return None;
    }
    if word == "may" {
        return Some(Token::May);
    }
    let known = WORDS.iter().find(|(words, _)| words.split(' ').any(|known| known == word));
    Some(known.map_or(Token::Other, |(_, token)| *token))
}

/// `2023-05-08`.
fn iso(word: &str) -> Option<Token> {
    let mut parts = word.split('-');
    let (year, month, day) = (parts.next()?, parts.next()?, parts.next()?);
    let (month, day) = (month.parse().ok()?, day.parse().ok()?);
    let year = year.parse().ok().filter(|_| year.len() == 4)?;
    ((1..=12).contains(&month) && (1..=31).contains(&day)).then_some(Token::Date(year, month, day))
}

/// A text in whose words no space marks a time, with the times set apart and told in English.
fn spaced(text: &str) -> String {
    let mut spaced = String::with_capacity(text.len() * 2);
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        if let Some((inside, instead)) = INSIDE.iter().find(|(inside, _)| rest.starts_with(inside)) {
            spaced.extend([" ", instead, " "]);
            rest = &rest[inside.len()..];
            continue;
        }
        rest = &rest[first.len_utf8()..];
        if first.is_ascii_digit() {
            spaced.push(first);
            let digits = rest.len() - rest.trim_start_matches(|c: char| c.is_ascii_digit()).len();
            spaced.push_str(&rest[..digits]);
            rest = rest[digits..].trim_start_matches(' ');
            // A unit behind a number, nearest first: `5월` is a month, `3개월` are three.
            let unit = COUNTED.iter().find(|(unit, _)| rest.starts_with(unit));
            match unit {
                Some(("월" | "月", _)) => {
                    let from = spaced.len() - digits - 1;
                    let number = spaced.split_off(from);
                    let month: usize = number.parse().unwrap_or(0);
                    spaced.extend([" ", MONTHS.get(month.wrapping_sub(1)).unwrap_or(&"-"), " "]);
                }
                Some((_, instead)) => spaced.extend([" ", instead, " "]),
                None => {}
            }
            rest = &rest[unit.map_or(0, |(unit, _)| unit.len())..];
        } else {
            spaced.push(first);
        }
    }
    spaced
}

const IGNORED: [&str; 12] = ["the", "of", "in", "on", "a", "den", "der", "die", "dem", "im", "am", "-"];

const MONTHS: [&str; 12] = [
    "january",
    "february",
    "march",
    "april",
    "mai",
    "june",
    "july",
    "august",
    "september",
    "october",
    "november",
    "december",
];

/// Words, separated by spaces, and their token.
const WORDS: &[(&str, Token)] = &[
    ("one", Token::Number(1)),
    ("two couple zwei", Token::Number(2)),
    ("three few drei", Token::Number(3)),
    ("four vier", Token::Number(4)),
    ("five fünf", Token::Number(5)),
    ("six sechs", Token::Number(6)),
    ("seven sieben", Token::Number(7)),
    ("eight acht", Token::Number(8)),
    ("nine neun", Token::Number(9)),
    ("ten zehn", Token::Number(10)),
    ("day days tag tage tagen", Token::Unit(Unit::Day)),
    ("week weeks woche wochen", Token::Unit(Unit::Week)),
    ("month months monat monate monaten", Token::Unit(Unit::Month)),
    ("year years jahr jahre jahren", Token::Unit(Unit::Year)),
    ("january januar", Token::Month(1)),
    ("february februar", Token::Month(2)),
    ("march märz", Token::Month(3)),
    ("april", Token::Month(4)),
    ("mai", Token::Month(5)),
    ("june juni", Token::Month(6)),
    ("july juli", Token::Month(7)),
    ("august", Token::Month(8)),
    ("september", Token::Month(9)),
    ("october oktober", Token::Month(10)),
    ("november", Token::Month(11)),
    ("december dezember", Token::Month(12)),
    ("monday montag", Token::Weekday(0)),
    ("tuesday dienstag", Token::Weekday(1)),
    ("wednesday mittwoch", Token::Weekday(2)),
    ("thursday donnerstag", Token::Weekday(3)),
    ("friday freitag", Token::Weekday(4)),
    ("saturday samstag", Token::Weekday(5)),
    ("sunday sonntag", Token::Weekday(6)),
    ("last past previous letzte letzten letzter letztes letztem vergangene vergangenen", Token::Last),
    ("this diese diesen dieser dieses diesem", Token::This),
    ("ago", Token::Ago),
    ("vor", Token::AgoFirst),
    ("today heute", Token::DaysAgo(0)),
    ("yesterday gestern вчера", Token::DaysAgo(1)),
    ("vorgestern позавчера", Token::DaysAgo(2)),
    ("сегодня", Token::DaysAgo(0)),
];

/// What tells a time inside of a text, longer before shorter, and the same in English.
const INSIDE: &[(&str, &str)] = &[
    ("그저께", "vorgestern"),
    ("어제", "yesterday"),
    ("오늘", "today"),
    ("지난 주", "last week"),
    ("지난주", "last week"),
    ("지난 달", "last month"),
    ("지난달", "last month"),
    ("지난해", "last year"),
    ("지난", "last"),
    ("이번 주", "this week"),
    ("이번 달", "this month"),
    ("작년", "last year"),
    ("올해", "this year"),
    ("하루 전", "1 day ago"),
    ("이틀 전", "2 days ago"),
    ("사흘 전", "3 days ago"),
    ("일주일 전", "1 week ago"),
    ("한 달 전", "1 month ago"),
    ("두 달 전", "2 months ago"),
    ("세 달 전", "3 months ago"),
    ("前天", "vorgestern"),
    ("昨天", "yesterday"),
    ("今天", "today"),
    ("上个星期", "last week"),
    ("上星期", "last week"),
    ("上周", "last week"),
    ("这周", "this week"),
    ("本周", "this week"),
    ("上个月", "last month"),
    ("上月", "last month"),
    ("这个月", "this month"),
    ("本月", "this month"),
    ("去年", "last year"),
    ("昨年", "last year"),
    ("今年", "this year"),
    ("一周前", "1 week ago"),
    ("两周前", "2 weeks ago"),
    ("三周前", "3 weeks ago"),
    ("两天前", "2 days ago"),
    ("三天前", "3 days ago"),
    ("一个月前", "1 month ago"),
    ("两个月前", "2 months ago"),
    ("三个月前", "3 months ago"),
    ("一年前", "1 year ago"),
    ("两年前", "2 years ago"),
    ("一昨日", "vorgestern"),
    ("昨日", "yesterday"),
    ("今日", "today"),
    ("先週", "last week"),
    ("今週", "this week"),
    ("先月", "last month"),
    ("今月", "this month"),
    ("เมื่อวาน", "yesterday"),
    ("วันนี้", "today"),
    ("สัปดาห์ที่แล้ว", "last week"),
    ("สัปดาห์ก่อน", "last week"),
    ("เดือนที่แล้ว", "last month"),
    ("เดือนก่อน", "last month"),
    ("ปีที่แล้ว", "last year"),
    ("на прошлой неделе", "last week"),
    ("в прошлом месяце", "last month"),
    ("в прошлом году", "last year"),
];

/// Units behind a number, with what may follow them, longer before shorter.
const COUNTED: &[(&str, &str)] = &[
    ("일 전", "days ago"),
    ("주일 전", "weeks ago"),
    ("주 전", "weeks ago"),
    ("개월 전", "months ago"),
    ("달 전", "months ago"),
    ("년 전", "years ago"),
    ("일", "days"),
    ("년", ""),
    ("월", "month"),
    ("天前", "days ago"),
    ("日前", "days ago"),
    ("周前", "weeks ago"),
    ("週間前", "weeks ago"),
    ("个月前", "months ago"),
    ("ヶ月前", "months ago"),
    ("か月前", "months ago"),
    ("年前", "years ago"),
    ("日", "days"),
    ("号", "days"),
    ("年", ""),
    ("月", "month"),
];
