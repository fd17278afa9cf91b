//! Times as people write and read them. Only UTC: a time zone of the machine changes nothing.

use ebbtrace_core::{Timestamp, limits, time::DAY_MS};

use super::failure::Failure;
pub(crate) use crate::instant::{absolute, rfc3339};

/// Reads a time: RFC 3339, a date (its first instant in UTC), or `+90d`, `-2h` from `now`.
///
/// # Errors
/// [`Failure::BadValue`], or that it lies outside the years 1 to 9999.
pub(crate) fn parse(field: &'static str, text: &str, now: Timestamp) -> Result<Timestamp, Failure> {
    let found = relative(text, now).or_else(|| absolute(text)).ok_or_else(|| Failure::BadValue {
        field,
        value: limits::excerpt(text),
        reason:
            "a time is RFC 3339 (2027-01-31T09:00:00Z), a date (2027-01-31), or from now in s, m, h, d or w (+90d, -2h)"
                .to_owned(),
    })?;
    Ok(limits::instant(field, found)?)
}

fn relative(text: &str, now: Timestamp) -> Option<Timestamp> {
    let text = text.trim();
    if !text.starts_with(['+', '-']) {
        return None;
    }
    let unit = text.chars().next_back()?;
    let ms = match unit {
        's' => 1_000,
        'm' => 60_000,
        'h' => 3_600_000,
        'd' => DAY_MS,
        'w' => 7 * DAY_MS,
        _ => return None,
    };
    let amount: i64 = text.strip_suffix(unit)?.parse().ok()?;
    Some(Timestamp(now.0.saturating_add(amount.saturating_mul(ms))))
}

/// A time as RFC 3339 in UTC, to the second: for tables.
pub(crate) fn short(at: Timestamp) -> String {
    rfc3339(Timestamp(at.0.div_euclid(1_000) * 1_000))
}

/// The day of a time in UTC.
pub(crate) fn day(at: Timestamp) -> String {
    let mut text = rfc3339(at);
    text.truncate(text.find('T').unwrap_or(text.len()));
    text
}

/// An age in words: `just now`, `12 days old`.
pub(crate) fn age(days: f64) -> String {
    if days < 1.0 / 1_440.0 { "just now".to_owned() } else { format!("{} old", span(days)) }
}

/// A number of days in words: `3 hours`, `12 days`, `4 months`, `2.5 years`.
pub(crate) fn span(days: f64) -> String {
    let (amount, unit) = match days {
        d if d < 1.0 / 24.0 => (d * 1_440.0, "minute"),
        d if d < 1.0 => (d * 24.0, "hour"),
        d if d < 90.0 => (d, "day"),
        d if d < 730.0 => (d / 30.44, "month"),
        d => (d / 365.25, "year"),
    };
    let amount = amount.round();
    format!("{amount} {unit}{}", if amount == 1.0 { "" } else { "s" })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// 2026-07-14T00:00:00Z
    const NOW: Timestamp = Timestamp(1_783_987_200_000);

    #[test]
    fn the_forms_of_a_time() {
        for (text, ms) in [
            ("2026-07-14", NOW.0),
            ("2026-07-14T00:00:00Z", NOW.0),
            ("2026-07-14T05:30:00+05:30", NOW.0),
            ("2026-07-13T20:00:00-04:00", NOW.0),
            ("2026-07-14 09:00", NOW.0 + 9 * 3_600_000),
            ("+90d", NOW.0 + 7_776_000_000),
            ("-2h", NOW.0 - 7_200_000),
            ("+1w", NOW.0 + 604_800_000),
            ("1969-12-31T23:59:59.999Z", -1),
        ] {
            assert_eq!(parse("now", text, NOW).unwrap(), Timestamp(ms), "{text}");
        }
        assert_eq!(parse("now", "9999-12-31T23:59:59.999Z", NOW).unwrap(), Timestamp::MAX);
        assert_eq!(parse("now", "0001-01-01", NOW).unwrap(), Timestamp::MIN);
        for text in [
            "",
            "soon",
            "2026-07-14T09:00[Asia/Seoul]",
            "2026-07-14ZZ",
            "90d",
            "+d",
            "+1y",
            "2026-02-30",
            "2026-13-01",
            "+99999999999999999999d",
        ] {
            assert_eq!(parse("now", text, NOW).unwrap_err().code(), "bad_value", "{text}");
        }
        assert_eq!(parse("now", "+9999999d", NOW).unwrap_err().code(), "out_of_range");
    }

    #[test]
    fn times_are_shown_in_utc() {
        assert_eq!(rfc3339(NOW), "2026-07-14T00:00:00Z");
        assert_eq!(rfc3339(Timestamp(NOW.0 + 1)), "2026-07-14T00:00:00.001Z");
        assert_eq!(short(Timestamp(-1)), "1969-12-31T23:59:59Z");
        assert_eq!(day(NOW), "2026-07-14");
        assert_eq!(rfc3339(Timestamp::MAX), "9999-12-31T23:59:59.999Z");
        assert_eq!(rfc3339(Timestamp::MIN), "0001-01-01T00:00:00Z");
    }

    #[test]
    fn spans_in_words() {
        assert_eq!(span(1.0 / 24.0), "1 hour");
        assert_eq!(span(12.4), "12 days");
        assert_eq!(span(365.0), "12 months");
        assert_eq!(span(1_000.0), "3 years");
        assert_eq!((age(0.0).as_str(), age(0.9 / 1_440.0).as_str()), ("just now", "just now"));
        assert_eq!((age(1.0 / 1_440.0).as_str(), age(12.4).as_str()), ("1 minute old", "12 days old"));
    }
}
