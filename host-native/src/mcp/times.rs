//! Times as models write them, to the core's milliseconds and back.

use ebbtrace_core::{Timestamp, limits};
use jiff::{
    SignedDuration,
    civil::{self, DateTime},
};

use super::refusal::Refusal;

/// What a time may look like, in words.
const ALLOWED: &str = "a time such as 2026-10-15, 2026-10-15T09:30:00Z or 2026-10-15T09:30:00+09:00 \
                       (without a zone it is UTC), or milliseconds since 1970";

/// The core's zero. Its last day is past what an instant may be elsewhere, so that all reckoning is with UTC's calendar.
const EPOCH: DateTime = civil::date(1970, 1, 1).at(0, 0, 0, 0);

/// Reads an RFC 3339 time, a date (its first instant in UTC), a date and time without a zone (UTC), or milliseconds.
pub(super) fn read(field: &str, text: &str) -> Result<Timestamp, Refusal> {
    let refusal = || Refusal::argument(field, &format!("{:?}", limits::excerpt(text)), ALLOWED);
    let text = text.trim();
    if let Ok(instant) = text.parse::<jiff::Timestamp>() {
        return Ok(Timestamp(instant.as_millisecond()));
    }
    if let Some(ms) = milliseconds(text) {
        return ms.map(Timestamp).ok_or_else(refusal);
    }
    let civil: DateTime = text.parse().map_err(|_| refusal())?;
    let ms = civil.duration_since(EPOCH).as_millis();
    i64::try_from(ms).map(Timestamp).map_err(|_| refusal())
}

/// The number in `text`, if it is one. `Some(None)`: a number that is as likely seconds as milliseconds, or a date.
fn milliseconds(text: &str) -> Option<Option<i64>> {
    let ms: i64 = text.parse().ok()?;
    let doubtful = (10_000_000..100_000_000_000).contains(&ms.unsigned_abs());
    Some((!doubtful).then_some(ms))
}

/// RFC 3339 in UTC.
pub(super) fn write(time: Timestamp) -> String {
    let clamped = time.0.clamp(Timestamp::MIN.0, Timestamp::MAX.0);
    EPOCH
        .checked_add(SignedDuration::from_millis(clamped))
        .map_or_else(|_| clamped.to_string(), |time| format!("{time}Z"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_spelling_of_one_instant_is_that_instant() {
        let noon = Timestamp(1_792_065_600_000);
        for text in [
            "2026-10-15T12:00:00Z",
            "2026-10-15T21:00:00+09:00",
            "2026-10-15 12:00:00Z",
            "2026-10-15T12:00",
            "2026-10-15T12:00:00",
            "1792065600000",
            " 2026-10-15T12:00:00.000Z ",
        ] {
            assert_eq!(read("as_of", text), Ok(noon), "{text}");
        }
        assert_eq!(read("as_of", "2026-10-15"), Ok(Timestamp(noon.0 - 43_200_000)));
        assert_eq!(read("as_of", "0"), Ok(Timestamp(0)));
        assert_eq!(write(noon), "2026-10-15T12:00:00Z");
    }

    #[test]
    fn what_could_be_two_times_is_refused_with_what_is_allowed() {
        // Seconds or milliseconds? A date without dashes?
        for text in ["1792065600", "20261015", "tomorrow", "15.10.2026", "2026-13-01", "99999-01-01"] {
            let refusal = read("occurred_at", text).unwrap_err();
            assert_eq!(refusal.field.as_deref(), Some("occurred_at"), "{text}");
            assert!(refusal.message.contains(text) && refusal.message.contains("2026-10-15T09:30:00Z"), "{refusal:?}");
        }
    }

    #[test]
    fn times_at_the_ends_of_the_calendar_are_written() {
        assert_eq!(write(Timestamp(i64::MAX)), "9999-12-31T23:59:59.999Z");
        assert_eq!(write(Timestamp::MIN), "0001-01-01T00:00:00Z");
        assert_eq!(read("as_of", "9999-12-31"), Ok(Timestamp(Timestamp::MAX.0 - 86_399_999)));
    }
}
