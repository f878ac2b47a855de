//! Maintenance commands of this repository.
//!
//! * `cargo run -p xtask -- protos` rewrites the Rust sources generated from
//!   the trimmed Perfetto schema.
//! * `cargo run -p xtask -- protos --check` fails when those are stale.

#![forbid(unsafe_code)]

mod protos;

use std::process::ExitCode;

const USAGE: &str = "\
usage: cargo run -p xtask -- <command>

commands:
  protos           regenerate the Rust sources of crates/perfetto-protos
  protos --check   fail when they are stale, write nothing
";

fn main() -> ExitCode {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let args: Vec<&str> = args.iter().map(String::as_str).collect();
    let result = match args.as_slice() {
        ["protos"] => protos::write(),
        ["protos", "--check"] => protos::check(),
        ["help" | "-h" | "--help"] => {
            print!("{USAGE}");
            return ExitCode::SUCCESS;
        }
        _ => {
            eprint!("{USAGE}");
            return ExitCode::from(2);
        }
    };
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("xtask: {error}");
            ExitCode::FAILURE
        }
    }
}
