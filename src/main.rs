//! The program `bigtpuprofile`.
#![forbid(unsafe_code)]

use std::process::ExitCode;

fn main() -> ExitCode {
    let run = || bigtpuprofile::run(std::env::args_os().collect());
    ExitCode::from(bigtpuprofile::guard().unwrap_or_else(run))
}
