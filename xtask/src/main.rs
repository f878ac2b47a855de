//! Maintenance commands of this repository.
//!
//! * `cargo run -p xtask -- protos` rewrites the Rust sources generated from
//!   the trimmed Perfetto schema.
//! * `cargo run -p xtask -- protos --check` fails when those are stale.
//! * `cargo run -p xtask -- chips` rewrites the chip facts that are compiled in, made of `crates/chip/data`; `--check`
//!   as above.
//! * `cargo run -p xtask -- crates` rewrites `docs/architecture.md`, made of the crates' manifests; `--check` as above.
//! * `cargo run -p xtask -- page-types` rewrites `crates/emit-web/page/src/data/generated.ts`, made of the Rust types of the
//!   page's data; `--check` as above.
//! * `cargo run -p xtask -- browser` builds the analyzer in one HTML file, `target/browser/bigtpuprofile.html`.
//! * `cargo run -p xtask -- budget` writes `benches/budget.tsv`: instructions an event that each stage takes; `--check` fails
//!   when a stage takes more than 5 % above it.
//! * `cargo run -p xtask -- growth [WORD]` fails when the work of a reader grows faster than its input.
//! * `cargo run -p xtask -- names` fails when a name or a doc breaks a rule of `names.rs`;
//!   `--check` writes nothing.
//! * `cargo run -p xtask -- circles` fails when more modules of a crate import each other in circles, and shortens the list;
//!   `--check` writes nothing.
//! * `cargo run -p xtask -- seeds DIR` writes what the fuzz targets start from, made of the fixtures.

#![forbid(unsafe_code)]

mod browser;
mod budget;
mod callgrind;
mod chips;
mod circles;
mod crates;
mod device_growth;
mod generated;
mod growth;
mod names;
mod page_types;
mod protos;
mod seeds;
mod sources;

use std::process::ExitCode;

const USAGE: &str = "\
usage: cargo run -p xtask -- <command>

commands:
  protos           regenerate the Rust sources of crates/perfetto-protos
  protos --check   fail when they are stale, write nothing
  chips            regenerate crates/chip/src/generated from crates/chip/data
  chips --check    fail when it is stale, write nothing
  crates           regenerate docs/architecture.md from the crates' manifests
  crates --check   fail when it is stale, write nothing
  page-types       regenerate the TypeScript types of the page's data
  page-types --check  fail when they are stale, write nothing
  browser          build the analyzer in one HTML file, target/browser/bigtpuprofile.html
  budget           count the instructions an event of each stage (valgrind), write benches/budget.tsv
  budget --check   fail when a stage takes more than 5 % above it, write nothing
  growth [WORD]    fail when a reader's instructions (valgrind) grow faster than its input
  names [--check]  fail when a name or a doc breaks the rules of names; writes nothing
  circles          shorten the list of modules that import each other in circles; fail when there are more
  circles --check  fail when there are more, write nothing
  seeds DIR        write the seeds of each fuzz target to DIR/TARGET
";

fn main() -> ExitCode {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let args: Vec<&str> = args.iter().map(String::as_str).collect();
    let result = match args.as_slice() {
        ["protos"] => protos::generate().and_then(generated::write),
        ["protos", "--check"] => {
            protos::generate().and_then(|files| generated::check(files, "protos"))
        }
        ["crates"] => crates::generate().and_then(generated::write),
        ["crates", "--check"] => {
            crates::generate().and_then(|files| generated::check(files, "crates"))
        }
        ["chips"] => chips::generate().and_then(generated::write),
        ["chips", "--check"] => {
            chips::generate().and_then(|files| generated::check(files, "chips"))
        }
        ["page-types"] => page_types::generate().and_then(generated::write),
        ["page-types", "--check"] => {
            page_types::generate().and_then(|files| generated::check(files, "page-types"))
        }
        ["browser"] => browser::build(),
        ["budget"] => budget::write().map_err(Into::into),
        ["budget", "--check"] => budget::check().map_err(Into::into),
        ["growth"] => growth::check("").map_err(Into::into),
        ["growth", word] => growth::check(word).map_err(Into::into),
        ["names"] | ["names", "--check"] => names::check().map_err(Into::into),
        ["circles"] => circles::shrink().map_err(Into::into),
        ["circles", "--check"] => circles::check().map_err(Into::into),
        ["seeds", dir] => seeds::write(std::path::Path::new(dir)),
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
