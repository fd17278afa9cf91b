//! Chapter 2: recency beats a mere number of links.

use std::collections::BTreeMap;

use comfy_table::{Cell, CellAlignment, ColumnConstraint};
use ebbtrace_core::{LinkInput, Record, RememberInput, State, Tier};
use serde_json::json;

use super::{Chapter, Failure, Stage};
use crate::cli::screen::tier_cell;

/// The day of the old decision.
const THEN: f64 = 0.0;
/// The day of the new one.
pub(super) const NOW: f64 = 300.0;
/// A link that nobody used for so many days is stale.
const STALE_DAYS: f64 = 90.0;

const OLD: &str = "decision:hourly-billing";
const NEW: &str = "decision:outcome-pricing";

/// What was noted around the old decision, each linked to it.
pub(super) const NOTES: [(&str, &str); 10] = [
    ("note:timesheets", "Timesheets are exported as CSV on Fridays"),
    ("note:rounding", "Round up to the next quarter"),
    ("note:interns", "Interns cost sixty percent of the usual rate"),
    ("note:travel", "Train rides count half"),
    ("note:macro", "The spreadsheet macro breaks on public holidays"),
    ("note:overtime", "Lena approves overtime by phone"),
    ("note:weekend", "Saturday jobs need a ticket number"),
    ("note:tracker", "The tracker pings a laptop that sleeps"),
    ("note:dispute", "A customer disputed idle minutes twice"),
    ("note:printer", "The monthly sheet jams the blue printer"),
];

struct Row {
    id: String,
    links: usize,
    stale: usize,
    activation: f64,
    retention: f64,
    tier: Tier,
    state: &'static str,
}

pub(super) fn tell(stage: &Stage) -> Result<Chapter, Failure> {
    stage.day(THEN);
    stage.remember("client:acme", "Acme runs forty shops in the north", "client", 0.6)?;
    stage.remember(OLD, "We bill our clients by the hour", "decision", 0.6)?;
    stage.connect("client:acme", OLD, "agreed-to")?;
    for (id, content) in NOTES {
        stage.remember(id, content, "note", 0.3)?;
        stage.connect(id, OLD, "about")?;
    }
    stage.day(NOW);
    stage.remember("meeting:offsite", "Offsite in June: nobody likes to count minutes any more", "meeting", 0.5)?;
    let link =
        |to: &str, relation: &str| LinkInput { to: to.to_owned(), relation: Some(relation.to_owned()), weight: None };
    let decided = stage.service.remember(RememberInput {
        id: Some(NEW.to_owned()),
        content: "We no longer bill our clients by the hour".to_owned(),
        kind: Some("decision".to_owned()),
        importance: Some(0.6),
        links: vec![
            link("meeting:offsite", "decided-in"),
            link("client:acme", "agreed-with"),
            // Two keys are two things, unless one is said to supersede the other.
            link(OLD, "supersedes"),
        ],
        ..RememberInput::default()
    })?;
    let rows = rows(stage)?;
    let new = rows.iter().find(|row| row.id == NEW).map_or(0, |row| row.links);
    let old = rows.iter().find(|row| row.id == OLD).map_or((0, 0), |row| (row.links, row.stale));
    let text = format!(
        "   {first}: the team decides to bill by the hour; ten notes and a client are linked to that.\n   \
         {date}, 300 days later: it decides otherwise. What the engine says of that:\n   {reason}.\n\n{table}\n\n   \
         The new decision has {new} links, all fresh, and ranks first. The superseded one has {}, most of all,\n   \
         but {} of them are stale. Ten notes that nobody used since are in tier 4, frozen.\n",
        old.0,
        old.1,
        first = super::instant::day(super::FIRST_DAY),
        date = stage.date(),
        reason = decided.reason,
        table = table(stage, &rows),
    );
    let figures: Vec<_> = rows
        .iter()
        .map(|row| {
            json!({
                "memory": row.id, "links": row.links, "stale_links": row.stale, "activation": row.activation,
                "retention": row.retention, "tier": row.tier, "state": row.state,
            })
        })
        .collect();
    let title = "What is fresh outranks what merely has many links";
    Ok(Chapter { name: "ranking", title, text, figures: json!({ "memories": figures }) })
}

/// Every memory of the default scope, the most active first.
fn rows(stage: &Stage) -> Result<Vec<Row>, Failure> {
    let mut memories = Vec::new();
    let mut links: BTreeMap<String, (usize, usize)> = BTreeMap::new();
    stage.service.export(Some("default"), |record| match record {
        Record::Memory(memory) => memories.push(memory),
        Record::Edge(edge) => {
            let stale = stage.clock.now().days_since(edge.reinforced_at) > STALE_DAYS;
            for end in [edge.key.from, edge.key.to] {
                let count = links.entry(end.to_string()).or_default();
                count.0 += 1;
                count.1 += usize::from(stale);
            }
        }
        Record::Proposal(_) | Record::Scope(_) => {}
    })?;
    let mut rows = Vec::new();
    for memory in memories {
        let id = memory.id.to_string();
        let forecast = stage.service.forecast(None, &id)?;
        let (links, stale) = links.get(&id).copied().unwrap_or_default();
        let activation = stage.service.activation(None, &id)?;
        let state = if memory.state == State::Active { "current" } else { memory.state.as_str() };
        rows.push(Row { id, links, stale, activation, retention: forecast.retention, tier: forecast.tier, state });
    }
    rows.sort_by(|a, b| b.activation.total_cmp(&a.activation).then_with(|| a.id.cmp(&b.id)));
    Ok(rows)
}

fn table(stage: &Stage, rows: &[Row]) -> String {
    let mut table = stage.screen.table(&["rank", "memory", "links", "stale", "activation", "tier", "state"]);
    table.set_constraints([ColumnConstraint::ContentWidth; 7]);
    let number = |text: String| Cell::new(text).set_alignment(CellAlignment::Right);
    for (place, row) in rows.iter().enumerate() {
        table.add_row([
            number((place + 1).to_string()),
            Cell::new(&row.id),
            number(row.links.to_string()),
            number(row.stale.to_string()),
            number(format!("{:.4}", row.activation)),
            tier_cell(row.tier),
            Cell::new(row.state),
        ]);
    }
    table.trim_fmt().lines().map(|line| format!("   {line}")).collect::<Vec<_>>().join("\n")
}
