//! What each tool does: its arguments to the service's input, the service's outcome to an answer.

use ebbtrace_core::{ConnectInput, Error, LinkInput, Memory, RecallInput, RememberInput, Scope, UpdateInput, limits};
use serde::de::DeserializeOwned;
use serde_json::{Map, Value};

use super::{
    answer::{Answer, Speak, most},
    arguments, input, outcomes,
    refusal::Refusal,
    text, times, views,
};
use crate::service::{Service, ServiceError};

/// A call: who asks, and for what.
pub(super) struct Call<'a> {
    /// The memory.
    pub(super) service: &'a Service,
    /// The tool's schema.
    pub(super) schema: &'a Map<String, Value>,
    /// The arguments as they came.
    pub(super) arguments: Map<String, Value>,
    /// The client's name.
    pub(super) client: Option<String>,
    /// The scope where the call names none.
    pub(super) default_scope: Option<&'a str>,
    /// Whether no other may be named.
    pub(super) fence: bool,
    /// The most characters of each form of an answer.
    pub(super) characters: usize,
}

impl Call<'_> {
    pub(super) fn read<T: DeserializeOwned>(&mut self) -> Result<T, Refusal> {
        arguments::read(self.schema, std::mem::take(&mut self.arguments))
    }

    /// The scope that a call is about.
    pub(super) fn scope(&self, named: Option<String>) -> Result<Option<String>, Refusal> {
        let own = name_of(self.default_scope);
        match named {
            Some(named) if self.fence && named != own => Err(other_scope("scope", &named, &own)),
            named => Ok(named.or_else(|| self.default_scope.map(str::to_owned))),
        }
    }
}

/// What names a memory's scope, in the tools of every set.
pub(super) const SCOPES: [&str; 2] = ["scope", "user_id"];

/// Takes the scope out of the arguments of a server that keeps to one: its tools have no such argument, and a client that
/// knew them before may send the right one still.
pub(super) fn fenced(arguments: &mut Map<String, Value>, default_scope: Option<&str>) -> Result<(), Refusal> {
    let own = name_of(default_scope);
    for field in SCOPES {
        match arguments.remove(field) {
            None | Some(Value::Null) => {}
            Some(Value::String(named)) if named == own || named == "null" => {}
            Some(Value::String(named)) => return Err(other_scope(field, &named, &own)),
            Some(other) => return Err(other_scope(field, &other.to_string(), &own)),
        }
    }
    Ok(())
}

fn other_scope(field: &str, named: &str, own: &str) -> Refusal {
    Refusal {
        code: "other_scope",
        field: Some(field.to_owned()),
        message: format!("{field} is {:?}; this server keeps to the scope {own:?}", limits::excerpt(named)),
        next_step: "Call again without it. Only whoever set up this server can open another.".to_owned(),
    }
}

pub(super) fn name_of(scope: Option<&str>) -> String {
    scope.map_or_else(|| Scope::default().to_string(), str::to_owned)
}

/// `remember`
pub(super) fn remember(mut call: Call<'_>) -> Result<Answer, Refusal> {
    let given: input::Remember = call.read()?;
    let links = given.links.unwrap_or_default();
    let stored = call.service.remember(RememberInput {
        scope: call.scope(given.scope)?,
        id: given.id,
        content: given.content,
        kind: given.kind,
        category: given.category,
        importance: given.importance,
        author: given.author,
        tags: given.tags.unwrap_or_default(),
        metadata: given.metadata.unwrap_or_default(),
        session: given.session,
        client: call.client,
        occurred_at: given.occurred_at.map(|text| times::read("occurred_at", &text)).transpose()?,
        links: links
            .into_iter()
            .map(|link| LinkInput { to: link.to, relation: link.relation, weight: link.weight })
            .collect(),
        ..RememberInput::default()
    })?;
    outcomes::Remembered::from(stored).answer()
}

/// `recall`
pub(super) fn recall(mut call: Call<'_>) -> Result<Answer, Refusal> {
    let given: input::Recall = call.read()?;
    let scope = call.scope(given.scope)?;
    if let Some(wanted) = given.query.trim().strip_prefix("[read ").and_then(|rest| rest.strip_suffix(']')) {
        return read_one(&call, scope.as_deref(), wanted);
    }
    let recalled = call.service.recall(RecallInput {
        scope: scope.clone(),
        query: given.query,
        k: given.k,
        depth: given.depth,
        kinds: given.kinds.unwrap_or_default(),
        tags: given.tags.unwrap_or_default(),
        min_score: given.min_score,
        as_of: given.as_of.map(|text| times::read("as_of", &text)).transpose()?,
        ..RecallInput::default()
    })?;
    let scope = name_of(scope.as_deref());
    let found = recalled.hits.len();
    let about = match found {
        0 if recalled.archived > 0 => format!("Nothing current in scope {scope} answers this."),
        0 => format!("Nothing in scope {scope} answers this: it is not known here. Don't guess."),
        _ => format!("{} in scope {scope}, best first. {}", text::count(found, "memory", "memories"), text::DATA),
    };
    let mut notices = recalled.notices;
    if recalled.archived > 0 {
        let more = text::count(recalled.archived, "archived memory matches", "archived memories match");
        notices.push(format!("{more} too: recall with depth \"frozen\" shows them."));
    }
    let say = |entries: usize, characters: usize| {
        let mut notices = notices.clone();
        if entries < found {
            notices.push(format!("Only the best {entries} fit in this answer: narrow the query, or ask for fewer."));
        }
        let hits = recalled.hits[..entries].iter().map(|hit| views::Found::hit(hit, characters)).collect();
        let (about, scope, archived) = (about.clone(), scope.clone(), recalled.archived);
        views::Recalled { about, scope, hits, archived, notices }.answer()
    };
    Ok(most(found, call.characters, say)?.1)
}

/// One memory by its id: what `[read ID]`, `[read ID from N]` and `[read ID metadata]` ask for.
fn read_one(call: &Call<'_>, scope: Option<&str>, wanted: &str) -> Result<Answer, Refusal> {
    let (memory, part) = find(call.service, scope, wanted.trim())?;
    let say = |_, characters: usize| {
        let extent = match part {
            Part::From(from) => views::Extent::rest(from, characters),
            Part::Metadata => views::Extent::metadata(characters),
        };
        let hits = vec![views::Found::read(&memory, extent)];
        let about = format!("The memory {}, read by its id. {}", memory.id, text::DATA);
        views::Recalled { about, scope: memory.scope.to_string(), hits, archived: 0, notices: Vec::new() }.answer()
    };
    Ok(most(1, call.characters, say)?.1)
}

/// Which part of a memory is to be read.
#[derive(Clone, Copy)]
enum Part {
    From(usize),
    Metadata,
}

/// The memory that is wanted: by the whole text as an id, else by what stands before the part.
fn find(service: &Service, scope: Option<&str>, wanted: &str) -> Result<(Memory, Part), ServiceError> {
    let whole = match service.memory(scope, wanted) {
        Err(missing @ ServiceError::Refused(Error::NotFound { .. } | Error::TooLong { .. })) => missing,
        found => return Ok((found?, Part::From(0))),
    };
    let from = || wanted.rsplit_once(" from ").and_then(|(id, from)| Some((id, Part::From(from.trim().parse().ok()?))));
    let metadata = wanted.strip_suffix(" metadata").map(|id| (id, Part::Metadata));
    let (id, part) = metadata.or_else(from).ok_or(whole)?;
    Ok((service.memory(scope, id.trim())?, part))
}

/// `update`
pub(super) fn update(mut call: Call<'_>) -> Result<Answer, Refusal> {
    let given: input::Update = call.read()?;
    let input = UpdateInput {
        scope: call.scope(given.scope)?,
        id: given.id,
        content: given.content,
        importance: given.importance,
        tags: given.tags,
        metadata: given.metadata,
        session: given.session,
        client: call.client,
        ..UpdateInput::default()
    };
    if input.content.is_none() && input.importance.is_none() && input.tags.is_none() && input.metadata.is_none() {
        return Err(Refusal {
            code: "missing_argument",
            field: None,
            message: "nothing to change was given; allowed are content, importance, tags and metadata".to_owned(),
            next_step: "Call again with what should change; forget archives a memory.".to_owned(),
        });
    }
    let touched = call.service.update(input)?;
    outcomes::Changed::new("Updated.".to_owned(), &touched).answer()
}

/// `connect`
pub(super) fn connect(mut call: Call<'_>) -> Result<Answer, Refusal> {
    let given: input::Connect = call.read()?;
    let input = ConnectInput {
        scope: call.scope(given.scope)?,
        from: given.from,
        to: given.to,
        relation: given.relation,
        weight: given.weight,
    };
    outcomes::Connected::from(call.service.connect(&input)?).answer()
}

/// `reinforce`
pub(super) fn reinforce(mut call: Call<'_>) -> Result<Answer, Refusal> {
    let given: input::Reinforce = call.read()?;
    let touched = call.service.reinforce(call.scope(given.scope)?.as_deref(), &given.id)?;
    outcomes::Changed::new("Reinforced.".to_owned(), &touched).answer()
}

/// `forget`
pub(super) fn forget(mut call: Call<'_>) -> Result<Answer, Refusal> {
    let given: input::Forget = call.read()?;
    let touched = call.service.forget(call.scope(given.scope)?.as_deref(), &given.id, given.reason.as_deref())?;
    outcomes::Changed::new("Archived; nothing is deleted.".to_owned(), &touched).answer()
}

/// `pin`
pub(super) fn pin(mut call: Call<'_>) -> Result<Answer, Refusal> {
    let given: input::Pin = call.read()?;
    let pinned = given.pinned.unwrap_or(true);
    let touched = call.service.pin(call.scope(given.scope)?.as_deref(), &given.id, pinned)?;
    let done = if pinned { "Pinned." } else { "Unpinned." };
    outcomes::Changed::new(done.to_owned(), &touched).answer()
}

/// `neighbors`
pub(super) fn neighbors(mut call: Call<'_>) -> Result<Answer, Refusal> {
    let given: input::Neighbors = call.read()?;
    let scope = call.scope(given.scope)?;
    let mut limit = given.limit;
    loop {
        let page = call.service.neighbors(scope.as_deref(), &given.id, given.depth, limit, given.cursor.as_deref())?;
        let of = page.items.len();
        let near = text::count(page.total, "memory", "memories");
        let say = |entries: usize, characters: usize| {
            let items = page.items[..entries].iter().map(|near| views::Near::new(near, characters)).collect();
            let about = format!("{near} near {}; {entries} here. {}", given.id, text::DATA);
            let (id, cursor) = (given.id.clone(), page.cursor.clone());
            views::Surroundings { about, id, items, total: page.total, cursor }.answer()
        };
        match most(of, call.characters, say)? {
            // The page is cut by asking for a shorter one, so that its cursor goes on where it ends.
            (entries, _) if entries < of => limit = Some(count(entries)),
            (_, answer) => return Ok(answer),
        }
    }
}

/// `review_queue`
pub(super) fn review_queue(mut call: Call<'_>) -> Result<Answer, Refusal> {
    let given: input::ReviewQueue = call.read()?;
    let scope = call.scope(given.scope)?;
    let mut limit = given.limit;
    loop {
        let page = call.service.review_queue(scope.as_deref(), limit, given.cursor.as_deref())?;
        let of = page.items.len();
        let about = match page.total {
            0 => "Nothing waits for a human's decision.".to_owned(),
            total => {
                let waiting = text::count(total, "proposal waits", "proposals wait");
                format!("{waiting} for a human, who decides with `ebbtrace review`. {}", text::DATA)
            }
        };
        let say = |entries: usize, characters: usize| {
            let items = page.items[..entries].iter().map(|item| views::Waiting::new(item, characters)).collect();
            let (about, cursor) = (about.clone(), page.cursor.clone());
            views::Queue { about, items, total: page.total, cursor }.answer()
        };
        match most(of, call.characters, say)? {
            (entries, _) if entries < of => limit = Some(count(entries)),
            (_, answer) => return Ok(answer),
        }
    }
}

/// `maintain`
pub(super) fn maintain(mut call: Call<'_>) -> Result<Answer, Refusal> {
    let given: input::Maintain = call.read()?;
    let done = call.service.maintain(call.scope(given.scope)?.as_deref(), given.dry_run.unwrap_or(false))?;
    let say = |listed, _| outcomes::Maintained::new(&done, listed).answer();
    Ok(most(outcomes::LISTED, call.characters, say)?.1)
}

/// `stats`
pub(super) fn stats(mut call: Call<'_>) -> Result<Answer, Refusal> {
    let given: input::Stats = call.read()?;
    outcomes::Stats::from(call.service.stats(call.scope(given.scope)?.as_deref())?).answer()
}

fn count(entries: usize) -> i64 {
    i64::try_from(entries.clamp(1, limits::RESULTS)).unwrap_or(1)
}
