//! Times that a query names, against the moment it is asked at: `in May 2023`, `last week`, `two days ago`,
//! `2024-03-05`, `지난주`, `3일 전`, `2023년 5월`, `上个月`, `先週`.
//!
//! Days, weeks (from Monday), months and years are those of the calendar, in UTC. Something *n units ago* is meant
//! roughly: half a unit more or less counts too.

mod calendar;
mod tokens;

use calendar::{date, day_of, monday_of, month_of};
use tokens::{Token, Unit, tokens};

use crate::time::{DAY_MS, Timestamp};

/// What a query says of a time.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct When {
    /// Spans of days since 1970, the last one not included.
    spans: Vec<(i64, i64)>,
    /// Months of no certain year, 1..=12, each with a day where one is named.
    months: Vec<(i64, Option<i64>)>,
}

impl When {
    /// Reads a query asked at `now`.
    #[must_use]
    pub fn read(query: &str, now: Timestamp) -> Self {
        let tokens = tokens(query);
        let mut reader = Reader { today: day_of(now), when: Self::default(), month: None, years: Vec::new() };
        let mut rest = tokens.as_slice();
        while !rest.is_empty() {
            rest = &rest[reader.read(rest).max(1)..];
        }
        reader.finish()
    }

    /// Whether it says nothing of a time.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.spans.is_empty() && self.months.is_empty()
    }

    /// Whether `at` is of a time that it names.
    #[must_use]
    pub fn holds(&self, at: Timestamp) -> bool {
        let day = at.0.div_euclid(DAY_MS);
        self.spans.iter().any(|(from, to)| (*from..*to).contains(&day))
            || self.months.iter().any(|&(month, of_month)| {
                let (_, this, this_day) = month_of(day);
                this == month && of_month.is_none_or(|day| day == this_day)
            })
    }
}

/// Whether a word of a query that names a time is of that time alone: a month, a year, `ago`.
#[must_use]
pub fn is_of_time(word: &str) -> bool {
    let tokens = tokens(word);
    let of_time = |token: &Token| {
        matches!(
            token,
            Token::Month(_) | Token::Year(_) | Token::Date(..) | Token::DaysAgo(_) | Token::Ago | Token::May
        )
    };
    tokens.len() == 1 && tokens.iter().all(of_time)
}

/// An instant as `2023-05-08T09:30:00Z`; the fraction of a second is left off.
#[must_use]
pub fn rfc3339(at: Timestamp) -> String {
    let day = day_of(at);
    let (year, month, of_month) = month_of(day);
    let second = (at.0 - day * DAY_MS) / 1_000;
    let (hour, minute, second) = (second / 3_600, second / 60 % 60, second % 60);
    format!("{year:04}-{month:02}-{of_month:02}T{hour:02}:{minute:02}:{second:02}Z")
}

struct Reader {
    today: i64,
    when: When,
    /// A month that waits for its year, with its day.
    month: Option<(i64, Option<i64>)>,
    years: Vec<i64>,
}

impl Reader {
    /// Reads what `tokens` begin with; how many of them it took.
    fn read(&mut self, tokens: &[Token]) -> usize {
        let today = self.today;
        match *tokens {
            [Token::DaysAgo(days), ..] => self.days(today - days, today - days + 1, 1),
            [Token::Number(count), Token::Unit(unit), Token::Ago, ..] if (0..1000).contains(&count) => {
                let (from, slack) = (today - count * unit.days(), (unit.days() / 2).max(1));
                self.days(from - slack, from + slack + 1, 3)
            }
            // German puts it first: vor drei Tagen.
            [Token::AgoFirst, Token::Number(count), Token::Unit(unit), ..] => {
                self.read(&[Token::Number(count), Token::Unit(unit), Token::Ago])
            }
            [Token::Last, Token::Number(count), Token::Unit(unit), ..] if (0..1000).contains(&count) => {
                self.days(today - count * unit.days(), today + 1, 3)
            }
            [Token::Last, Token::Unit(unit), ..] => self.unit(unit, -1),
            [Token::This, Token::Unit(unit), ..] => self.unit(unit, 0),
            [Token::Last, Token::Month(month), ..] => {
                let (year, this, _) = month_of(today);
                let year = if month < this { year } else { year - 1 };
                self.days(date(year, month, 1), date(year, month + 1, 1), 2)
            }
            [Token::Last, Token::Weekday(weekday), ..] => {
                let monday = monday_of(today);
                let day = if monday + weekday < today { monday + weekday } else { monday + weekday - 7 };
                self.days(day, day + 1, 2)
            }
            [Token::Date(year, month, day), ..] => self.days(date(year, month, day), date(year, month, day) + 1, 1),
            [Token::Year(year), ..] => {
                self.years.push(year);
                1
            }
            [Token::Number(day @ 1..=31), Token::Month(month), ..] => self.month(month, Some(day), 2),
            // In scripts where a unit follows the number: 5월 8일, 5月8日.
            [Token::Month(month), Token::Number(day @ 1..=31), Token::Unit(Unit::Day), ref after @ ..]
                if after.first() != Some(&Token::Ago) =>
            {
                self.month(month, Some(day), 3)
            }
            [Token::Month(month), Token::Number(day @ 1..=31), ref after @ ..]
                if !matches!(after.first(), Some(Token::Unit(_))) =>
            {
                self.month(month, Some(day), 2)
            }
            [Token::Month(month), ..] => self.month(month, None, 1),
            // A verb unless something makes it a month.
            [Token::May, Token::Year(_), ..] | [Token::May, Token::Number(_), ..] => {
                let mut named = tokens.to_vec();
                named[0] = Token::Month(5);
                self.read(&named)
            }
            [before @ (Token::Last | Token::Number(_)), Token::May, ..] => self.read(&[before, Token::Month(5)]),
            _ => 1,
        }
    }

    fn days(&mut self, from: i64, to: i64, taken: usize) -> usize {
        self.when.spans.push((from, to));
        taken
    }

    /// The unit of the calendar that is `ahead` of today's.
    fn unit(&mut self, unit: Unit, ahead: i64) -> usize {
        let (year, month, _) = month_of(self.today);
        let (from, to) = match unit {
            Unit::Day => (self.today + ahead, self.today + ahead + 1),
            Unit::Week => (monday_of(self.today) + 7 * ahead, monday_of(self.today) + 7 * (ahead + 1)),
            Unit::Month => (date(year, month + ahead, 1), date(year, month + ahead + 1, 1)),
            Unit::Year => (date(year + ahead, 1, 1), date(year + ahead + 1, 1, 1)),
        };
        self.days(from, to, 2)
    }

    fn month(&mut self, month: i64, day: Option<i64>, taken: usize) -> usize {
        self.when.months.extend(self.month.replace((month, day)));
        taken
    }

    /// Puts months and years together.
    fn finish(mut self) -> When {
        self.when.months.extend(self.month);
        if self.when.months.is_empty() {
            self.when.spans.extend(self.years.iter().map(|&year| (date(year, 1, 1), date(year + 1, 1, 1))));
        } else if !self.years.is_empty() {
            for (month, day) in std::mem::take(&mut self.when.months) {
                for &year in &self.years {
                    let whole = (date(year, month, 1), date(year, month + 1, 1));
                    self.when.spans.push(day.map_or(whole, |day| (date(year, month, day), date(year, month, day) + 1)));
                }
            }
        }
        self.when
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn holds(query: &str, (year, month, day): (i64, i64, i64)) -> bool {
        // A Thursday.
        let now = Timestamp(date(2023, 6, 15) * DAY_MS + 3_600_000);
        When::read(query, now).holds(Timestamp(date(year, month, day) * DAY_MS + 60_000))
    }

    #[test]
    fn times_are_read() {
        for (query, day) in [
            ("What did we decide in May 2023?", (2023, 5, 20)),
            ("what about 2023-02-03", (2023, 2, 3)),
            ("who spoke in March?", (2021, 3, 2)),
            ("the plan of 2021", (2021, 9, 2)),
            ("what happened yesterday", (2023, 6, 14)),
            ("the outage two weeks ago", (2023, 6, 1)),
            ("deploys of last week", (2023, 6, 7)),
            ("what broke last May", (2023, 5, 31)),
            ("what broke last July", (2022, 7, 31)),
            ("the call last Tuesday", (2023, 6, 13)),
            ("what failed in the last 3 days", (2023, 6, 12)),
            ("the demo on May 8, 2023", (2023, 5, 8)),
            ("the demo on 8 May 2023", (2023, 5, 8)),
            ("the demo on March 3rd", (2022, 3, 3)),
            ("what did we ship last year?", (2022, 12, 31)),
            ("지난주에 뭐가 깨졌지?", (2023, 6, 7)),
            ("3일 전에 배포한 것", (2023, 6, 12)),
            ("2주 전 장애", (2023, 6, 1)),
            ("작년 목표", (2022, 2, 2)),
            ("지난 5월에 정한 것", (2023, 5, 2)),
            ("2023년 5월 8일 회의", (2023, 5, 8)),
            ("2022년에 뭘 했지", (2022, 5, 8)),
            ("어제 회의에서", (2023, 6, 14)),
            ("두 달 전에 바꾼 설정", (2023, 4, 16)),
            ("上个月的故障", (2023, 5, 2)),
            ("两周前部署了什么", (2023, 6, 1)),
            ("2023年5月8日的会议", (2023, 5, 8)),
            ("先週のデプロイ", (2023, 6, 7)),
            ("3日前の障害", (2023, 6, 12)),
            ("was war letzte Woche?", (2023, 6, 7)),
            ("der Ausfall vor zwei Wochen", (2023, 6, 1)),
            ("เมื่อวานเกิดอะไรขึ้น", (2023, 6, 14)),
            ("что было вчера", (2023, 6, 14)),
        ] {
            assert!(holds(query, day), "{query}");
        }
    }

    #[test]
    fn other_times_are_not_held() {
        for (query, day) in [
            ("What did we decide in May 2023?", (2022, 5, 20)),
            ("what happened yesterday", (2023, 6, 13)),
            ("what broke last May", (2022, 5, 31)),
            ("the demo on May 8, 2023", (2023, 5, 9)),
            ("2023년 5월 8일 회의", (2023, 5, 9)),
            ("지난주에 뭐가 깨졌지?", (2023, 6, 13)),
        ] {
            assert!(!holds(query, day), "{query}");
        }
        for query in ["may I deploy on Friday?", "What port is 8080?", "the last commit", "2주 동안 쓸 예산", "月亮"]
        {
            assert!(When::read(query, Timestamp(0)).is_empty(), "{query}: {:?}", When::read(query, Timestamp(0)));
        }
    }

    #[test]
    fn no_number_is_too_large() {
        for query in ["99999999999999999999 years ago", "999 years ago", "last 999 years", "9999-12-31", "0000-01-01"] {
            for now in [Timestamp::MIN, Timestamp(0), Timestamp::MAX] {
                let _ = When::read(query, now).holds(now);
            }
        }
    }
}
