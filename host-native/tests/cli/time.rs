//! The clock that is handed in, and the time zones that don't matter.

use serde_json::{Value, json};

use super::support::{Home, ended};

/// A store with a year of use: what matters is used each month, the rest once.
fn lived() -> Home {
    let home = Home::new();
    home.remember(
        "Never deploy while the nightly import runs",
        &["--id", "rule", "--importance", "0.9", "--now", "2025-01-01"],
    );
    let topics = [
        "the coffee machine",
        "a flaky build",
        "door badges",
        "the summer party",
        "parking",
        "a dim lamp",
        "desk plants",
        "holiday plans",
        "the lunch menu",
        "laptops",
        "window blinds",
        "a lost umbrella",
    ];
    for (month, topic) in (1..).zip(topics) {
        let now = format!("2025-{month:02}-15");
        home.json(&["reinforce", "rule", "--now", &now]);
        let id = format!("standup:{month:02}");
        home.remember(&format!("Stand-up talk about {topic}"), &["--id", &id, "--importance", "0.2", "--now", &now]);
    }
    home
}

#[test]
fn f3_a_year_ahead_what_is_old_is_archived_and_none_is_lost() {
    // F3
    let home = lived();
    let memories = home.count("memory");
    let now = home.json(&["stats", "--now", "2026-01-01"]);
    let ahead = home.json(&["stats", "--now", "2027-01-01"]);
    assert_eq!((&now["memories"], &ahead["memories"]), (&json!(memories), &json!(memories)));
    assert_eq!((&ahead["tiers"]["hot"], &ahead["tiers"]["warm"]), (&json!(0), &json!(0)), "{ahead}");
    assert_ne!(now["tiers"]["hot"], 0, "{now}");
    // What is used stays in front; what isn't comes last, and marked.
    let hits = home.json(&["recall", "what must never run during the nightly import", "--now", "2026-01-01", "--peek"]);
    assert_eq!((&hits["hits"][0]["memory"]["id"], &hits["hits"][0]["tier"]), (&json!("rule"), &json!("hot")));
    let old = home.json(&[
        "recall",
        "stand-up talk about the coffee machine",
        "--depth",
        "frozen",
        "--now",
        "2027-01-01",
        "--peek",
    ]);
    let tier = &old["hits"][0]["tier"];
    assert_eq!(old["hits"][0]["memory"]["id"], "standup:01");
    assert!(tier == "cold" || tier == "frozen", "{old}");
    assert!(home.records().iter().all(|record| record["record"] != "memory" || record["state"] == "active"));
    assert_eq!(home.count("memory"), memories, "a forecast changes nothing");
}

#[test]
fn a_look_ahead_refreshes_nothing_and_what_writes_says_its_date() {
    let home = Home::new();
    home.remember("The badge printer is on the third floor", &["--id", "printer"]);
    let before = home.records();
    let ahead = home.json(&["recall", "where is the badge printer", "--now", "+20d"]);
    assert_eq!(ahead["hits"][0]["memory"]["id"], "printer");
    let notice = "--now is 20 days ahead of the clock, so this was only a look: nothing was refreshed";
    assert_eq!(ahead["notices"], json!([notice]));
    assert_eq!(home.records(), before);
    assert_eq!(home.json(&["recall", "where is the badge printer", "--now", "+20d", "--peek"])["notices"], json!([]));
    for arguments in [&["stats", "--now", "+20d"][..], &["maintain", "--dry-run", "--now", "+20d"], &["stats"]] {
        assert_eq!(home.run(arguments).stderr, "", "{arguments:?}");
    }
    let written = home.run(&["maintain", "--now", "2999-01-01"]);
    assert!(written.stderr.contains("maintain writes: what it changes is dated 2999-01-01T00:00:00Z."), "{written:?}");
    assert!(written.stderr.contains("--dry-run; maintain without --now sets all of it right again."), "{written:?}");
    home.json(&["maintain"]);
    assert_eq!((home.count("proposal"), home.memory("printer")["state"].clone()), (0, json!("active")));
    // A recall by the clock, or by a time that has been, is a use.
    home.json(&["recall", "where is the badge printer"]);
    assert_eq!(home.memory("printer")["recall_count"], 1);
}

#[test]
fn a_forecast_is_just_a_run() {
    let home = Home::new();
    home.remember("The badge printer is on the third floor", &["--id", "printer", "--now", "2026-01-01"]);
    let forecast = home.json(&["forecast", "printer", "--now", "2026-01-01"]);
    assert_eq!((&forecast["id"], &forecast["tier"]), (&json!("printer"), &json!("hot")));
    for (name, tier) in [("warm", "warm"), ("cold", "cold"), ("frozen", "frozen")] {
        let days = forecast[name].as_f64().unwrap_or_else(|| panic!("{name}: {forecast}"));
        let stats = |shift: f64| {
            let ms = 1_767_225_600_000 + ((days + shift) * 86_400_000.0) as i64;
            let seconds = jiff::Timestamp::from_millisecond(ms).expect("a time").to_string();
            home.json(&["stats", "--now", &seconds])["tiers"][tier].clone()
        };
        assert_eq!((stats(-0.01), stats(0.01)), (json!(0), json!(1)), "{name} after {days} days");
        let at = forecast[format!("{name}_at")].as_str().expect("a time");
        assert!(at.starts_with("2026-") && at.ends_with('Z'), "{at}");
    }
    let text = home.text(&["forecast", "printer", "--now", "2026-01-11"]);
    assert!(text.contains("10 days after its last use") && text.contains("warm") && text.contains('▲'), "{text}");
    // The axis: from the last use to 30 days later, its middle between.
    let dates = text.lines().find(|line| line.contains("2026-01-01")).expect("dates under the chart");
    assert_eq!(dates.split_whitespace().collect::<Vec<_>>(), ["2026-01-01", "2026-01-16", "2026-01-31"]);
    assert!(text.contains("Strength is what the forgetting curve leaves. Retention, which sets the tier,"), "{text}");
    home.json(&["pin", "printer", "--now", "2026-01-01"]);
    assert_eq!(home.json(&["forecast", "printer", "--now", "2026-01-01"])["warm"], Value::Null);
}

#[test]
fn f2_time_zones_change_nothing() {
    // F2
    let runs: Vec<(Vec<Value>, Value)> = ["UTC", "Asia/Kolkata", "Pacific/Kiritimati", "America/New_York"]
        .map(|zone| {
            let home = Home::new();
            let json = |arguments: &[&str]| {
                let mut command = home.command(arguments);
                command.arg("--json").env("TZ", zone);
                let ran = ended(command);
                assert_eq!(ran.code, Some(0), "{zone}: {ran:?}");
                ran.object()
            };
            // A day on which clocks change in New York.
            json(&[
                "remember",
                "Doors open at nine",
                "--id",
                "a",
                "--now",
                "2026-03-08",
                "--occurred-at",
                "2026-03-07",
            ]);
            json(&["remember", "Lunch is at noon", "--id", "b", "--now", "2026-03-08T23:30:00-05:00", "--link", "a"]);
            json(&["maintain", "--now", "2026-11-01"]);
            let recalled =
                json(&["recall", "when do doors open", "--now", "2026-11-01T06:30:00Z", "--depth", "frozen"]);
            let records = home.records();
            (records, recalled)
        })
        .into();
    for run in &runs {
        assert_eq!(run, &runs[0]);
    }
    // 2026-03-08T00:00:00Z
    let created = runs[0].0.iter().find(|record| record["id"] == "a").map(|record| &record["created_at"]);
    assert_eq!(created, Some(&json!(1_772_928_000_000_i64)));
    assert_eq!(runs[0].1["hits"][0]["memory"]["occurred_at"], "2026-03-07T00:00:00Z");
}

#[test]
fn f1_clocks_may_run_backwards() {
    // F1
    let home = Home::new();
    home.remember("Written in the future", &["--id", "a", "--now", "2056-01-01"]);
    for now in ["2026-01-01", "2056-01-01", "2086-01-01", "0001-01-01", "9999-12-31T23:59:59.999Z"] {
        let forecast = home.json(&["forecast", "a", "--now", now]);
        let retention = forecast["retention"].as_f64().expect("a number");
        assert!((0.0..=1.0).contains(&retention), "{now}: {forecast}");
        assert_eq!(home.json(&["stats", "--now", now])["memories"], 1);
    }
    assert_eq!(home.memory("a")["created_at"], 2_713_910_400_000_i64);
}
