//! The checks of this repository. The standard library alone, so that it is built in a second.

mod cargo;
mod graph;
mod kuzu;
mod lint;
mod neo4j;
mod npm;
mod steps;
mod test;

use std::process::ExitCode;

use steps::Steps;

const USAGE: &str = "\
usage: cargo xtask test [--all]   every test, doctest and example, core on wasm32, the npm package in Node and in
                                  Chromium, the floors of the measures
       cargo xtask npm            the npm package, as a tarball in the target folder's npm, within its sizes
       cargo xtask kuzu           Kùzu's C++, built once into a cache, and how to build with it
       cargo xtask neo4j          a Neo4j server for trying and testing, until Ctrl-C
       cargo xtask lint           format, clippy (native, and core on wasm32) and documentation, warnings refused

What this machine lacks is left out of `test` with a line that says so; with --all it fails.";

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    match arguments[..] {
        ["test"] => finish(test::run(false)),
        ["test", "--all"] => finish(test::run(true)),
        ["npm"] => {
            let mut steps = Steps::of_checks();
            npm::run(&mut steps);
            finish(steps)
        }
        ["kuzu"] => {
            let mut steps = Steps::of_checks();
            kuzu::run(&mut steps);
            finish(steps)
        }
        ["neo4j"] => match neo4j::run() {
            Ok(()) => ExitCode::SUCCESS,
            Err(why) => {
                eprintln!("Neo4j: {why}");
                ExitCode::FAILURE
            }
        },
        ["lint"] => finish(lint::run()),
        ["help" | "--help" | "-h"] => {
            println!("{USAGE}");
            ExitCode::SUCCESS
        }
        _ => {
            eprintln!("{USAGE}");
            ExitCode::from(2)
        }
    }
}

fn finish(steps: Steps) -> ExitCode {
    if steps.finish() { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}
