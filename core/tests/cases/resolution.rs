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
fn e4_what_has_one_value_or_one_holder_at_a_time_is_replaced() {
    let pairs = [
        ("The user's name is Tom", "The user's name is Tim"),
        ("User's name is Tom", "User's name is Tim"),
        ("My name is Tom", "My name is Tim"),
        ("Alice owns the billing service", "Bob owns the billing service"),
        ("Alice leads the payments team", "Bob leads the payments team"),
        ("Alice is on call this week", "Bob is on call this week"),
        ("Alice is the owner of the billing service", "Bob is the owner of the billing service"),
        ("The owner of the billing service is Alice", "The owner of the billing service is Bob"),
        ("The billing service is owned by Alice", "The billing service is owned by Bob"),
        ("The billing service is owned by Alice", "Bob owns the billing service"),
        ("Maria Berg leads payments", "Jonas Vogt leads payments"),
        ("The capital of Freedonia is Sylvania", "The capital of Freedonia is Gloria"),
        ("Always squash commits", "Never squash commits"),
        ("Never rebase main", "Always rebase main"),
        ("The port is 8080", "The port is 9090"),
        ("The version is 1.2", "The version is 1.3"),
        ("The deadline is Monday", "The deadline is Friday"),
        ("My favourite colour is blue", "My favourite colour is green"),
        ("My favorite color is blue", "My favorite color is green"),
        ("The Atlas lead is Alice", "The Atlas lead is Bob"),
        ("The address of the office is Elm Street 4", "The address of the office is Oak Street 9"),
        ("The user's email address is tom@example.com", "The user's email address is tim@example.com"),
        ("The user's phone number is 555-0134", "The user's phone number is 555-0199"),
        ("The user's birthday is March 3", "The user's birthday is March 9"),
        ("The primary database is Postgres", "The primary database is MySQL"),
        ("The user's job title is engineer", "The user's job title is architect"),
        ("The user's wife is called Anna", "The user's wife is called Hanna"),
        ("Our mascot is an otter", "Our mascot is a falcon"),
        ("The project is licensed under MIT", "The project is licensed under Apache"),
        ("The default shell is bash", "The default shell is zsh"),
        ("The CEO of Northwind is Laura", "The CEO of Northwind is Peter"),
        ("Laura is the CEO of Northwind", "Peter is the CEO of Northwind"),
        ("Always run the linter", "Never run the linter"),
        ("Always use tabs", "Never use tabs"),
        ("Deploys always need approval", "Deploys never need approval"),
        ("The user's favourite dish is ramen", "The user's favourite dish is pho"),
        ("The user's favorite author is Le Guin", "The user's favorite author is Borges"),
        ("The default queue is orders", "The default queue is payments"),
        ("The build number is 412", "The build number is 413"),
        ("The hostname of the proxy is edge-one", "The hostname of the proxy is edge-two"),
        ("The on-call engineer is Alice", "The on-call engineer is Bob"),
        ("Alice manages the billing team", "Bob manages the billing team"),
        ("Alice chairs the review board", "Bob chairs the review board"),
        ("Nobody owns the billing service", "Alice owns the billing service"),
        ("The user's timezone is CET", "The user's timezone is PST"),
        ("The user's role is designer", "The user's role is architect"),
        ("Alice is in charge of hiring", "Bob is in charge of hiring"),
        ("Igor reports to Marta", "Igor reports to Pavel"),
        ("Igor is the secretary of the chess club", "Pavel is the secretary of the chess club"),
        ("Marta is the author of the migration guide", "Pavel is the author of the migration guide"),
        ("The user's dentist is Dr Haddad", "The user's dentist is Dr Moreau"),
        ("The user's boss is Marta", "The user's boss is Pavel"),
        ("The user is single", "The user is married"),
        ("Marta is married to Igor", "Marta is divorced from Igor"),
        ("Rome is the user's favourite city", "Lyon is the user's favourite city"),
        ("The user smokes on the terrace", "The user used to smoke on the terrace"),
        ("Bash is the default shell", "Zsh is the default shell"),
    ];
    come_to(&[Resolution::Replaced], &pairs);
}

#[test]
fn e5_what_may_hold_of_several_is_kept_beside() {
    let pairs = [
        ("My favourite colour is blue", "Our favourite colour is green"),
        ("Alice likes tea", "Bob likes tea"),
        ("Alice works on billing", "Bob works on billing"),
        ("Alice reviewed the PR", "Bob reviewed the PR"),
        ("Alice owns a dog", "Bob owns a dog"),
        ("Alice owns Atlas", "Alice owns Borealis"),
        ("Alice owns the billing service", "Bob also owns the billing service"),
        ("Alice owns the billing service", "Alice owns the search service"),
        ("Alice lives in Berlin", "Bob lives in Berlin"),
        ("The Atlas lead is Alice", "The Borealis lead is Alice"),
        ("Alice is a manager", "Bob is a manager"),
        ("Alice is the lead of payments", "Alice is the lead of search"),
        ("Alice is on call this week", "Alice is on call next week"),
        ("The address of the office is Elm Street 4", "The address of the warehouse is Oak Street 9"),
        ("Alice has a cat", "Bob has a cat"),
        ("Alice knows Rust", "Bob knows Rust"),
        ("Alice attended the standup", "Bob attended the standup"),
        ("Alice is an engineer", "Bob is an engineer"),
        ("Alice lives with Carol", "Bob lives with Carol"),
        ("Alice uses vim", "Bob uses vim"),
        ("Alice speaks German", "Bob speaks German"),
        ("Alice joined in May", "Bob joined in May"),
        ("Alice manages engineers", "Bob manages engineers"),
        ("Alice fixed the login bug", "Bob fixed the login bug"),
        ("The deadline is tight", "The deadline is Monday"),
        ("The port is open", "The port is 8080"),
        ("The port is 8080 in production", "The port is 9090 in staging"),
        ("The port of the proxy is 8080", "The port of the database is 9090"),
        ("The owner is away", "The owner is busy"),
        ("The address validation is slow", "The address validation is flaky"),
        ("One of the owners is Alice", "One of the owners is Bob"),
        ("Alice is one of the leads", "Bob is one of the leads"),
        ("Alice leads the payments team", "Bob joined the payments team"),
        ("Alice led the payments team in 2019", "Bob led the payments team in 2021"),
        ("Alice was the lead of payments", "Bob is the lead of payments"),
        ("The mascot is cute", "The mascot is old"),
        ("The name of the cat is Miso", "The name of the dog is Rex"),
        ("My phone is a Pixel", "My laptop is a ThinkPad"),
        ("Alice's role is designer", "Bob's role is architect"),
        ("The password is weak", "The password is long"),
        ("Marketing owns a budget", "Sales owns a budget"),
        ("Alice owns cats", "Bob owns cats"),
        ("Windows is supported", "Linux is supported"),
        ("Alice is in charge", "Bob is in Berlin"),
        ("Alice manages the Atlas rollout", "Bob manages the Borealis rollout"),
        ("Our team leads the migration", "Alice likes the migration"),
        ("Alice leads a workshop", "Bob leads a workshop"),
        ("Paris is a capital", "Rome is a capital"),
        ("The version in staging is 1.2", "The version in production is 1.3"),
        ("Version 1.2 is out", "Version 1.3 is out"),
        ("The user's first address is Elm Street 4", "The user's second address is Oak Street 9"),
        ("The gateway offers a SOAP endpoint", "The gateway offers a REST endpoint"),
        ("The user admires Ada", "The user admires Grace"),
        ("Igor helped Marta", "Igor helped Pavel"),
        ("Igor mentors Marta", "Igor mentors Pavel"),
        ("Marta is the best climber", "Pavel is also the best climber"),
        ("Igor is the only one awake", "Pavel is at home"),
        ("The user's friend is Marta", "The user's friend is Pavel"),
        ("The user's colleague is Marta", "The user's colleague is Pavel"),
        ("Tom is the user's brother", "Max is the user's brother"),
        ("The default is slow", "The default is ugly"),
        ("Tom is the user's former manager's friend", "Max is the user's friend"),
        ("The user lives in Munich", "The user used to live in Berlin"),
        ("The user likes the office in Ghent", "The user is quite fond of the office in Ghent"),
        ("Elena manages to swim daily", "Yusuf manages to swim daily"),
        ("Elena leads by example", "Yusuf leads by example"),
        ("The name is on the door", "The name is in the registry"),
        ("The name is long", "The name is odd"),
        ("The owner is Elena's cousin", "The owner is Yusuf's friend"),
        ("The owner manages to sail", "The owner manages to row"),
    ];
    come_to(&[Resolution::Created], &pairs);
}

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
        ("Ann Clark leads the search team", "Ann Clarke leads the search team"),
        ("The test suite runs on the runner at night", "The test suit runs on the runner at night"),
        ("The evening shift starts at six", "The even shift starts at six"),
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
        ("The user likes the quiet office in Ghent", "The user quite likes the quiet office in Ghent"),
    ];
    come_to(&TOGETHER, &pairs);
}

#[test]
fn e1_what_will_be_and_what_is_no_more_are_no_restatement() {
    let pairs = [
        ("The team used to deploy from the release branch", "The team deploys from the release branch"),
        ("The user used to drink coffee at breakfast", "The user drinks coffee at breakfast"),
        ("The user will move the blog to Hugo", "The user moved the blog to Hugo"),
        ("The vendor will publish the audit in autumn", "The vendor published the audit in autumn"),
        ("The contract will be signed in Ghent", "The contract was signed in Ghent"),
        ("The user is going to sell the motorbike to Igor", "The user sold the motorbike to Igor"),
    ];
    come_to(&APART, &pairs);
}

#[test]
fn e3_what_will_be_as_it_is_is_a_restatement() {
    let pairs = [
        ("The meeting will be held in room Orion on Tuesday", "The meeting is held in room Orion on Tuesday"),
        ("Backups will be kept in Frankfurt for a year", "Backups are kept in Frankfurt for a year"),
    ];
    come_to(&TOGETHER, &pairs);
}

#[test]
fn values_stay_by_their_words() {
    let pairs = [
        ("PIN codes: door 1234, safe 5678", "PIN codes: door 5678, safe 1234"),
        ("Set A to 1 and B to 0", "Set A to 0 and B to 1"),
        ("Final score: Lions 3, Tigers 2", "Final score: Lions 2, Tigers 3"),
        ("Back up with rsync -a src/ dst/", "Back up with rsync -a dst/ src/"),
        ("The room is 10 x 20 metres", "The room is 20 x 10 metres"),
        ("The cabin is at 52.5, 13.4", "The cabin is at 13.4, 52.5"),
        ("Call foo(a, b)", "Call foo(b, a)"),
    ];
    come_to(&APART, &pairs);
    let same = [
        ("PIN codes: door 1234, safe 5678", "PIN codes: safe 5678, door 1234"),
        ("In 2024 we had 3 outages", "We had 3 outages in 2024"),
        ("Lunch is at 12:30 on 5 May", "On May 5, lunch is at 12:30"),
    ];
    come_to(&TOGETHER, &same);
}

#[test]
fn signs_symbols_and_case_of_codes_are_compared_to_the_letter() {
    let pairs = [
        ("The freezer is set to 5 degrees", "The freezer is set to \u{2013}5 degrees"),
        ("Net result for March: 500 euros", "Net result for March: (500) euros"),
        ("The random value is in [0,1)", "The random value is in (0,1]"),
        ("The user felt :) about the demo", "The user felt :( about the demo"),
        ("Rating of the hotel: ★★★", "Rating of the hotel: ★★★★★"),
        ("The wifi name is hunter2", "The wifi name is Hunter2"),
        ("The settings are in app.conf", "The settings are in App.conf"),
        ("Call fooBar before the render", "Call foobar before the render"),
        ("Use `sed -i` for the rename", "Use `sed -I` for the rename"),
        ("The commit to revert is abcdefab", "The commit to revert is abcdefac"),
        ("Its MAC address is aa:bb:cc:dd:ee:ff", "Its MAC address is aa:bb:cc:dd:ee:fe"),
    ];
    come_to(&APART, &pairs);
    let same = [
        ("The freezer is set to -5 degrees", "The freezer is set to \u{2212}5 degrees"),
        ("The meeting is on monday at 10 am", "The meeting is on Monday at 10 AM"),
    ];
    come_to(&TOGETHER, &same);
}

#[test]
fn what_was_will_be_or_might_be_is_not_what_is() {
    let pairs = [
        ("The server is in Frankfurt", "The server was in Frankfurt"),
        ("The server is in Frankfurt", "The server will be in Frankfurt"),
        ("The lift was broken", "The lift is broken"),
        ("The job retries three times", "The job should retry three times"),
        ("The talk was anything but boring", "The talk was boring"),
        ("The tool cant read PDF files", "The tool can read PDF files"),
        ("The shop is open from nine", "The shop is open until nine"),
        ("The bins are emptied every week", "The bins are emptied every other week"),
        ("The blue paint is in stock", "The blue paint is out of stock"),
        ("Anne chairs the housing board", "Ann chairs the housing board"),
        ("Das Licht im Keller ist an", "Das Licht im Keller ist aus"),
    ];
    come_to(&APART, &pairs);
}

#[test]
fn what_holds_beside_it_ends_nothing() {
    let pairs = [
        ("The price of item 1 is 5 dollars", "The price of item 5 is 9 dollars"),
        ("The shop opens at nine", "The shop closes at nine"),
        ("The train departs 9:15 from platform 3", "The train arrives at 9:15 at platform 3"),
        ("I have a dog", "I have a cat"),
        ("I work on project Apollo", "I work on project Zeus"),
        ("Log in with ann", "Log out with bob"),
        ("The gate to the yard locks at ten", "The gate to the yard unlocks at six"),
        // The change that is told has led to what is known.
        ("I live in Berlin", "I moved back to Berlin"),
        ("Kim lives in Berlin", "Kim moved to Berlin in 2019"),
        ("We use Postgres", "We switched to Postgres in 2020"),
    ];
    come_to(&[Resolution::Created], &pairs);
}

#[test]
fn corrections_are_seen() {
    let pairs = [
        ("The deadline is 15 October", "No, the deadline is 17 October"),
        ("The deadline is 15 October", "Correction: the deadline is 17 October"),
        ("The deadline is 15 October", "Sorry, I meant the deadline is 17 October"),
        ("The deadline is 15 October", "Actually, the deadline is 17 October"),
        ("Release date is 2027-01-05", "Release date is 2027-01-06"),
        ("My doctor is Dr. Smith", "My doctor is Dr. Brown"),
        ("The retry limit is 5", "The retry limit changed from 5 to 7"),
        ("Dark mode is on", "Dark mode is off"),
        ("The shop is open on Sundays", "The shop is closed on Sundays"),
        ("Kim lives in Berlin", "Kim moved to Hamburg"),
        ("We use Postgres", "We switched from Postgres to MySQL"),
    ];
    come_to(&[Resolution::Replaced], &pairs);
    come_to(&TOGETHER, &[("The deadline is 15 October", "Actually, the deadline is 15 October")]);
}
