//! E: what becomes of a second text, by kinds of pairs.

use ebbtrace_core::Resolution;

use crate::support::Host;

/// That the second text of each pair comes to one of `wanted`.
fn come_to(wanted: &[Resolution], pairs: &[(&str, &str)]) {
    let found = pairs.iter().filter_map(|(old, new)| {
        let mut host = Host::new();
        host.remember(old);
        host.wait(1.0);
        let resolution = host.remember(new).resolution;
        (!wanted.contains(&resolution)).then(|| format!("{old} / {new}: {resolution:?}"))
    });
    let wrong: Vec<String> = found.collect();
    assert!(wrong.is_empty(), "{wrong:#?}");
}

const APART: [Resolution; 2] = [Resolution::Created, Resolution::Replaced];
const TOGETHER: [Resolution; 2] = [Resolution::Reinforced, Resolution::Merged];

#[test]
fn e1_words_that_look_alike_are_no_restatement() {
    let pairs = [
        ("The police is updated yearly", "The policy is updated yearly"),
        ("The university has a new library", "The universe has a new library"),
        ("The organ was tuned in May", "The organization was tuned in May"),
        ("The marketing team owns the budget", "The market team owns the budget"),
        ("The import job runs at night", "The important job runs at night"),
        ("The news page is cached", "The new page is cached"),
        ("The internal server is slow", "The intern server is slow"),
        ("The author field is required", "The authority field is required"),
        ("The general report is ready", "The generated report is ready"),
        ("The department store is closed", "The departed store is closed"),
        ("The secret drawer is locked", "The secretary drawer is locked"),
        ("The custom desk is on floor two", "The customer desk is on floor two"),
        ("The customs office is on floor two", "The customer office is on floor two"),
        ("The operator manual is outdated", "The operation manual is outdated"),
        ("The logic course starts in May", "The logistics course starts in May"),
        ("The physics lab is closed today", "The physician lab is closed today"),
        ("The station list is stored in Redis", "The state list is stored in Redis"),
        ("The mission log is empty", "The missing log is empty"),
        ("The section header is red", "The sector header is red"),
        ("The accounting page is broken", "The account page is broken"),
        ("The experiment log is kept for a year", "The experience log is kept for a year"),
        ("The planning tool is slow", "The plane tool is slow"),
        ("Peter leads the payments team in Oslo", "Peters leads the payments team in Oslo"),
        ("Dr William treats the user", "Dr Williams treats the user"),
        ("The moral of the team is high", "The morale of the team is high"),
        ("The communism exhibit opens in May", "The community exhibit opens in May"),
        ("The numbered list is sorted", "The numerous list is sorted"),
        ("The local settings are in a file", "The locale settings are in a file"),
    ];
    come_to(&APART, &pairs);
}

#[test]
fn e3_forms_of_one_word_are_a_restatement() {
    let pairs = [
        ("The policy is updated yearly", "The policies are updated yearly"),
        ("The migration ran on Monday night", "The migrations ran on Monday night"),
        ("Alice is the owner of the billing service", "Alice owns the billing service"),
        ("The user prefers tea in the morning", "The user's preference is tea in the morning"),
        ("The deployment happens on Wednesday morning", "We deploy on Wednesday morning"),
        ("The user is allergic to peanuts", "The user has an allergy to peanuts"),
        ("Logs are stored in Frankfurt", "Logs get stored in Frankfurt"),
        ("The team meets on Mondays", "The team meets on Monday"),
        ("Deploys happen on Wednesday", "Deployments happen on Wednesdays"),
        ("Backups run every night", "The backup runs every night"),
    ];
    come_to(&TOGETHER, &pairs);
}

#[test]
fn e1_one_word_that_picks_out_another_thing_is_no_restatement() {
    let pairs = [
        ("The build runs on the server", "The build runs on the old server"),
        ("Deploys happen from main", "Deploys happen manually from main"),
        ("The backup server is in Frankfurt behind the firewall", "The server is in Frankfurt behind the firewall"),
        ("The staging database is hosted on AWS", "The database is hosted on AWS"),
        ("The beta release uses the React frontend", "The release uses the React frontend"),
        ("The internal API requires a token in the header", "The API requires a token in the header"),
        ("The annual report is due in March", "The report is due in March"),
        ("The night shift starts at ten and ends at six", "The shift starts at ten and ends at six"),
        ("The user drinks green tea in the morning", "The user drinks tea in the morning"),
        ("The user's younger sister lives in Lyon", "The user's sister lives in Lyon"),
        ("The mobile app supports dark mode", "The app supports dark mode"),
        ("The customer meeting is on Monday in room 4", "The meeting is on Monday in room 4"),
        ("Alice reviews the security patches on Friday", "Alice reviews the patches on Friday"),
        ("The cache is stored in Redis on the node", "The session cache is stored in Redis on the node"),
        ("The tests run in parallel on the runner", "The integration tests run in parallel on the runner"),
        ("Alice owns the billing service in Europe", "Alice partly owns the billing service in Europe"),
        ("The user eats fish on Friday evening", "The user rarely eats fish on Friday evening"),
        ("The user works from home on Friday", "The user sometimes works from home on Friday"),
        ("The user plays tennis with Carol", "The user plays table tennis with Carol"),
        ("The error log is kept for thirty days", "The log is kept for thirty days"),
        ("The user supports the migration to Rust", "The user supports the planned migration to Rust"),
        ("The door code is stored in the vault", "The door code is stored in the second vault"),
        ("The dog sleeps on the couch", "The neighbour's dog sleeps on the couch"),
        ("The user learned French in school", "The user learned French in evening school"),
        ("The team tests releases on Android phones", "The team tests releases on rooted Android phones"),
    ];
    come_to(&APART, &pairs);
}

#[test]
fn e3_one_word_that_says_no_more_is_a_restatement() {
    let pairs = [
        ("The user really prefers tea over coffee", "The user prefers tea over coffee"),
        ("The build currently takes nine minutes on the runner", "The build takes nine minutes on the runner"),
        ("The user very much likes hiking in the Alps", "The user likes hiking in the Alps"),
        ("The deploy job also runs the linter", "The deploy job runs the linter"),
        ("The user simply wants short answers without emojis", "The user wants short answers without emojis"),
        ("Please note that the API key is in the vault", "The API key is in the vault"),
        ("The user generally prefers window seats on flights", "The user prefers window seats on flights"),
    ];
    come_to(&TOGETHER, &pairs);
}
