//! The verbs that only look: recall, neighbors, forecast, stats.

use comfy_table::{Cell, CellAlignment};
use ebbtrace_core::{Forecast, Hit, Neighbor, Page, Profile, RecallInput, Recalled, State, Stats, Timestamp, limits};
use serde_json::json;

use super::{
    Call, args, curve,
    failure::Failure,
    instant,
    screen::{self, Ink, Screen, complain, count, excerpt, tier_cell},
};

/// `recall`
pub(super) fn recall(call: &Call, args: args::Recall) -> Result<(), Failure> {
    let as_of = args.as_of.as_deref().map(|text| instant::parse("as_of", text, call.now)).transpose()?;
    let input = RecallInput {
        scope: call.scope.clone(),
        query: args.query.join(" "),
        k: args.k,
        depth: args.depth,
        kinds: args.kinds,
        tags: args.tags,
        min_score: args.min_score,
        as_of,
        profile: match args.profile {
            args::ProfileKind::Fused => Profile::Fused,
            args::ProfileKind::Engram => Profile::Engram,
        },
        embedding: None,
        peek: args.peek,
        asker: None,
        second_stage: None,
    };
    let recalled = call.service.recall(input)?;
    call.screen.answer(&recalled, || recalled_text(&call.screen, &recalled, args.explain))
}

/// What was found, for a person.
pub(super) fn recalled_text(screen: &Screen, recalled: &Recalled, explain: bool) -> String {
    let mut text = String::new();
    if recalled.hits.is_empty() {
        text.push_str("Nothing that is remembered answers this.\n");
    }
    for (place, hit) in recalled.hits.iter().enumerate() {
        text.push_str(&hit_text(screen, place + 1, hit, explain));
    }
    if recalled.archived > 0 {
        let also = count(recalled.archived, "archived memory also matches", "archived memories also match");
        text.push_str(&format!("{also}; --depth frozen shows all.\n"));
    }
    for notice in &recalled.notices {
        text.push_str(&screen.wrapped(&format!("note: {}", screen::clean(notice, false)), 0, 12));
        text.push('\n');
    }
    text
}

fn hit_text(screen: &Screen, place: usize, hit: &Hit, explain: bool) -> String {
    let memory = &hit.memory;
    let mut head = vec![
        format!("{place}. {}", screen.paint(Ink::Bold, memory.id.as_str())),
        format!("score {:.2}", hit.score.total),
        screen.tier(hit.tier),
        format!("{} {}", memory.category.as_str(), memory.kind.as_str()),
        instant::age(hit.age_days),
    ];
    if memory.pinned {
        head.push("pinned".to_owned());
    }
    if memory.state != State::Active {
        head.push(screen.paint(Ink::Yellow, memory.state.as_str()));
    }
    let mut text = format!("{}\n{}\n", head.join("  "), screen.wrapped(&memory.content, 3, 8));
    if explain {
        text.push_str(&explained(screen, hit));
    }
    text.push('\n');
    text
}

/// What a part of a score stands for.
fn in_words(part: &str) -> &'static str {
    match part {
        "lexical" => "words",
        "session" => "words of the session around it",
        "tokens" => "meaning, word by word",
        "vector" => "meaning as a whole",
        "author" => "said by or about the one asked for",
        "time" => "of the time asked for",
        "answer" => "has what is asked for",
        "substance" => "how much it tells",
        "graph" => "links",
        "strength" => "forgetting curve",
        "activation" => "links and reads lately",
        _ => "second stage",
    }
}

fn explained(screen: &Screen, hit: &Hit) -> String {
    let mut text = String::new();
    for (part, value) in hit.score.parts() {
        // What added nothing needs no line.
        if value < 0.000_5 && !matches!(part, "lexical" | "graph") {
            continue;
        }
        let name = format!("{} ({part})", in_words(part));
        let longest = screen.room(56).min(40) as f64;
        let bar = "█".repeat((value * longest).round().clamp(0.0, longest) as usize);
        let bar = if bar.is_empty() { bar } else { format!("  {}", screen.paint(Ink::Green, &bar)) };
        text.push_str(&format!("   {name:<43} {value:>6.3}{bar}\n"));
    }
    text.push_str(&format!("   {:<43} {:>6.3}\n", "score (total)", hit.score.total));
    let matched = if hit.matched.is_empty() { "none".to_owned() } else { hit.matched.join(", ") };
    text.push_str(&screen.wrapped(&format!("matched words: {matched}"), 3, 3));
    if !hit.path.is_empty() {
        text.push_str("\n   came by the path:");
        for id in &hit.path {
            text.push_str(&format!("\n     → {id}"));
        }
    }
    let memory = &hit.memory;
    let used = count(memory.recall_count as usize, "time", "times");
    let (last, happened) = (instant::short(memory.last_accessed_at), instant::short(memory.occurred_at));
    let said = format!("retention {:.2}, used {used}, last at {last}, happened at {happened}", hit.retention);
    text.push_str(&format!("\n{}\n", screen.wrapped(&said, 3, 3)));
    text
}

/// `neighbors`
pub(super) fn neighbors(call: &Call, args: &args::Neighbors) -> Result<(), Failure> {
    let page = call.service.neighbors(call.scope(), &args.id, args.depth, args.limit, args.cursor.as_deref())?;
    call.screen.answer(&page, || neighbors_text(&call.screen, &page))
}

fn neighbors_text(screen: &Screen, page: &Page<Neighbor>) -> String {
    if page.items.is_empty() {
        return "Nothing is linked to it.".to_owned();
    }
    let link = |near: &Neighbor| match near.outgoing {
        true => format!("—{}→", near.relation),
        false => format!("←{}—", near.relation),
    };
    let by = page.items.iter().map(|near| link(near).chars().count()).max().unwrap_or_default();
    let ids = page.items.iter().map(|near| near.memory.id.as_str());
    let listed = match screen.beside(ids, 5 + by + 6 + 6 + 5 * 3) {
        Some(room) => {
            let mut table = screen.id_table(&["steps", "by", "memory", "weight", "tier", "content"]);
            for near in &page.items {
                table.add_row([
                    Cell::new(near.distance).set_alignment(CellAlignment::Right),
                    Cell::new(link(near)),
                    Cell::new(&near.memory.id),
                    Cell::new(format!("{:.2}", near.weight)).set_alignment(CellAlignment::Right),
                    tier_cell(near.tier),
                    Cell::new(excerpt(&near.memory.content, room)),
                ]);
            }
            table.trim_fmt()
        }
        // Where there is no room for a table, each takes two lines.
        None => {
            let entry = |near: &Neighbor| {
                let steps = count(near.distance, "step", "steps");
                let said = format!("{steps}, by {}, weight {:.2}, {}", link(near), near.weight, near.tier.as_str());
                let id = screen.id_and(near.memory.id.as_str(), &said);
                format!("{id}\n    {}\n", screen.line(&near.memory.content, 4))
            };
            page.items.iter().map(entry).collect()
        }
    };
    let shown = format!("{} of {} shown.", page.items.len(), page.total);
    format!("{}\n{shown}{}", listed.trim_end(), next_page(page.cursor.as_deref()))
}

/// How to go on, where there is more.
pub(super) fn next_page(cursor: Option<&str>) -> String {
    cursor.map_or_else(String::new, |cursor| format!(" More: --cursor {cursor}"))
}

/// `forecast`
pub(super) fn forecast(call: &Call, id: &str) -> Result<(), Failure> {
    let memory = call.service.memory(call.scope(), id)?;
    let forecast = call.service.forecast(call.scope(), id)?;
    let mut answer = screen::json(&forecast);
    answer["id"] = json!(memory.id);
    for (name, days) in [("warm_at", forecast.warm), ("cold_at", forecast.cold), ("frozen_at", forecast.frozen)] {
        answer[name] = json!(days.map(|days| instant::rfc3339(call.now.plus_days(days))));
    }
    call.screen.answer(&answer, || {
        let head = call.screen.paint(Ink::Bold, memory.id.as_str());
        let content = call.screen.line(&memory.content, 2);
        let picture = curve::picture(&call.screen, &memory, call.now);
        let two = strength_and_retention(&call.screen);
        format!("{head}\n  {content}\n\n{picture}\n{}\n\n{two}", forecast_text(&call.screen, &forecast, call.now))
    })
}

/// What the two figures are that a memory is judged by, wherever they are shown.
pub(super) fn strength_and_retention(screen: &Screen) -> String {
    let said = "Strength is what the forgetting curve leaves. Retention, which sets the tier, is strength or what links \
                and reads still hold, whichever is more.";
    format!("{}\n", screen.paint(Ink::Dim, &screen.wrapped(said, 0, 4)))
}

/// When a memory reaches each tier, for a person.
pub(super) fn forecast_text(screen: &Screen, forecast: &Forecast, now: Timestamp) -> String {
    let mut table = screen.table(&["tier", "from", ""]);
    table.add_row([
        tier_cell(forecast.tier),
        Cell::new("now"),
        Cell::new(format!("retention {:.2}", forecast.retention)),
    ]);
    let steps = [
        (ebbtrace_core::Tier::Warm, forecast.warm),
        (ebbtrace_core::Tier::Cold, forecast.cold),
        (ebbtrace_core::Tier::Frozen, forecast.frozen),
    ];
    for (tier, days) in steps.into_iter().filter(|(tier, _)| *tier > forecast.tier) {
        let (from, after) = days.map_or_else(
            || ("never".to_owned(), "as long as it is pinned or linked to what is in use".to_owned()),
            |days| (instant::short(now.plus_days(days)), format!("in {}", instant::span(days))),
        );
        table.add_row([tier_cell(tier), Cell::new(from), Cell::new(after)]);
    }
    table.trim_fmt()
}

/// `stats`
pub(super) fn stats(call: &Call, args: &args::Stats) -> Result<(), Failure> {
    warn_of_unreadable(call);
    if !args.all {
        let stats = call.service.stats(call.scope())?;
        return call.screen.answer(&stats, || stats_text(&call.screen, std::slice::from_ref(&stats)));
    }
    let scopes = call.service.scopes()?;
    let all = scopes.iter().map(|scope| call.service.stats(Some(scope))).collect::<Result<Vec<_>, _>>()?;
    call.screen.answer(&json!({ "scopes": all.iter().map(screen::json).collect::<Vec<_>>() }), || {
        if all.is_empty() { "Nothing is stored yet.".to_owned() } else { stats_text(&call.screen, &all) }
    })
}

/// Says on stderr how many rows of the store are left out because they can't be read, where there are any; how many.
pub(super) fn warn_of_unreadable(call: &Call) -> usize {
    let rows = call.service.unreadable();
    if rows > 0 {
        let left = count(
            rows,
            "row of the store can't be read and is left out",
            "rows of the store can't be read and are left out",
        );
        complain(&format!("warning: {left}: `ebbtrace doctor` names them\n"));
    }
    rows
}

/// Figures of scopes, one a column.
pub(super) fn stats_text(screen: &Screen, all: &[Stats]) -> String {
    let mut text = String::new();
    for stats in all {
        let mut table = screen.plain_table();
        let mut row = |name: &str, value: String| {
            table.add_row([name.to_owned(), value]);
        };
        let named = |map: &std::collections::BTreeMap<String, usize>| {
            let parts: Vec<String> = map.iter().map(|(name, number)| format!("{name} {number}")).collect();
            if parts.is_empty() { "none".to_owned() } else { parts.join(", ") }
        };
        let tiers = ebbtrace_core::Tier::ALL
            .map(|tier| format!("{} {}", tier.as_str(), stats.tiers.get(tier.as_str()).copied().unwrap_or_default()));
        if stats.memories == 0 {
            let name = limits::excerpt(&screen::clean(stats.scope.as_str(), false));
            let head = screen.paint(Ink::Bold, &format!("scope {name}"));
            text.push_str(&format!("{head}\n Nothing is stored here yet: `ebbtrace remember \"...\"` does it.\n\n"));
            continue;
        }
        row("memories", format!("{} ({})", stats.memories, named(&stats.states)));
        row("tiers", format!("{} ({} archived)", tiers.join(", "), stats.archived));
        row("kinds", named(&stats.kinds));
        row("categories", named(&stats.categories));
        row("pinned", stats.pinned.to_string());
        row("links", stats.edges.to_string());
        let (failures, features) = (&stats.failures, &stats.features);
        if failures.total > 0 {
            let of = format!("{}; {}", named(&failures.by_component), named(&failures.by_severity));
            let of = screen::clean(&of, false);
            row("failures", format!("{} ({} unresolved): {of}", failures.total, failures.unresolved));
        }
        if features.tracked > 0 {
            let open = features.active.iter();
            let open = open.map(|(name, at)| format!("{name} ({}, {:.0}%)", at.status, at.completion));
            let open = screen::clean(&open.collect::<Vec<_>>().join(", "), false);
            let open = if open.is_empty() { String::new() } else { format!("; open: {open}") };
            row("features", format!("{} tracked{open}", features.tracked));
        }
        let trend =
            |of: ebbtrace_core::Trend| format!("{} stored, {} used, {} superseded", of.stored, of.used, of.superseded);
        row("last 7 days", trend(stats.week));
        row("last 30 days", trend(stats.month));
        row("average strength", format!("{:.2}", stats.average_strength));
        let waiting = match stats.proposals {
            0 => "nothing".to_owned(),
            some => format!("{}: `ebbtrace review`", count(some, "proposal", "proposals")),
        };
        row("waits for you", waiting);
        row("last maintained", stats.maintained_at.map_or_else(|| "never".to_owned(), instant::short));
        let name = limits::excerpt(&screen::clean(stats.scope.as_str(), false));
        text.push_str(&format!("{}\n{}\n\n", screen.paint(Ink::Bold, &format!("scope {name}")), table.trim_fmt()));
    }
    text
}
