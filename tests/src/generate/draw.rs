//! Random draws from a seed, and texts made of them.

use std::{collections::BTreeMap, sync::OnceLock};

/// A source of draws: SplitMix64 (Steele et al. 2014).
#[derive(Clone, Debug)]
pub struct Draw {
    state: u64,
}

impl Draw {
    /// From a seed.
    #[must_use]
    pub fn new(seed: u64) -> Self {
        Self { state: seed.wrapping_mul(0xd134_2543_de82_ef95) }
    }

    /// 64 bits.
    pub fn bits(&mut self) -> u64 {
        self.state = self.state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.state;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// 0 to `count` - 1, all alike; 0 where `count` is 0.
    pub fn below(&mut self, count: usize) -> usize {
        ((u128::from(self.bits()) * count as u128) >> 64) as usize
    }

    /// 0..1.
    pub fn unit(&mut self) -> f64 {
        (self.bits() >> 11) as f64 / (1_u64 << 53) as f64
    }

    /// Whether something of this probability happens.
    pub fn chance(&mut self, probability: f64) -> bool {
        self.unit() < probability
    }

    /// 0 to `count` - 1, number i about 1 / (i + 1) as often as the first.
    pub fn zipf(&mut self, count: usize) -> usize {
        let rank = ((count + 1) as f64).powf(self.unit()) - 1.0;
        (rank as usize).min(count.saturating_sub(1))
    }

    /// One of a list, the earlier the more often.
    pub fn of<'l>(&mut self, list: &[&'l str]) -> &'l str {
        list.get(self.zipf(list.len())).copied().unwrap_or_default()
    }

    /// One of a list, all alike.
    pub fn any_of<'l>(&mut self, list: &[&'l str]) -> &'l str {
        list.get(self.below(list.len())).copied().unwrap_or_default()
    }

    /// `template` with each `{name}` drawn.
    pub fn fill(&mut self, template: &str) -> String {
        let mut text = String::new();
        let mut rest = template;
        while let Some((before, after)) = rest.split_once('{') {
            let (name, after) = after.split_once('}').unwrap_or((after, ""));
            text.push_str(before);
            text.push_str(&self.slot(name));
            rest = after;
        }
        text.push_str(rest);
        text
    }

    fn slot(&mut self, name: &str) -> String {
        let words = Words::all();
        match name {
            "person" => {
                let first = self.of(words.list("first"));
                if self.chance(0.3) { first.to_owned() } else { format!("{first} {}", self.of(words.list("last"))) }
            }
            // Projects and modules go by any word at all.
            "topic" => self.of(&words.topics).to_owned(),
            "reason" => self.any_of(&words.reasons).to_owned(),
            "number" => (2 + self.zipf(900)).to_string(),
            "percent" => (1 + self.below(99)).to_string(),
            "port" => (1_024 + self.below(60_000)).to_string(),
            "version" => format!("{}.{}.{}", self.zipf(20), self.zipf(40), self.zipf(12)),
            "time" => format!("{:02}:{:02}", self.below(24), 5 * self.below(12)),
            "date" => format!("{} {}", 1 + self.below(28), self.any_of(words.list("month"))),
            "ticket" => format!("{}-{}", self.of(words.list("team")).to_uppercase(), 1 + self.below(20_000)),
            "host" => format!("{}-{:02}.{}", self.any_of(words.list("component")), self.below(40), self.topic()),
            "flag" => format!("--{}-{}", self.any_of(words.list("verb")), self.any_of(words.list("noun"))),
            "function" => format!("{}_{}", self.any_of(words.list("verb")), self.any_of(words.list("noun"))),
            "error" => match self.below(3) {
                0 => format!("E{:04}", self.below(10_000)),
                1 => format!("ERR_{}_{}", self.upper("noun"), self.upper("adjective")),
                _ => format!("exit code {}", 1 + self.below(255)),
            },
            "file" => {
                let folder = self.any_of(words.list("component"));
                let ending = self.any_of(&["rs", "py", "ts", "go", "yaml", "toml", "sql", "kt"]);
                format!("{}/{folder}/{}.{ending}", self.topic(), self.any_of(words.list("noun")))
            }
            list => self.of(words.list(list)).to_owned(),
        }
    }

    fn topic(&mut self) -> &'static str {
        self.of(&Words::all().topics)
    }

    fn upper(&mut self, list: &str) -> String {
        self.any_of(Words::all().list(list)).to_uppercase().replace('-', "_")
    }
}

/// The lists of words.txt, the reasons, and the topics.
struct Words {
    lists: BTreeMap<&'static str, Vec<&'static str>>,
    reasons: Vec<&'static str>,
    topics: Vec<&'static str>,
}

impl Words {
    fn all() -> &'static Self {
        static WORDS: OnceLock<Words> = OnceLock::new();
        WORDS.get_or_init(|| {
            let mut lists: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
            for part in include_str!("words.txt").split("# ").skip(1) {
                let (name, words) = part.split_once('\n').unwrap_or((part, ""));
                lists.insert(name, words.split_whitespace().collect());
            }
            Self { lists, reasons: include_str!("reasons.txt").lines().collect(), topics: topics() }
        })
    }

    fn list(&self, name: &str) -> &[&'static str] {
        match self.lists.get(name) {
            Some(list) => list,
            None => unreachable!("a template names the list {name:?}, which words.txt lacks"),
        }
    }
}

/// The longer plain words of the token table, the commonest first: its vocabulary is in that order.
fn topics() -> Vec<&'static str> {
    static TABLE: &[u8] = include_bytes!("../../../core/models/static-multi-v1.bin");
    // As its format says: 8 bytes, then JSON and vocabulary, each after its length.
    let part = |at: usize| {
        let length = TABLE[at..at + 4].iter().rev().fold(0, |length, byte| length << 8 | usize::from(*byte));
        (&TABLE[at + 4..at + 4 + length], at + 4 + length)
    };
    let (_, end) = part(8);
    let (vocabulary, _) = part(end);
    let words = std::str::from_utf8(vocabulary).unwrap_or_default().lines().skip(3_000);
    words.filter(|word| word.len() >= 4 && word.bytes().all(|byte| byte.is_ascii_lowercase())).collect()
}
