//! How the work of each reader grows with its input, counted in instructions by valgrind: twice the input may take about
//! twice the work, not four times.
//!
//! Each case is run with inputs of three sizes, n, 2n and 4n. What starting takes is in all three; the growth is the ratio of
//! the differences, 2 for linear work and 4 for quadratic work.

mod dumps;
mod files;

use std::path::{Path, PathBuf};
use std::process::Command;
use std::{fs, io};

/// Differences may have this ratio: 2 is linear, and sorting adds a little.
const MOST: f64 = 2.6;
/// Less work than this, in instructions an item, is not measured well enough.
const LEAST: u64 = 20;

/// Inputs of one kind in any size.
struct Case {
    name: &'static str,
    /// The smallest size.
    items: usize,
    /// Writes an input of so many items into a directory; returns the program's arguments.
    make: fn(&Inputs<'_>, usize) -> io::Result<Vec<String>>,
}

/// Where inputs are written, and with which program dumps are made.
struct Inputs<'p> {
    program: &'p Path,
    dir: PathBuf,
}

impl Inputs<'_> {
    fn path(&self, name: &str) -> String {
        self.dir.join(name).display().to_string()
    }

    /// Writes a file; returns its path.
    fn file(&self, name: &str, bytes: impl AsRef<[u8]>) -> io::Result<String> {
        let path = self.dir.join(name);
        if let Some(parent) = path.parent() {
            fs::create_dir_all(parent)?;
        }
        fs::write(path, bytes)?;
        Ok(self.path(name))
    }

    /// Runs the program to make an input.
    fn run(&self, args: &[&str]) -> io::Result<()> {
        let output = Command::new(self.program).args(args).output()?;
        if output.status.success() {
            return Ok(());
        }
        Err(io::Error::other(String::from_utf8_lossy(&output.stderr).into_owned()))
    }

    /// A synthetic dump.
    fn synth(&self, name: &str, options: &[&str]) -> io::Result<String> {
        let path = self.path(name);
        self.run(&[&["synth", &path, "-q"], options].concat())?;
        Ok(path)
    }

    /// The arguments of a run over a dump.
    fn analyze(&self, dump: String) -> Vec<String> {
        let fixed = ["--emit", "report", "-j1"].map(str::to_owned);
        [dump, self.path("out")].into_iter().chain(fixed).collect()
    }
}

/// Counts all cases and prints their growth; fails where one grows faster than its input. With a word, only the cases
/// whose names hold it.
pub(crate) fn check(word: &str) -> Result<(), String> {
    if Command::new("valgrind").arg("--version").output().is_err() {
        return crate::budget::without_valgrind();
    }
    let program = crate::budget::program()?;
    let work = std::env::temp_dir().join(format!("bigtpuprofile-growth-{}", std::process::id()));
    let cases = dumps::CASES.iter().chain(&files::CASES);
    let cases: Vec<&Case> = cases.filter(|case| case.name.contains(word)).collect();
    println!("{:44} {:>8} {:>12} {:>7}", "input", "items", "instr./item", "growth");
    let found =
        cases.iter().map(|case| count(case, &program, &work)).collect::<Result<Vec<_>, _>>();
    let _ = fs::remove_dir_all(&work);
    let over: Vec<&str> = found?
        .iter()
        .zip(&cases)
        .filter(|(is_over, _)| **is_over)
        .map(|(_, case)| case.name)
        .collect();
    if over.is_empty() {
        return Ok(());
    }
    Err(format!("the work grows faster than the input: {}", over.join(", ")))
}

/// Whether a case grows faster than its input.
fn count(case: &Case, program: &Path, work: &Path) -> Result<bool, String> {
    let of = |error: &dyn std::fmt::Display| format!("{}: {error}", case.name);
    let mut counts = [0u64; 3];
    for (count, factor) in counts.iter_mut().zip([1, 2, 4]) {
        let inputs = Inputs { program, dir: work.join(format!("{factor}")) };
        let _ = fs::remove_dir_all(&inputs.dir);
        fs::create_dir_all(&inputs.dir).map_err(|error| of(&error))?;
        let args = (case.make)(&inputs, case.items * factor).map_err(|error| of(&error))?;
        *count = instructions(program, &args, &inputs.dir).map_err(|error| of(&error))?;
    }
    let [one, two, four] = counts;
    let (first, second) = (two.saturating_sub(one), four.saturating_sub(two));
    let each = second / (2 * case.items as u64);
    let growth = second as f64 / first.max(1) as f64;
    // Input that is not looked at does not grow the work.
    let is_over = each >= LEAST && growth > MOST;
    println!(
        "{:44} {:>8} {each:>12} {growth:>7.2}  {}",
        case.name,
        case.items,
        if is_over { "FAILED" } else { "ok" }
    );
    Ok(is_over)
}

/// Instructions of a run, whatever it says of its input; a crash is an error.
fn instructions(program: &Path, args: &[String], dir: &Path) -> Result<u64, String> {
    let output = Command::new("valgrind")
        .args(["--tool=callgrind", "--callgrind-out-file=/dev/null"])
        .arg(program)
        .args(args)
        .current_dir(dir)
        .output()
        .map_err(|error| format!("valgrind: {error}"))?;
    let said = String::from_utf8_lossy(&output.stderr);
    if !matches!(output.status.code(), Some(0..=4)) {
        return Err(format!("{}: {said}", args.join(" ")));
    }
    let total = said.lines().find_map(|line| {
        let count = line.split_once("Collected :").map(|(_, count)| count)?;
        count.trim().parse().ok()
    });
    total.ok_or_else(|| format!("valgrind said no number: {said}"))
}
