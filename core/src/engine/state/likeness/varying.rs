//! What in a message differs from one run to the next, by its form.

/// How files of code and settings end.
const FILES: [&str; 62] = [
    "rs", "js", "ts", "jsx", "tsx", "mjs", "cjs", "py", "java", "kt", "kts", "scala", "go", "c", "h", "cc", "cpp",
    "cxx", "hpp", "hh", "m", "mm", "cs", "fs", "vb", "rb", "php", "swift", "dart", "ex", "exs", "erl", "hrl", "hs",
    "ml", "lua", "pl", "pm", "r", "jl", "sh", "bash", "ps1", "sql", "vue", "svelte", "html", "css", "scss", "yml",
    "yaml", "toml", "json", "xml", "gradle", "groovy", "clj", "zig", "nim", "proto", "tf", "txt",
];

/// Words after which a number says which run or which place it was.
const RUNS: [&str; 22] = [
    "attempt",
    "byte",
    "char",
    "col",
    "column",
    "index",
    "iteration",
    "ligne",
    "line",
    "lineno",
    "ln",
    "offset",
    "pid",
    "pos",
    "position",
    "retry",
    "row",
    "thread",
    "tid",
    "worker",
    "zeile",
    "行",
];

/// Words after which a number is a time that passed.
const SPANS: [&str; 5] = ["after", "elapsed", "took", "waited", "nach"];

/// Units of time.
const UNITS: [&str; 58] = [
    "ns",
    "us",
    "µs",
    "μs",
    "ms",
    "msec",
    "msecs",
    "s",
    "sec",
    "secs",
    "second",
    "seconds",
    "m",
    "min",
    "mins",
    "minute",
    "minutes",
    "h",
    "hr",
    "hrs",
    "hour",
    "hours",
    "d",
    "day",
    "days",
    "week",
    "weeks",
    "millisecond",
    "milliseconds",
    "microseconds",
    "nanoseconds",
    "sekunde",
    "sekunden",
    "millisekunden",
    "minuten",
    "stunde",
    "stunden",
    "tag",
    "tage",
    "tagen",
    "seconde",
    "secondes",
    "millisecondes",
    "heure",
    "heures",
    "jour",
    "jours",
    "segundo",
    "segundos",
    "milisegundos",
    "minuto",
    "minutos",
    "hora",
    "horas",
    "мс",
    "сек",
    "секунд",
    "минут",
];

/// The same, and parts of a date, in scripts without spaces.
const TIGHT_UNITS: [&str; 28] = [
    "毫秒",
    "微秒",
    "纳秒",
    "秒",
    "分钟",
    "分鐘",
    "分",
    "小时",
    "小時",
    "時間",
    "时",
    "時",
    "天",
    "日",
    "月",
    "年",
    "ミリ秒",
    "マイクロ秒",
    "밀리초",
    "마이크로초",
    "초",
    "분",
    "시간",
    "시",
    "일",
    "월",
    "년",
    "号",
];

/// A stretch of a message without blanks and marks.
pub(super) struct Piece<'t> {
    pub(super) text: &'t str,
    /// Whether it is what stands in quotes, as a whole.
    pub(super) quoted: bool,
    /// Whether nothing stands between it and the piece before.
    pub(super) glued: bool,
    /// Whether it is the place in a file that is named before it: `a.ts(12,5)`, `+0x1d`.
    pub(super) place: bool,
}

/// The pieces of a message, in order.
pub(super) fn pieces(text: &str) -> Vec<Piece<'_>> {
    let mut all: Vec<Piece<'_>> = Vec::new();
    let mut start = None;
    let mut opened = ' ';
    let mut chars = text.char_indices().peekable();
    let (mut before, mut last) = (' ', ' ');
    while let Some((at, c)) = chars.next() {
        let next = chars.peek().map_or(' ', |(_, next)| *next);
        let digits = before.is_ascii_digit() && next.is_ascii_digit();
        let named = start.is_some_and(|start: usize| is_file(&text[start..at])) && next.is_ascii_digit();
        let parts = match c {
            '\'' => !(before.is_alphanumeric() && next.is_alphanumeric()),
            ',' => !digits,
            ':' => !digits && !named,
            '>' if matches!(before, '-' | '=') => false,
            '=' => next != '>',
            _ => c.is_whitespace() || "()[]{}<>\"`“”‘’«»「」『』|;!?&*，。、：；！？（）【】".contains(c),
        };
        let turns = !parts
            && start.is_some()
            && (is_tight(before) && c.is_ascii_digit() || before.is_ascii_digit() && is_tight(c));
        if (parts || turns)
            && let Some(from) = start.take()
        {
            push(&mut all, &text[from..at], opened, if parts { c } else { ' ' }, last);
            last = if turns { '\0' } else { ' ' };
        }
        if parts {
            opened = c;
            last = if c.is_whitespace() { ' ' } else { c };
        } else if start.is_none() {
            start = Some(at);
            if turns {
                opened = ' ';
            }
        }
        before = c;
    }
    if let Some(from) = start {
        push(&mut all, &text[from..], opened, ' ', last);
    }
    all
}

fn push<'t>(all: &mut Vec<Piece<'t>>, text: &'t str, opened: char, closes: char, before: char) {
    let offset = text.starts_with("+0x");
    let zone = text.starts_with(['+', '-']) && text.len() == 5;
    let arrow = text == "->" || text == "=>" || text == "%";
    let bare = if zone || arrow { text } else { text.trim_matches(|c: char| !c.is_alphanumeric() && c != '%') };
    if bare.is_empty() {
        return;
    }
    let quoted = matches!(
        (opened, closes),
        ('"', '"')
            | ('\'', '\'')
            | ('`', '`')
            | ('`', '\'')
            | ('“', '”')
            | ('‘', '’')
            | ('«', '»')
            | ('「', '」')
            | ('『', '』')
    );
    let in_file = before == '(' && all.last().is_some_and(|file| is_file(file.text));
    let place = offset || in_file && bare.bytes().all(|byte| byte.is_ascii_digit() || b",:".contains(&byte));
    all.push(Piece { text: bare, quoted, glued: before == '\0', place });
}

/// Han, Kana, Hangul.
fn is_tight(c: char) -> bool {
    matches!(c, '\u{3040}'..='\u{30ff}' | '\u{3400}'..='\u{9fff}' | '\u{ac00}'..='\u{d7a3}')
}

/// Whether a text is the name of a file, and not of a host.
fn is_file(text: &str) -> bool {
    let name = text.rsplit(['/', '\\']).next().unwrap_or_default();
    let Some((stem, end)) = name.rsplit_once('.') else { return false };
    let host = ["rs", "py", "sh", "pl", "ml", "cc", "pm", "mm"].contains(&end) && stem.contains('.') && name == text;
    !stem.is_empty() && !host && FILES.contains(&&*end.to_lowercase())
}

/// The file of `src/main.rs:12:5`; another text as it is.
pub(super) fn within_file(text: &str) -> &str {
    let file = text.trim_end_matches(|c: char| c.is_ascii_digit() || c == ':');
    if file.len() < text.len() && text[file.len()..].starts_with(':') && is_file(file) { file } else { text }
}

/// Whether the number behind a word says which run, or which place, it was.
pub(super) fn counts_runs(word: &str) -> bool {
    RUNS.contains(&word)
}

/// Whether the number behind a word is a time that passed.
pub(super) fn is_span(word: &str) -> bool {
    SPANS.contains(&word)
}

/// Whether a word, in lower case, is a unit of time.
pub(super) fn is_unit(word: &str) -> bool {
    UNITS.contains(&word)
}

/// Whether a text without spaces begins with one.
pub(super) fn begins_with_unit(text: &str) -> bool {
    TIGHT_UNITS.iter().any(|unit| text.starts_with(unit))
}

/// `88ms`, `1.5s`, `1m30s`, `12%`.
pub(super) fn is_duration(text: &str) -> bool {
    let mut rest = text;
    while !rest.is_empty() {
        let after = rest.trim_start_matches(|c: char| c.is_ascii_digit() || c == '.' || c == ',');
        let unit = &after[..after.find(|c: char| c.is_ascii_digit()).unwrap_or(after.len())];
        if after.len() == rest.len() || !(is_unit(&unit.to_lowercase()) || matches!(unit, "%" | "％")) {
            return false;
        }
        rest = &after[unit.len()..];
    }
    !text.is_empty()
}

/// A time of day: `10:00:01`, `10:00:01,123`, `10:00:01.123+01:00`; `10:00` where `short` says that one is due.
pub(super) fn is_clock(text: &str, short: bool) -> bool {
    let (text, zone) = text.split_once(['Z', 'z', '+', '-']).unwrap_or((text, ""));
    let (text, fraction) = text.split_once([',', '.']).unwrap_or((text, ""));
    let digits = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit() || byte == b':');
    let groups: Vec<&str> = text.split(':').collect();
    let within = |text: &str, most: u8| text.len() == 2 && text.parse::<u8>().is_ok_and(|value| value <= most);
    let hour = |text: &str| matches!(text.len(), 1 | 2) && text.parse::<u8>().is_ok_and(|value| value < 24);
    digits(fraction)
        && digits(zone)
        && match groups[..] {
            [one, two] => short && hour(one) && within(two, 59),
            [one, two, three] => hour(one) && within(two, 59) && within(three, 60),
            _ => false,
        }
}

/// A date, with a time of day or without: `2026-11-30`, `2026/12/01`, `01.12.2026`, `01/Dec/2026:10:00:01`.
pub(super) fn is_date(text: &str) -> bool {
    let (day, clock) = match text.find(['T', ':']) {
        Some(at) => (&text[..at], &text[at + 1..]),
        None => (text, ""),
    };
    if !clock.is_empty() && !is_clock(clock, true) {
        return false;
    }
    let Some(sign) = ['-', '/', '.'].into_iter().find(|sign| day.matches(*sign).count() == 2) else { return false };
    let groups: Vec<&str> = day.split(sign).collect();
    let year = |text: &str| text.len() == 4 && text.parse::<u16>().is_ok_and(|year| (1900..2200).contains(&year));
    let small =
        |text: &str| matches!(text.len(), 1 | 2) && text.parse::<u8>().is_ok_and(|value| (1..=31).contains(&value));
    let middle = small(groups[1]) || is_month(groups[1]);
    middle && (year(groups[0]) && small(groups[2]) || small(groups[0]) && year(groups[2]))
}

/// `Dec`, `December`.
pub(super) fn is_month(text: &str) -> bool {
    const MONTHS: [&str; 12] = [
        "January",
        "February",
        "March",
        "April",
        "May",
        "June",
        "July",
        "August",
        "September",
        "October",
        "November",
        "December",
    ];
    text.len() >= 3 && MONTHS.iter().any(|month| *month == text || month[..3] == *text)
}

/// `Mon`, `Monday`.
pub(super) fn is_weekday(text: &str) -> bool {
    const DAYS: [&str; 7] = ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"];
    text.len() >= 3 && DAYS.iter().any(|day| *day == text || day[..3] == *text)
}

/// A pointer, a hash, a UUID. A code such as `0x80070005` is none; `pointed` says that the word before names one.
pub(super) fn is_address(text: &str, pointed: bool) -> bool {
    let lower = text.to_lowercase();
    let groups: Vec<usize> = lower.split('-').map(str::len).collect();
    let hex = lower.strip_prefix("0x").unwrap_or(&lower);
    let all_hex = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_hexdigit());
    if groups == [8, 4, 4, 4, 12] && all_hex(&lower.replace('-', "")) {
        return true;
    }
    if !all_hex(hex) {
        return false;
    }
    // Codes of Windows, small numbers with zeros before them.
    let code = hex.len() == 8 && ["80", "c0", "e0", "00"].iter().any(|start| hex.starts_with(start));
    if hex.len() < lower.len() {
        return !code && hex.trim_start_matches('0').len() > 4 && (hex.len() >= 8 || pointed);
    }
    let digits = hex.bytes().filter(u8::is_ascii_digit).count();
    let windows = code && text.bytes().all(|byte| byte.is_ascii_digit() || byte.is_ascii_uppercase());
    digits > 1 && digits < hex.len() && hex.len() >= 7 && !windows
}
