//! Instants as text, for every surface alike. Only UTC: a time zone of the machine changes nothing.

use ebbtrace_core::Timestamp;
use jiff::{
    SignedDuration,
    civil::{Date, DateTime},
};

/// The instant from which milliseconds are counted, in UTC.
const EPOCH: DateTime = DateTime::constant(1970, 1, 1, 0, 0, 0, 0);

/// Reads a date, or a date and time; without an offset it is UTC.
pub(crate) fn absolute(text: &str) -> Option<Timestamp> {
    let text = text.trim();
    if let Ok(instant) = text.parse::<jiff::Timestamp>() {
        return Some(Timestamp(instant.as_millisecond()));
    }
    // The first and the last hours of time are no `jiff::Timestamp`, but they are civil times in UTC.
    let text = text.strip_suffix(['Z', 'z']).unwrap_or(text);
    // A zone or an offset that is passed over would be a wrong time.
    if text.contains(['[', '+', 'Z', 'z']) {
        return None;
    }
    let date = || text.parse::<Date>().ok().map(|date| date.at(0, 0, 0, 0));
    let civil = text.parse::<DateTime>().ok().or_else(date)?;
    i64::try_from(civil.duration_since(EPOCH).as_millis()).ok().map(Timestamp)
}

/// A time as RFC 3339 in UTC, to the millisecond where it has one.
pub(crate) fn rfc3339(at: Timestamp) -> String {
    let civil = EPOCH.checked_add(SignedDuration::from_millis(at.0));
    // The core keeps to the years 1 to 9999, all of which are civil times.
    civil.map_or_else(|_| at.0.to_string(), |civil| format!("{civil}Z"))
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
            " 2026-10-15T12:00:00.000Z ",
        ] {
            assert_eq!(absolute(text), Some(noon), "{text}");
        }
        assert_eq!(absolute("2026-10-15"), Some(Timestamp(noon.0 - 43_200_000)));
        assert_eq!(rfc3339(noon), "2026-10-15T12:00:00Z");
    }

    #[test]
    fn a_zone_that_would_be_passed_over_is_no_time() {
        assert_eq!(absolute("2026-07-14T09:00[Asia/Seoul]"), None);
        assert_eq!(absolute("2026-07-14T09:00+xx"), None);
    }

    #[test]
    fn the_ends_of_the_calendar_are_times() {
        assert_eq!(absolute("9999-12-31T23:59:59.999Z"), Some(Timestamp::MAX));
        assert_eq!(rfc3339(Timestamp::MAX), "9999-12-31T23:59:59.999Z");
        assert_eq!(rfc3339(Timestamp::MIN), "0001-01-01T00:00:00Z");
    }
}
