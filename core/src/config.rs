//! Every constant of the engine, with its unit, range and default. Nothing is tuned anywhere else.

pub mod ranges;

use serde::{Deserialize, Serialize};

use crate::{error::Error, record::Category};

/// The engine's constants. `Config::default()` is what every surface uses. Read as data, it is checked: what is out of
/// its range is refused by name (see [`Config::check`]).
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "Unchecked")]
pub struct Config {
    /// How things fade.
    pub fading: Fading,
    /// Where one tier ends and the next begins.
    pub tiers: Tiers,
    /// What happens to a new memory.
    pub resolution: ResolutionConfig,
    /// How memories are found.
    pub recall: RecallConfig,
    /// What an agent's state is kept and read by.
    pub state: StateConfig,
    /// What is taken where the caller says nothing.
    pub defaults: Defaults,
    /// What is kept out of the store.
    pub privacy: Privacy,
}

/// A config as it is read, before its check.
#[derive(Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
struct Unchecked {
    fading: Fading,
    tiers: Tiers,
    resolution: ResolutionConfig,
    recall: RecallConfig,
    state: StateConfig,
    defaults: Defaults,
    privacy: Privacy,
}

impl TryFrom<Unchecked> for Config {
    type Error = Error;

    fn try_from(read: Unchecked) -> Result<Self, Error> {
        let Unchecked { fading, tiers, resolution, recall, state, defaults, privacy } = read;
        let config = Self { fading, tiers, resolution, recall, state, defaults, privacy };
        config.check()?;
        Ok(config)
    }
}

/// How things fade.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Fading {
    /// Days in which an edge's weight and a read's bonus halve. 0.001 to 1000000. Default 30.
    pub half_life_days: f64,
    /// Activation that a read gives at the time it happens. 0 to 1000. Default 0.5.
    pub read_bonus: f64,
    /// Share of a neighbour's activation that spreads over an edge. 0 to 1. Default 0.3.
    pub spread: f64,
    /// Activation that counts as full where the scope has no higher one. Without it the most active memory of an
    /// abandoned scope would stay hot for ever, since all activation fades at one rate. 0.001 to 1000. Default 1.
    pub full_activation: f64,
    /// Forgetting rate of a strategy at importance 0, a day. 0 to 100. Default 0.1.
    pub lambda_strategy: f64,
    /// Forgetting rate of a fact at importance 0, a day. 0 to 100. Default 0.16.
    pub lambda_fact: f64,
    /// Forgetting rate of an assumption at importance 0, a day. 0 to 100. Default 0.2.
    pub lambda_assumption: f64,
    /// Forgetting rate of a failure at importance 0, a day. 0 to 100. Default 0.35.
    pub lambda_failure: f64,
    /// How much of the rate importance 1 takes away. 0 to 1. Default 0.8.
    pub importance_shield: f64,
    /// What one recall adds to strength, as a share of it. 0 to 100. Default 0.2.
    pub recall_boost: f64,
}

impl Default for Fading {
    fn default() -> Self {
        Self {
            half_life_days: 30.0,
            read_bonus: 0.5,
            spread: 0.3,
            full_activation: 1.0,
            lambda_strategy: 0.10,
            lambda_fact: 0.16,
            lambda_assumption: 0.20,
            lambda_failure: 0.35,
            importance_shield: 0.8,
            recall_boost: 0.2,
        }
    }
}

impl Fading {
    /// The forgetting rate of a category at importance 0, a day.
    #[must_use]
    pub fn lambda(&self, category: Category) -> f64 {
        match category {
            Category::Strategy => self.lambda_strategy,
            Category::Fact => self.lambda_fact,
            Category::Assumption => self.lambda_assumption,
            Category::Failure => self.lambda_failure,
        }
    }
}

/// Where one tier ends and the next begins.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Tiers {
    /// Lowest retention of a hot memory. 0 to 1. Default 0.35.
    pub hot: f64,
    /// Lowest retention of a warm memory. 0 to 1. Default 0.15.
    pub warm: f64,
    /// Retention under which a memory may freeze: the prune line. 0 to 1. Default 0.05.
    pub frozen: f64,
    /// Decayed weight from which an edge is alive and protects what it joins. 0 to 10. Default 0.05.
    pub live_edge: f64,
}

impl Default for Tiers {
    fn default() -> Self {
        Self { hot: 0.35, warm: 0.15, frozen: 0.05, live_edge: 0.05 }
    }
}

/// What happens to a new memory.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct ResolutionConfig {
    /// Similarity from which a memory without a veto is the known one again. 0 to 1. Default 0.85.
    pub reinforce: f64,
    /// Similarity from which two memories may be one, or contradict each other. 0 to 1. Default 0.65.
    pub related: f64,
    /// Similarity under which two texts are not compared word by word. 0 to 1. Default 0.3.
    pub comparable: f64,
    /// Similarity from which maintenance puts two memories in one cluster. 0 to 1. Default 0.7.
    pub consolidate: f64,
    /// How many near memories a new one is compared with. 1 to 100. Default 16.
    pub candidates: usize,
    /// Hours after a recall in which storing the same again is an echo. 0 to 8760. Default 1.
    pub echo_hours: f64,
    /// Similarity from which a semantic edge is made. 0.001 to 1. Default 0.4.
    pub semantic_edge: f64,
    /// A semantic edge's weight for each unit of similarity. 0.001 to 10. Default 0.5.
    pub semantic_weight: f64,
    /// How many semantic edges a new memory gets at most. 0 to 100. Default 5.
    pub semantic_edges: usize,
    /// Weight of the edge to the memory before in the same session. 0.001 to 10. Default 0.5.
    pub follows_weight: f64,
}

impl Default for ResolutionConfig {
    fn default() -> Self {
        Self {
            reinforce: 0.85,
            related: 0.65,
            comparable: 0.30,
            consolidate: 0.70,
            candidates: 16,
            echo_hours: 1.0,
            semantic_edge: 0.40,
            semantic_weight: 0.5,
            semantic_edges: 5,
            follows_weight: 0.5,
        }
    }
}

/// How memories are found.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct RecallConfig {
    /// Hits returned where the caller names no number. 1 to 1000. Default 5.
    pub k: usize,
    /// BM25's saturation of a term's count. 0 to 100. Default 0.9.
    pub k1: f64,
    /// BM25's correction for length. 0 to 1. Default 0.75.
    pub b: f64,
    /// Candidates that each index hands to the second stage. 1 to 10000. Default 80.
    pub candidates: usize,
    /// How many candidates, the best by all else, are matched with the query token by token: the second stage. Twice the
    /// number of hits that are asked for where that is more. 1 to 10000. Default 80.
    pub matched: usize,
    /// Share of the lexical part in the fused score. The eleven shares up to that of activation add up to 1. 0 to 1.
    /// Default 0.12.
    pub lexical: f64,
    /// Share of the words of what stands around a memory in its session. 0 to 1. Default 0.08.
    pub session: f64,
    /// Share of late interaction. 0 to 1. Default 0.1.
    pub tokens: f64,
    /// Share of the pooled vectors' cosine. 0 to 1. Default 0.21.
    pub vector: f64,
    /// Share of being said by, or about, the one whom the query names. 0 to 1. Default 0.06.
    pub author: f64,
    /// Share of being of the time that the query names. 0 to 1. Default 0.09.
    pub time: f64,
    /// Share of having what the query asks for: a time, a number, a name. 0 to 1. Default 0.04.
    pub answer: f64,
    /// Share of how much a memory tells by itself. 0 to 1. Default 0.09.
    pub substance: f64,
    /// Share of the graph: the boost of a memory that edges lead to. 0 to 1. Default 0.19.
    pub graph: f64,
    /// Share of strength. 0 to 1. Default 0.01.
    pub strength: f64,
    /// Share of relative activation. 0 to 1. Default 0.01.
    pub activation: f64,
    /// Share of a second stage's verdict, where there was one; all other parts count by the rest. 0 to 1. Default 0.5.
    pub second_stage: f64,
    /// What the words and the vector of a memory beside one in its session count of its own: two before it and one
    /// after. 0 to 1. Default 0.5.
    pub context: f64,
    /// How many memories of its session, on each side of one, are read as what stands around it. 0 to 1000. Default 20.
    pub around: usize,
    /// What a token's match in the nearest memory beside one counts of a match in its own; that in the second nearest
    /// counts by the square. 0 to 1. Default 0.7.
    pub context_tokens: f64,
    /// Steps of graph expansion from the best direct matches. 0 to 10. Default 2.
    pub graph_depth: usize,
    /// How many direct matches the expansion starts from. 0 to 1000. Default 10.
    pub graph_seeds: usize,
    /// How many edges, the heaviest first, are followed from one memory. 0 to 1000. Default 32.
    pub graph_fan: usize,
    /// Coverage by tokens that says nothing yet: any two texts reach it. Taken off, the rest stretched to 0..=1. 0 to
    /// 0.9. Default 0.2.
    pub tokens_floor: f64,
    /// Cosine of pooled vectors that says nothing yet. Taken off, the rest stretched to 0..=1. 0 to 0.9. Default 0.2.
    pub vector_floor: f64,
    /// How much of what a query asks for the best memory of an answer must have, by words or by meaning. 0 to 1. Default
    /// 0.35.
    pub min_support: f64,
    /// The same for the memories that come after it in the answer. 0 to 1. Default 0.1.
    pub rest_support: f64,
    /// What must come over the graph for a memory that only hangs on an answer to be one. 0 to 1. Default 0.05.
    pub min_graph: f64,
    /// What an answer must score of the best to keep archived memories out: they fill in where fewer than are asked for
    /// do. 0 to 1. Default 0.9.
    pub reach: f64,
    /// Lowest score of a hit where the caller names none. 0 to 1. Default 0.
    pub min_score: f64,
}

impl Default for RecallConfig {
    fn default() -> Self {
        Self {
            k: 5,
            k1: 0.9,
            b: 0.75,
            candidates: 80,
            matched: 80,
            lexical: 0.12,
            session: 0.08,
            tokens: 0.1,
            vector: 0.21,
            author: 0.06,
            time: 0.09,
            answer: 0.04,
            substance: 0.09,
            graph: 0.19,
            strength: 0.01,
            activation: 0.01,
            second_stage: 0.5,
            context: 0.5,
            around: 20,
            context_tokens: 0.7,
            graph_depth: 2,
            graph_seeds: 10,
            graph_fan: 32,
            tokens_floor: 0.2,
            vector_floor: 0.2,
            min_support: 0.35,
            rest_support: 0.1,
            min_graph: 0.05,
            reach: 0.9,
            min_score: 0.0,
        }
    }
}

impl RecallConfig {
    /// The shares of the parts of a fused score, which add up to 1: lexical, session, tokens, vector, author, time, answer,
    /// substance, graph, strength, activation.
    #[must_use]
    pub fn shares(&self) -> [f64; 11] {
        [
            self.lexical,
            self.session,
            self.tokens,
            self.vector,
            self.author,
            self.time,
            self.answer,
            self.substance,
            self.graph,
            self.strength,
            self.activation,
        ]
    }
}

/// What an agent's state is kept and read by.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct StateConfig {
    /// Days after which a handoff is no longer what a new session starts from. 0.001 to 36500. Default 30.
    pub handoff_days: f64,
    /// Characters of what a new session starts from. 200 to 20000. Default 2000.
    pub budget: usize,
    /// How many memories most in use are shown there. 0 to 100. Default 5.
    pub active: usize,
}

impl Default for StateConfig {
    fn default() -> Self {
        Self { handoff_days: 30.0, budget: 2_000, active: 5 }
    }
}

/// What is taken where the caller says nothing.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Defaults {
    /// A new memory's kind. Default `note`.
    pub kind: String,
    /// A new memory's importance. 0 to 1. Default 0.5.
    pub importance: f64,
    /// A new edge's weight. 0.001 to 10. Default 1.
    pub weight: f64,
    /// Entries on a page of neighbours or proposals. 1 to 1000. Default 20.
    pub page: usize,
}

impl Default for Defaults {
    fn default() -> Self {
        Self { kind: "note".to_owned(), importance: 0.5, weight: 1.0, page: 20 }
    }
}

/// What is kept out of the store.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Privacy {
    /// Whether keys, tokens, passwords and private keys are left out of what is stored. Default true.
    pub redact: bool,
}

impl Default for Privacy {
    fn default() -> Self {
        Self { redact: true }
    }
}
