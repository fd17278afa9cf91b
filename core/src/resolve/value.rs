//! Numbers, amounts and times of day in one form, so that '3' is 'three', '4 pm' is '16:00' and '$40,000' is
//! '40,000 dollars'.

const MONTHS: [&str; 12] = [
    "january",
    "february",
    "march",
    "april",
    "may",
    "june",
    "july",
    "august",
    "september",
    "october",
    "november",
    "december",
];

/// A value at the start of `words`: its canonical form, a word that comes with it (a currency or unit), and how many
/// words it took.
pub(super) fn read(words: &[&str]) -> Option<(String, Option<String>, usize)> {
    let word = words.first()?;
    date(words).or_else(|| time(words)).map(|(value, taken)| (value, None, taken)).or_else(|| {
        let (number, unit) = split_unit(word);
        let value = digits(&number).or_else(|| unit.is_none().then(|| spelled(word)).flatten())?;
        let next = words.get(1).copied().unwrap_or_default();
        match scale(next).and_then(|zeros| shifted(&value, zeros)) {
            Some(amount) => Some((amount, unit, 2)),
            None => Some((value, unit, 1)),
        }
    })
}

/// `2024-11-30`, `30.11.2024`, `November 30 2024`, `30th of November 2024`: a day of a year. A day without its year stays
/// two words.
fn date(words: &[&str]) -> Option<(String, usize)> {
    let number =
        |text: &str| text.bytes().all(|byte| byte.is_ascii_digit()).then(|| text.parse::<u32>().ok()).flatten();
    let day =
        |text: &str| number(["st", "nd", "rd", "th"].iter().find_map(|end| text.strip_suffix(end)).unwrap_or(text));
    let month = |text: &str| {
        let known = |name: &str| text == name || text.len() >= 3 && text.len() <= 4 && name.starts_with(text);
        MONTHS.iter().position(|name| known(name)).map(|at| at as u32 + 1)
    };
    let word = |at: usize| words.get(at).copied().unwrap_or_default();
    let parts = |separator: char| -> Option<[u32; 3]> {
        let parts: Vec<u32> = word(0).split(separator).map(number).collect::<Option<_>>()?;
        parts.try_into().ok()
    };
    let ((year, month, day), taken) = if let Some([year, month, day]) = parts('-').or_else(|| parts('/')) {
        ((year, month, day), 1)
    } else if let Some([day, month, year]) = parts('.') {
        ((year, month, day), 1)
    } else if let (Some(month), Some(day), Some(year)) = (month(word(0)), day(word(1)), number(word(2))) {
        ((year, month, day), 3)
    } else {
        let of = usize::from(word(1) == "of");
        ((number(word(2 + of))?, month(word(1 + of))?, day(word(0))?), 3 + of)
    };
    let sound = (1000..=9999).contains(&year) && (1..=12).contains(&month) && (1..=31).contains(&day);
    sound.then(|| (format!("date {year}-{month}-{day}"), taken))
}

/// `16:00`, `4 pm`, `4pm`, `9:30 in the morning`: minutes since midnight.
fn time(words: &[&str]) -> Option<(String, usize)> {
    let word = words.first()?.trim_end_matches('.');
    let (body, glued) = match word.strip_suffix("am").or_else(|| word.strip_suffix("pm")) {
        Some(body) if body.ends_with(|c: char| c.is_ascii_digit()) => (body, Some(&word[body.len()..])),
        _ => (word, None),
    };
    let (hour, minute) = match body.split_once(':') {
        Some((hour, minute)) if minute.len() == 2 => (hour.parse::<u32>().ok()?, minute.parse::<u32>().ok()?),
        Some(_) => return None,
        None => (body.parse::<u32>().ok()?, 0),
    };
    let spoken = |at: usize| words.get(at).map(|word| word.trim_matches('.').replace('.', ""));
    let (half, taken) = match (glued, spoken(1).as_deref()) {
        (Some(half), _) => (Some(half.to_owned()), 1),
        (None, Some(half @ ("am" | "pm"))) => (Some(half.to_owned()), 2),
        (None, Some("in")) if spoken(2).as_deref() == Some("the") => match spoken(3).as_deref() {
            Some("morning") => (Some("am".to_owned()), 4),
            Some("afternoon" | "evening") => (Some("pm".to_owned()), 4),
            _ => (None, 1),
        },
        _ => (None, 1),
    };
    if hour > 24 || minute > 59 || (half.is_none() && !body.contains(':')) {
        return None;
    }
    let hour = match half.as_deref() {
        Some("pm") if hour < 12 => hour + 12,
        Some("am") if hour == 12 => 0,
        _ => hour,
    };
    Some((format!("time {}", hour * 60 + minute), taken))
}

/// `$40` to (`40`, `dollar`), `20mg` to (`20`, `mg`), `50%` to (`50`, `percent`).
fn split_unit(word: &str) -> (String, Option<String>) {
    for (sign, unit) in [('$', "dollar"), ('€', "euro"), ('£', "pound"), ('¥', "yen"), ('₩', "won"), ('₹', "rupee")]
    {
        if let Some(rest) = word.strip_prefix(sign).or_else(|| word.strip_suffix(sign)) {
            return (rest.to_owned(), Some(unit.to_owned()));
        }
    }
    if let Some(rest) = word.strip_suffix('%') {
        return (rest.to_owned(), Some("percent".to_owned()));
    }
    let end = word.find(|c: char| c.is_alphabetic()).unwrap_or(word.len());
    let (number, unit) = word.split_at(end);
    let ordinal = matches!(unit, "st" | "nd" | "rd" | "th");
    let known = matches!(
        unit,
        "k" | "kb" | "mb" | "gb" | "tb" | "ms" | "s" | "min" | "h" | "mg" | "g" | "kg" | "ml" | "l" | "km" | "m" | "cm"
    );
    match unit {
        _ if number.is_empty() => (word.to_owned(), None),
        _ if ordinal => (number.to_owned(), None),
        _ if known => (number.to_owned(), Some(unit.to_owned())),
        _ => (word.to_owned(), None),
    }
}

/// A text with digits as a value: `40,000` is `40000`; versions, codes and identifiers stay as they are.
fn digits(text: &str) -> Option<String> {
    if !text.bytes().any(|byte| byte.is_ascii_digit()) {
        return None;
    }
    let grouped = text.split(',').skip(1).all(|group| group.len() == 3 && group.bytes().all(|b| b.is_ascii_digit()));
    let plain = if grouped { text.replace(',', "") } else { text.to_owned() };
    let plain = match plain.strip_prefix('v') {
        Some(rest) if rest.starts_with(|c: char| c.is_ascii_digit()) => rest.to_owned(),
        _ => plain,
    };
    // `07` is `7`, but `0042` may be a code and `3.10` is no `3.1`.
    match plain.parse::<u64>() {
        Ok(number) if plain.len() <= 2 => Some(number.to_string()),
        _ => Some(plain),
    }
}

fn spelled(word: &str) -> Option<String> {
    let position = |list: &[&str]| list.iter().position(|name| *name == word);
    const ONES: [&str; 19] = [
        "two",
        "three",
        "four",
        "five",
        "six",
        "seven",
        "eight",
        "nine",
        "ten",
        "eleven",
        "twelve",
        "thirteen",
        "fourteen",
        "fifteen",
        "sixteen",
        "seventeen",
        "eighteen",
        "nineteen",
        "twenty",
    ];
    const ORDINALS: [&str; 19] = [
        "second",
        "third",
        "fourth",
        "fifth",
        "sixth",
        "seventh",
        "eighth",
        "ninth",
        "tenth",
        "eleventh",
        "twelfth",
        "thirteenth",
        "fourteenth",
        "fifteenth",
        "sixteenth",
        "seventeenth",
        "eighteenth",
        "nineteenth",
        "twentieth",
    ];
    const TENS: [&str; 8] = ["thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety", "hundred"];
    if let Some(at) = position(&ONES).or_else(|| position(&ORDINALS)) {
        return Some((at + 2).to_string());
    }
    if let Some(at) = position(&TENS) {
        return Some(((at + 3) * 10).to_string());
    }
    let (tens, ones) = word.split_once('-')?;
    let tens = ["twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"]
        .iter()
        .position(|name| *name == tens)?;
    let ones = match ones {
        "one" | "first" => 1,
        _ => ONES.iter().position(|name| *name == ones).or_else(|| ORDINALS.iter().position(|name| *name == ones))? + 2,
    };
    (ones < 10).then(|| ((tens + 2) * 10 + ones).to_string())
}

/// How many zeros a word adds to a number.
fn scale(word: &str) -> Option<usize> {
    match word {
        "hundred" => Some(2),
        "thousand" => Some(3),
        "million" => Some(6),
        "billion" => Some(9),
        _ => None,
    }
}

/// A decimal number with its point moved to the right: digit by digit, so that no figure is rounded.
fn shifted(number: &str, places: usize) -> Option<String> {
    let (sign, plain) = number.strip_prefix('-').map_or(("", number), |plain| ("-", plain));
    let (whole, part) = plain.split_once('.').unwrap_or((plain, ""));
    let digits = format!("{whole}{part}");
    if digits.is_empty() || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    let point = whole.len() + places;
    let digits = format!("{digits:0<point$}");
    let (whole, part) = digits.split_at(point);
    let (whole, part) = (whole.trim_start_matches('0'), part.trim_end_matches('0'));
    let whole = if whole.is_empty() { "0" } else { whole };
    Some(if part.is_empty() { format!("{sign}{whole}") } else { format!("{sign}{whole}.{part}") })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn value(text: &str) -> Option<(String, Option<String>, usize)> {
        read(&text.split(' ').collect::<Vec<_>>())
    }

    #[test]
    fn values_have_one_form() {
        let plain = |text: &str| value(text).map(|(value, _, _)| value);
        assert_eq!(plain("thirty"), plain("30"));
        assert_eq!(plain("fifth"), plain("5th"));
        assert_eq!(plain("4 pm"), plain("16:00"));
        assert_eq!(plain("02:00"), plain("2:00 am"));
        assert_eq!(plain("9:30 in the morning"), plain("9:30 am"));
        assert_eq!(value("$40,000"), Some(("40000".into(), Some("dollar".into()), 1)));
        assert_eq!(value("2 million"), Some(("2000000".into(), None, 2)));
        assert_eq!(value("2.5 million"), Some(("2500000".into(), None, 2)));
        assert_eq!(value("4.35 hundred"), Some(("435".into(), None, 2)));
        assert_eq!(value("1.2345 thousand"), Some(("1234.5".into(), None, 2)));
        assert_eq!(value("-0.05 hundred"), Some(("-5".into(), None, 2)));
        assert_eq!(value("1.2.3 thousand"), Some(("1.2.3".into(), None, 1)));
        assert_eq!(plain("twenty-five"), plain("25"));
        assert_ne!(plain("3.1"), plain("3.10"));
        assert_ne!(plain("pay-1182"), plain("pay-1128"));
        assert_eq!(plain("2024-11-30"), plain("november 30 2024"));
        assert_eq!(plain("2024-11-30"), plain("30th of nov 2024"));
        assert_eq!(plain("2024-11-30"), plain("30.11.2024"));
        assert_ne!(plain("2024-11-30"), plain("2024-11-03"));
        assert_ne!(plain("-5"), plain("5"));
        assert_eq!(value("deploy"), None);
        assert_eq!(value("second"), Some(("2".into(), None, 1)));
    }
}
