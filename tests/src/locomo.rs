//! LoCoMo (Maharana et al. 2024): long conversations with questions whose evidence turns are known. Measured through
//! [`ebbtrace::Service`], the code path of `remember` and `recall`.

use std::{collections::BTreeMap, path::Path, sync::Arc, time::Duration};

use ebbtrace::{
    Service, clock::ManualClock, embed::EmbedderChoice, rerank::RerankerChoice, service::Options, store::MemoryStore,
};
use ebbtrace_core::{Config, Profile, RecallInput, RememberInput, Resolution, Timestamp};
use serde::Deserialize;

/// One conversation.
#[derive(Debug, Deserialize)]
pub struct Conversation {
    /// Its name, which becomes its scope.
    pub id: String,
    /// Who speaks.
    #[serde(default)]
    pub speakers: Vec<String>,
    /// In order of time.
    pub sessions: Vec<Session>,
    /// What is asked of it.
    pub qa: Vec<Question>,
}

/// One sitting.
#[derive(Debug, Deserialize)]
pub struct Session {
    /// Its number.
    pub session: u32,
    /// Such as `1:56 pm on 8 May, 2023`.
    pub date_time: String,
    /// In order of time.
    pub turns: Vec<Turn>,
}

/// What one speaker said at a time.
#[derive(Debug, Deserialize)]
pub struct Turn {
    /// Its id, such as `D1:3`.
    pub id: String,
    /// Who said it.
    pub speaker: String,
    /// What was said.
    pub text: String,
    /// What a picture shows, where one was sent.
    pub caption: Option<String>,
}

/// A question.
#[derive(Debug, Deserialize)]
pub struct Question {
    /// In words.
    pub question: String,
    /// The ids of the turns that answer it.
    #[serde(default)]
    pub evidence: Vec<String>,
    /// Its kind.
    pub category: String,
}

/// How a run is made.
#[derive(Clone, Debug, Default)]
pub struct Settings {
    /// Whether each turn is recorded at its own date and asked a day after the last, rather than all at one moment.
    pub lived: bool,
    /// Whether each conversation is asked the next one's questions, its speakers' names put in: almost none has an
    /// answer there, so `answered` should be low.
    pub foreign: bool,
    /// How the score is put together.
    pub profile: Profile,
    /// The engine's constants.
    pub config: Config,
    /// What compares meanings.
    pub embedder: EmbedderChoice,
    /// What looks again at what is found, without a bound on its time.
    pub reranker: RerankerChoice,
}

/// Sums over questions; [`Tally::figures`] makes percentages of them.
#[derive(Clone, Debug, Default)]
pub struct Tally {
    /// Questions.
    pub questions: usize,
    /// Questions without evidence: counted as misses.
    pub without_evidence: usize,
    sums: BTreeMap<&'static str, f64>,
}

/// What became of the turns and the questions.
#[derive(Clone, Debug, Default)]
pub struct Outcome {
    /// Turns told.
    pub turns: usize,
    /// Turns by what became of them.
    pub resolutions: BTreeMap<String, usize>,
    /// Figures by category.
    pub categories: BTreeMap<String, Tally>,
    /// Figures over all.
    pub overall: Tally,
}

/// The depth that rankings are taken to: what `hit@50` and the sessions need.
const DEPTH: i64 = 60;

impl Tally {
    /// The figures in percent, by name.
    #[must_use]
    pub fn figures(&self, k: usize) -> Vec<(String, f64)> {
        let percent = |sum: &str| 100.0 * self.sums.get(sum).copied().unwrap_or(0.0) / self.questions.max(1) as f64;
        let named = |name: &str, sum: &str| (name.to_owned(), percent(sum));
        vec![
            named(&format!("hit@{k}"), "hit@k"),
            named(&format!("recall@{k}"), "recall@k"),
            named("mrr", "mrr"),
            named("hit@10", "hit@10"),
            named("hit@50", "hit@50"),
            named(&format!("session_hit@{k}"), "session_hit@k"),
            named("session_hit@10", "session_hit@10"),
            named("answered", "answered"),
        ]
    }

    fn add(&mut self, name: &'static str, value: f64) {
        *self.sums.entry(name).or_default() += value;
    }

    fn question(&mut self, evidence: &[String], turns: &[Vec<String>], sessions: &[String], k: usize) {
        self.questions += 1;
        self.add("answered", f64::from(u8::from(!turns.is_empty())));
        if evidence.is_empty() {
            self.without_evidence += 1;
            return;
        }
        let holds = |ids: &Vec<String>| ids.iter().any(|id| evidence.contains(id));
        let hit = |k: usize| f64::from(u8::from(turns.iter().take(k).any(holds)));
        self.add("hit@k", hit(k));
        self.add("hit@10", hit(10));
        self.add("hit@50", hit(50));
        let found = evidence.iter().filter(|id| turns.iter().take(k).any(|ids| ids.contains(id))).count();
        self.add("recall@k", found as f64 / evidence.len() as f64);
        self.add("mrr", turns.iter().position(holds).map_or(0.0, |rank| 1.0 / (rank + 1) as f64));
        let wanted = |session: &String| evidence.iter().any(|id| session_of(id) == session);
        let session_hit = |k: usize| f64::from(u8::from(sessions.iter().take(k).any(wanted)));
        self.add("session_hit@k", session_hit(k));
        self.add("session_hit@10", session_hit(10));
    }
}

/// Reads a conversation.
///
/// # Errors
/// What was wrong with the file.
pub fn read(path: &Path) -> Result<Conversation, String> {
    let text = std::fs::read_to_string(path).map_err(|error| format!("{}: {error}", path.display()))?;
    serde_json::from_str(&text).map_err(|error| format!("{}: {error}", path.display()))
}

/// Tells each conversation turn by turn in a scope of its own, then asks its questions. `progress` is called after each
/// turn and question.
///
/// # Errors
/// What the service refused, or a date that can't be read.
pub fn run(
    conversations: &[Conversation],
    settings: &Settings,
    k: usize,
    mut progress: impl FnMut(),
) -> Result<Outcome, String> {
    let mut outcome = Outcome::default();
    let embedder = settings.embedder.open().map_err(|error| error.to_string())?;
    let reranker = settings.reranker.open(embedder.as_ref()).map_err(|error| error.to_string())?;
    for (conversation, next) in conversations.iter().zip(conversations.iter().cycle().skip(1)) {
        let clock = Arc::new(ManualClock::new(Timestamp(0)));
        let mut options = Options::new(Box::new(MemoryStore::new()));
        options.config = settings.config.clone();
        (options.embedder, options.reranker) = (embedder.clone(), reranker.clone());
        options.reranker_timeout = Duration::from_secs(3_600);
        options.model = options.model.filter(|_| settings.embedder != EmbedderChoice::None);
        options.clock = Box::new(clock.clone());
        let service = Service::open(options).map_err(|error| error.to_string())?;
        let told = tell(conversation, &service, &clock, settings.lived, &mut outcome, &mut progress)?;
        clock.set(clock.now().plus_days(1.0));
        let asked = if settings.foreign { next } else { conversation };
        for question in &asked.qa {
            let text = renamed(&question.question, &asked.speakers, &conversation.speakers);
            let (turns, sessions) = ask(&text, conversation, &service, settings.profile, &told, k)?;
            let category = outcome.categories.entry(question.category.clone()).or_default();
            category.question(&question.evidence, &turns, &sessions, k);
            outcome.overall.question(&question.evidence, &turns, &sessions, k);
            progress();
        }
    }
    Ok(outcome)
}

/// The turns that each memory stands for.
pub type Told = BTreeMap<String, Vec<String>>;

/// Tells a conversation turn by turn; which turns each memory stands for.
///
/// # Errors
/// As [`run`].
pub fn tell(
    conversation: &Conversation,
    service: &Service,
    clock: &ManualClock,
    lived: bool,
    outcome: &mut Outcome,
    progress: &mut impl FnMut(),
) -> Result<Told, String> {
    let mut told = Told::new();
    let dates = conversation.sessions.iter().map(|session| read_date(&session.date_time));
    let dates = dates.collect::<Result<Vec<Timestamp>, String>>()?;
    clock.set(dates.iter().copied().max().unwrap_or_default());
    for (session, &date) in conversation.sessions.iter().zip(&dates) {
        if lived {
            clock.set(date);
        }
        for turn in &session.turns {
            let caption = turn.caption.iter().map(|caption| format!(" [picture: {caption}]"));
            let input = RememberInput {
                scope: Some(conversation.id.clone()),
                content: format!("{}{}", turn.text, caption.collect::<String>()),
                author: Some(turn.speaker.clone()),
                session: Some(format!("D{}", session.session)),
                occurred_at: Some(date),
                importance: Some(1.0),
                ..RememberInput::default()
            };
            let remembered = service.remember(input).map_err(|error| format!("{}: {error}", turn.id))?;
            outcome.turns += 1;
            let resolution = serde_json::to_value(remembered.resolution).map_err(|error| error.to_string())?;
            *outcome.resolutions.entry(resolution.as_str().unwrap_or("?").to_owned()).or_default() += 1;
            let turns = told.entry(remembered.id.to_string()).or_default();
            turns.push(turn.id.clone());
            if remembered.resolution == Resolution::Merged
                && let Some(other) = remembered.other
            {
                told.entry(other.to_string()).or_default().push(turn.id.clone());
            }
            progress();
        }
    }
    clock.set(dates.iter().copied().max().unwrap_or_default());
    Ok(told)
}

/// The ranking of turns, memory by memory, and of their sessions, each once.
fn ask(
    question: &str,
    conversation: &Conversation,
    service: &Service,
    profile: Profile,
    told: &Told,
    k: usize,
) -> Result<(Vec<Vec<String>>, Vec<String>), String> {
    let input = RecallInput {
        scope: Some(conversation.id.clone()),
        query: question.to_owned(),
        k: Some(DEPTH.max(k as i64)),
        profile,
        // A question must not change what the next one finds.
        peek: true,
        ..RecallInput::default()
    };
    let recalled = service.recall(input).map_err(|error| format!("{question:?}: {error}"))?;
    let of = |id: &str| told.get(id).cloned().unwrap_or_default();
    let turns: Vec<Vec<String>> = recalled.hits.iter().map(|hit| of(hit.memory.id.as_str())).collect();
    let mut sessions: Vec<String> = Vec::new();
    for session in turns.iter().flatten().map(|id| session_of(id).to_owned()) {
        if !sessions.contains(&session) {
            sessions.push(session);
        }
    }
    Ok((turns, sessions))
}

fn renamed(question: &str, from: &[String], to: &[String]) -> String {
    from.iter().zip(to).fold(question.to_owned(), |text, (old, new)| text.replace(old.as_str(), new))
}

/// `D1:3` is of the session `D1`.
fn session_of(turn: &str) -> &str {
    turn.split(':').next().unwrap_or(turn)
}

/// Reads `1:56 pm on 8 May, 2023` as UTC.
fn read_date(text: &str) -> Result<Timestamp, String> {
    jiff::civil::DateTime::strptime("%I:%M %p on %d %B, %Y", text)
        .and_then(|date| jiff::tz::Offset::UTC.to_timestamp(date))
        .map(|instant| Timestamp(instant.as_millisecond()))
        .map_err(|error| format!("the date {text:?}: {error}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates_are_read() {
        assert_eq!(read_date("1:56 pm on 8 May, 2023"), Ok(Timestamp(1_683_554_160_000)));
        assert_eq!(read_date("12:05 am on 1 January, 1970"), Ok(Timestamp(300_000)));
        assert!(read_date("yesterday").is_err());
    }
}
