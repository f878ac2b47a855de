//! The program `bigtpuprofile`.
#![forbid(unsafe_code)]

use std::process::ExitCode;

fn main() -> ExitCode {
    ExitCode::from(bigtpuprofile::run(std::env::args_os().collect()))
}
