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
