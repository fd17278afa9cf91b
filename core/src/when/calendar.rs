//! Days since 1970 and the dates of the Gregorian calendar, after Hinnant's `days_from_civil`.

use crate::time::{DAY_MS, Timestamp};

/// The day that an instant is on.
pub(super) fn day_of(at: Timestamp) -> i64 {
    at.0.div_euclid(DAY_MS)
}

/// The day of a date; months under 1 and over 12 run into other years.
pub(super) fn date(year: i64, month: i64, day: i64) -> i64 {
    let (year, month) = (year + (month - 1).div_euclid(12), (month - 1).rem_euclid(12) + 1);
    let shifted = if month > 2 { year } else { year - 1 };
    let era = shifted.div_euclid(400);
    let of_era = shifted - era * 400;
    let of_year = (153 * ((month + 9) % 12) + 2) / 5 + day - 1;
    era * 146_097 + of_era * 365 + of_era / 4 - of_era / 100 + of_year - 719_468
}

/// Year, month and day of the month of a day.
pub(super) fn month_of(day: i64) -> (i64, i64, i64) {
    let days = day + 719_468;
    let of_era = days.rem_euclid(146_097);
    let year = (of_era - of_era / 1_460 + of_era / 36_524 - of_era / 146_096) / 365;
    let of_year = of_era - (365 * year + year / 4 - year / 100);
    let shifted = (5 * of_year + 2) / 153;
    let month = if shifted < 10 { shifted + 3 } else { shifted - 9 };
    let year = year + days.div_euclid(146_097) * 400 + i64::from(month <= 2);
    (year, month, of_year - (153 * shifted + 2) / 5 + 1)
}

/// The Monday of a day's week.
pub(super) fn monday_of(day: i64) -> i64 {
    // 1970 began on a Thursday.
    day - (day + 3).rem_euclid(7)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates_are_those_of_the_calendar() {
        assert_eq!(date(1970, 1, 1), 0);
        assert_eq!(date(2023, 5, 8) * DAY_MS, 1_683_504_000_000);
        assert_eq!(date(2023, 13, 1), date(2024, 1, 1));
        assert_eq!(date(2023, 0, 1), date(2022, 12, 1));
        assert_eq!(monday_of(date(2023, 6, 15)), date(2023, 6, 12));
        for wanted in [(1999, 12, 31), (2000, 2, 29), (2024, 3, 1), (1969, 7, 20), (1, 1, 1), (9999, 12, 31)] {
            assert_eq!(month_of(date(wanted.0, wanted.1, wanted.2)), wanted);
        }
    }
}
