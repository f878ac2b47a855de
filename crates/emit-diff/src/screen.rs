//! A comparison on one screen: the verdict, its largest causes, then the most important tables.

use bigtpu_answers::{Change, Comparison, Diff, Noise, Row, Subject, UnitDiff};
use bigtpu_measure::percent;
use bigtpu_output::{Table, Untrusted};

use crate::cells::{absolute, noise, number, relative, side};

/// Causes that are named.
const CAUSES: usize = 5;
/// Rows of each table.
const ROWS: usize = 5;
/// Longer names are cut in their middle, so that tables are at most 80 columns wide.
const NAME: usize = 36;

/// What a screen shows.
#[derive(Debug)]
pub struct DiffScreen {
    /// The verdict and its causes.
    pub lines: Vec<Untrusted<'static>>,
    /// The tables.
    pub tables: Vec<Table>,
    /// What is left out, and how to see it; nothing where that is nothing.
    pub rest: Option<String>,
}

/// The comparison on a screen of 40 lines and 80 columns; of several units that whose wall time grew most.
#[must_use]
pub fn screen(comparison: &Comparison) -> DiffScreen {
    let Some(UnitDiff { unit, diff }) = comparison.worst() else {
        return DiffScreen { lines: Vec::new(), tables: Vec::new(), rest: None };
    };
    let place = if comparison.is_single() { String::new() } else { format!("{unit}: ") };
    let mut lines = vec![format!("Verdict: {place}{}", verdict(diff))];
    lines.extend(causes(diff));
    let subjects = [
        ("Where the time went", Subject::Total),
        ("Kernels (time of all launches)", Subject::Kernel),
        ("Cores (time in which any engine works)", Subject::Core),
    ];
    let tables = subjects.map(|(title, subject)| match subject {
        Subject::Total => phases(diff, title),
        _ => rows(diff, title, subject),
    });
    let tables: Vec<Table> = tables.into_iter().filter(|table| !table.is_empty()).collect();
    let shown: usize = tables.iter().map(Table::len).sum();
    let all: usize = crate::tables(comparison, usize::MAX).iter().map(Table::len).sum();
    let rest = (all > shown).then(|| format!("{} more rows: --full", all - shown));
    DiffScreen { lines: lines.into_iter().map(Untrusted::from).collect(), tables, rest }
}

fn total(diff: &Diff) -> Option<&Change> {
    diff.rows.iter().find(|row| row.subject == Subject::Total)?.first()
}

/// How the wall time changed, and whether that is more than noise.
fn verdict(diff: &Diff) -> String {
    let Some(time) = total(diff) else { return "nothing can be compared".into() };
    let (Some(before), Some(after)) = (time.before, time.after) else {
        return "nothing can be compared: a side has no wall time".into();
    };
    let (old, new) = (before.median, after.median);
    let doubt = match time.noise {
        Noise::Unknown => "",
        Noise::Within => "; this is within the noise",
        Noise::Beyond => "; this is more than noise",
    };
    let us = |ns: f64| number(ns, "ns");
    if time.absolute == 0.0 {
        return format!("the same time: {} us", us(new));
    }
    let word = if time.absolute > 0.0 { "more" } else { "less" };
    let share = match old {
        0.0 => String::new(),
        _ => format!(" {} {word} time", percent(time.absolute.abs() / old, 2)),
    };
    let factor = match (old > 0.0 && new > 0.0, new > old) {
        (false, _) => String::new(),
        (true, true) => format!(" ({:.2}x slower)", new / old),
        (true, false) => format!(" ({:.2}x)", old / new),
    };
    format!("{} us instead of {} us:{share}{factor}{doubt}", us(new), us(old))
}

/// The changes that explain most of the wall time's: pieces of the critical path, which sum to it; else kernels.
fn causes(diff: &Diff) -> Vec<String> {
    let of = |subject: Subject| -> Vec<(&Row, &Change)> {
        let rows = diff.rows.iter().filter(|row| row.subject == subject);
        rows.filter_map(|row| Some((row, row.first()?)))
            .filter(|(_, change)| change.absolute != 0.0 && change.noise != Noise::Within)
            .collect()
    };
    let path = of(Subject::CriticalPath);
    let (found, of_what) = match path.is_empty() {
        false => (path, "of the change of the wall time"),
        true => (of(Subject::Kernel), "in core time"),
    };
    if found.is_empty() {
        return Vec::new();
    }
    let is_path = found.first().is_some_and(|(row, _)| row.subject == Subject::CriticalPath);
    let wall = total(diff).map_or(0.0, |time| time.absolute);
    let mut lines = vec![match found.len() {
        n if n > CAUSES => format!("The {CAUSES} largest causes of {n}:"),
        _ => "Causes:".to_owned(),
    }];
    lines.extend(found.iter().take(CAUSES).map(|(row, change)| {
        let share = match is_path && wall != 0.0 {
            true => format!("{} {of_what}", percent(change.absolute / wall, 1)),
            false => of_what.to_owned(),
        };
        format!("  {} us  {}: {share}", absolute(change), row.name)
    }));
    lines
}

const HEADER: [&str; 6] = ["Name", "Before(us)", "After(us)", "Change(us)", "Relative", "Noise"];

fn cells(name: &str, change: &Change) -> Vec<String> {
    vec![
        short(name),
        side(change.before, change.unit),
        side(change.after, change.unit),
        absolute(change),
        relative(change),
        noise(change).to_owned(),
    ]
}

/// The phases of the whole run.
fn phases(diff: &Diff, title: &str) -> Table {
    let all = diff.rows.iter().filter(|row| row.subject == Subject::Total);
    let changes = all.flat_map(|row| &row.changes).filter(|change| change.unit == "ns");
    Table::new(title.to_owned(), HEADER, changes.map(|change| cells(change.metric, change)))
}

/// The rows of a subject that changed most.
fn rows(diff: &Diff, title: &str, subject: Subject) -> Table {
    let of_subject = diff.rows.iter().filter(|row| row.subject == subject);
    let changed: Vec<(&Row, &Change)> = of_subject
        .filter_map(|row| Some((row, row.first()?)))
        .filter(|(_, change)| change.absolute != 0.0)
        .collect();
    let all = changed.len();
    let few = changed.into_iter().take(ROWS);
    let lines: Vec<Vec<String>> = few.map(|(row, change)| cells(&row.name, change)).collect();
    let title = if all > ROWS {
        format!("{title}: the first {ROWS} of {all} that changed")
    } else {
        title.to_owned()
    };
    Table::new(title, HEADER, lines)
}

/// A name of at most [`NAME`] characters.
fn short(name: &str) -> String {
    let length = name.chars().count();
    if length <= NAME {
        return name.to_owned();
    }
    let half = NAME / 2 - 1;
    let head: String = name.chars().take(half).collect();
    let tail: String = name.chars().skip(length - half).collect();
    format!("{head}..{tail}")
}
