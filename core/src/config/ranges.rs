//! What each constant may be: one table, which the check, the documentation's test and the law test go by.

use crate::{config::Config, error::Error, label::Label};

/// The range of one constant, both ends included.
pub struct Constant {
    /// Its name with that of its group: `fading.half_life_days`.
    pub field: &'static str,
    /// The least it may be.
    pub low: f64,
    /// The most it may be.
    pub high: f64,
    /// The range in words, as the documentation has it too.
    pub allowed: &'static str,
    /// Reads it.
    pub read: fn(&Config) -> f64,
}

macro_rules! constants {
    ($($group:ident . $name:ident: $low:literal to $high:literal;)*) => {
        /// Every number of a [`Config`] with its range.
        pub const CONSTANTS: &[Constant] = &[$(Constant {
            field: concat!(stringify!($group), ".", stringify!($name)),
            low: $low as f64,
            high: $high as f64,
            allowed: concat!("a number from ", $low, " to ", $high),
            read: |config| config.$group.$name as f64,
        }),*];
    };
}

// Nothing that divides may be 0, and nothing may be so large that a product of a few leaves the numbers.
constants! {
    fading.half_life_days: 0.001 to 1000000;
    fading.read_bonus: 0 to 1000;
    fading.spread: 0 to 1;
    fading.full_activation: 0.001 to 1000;
    fading.lambda_strategy: 0 to 100;
    fading.lambda_fact: 0 to 100;
    fading.lambda_assumption: 0 to 100;
    fading.lambda_failure: 0 to 100;
    fading.importance_shield: 0 to 1;
    fading.recall_boost: 0 to 100;
    tiers.hot: 0 to 1;
    tiers.warm: 0 to 1;
    tiers.frozen: 0 to 1;
    tiers.live_edge: 0 to 10;
    resolution.reinforce: 0 to 1;
    resolution.related: 0 to 1;
    resolution.comparable: 0 to 1;
    resolution.consolidate: 0 to 1;
    resolution.candidates: 1 to 100;
    resolution.echo_hours: 0 to 8760;
    resolution.semantic_edge: 0.001 to 1;
    resolution.semantic_weight: 0.001 to 10;
    resolution.semantic_edges: 0 to 100;
    resolution.follows_weight: 0.001 to 10;
    recall.k: 1 to 1000;
    recall.k1: 0 to 100;
    recall.b: 0 to 1;
    recall.candidates: 1 to 10000;
    recall.matched: 1 to 10000;
    recall.lexical: 0 to 1;
    recall.session: 0 to 1;
    recall.tokens: 0 to 1;
    recall.vector: 0 to 1;
    recall.author: 0 to 1;
    recall.time: 0 to 1;
    recall.answer: 0 to 1;
    recall.substance: 0 to 1;
    recall.graph: 0 to 1;
    recall.strength: 0 to 1;
    recall.activation: 0 to 1;
    recall.second_stage: 0 to 1;
    recall.context: 0 to 1;
    recall.around: 0 to 1000;
    recall.context_tokens: 0 to 1;
    recall.graph_depth: 0 to 10;
    recall.graph_seeds: 0 to 1000;
    recall.graph_fan: 0 to 1000;
    recall.tokens_floor: 0 to 0.9;
    recall.vector_floor: 0 to 0.9;
    recall.min_support: 0 to 1;
    recall.rest_support: 0 to 1;
    recall.min_graph: 0 to 1;
    recall.reach: 0 to 1;
    recall.min_score: 0 to 1;
    state.handoff_days: 0.001 to 36500;
    state.budget: 200 to 20000;
    state.active: 0 to 100;
    defaults.importance: 0 to 1;
    defaults.weight: 0.001 to 10;
    defaults.page: 1 to 1000;
}

/// The constants that are no numbers.
const OTHERS: [&str; 2] = ["defaults.kind", "privacy.redact"];

impl Config {
    /// The name of every constant with that of its group: `fading.half_life_days`.
    pub fn names() -> impl Iterator<Item = &'static str> {
        CONSTANTS.iter().map(|constant| constant.field).chain(OTHERS)
    }

    /// Checks every constant against its range, that the lines between tiers and those between outcomes are in order,
    /// that the shares of a score add up to 1, and that the default kind is a label.
    ///
    /// A config that is read as data is checked as it is read; one that is made in code is to be checked where its
    /// numbers come from somebody else.
    ///
    /// ```
    /// use ebbtrace_core::Config;
    /// let mut config = Config::default();
    /// assert!(config.check().is_ok());
    /// config.fading.half_life_days = 0.0;
    /// let refused = config.check().unwrap_err();
    /// assert_eq!(refused.code(), "out_of_range");
    /// assert_eq!(refused.to_string(), "fading.half_life_days is 0; allowed is a number from 0.001 to 1000000");
    /// let read = serde_json::from_str::<Config>(r#"{"fading": {"half_life_days": 0}}"#);
    /// assert!(read.unwrap_err().to_string().starts_with(&refused.to_string()));
    /// ```
    ///
    /// # Errors
    /// [`Error::OutOfRange`] for the first number that is not in its range, [`Error::BadName`] and its like for the kind.
    pub fn check(&self) -> Result<(), Error> {
        let refuse = |field, value: String, allowed| Err(Error::OutOfRange { field, value, allowed });
        for constant in CONSTANTS {
            let value = (constant.read)(self);
            // Not a number is in no range.
            if !(constant.low..=constant.high).contains(&value) {
                return refuse(constant.field, value.to_string(), constant.allowed);
            }
        }
        let (tiers, resolution, recall) = (&self.tiers, &self.resolution, &self.recall);
        if tiers.warm > tiers.hot {
            return refuse("tiers.warm", tiers.warm.to_string(), "a number of at most tiers.hot");
        }
        if tiers.frozen > tiers.warm {
            return refuse("tiers.frozen", tiers.frozen.to_string(), "a number of at most tiers.warm");
        }
        if resolution.related > resolution.reinforce {
            let allowed = "a number of at most resolution.reinforce";
            return refuse("resolution.related", resolution.related.to_string(), allowed);
        }
        if resolution.comparable > resolution.related {
            let allowed = "a number of at most resolution.related";
            return refuse("resolution.comparable", resolution.comparable.to_string(), allowed);
        }
        let shares: f64 = recall.shares().iter().sum();
        if (shares - 1.0).abs() > 1e-6 {
            let value = format!("{shares} by its shares");
            let allowed = "shares, from lexical to activation, that add up to 1";
            return refuse("recall", value, allowed);
        }
        Label::parse("defaults.kind", &self.defaults.kind).map(drop)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The comment above each field of `config.rs`, by the names of its group and itself.
    fn documented() -> Vec<(String, String)> {
        let groups = [
            ("Fading", "fading"),
            ("Tiers", "tiers"),
            ("ResolutionConfig", "resolution"),
            ("RecallConfig", "recall"),
            ("StateConfig", "state"),
            ("Defaults", "defaults"),
        ];
        let (mut found, mut group, mut comment) = (Vec::new(), "", String::new());
        for line in include_str!("../config.rs").lines().map(str::trim) {
            if let Some(text) = line.strip_prefix("/// ") {
                comment = format!("{comment} {text}");
                continue;
            }
            if let Some(name) = line.strip_prefix("pub struct ") {
                let known = groups.iter().find(|(known, _)| name.strip_suffix(" {") == Some(known));
                group = known.map_or("", |(_, group)| group);
            }
            if let Some((name, kind)) = line.strip_prefix("pub ").and_then(|line| line.split_once(": "))
                && !group.is_empty()
                && (kind == "f64," || kind == "usize,")
            {
                found.push((format!("{group}.{name}"), std::mem::take(&mut comment)));
            }
            comment.clear();
        }
        found
    }

    #[test]
    fn the_documentation_gives_every_constant_its_range() {
        let documented = documented();
        let fields: Vec<&str> = documented.iter().map(|(field, _)| field.as_str()).collect();
        assert_eq!(fields, CONSTANTS.iter().map(|constant| constant.field).collect::<Vec<_>>());
        for ((field, comment), constant) in documented.iter().zip(CONSTANTS) {
            let range = constant.allowed.trim_start_matches("a number from ");
            assert!(comment.contains(&format!("{range}.")), "{field} is {range}, but its comment is:{comment}");
            let value = (constant.read)(&Config::default());
            assert!(comment.contains(&format!("Default {value}.")), "{field} is {value}, but its comment is:{comment}");
        }
    }

    #[test]
    fn every_constant_is_named() {
        let config = serde_json::to_value(Config::default()).expect("it is plain");
        let groups = config.as_object().expect("it has groups");
        let fields = groups.iter().flat_map(|(group, all)| {
            let fields = all.as_object().expect("a group has fields");
            fields.keys().map(move |name| format!("{group}.{name}"))
        });
        let mut names: Vec<&str> = Config::names().collect();
        names.sort_unstable();
        assert_eq!(fields.collect::<Vec<_>>(), names);
    }

    #[test]
    fn every_constant_out_of_its_range_is_refused_by_name() {
        let plain = serde_json::to_value(Config::default()).unwrap();
        for constant in CONSTANTS {
            let (group, name) = constant.field.split_once('.').unwrap();
            let whole = plain[group][name].is_u64();
            let over = if whole { constant.high + 1.0 } else { constant.high * 1.001 };
            let under = if whole { constant.low - 1.0 } else { constant.low - 0.001 };
            for value in [over, under].into_iter().filter(|value| !whole || *value >= 0.0) {
                let mut data = plain.clone();
                data[group][name] = if whole { serde_json::json!(value as u64) } else { serde_json::json!(value) };
                let refused = serde_json::from_value::<Config>(data).unwrap_err().to_string();
                let expected = format!("{} is {value}; allowed is {}", constant.field, constant.allowed);
                assert!(refused.contains(&expected), "{refused} / {expected}");
            }
        }
    }

    #[test]
    fn what_is_no_number_or_out_of_order_is_refused() {
        let field = |change: fn(&mut Config)| {
            let mut config = Config::default();
            change(&mut config);
            let refused = config.check().unwrap_err();
            assert!(!refused.code().is_empty());
            refused.field()
        };
        assert_eq!(field(|config| config.fading.half_life_days = f64::NAN), "fading.half_life_days");
        assert_eq!(field(|config| config.fading.read_bonus = f64::INFINITY), "fading.read_bonus");
        assert_eq!(field(|config| config.recall.min_score = f64::NEG_INFINITY), "recall.min_score");
        assert_eq!(field(|config| config.tiers.warm = 0.9), "tiers.warm");
        assert_eq!(field(|config| config.tiers.frozen = 0.2), "tiers.frozen");
        assert_eq!(field(|config| config.resolution.related = 0.9), "resolution.related");
        assert_eq!(field(|config| config.resolution.comparable = 0.7), "resolution.comparable");
        assert_eq!(field(|config| config.recall.graph = 0.4), "recall");
        assert_eq!(field(|config| config.defaults.kind = " ".to_owned()), "defaults.kind");
    }
}
