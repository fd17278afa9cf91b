//! The `ebbtrace` command.

use std::process::ExitCode;

fn main() -> ExitCode {
    ebbtrace::cli::main(std::env::args_os())
}
