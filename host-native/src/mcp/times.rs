//! Times as models write them, to the core's milliseconds and back.

use ebbtrace_core::{Timestamp, limits};

use super::refusal::Refusal;
use crate::instant;

/// What a time may look like, in words.
const ALLOWED: &str = "a time such as 2026-10-15, 2026-10-15T09:30:00Z or 2026-10-15T09:30:00+09:00 \
                       (without a zone it is UTC), or milliseconds since 1970";

/// Reads an RFC 3339 time, a date (its first instant in UTC), a date and time without a zone (UTC), or milliseconds.
pub(super) fn read(field: &str, text: &str) -> Result<Timestamp, Refusal> {
    let read = match text.trim().parse::<i64>() {
        // As likely seconds as milliseconds, or a date without its dashes.
        Ok(number) if (10_000_000..100_000_000_000).contains(&number.unsigned_abs()) => None,
        Ok(milliseconds) => Some(Timestamp(milliseconds)),
        Err(_) => instant::absolute(text),
    };
    read.ok_or_else(|| Refusal::argument(field, &format!("{:?}", limits::excerpt(text)), ALLOWED))
}

/// RFC 3339 in UTC.
pub(super) fn write(time: Timestamp) -> String {
    instant::rfc3339(time.clamp(Timestamp::MIN, Timestamp::MAX))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn milliseconds_stand_beside_what_every_surface_reads() {
        let noon = Timestamp(1_792_065_600_000);
        for text in ["2026-10-15T21:00:00+09:00", "1792065600000", " 1792065600000 "] {
            assert_eq!(read("as_of", text), Ok(noon), "{text}");
        }
        assert_eq!(read("as_of", "0"), Ok(Timestamp(0)));
        assert_eq!(read("as_of", "-86400000000000"), Ok(Timestamp(-86_400_000_000_000)));
        assert_eq!(write(noon), "2026-10-15T12:00:00Z");
        assert_eq!(write(Timestamp(i64::MAX)), "9999-12-31T23:59:59.999Z");
    }

    #[test]
    fn what_could_be_two_times_is_refused_with_what_is_allowed() {
        // Seconds or milliseconds? A date without dashes? A place's time?
        for text in ["1792065600", "20261015", "tomorrow", "15.10.2026", "2026-13-01", "2026-10-15T09:00[Asia/Seoul]"] {
            let refusal = read("occurred_at", text).unwrap_err();
            assert_eq!(refusal.field.as_deref(), Some("occurred_at"), "{text}");
            assert!(refusal.message.contains(text) && refusal.message.contains("2026-10-15T09:30:00Z"), "{refusal:?}");
        }
    }
}
