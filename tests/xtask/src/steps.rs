//! Steps, one after the other: each is named, timed and counted.

use std::{
    io::{BufRead, BufReader, Write},
    process::{Command, Stdio},
    time::{Duration, Instant},
};

/// What became of a step.
enum Outcome {
    Passed,
    Failed,
    LeftOut(String),
}

/// The steps so far.
pub(crate) struct Steps {
    /// Whether what can't be run here counts as failed.
    strict: bool,
    /// Whether a step that passed counts itself, as one that is no test does.
    checks: bool,
    done: Vec<(String, Outcome, Duration)>,
    passed: u64,
    failed: u64,
}

impl Steps {
    /// Runs of tests, whose results are added up.
    pub(crate) fn of_tests(strict: bool) -> Self {
        Self { strict, checks: false, done: Vec::new(), passed: 0, failed: 0 }
    }

    /// Checks that are counted themselves; none may be left out.
    pub(crate) fn of_checks() -> Self {
        Self { strict: true, checks: true, done: Vec::new(), passed: 0, failed: 0 }
    }

    /// Runs a step, shows what it says, and adds up the results of the tests in it.
    pub(crate) fn run(&mut self, name: &str, mut command: Command) {
        println!("\n== {name}");
        let started = Instant::now();
        let before = self.failed;
        let sound = match command.stdout(Stdio::piped()).spawn() {
            Ok(mut child) => {
                if let Some(output) = child.stdout.take() {
                    self.show(BufReader::new(output));
                }
                child.wait().is_ok_and(|status| status.success())
            }
            Err(error) => {
                println!("{}: {error}", command.get_program().display());
                false
            }
        };
        // It may fail outside of any test: where it does not compile, or is no test.
        self.failed += u64::from(!sound && self.failed == before);
        self.passed += u64::from(sound && self.checks);
        let outcome = if self.failed == before { Outcome::Passed } else { Outcome::Failed };
        self.done.push((name.to_owned(), outcome, started.elapsed()));
    }

    /// Notes a check that needed no program.
    pub(crate) fn check(&mut self, name: &str, sound: bool, says: &str) {
        println!("\n== {name}\n{says}");
        let outcome = if sound { Outcome::Passed } else { Outcome::Failed };
        self.passed += u64::from(sound);
        self.failed += u64::from(!sound);
        self.done.push((name.to_owned(), outcome, Duration::ZERO));
    }

    /// How many tests and steps have failed so far.
    pub(crate) fn failures(&self) -> u64 {
        self.failed
    }

    /// Says that a step can't be run here, why, and how to change that.
    pub(crate) fn lacks(&mut self, name: &str, why: &str, remedy: &str) {
        if self.strict {
            println!("\n== {name}\nfailed: {why}; get it with: {remedy}");
            self.failed += 1;
            self.done.push((name.to_owned(), Outcome::Failed, Duration::ZERO));
        } else {
            self.leaves_out(name, why, remedy);
        }
    }

    /// Says that a step needs something that is not part of the project, and so is never required.
    pub(crate) fn leaves_out(&mut self, name: &str, why: &str, remedy: &str) {
        println!("\n== {name}\nleft out: {why}; get it with: {remedy}");
        self.done.push((name.to_owned(), Outcome::LeftOut(format!("{why}; get it with: {remedy}")), Duration::ZERO));
    }

    /// Shows each step with its time, then the sums; whether nothing failed.
    pub(crate) fn finish(self) -> bool {
        println!();
        for (name, outcome, took) in &self.done {
            let seconds = took.as_secs_f64();
            match outcome {
                Outcome::Passed => println!("passed    {seconds:>7.1} s  {name}"),
                Outcome::Failed => println!("failed    {seconds:>7.1} s  {name}"),
                Outcome::LeftOut(why) => println!("left out            {name}: {why}"),
            }
        }
        println!("\n{} passed, {} failed", self.passed, self.failed);
        self.failed == 0
    }

    fn show(&mut self, output: impl BufRead) {
        let mut out = std::io::stdout().lock();
        for line in output.split(b'\n').map_while(Result::ok) {
            let line = String::from_utf8_lossy(&line);
            // A reader that has gone away is no reason to stop testing.
            let _ = writeln!(out, "{line}");
            if let Some((passed, failed)) = results(&line) {
                self.passed += passed;
                self.failed += failed;
            }
        }
    }
}

/// The counts in a line such as `test result: ok. 12 passed; 0 failed; 1 ignored; ...`, or in one of the two at the end of
/// Node's: `# pass 12`.
fn results(line: &str) -> Option<(u64, u64)> {
    if let Some(passed) = line.strip_prefix("# pass ") {
        return Some((passed.parse().ok()?, 0));
    }
    if let Some(failed) = line.strip_prefix("# fail ") {
        return Some((0, failed.parse().ok()?));
    }
    let (_, counts) = line.strip_prefix("test result: ")?.split_once(". ")?;
    let count = |what: &str| {
        let part = counts.split("; ").find_map(|part| part.strip_suffix(what))?;
        part.trim().parse().ok()
    };
    Some((count("passed")?, count("failed")?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_are_read() {
        let line = "test result: ok. 12 passed; 0 failed; 1 ignored; 0 measured; 0 filtered out; finished in 0.01s";
        assert_eq!(results(line), Some((12, 0)));
        let line = "test result: FAILED. 3 passed; 2 failed; 0 ignored; 0 measured; 0 filtered out; finished in 1.00s";
        assert_eq!(results(line), Some((3, 2)));
        assert_eq!(results("test result_is_read ... ok"), None);
        assert_eq!(results("test result: ok"), None);
        assert_eq!(results("# pass 12"), Some((12, 0)));
        assert_eq!(results("# fail 1"), Some((0, 1)));
        assert_eq!(results("# passing"), None);
    }
}
