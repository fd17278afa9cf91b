//! Which prompts bring a memory: in a store of one memory as in one of thirty.

use super::{
    hooks::{context, prompt},
    support::Home,
};

/// What is stored; the first ones alone too.
const STORED: [&str; 30] = [
    "We deploy on Wednesdays",
    "The neo era began in 2021",
    "The staging database is wiped on Sundays",
    "Use tabs for indentation in the Go services",
    "Ana prefers short pull requests with one topic each",
    "The API rate limit is 300 requests a minute",
    "PostgreSQL 17 holds the billing data",
    "The logo is a blue heron on white",
    "Customer invoices are sent on the first of the month",
    "Marta leads operations at Northwind",
    "Our designer is Yuki Tanaka",
    "The CI runner has 16 GB of memory",
    "Retries are capped at five with exponential backoff",
    "The office moves to Rotterdam in March",
    "Never force-push to the release branch",
    "Feature flags live in config/flags.toml",
    "Jun reviews every change of the data models",
    "The login page must work without JavaScript",
    "Backups are kept for 35 days in Frankfurt",
    "Error E4012 means that the token has expired",
    "The mobile app supports Android 10 and newer",
    "Lunch with the Berlin team is on Thursdays",
    "We chose Kafka over RabbitMQ for the event log",
    "The dashboard is written in Svelte",
    "Tests that need the network are marked slow",
    "Priya plays the cello every morning",
    "The pricing page shows euros to visitors from Europe",
    "Secrets are kept in Vault, not in the repository",
    "The support inbox is answered within four hours",
    "Mondays are free of meetings",
];

/// Prompts, and the beginning of what each must bring.
const MATCHING: [(&str, &str); 12] = [
    ("we deploy on wednesdays right?", "We deploy"),
    ("Which day do we deploy on?", "We deploy"),
    ("when did the neo era begin?", "The neo era"),
    ("what's the API rate limit again?", "The API rate limit"),
    ("who is our designer?", "Our designer"),
    ("where are the backups kept?", "Backups are kept"),
    ("should I use tabs or spaces in the Go service?", "Use tabs"),
    ("remind me what error E4012 means", "Error E4012"),
    ("can I force-push to the release branch?", "Never force-push"),
    ("which database holds the billing data?", "PostgreSQL 17"),
    ("is the dashboard written in React or Svelte?", "The dashboard"),
    ("what happens to the staging database on sundays?", "The staging database"),
];

/// Prompts that must bring nothing.
const UNRELATED: [&str; 12] = [
    "write a haiku about autumn leaves",
    "fix the off-by-one in the pagination loop",
    "thanks, that looks good",
    "what is the capital of Peru?",
    "rename this variable to something clearer",
    "please run the linter and show me the output",
    "explain how quicksort works",
    "how do I center a div?",
    "continue",
    "add a docstring to the parse function",
    "what's the weather like today?",
    "fix the era parser",
];

#[test]
fn a_prompt_brings_what_plainly_matches_and_nothing_else_however_few_memories_there_are() {
    for stored in [1, 2, 3, 8, STORED.len()] {
        let home = Home::new();
        for memory in &STORED[..stored] {
            home.remember(memory, &[]);
        }
        for (asked, begin) in MATCHING {
            let shown = context(&home, &["prompt"], &prompt(asked, asked));
            let there = STORED[..stored].iter().any(|memory| memory.starts_with(begin));
            assert_eq!(shown.contains(begin), there, "of {stored}, {asked:?}: {shown:?}");
            assert!(there || shown.is_empty(), "of {stored}, {asked:?}: {shown:?}");
        }
        for asked in UNRELATED {
            assert_eq!(context(&home, &["prompt"], &prompt(asked, asked)), "", "of {stored}, {asked:?}");
        }
    }
}
