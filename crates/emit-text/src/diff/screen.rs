//! A comparison on one screen: the verdict, its largest causes, then the most important tables.

use bigtpu_answers::{Change, Comparison, Diff, Noise, Row, Stat, Subject, UnitDiff};
use bigtpu_messages::{Arg, Language, Message, message};
use bigtpu_output::{Table, Untrusted};

use crate::console::COLUMNS;
use crate::diff::cells::{absolute, noise, number, relative, unit};
use crate::diff::tables::{kinds_title, of_all};

/// Causes that are named.
const CAUSES: usize = 5;
/// Names are cut in their middle where a table would be wider than a screen, but not below this.
const LEAST_NAME: usize = 16;
/// Rows of a table where there is room.
pub const MOST_ROWS: usize = 5;

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

/// The comparison on a screen of 40 lines and 80 columns; of several units that whose wall time grew most. `most`: rows of each
/// table.
#[must_use]
pub fn screen(comparison: &Comparison, most: usize, language: Language) -> DiffScreen {
    let Some(UnitDiff { diff, .. }) = comparison.worst() else {
        return DiffScreen { lines: Vec::new(), tables: Vec::new(), rest: None };
    };
    let has_noise = diff.noise_is_known;
    let tables = [
        units(comparison, most, has_noise, language),
        phases(diff, most, has_noise, language),
        rows(diff, ("diff-table-kernels", language), Subject::Kernel, most, has_noise),
        rows(diff, ("diff-table-cores", language), Subject::Core, most, has_noise),
    ];
    let tables: Vec<Table> = tables.into_iter().filter(|table| !table.is_empty()).take(3).collect();
    let shown: usize = tables.iter().map(Table::len).sum();
    let all: usize =
        crate::diff::tables(comparison, usize::MAX, language).iter().map(Table::len).sum();
    let more = all.saturating_sub(shown) as u64;
    let rest = (more > 0).then(|| message!("diff-more-rows", count = Arg::Count(more)));
    let rest = rest.map(|rest| rest.text(language));
    DiffScreen { lines: verdict(comparison, language), tables, rest }
}

/// The verdict, then its largest causes; of several units those of the one whose wall time grew most.
#[must_use]
pub fn verdict(comparison: &Comparison, language: Language) -> Vec<Untrusted<'static>> {
    let Some(UnitDiff { unit, diff }) = comparison.worst() else { return Vec::new() };
    let first = |verdict: Arg| match comparison.is_single() {
        true => message!("diff-verdict", verdict = verdict),
        false => {
            message!("diff-verdict-of", unit = Arg::Name(unit.to_string()), verdict = verdict)
        }
    };
    let Some(verdict) = &diff.verdict else {
        let nothing = Arg::Message(message!("diff-nothing").into());
        return vec![Untrusted::from(first(nothing).text(language))];
    };
    let said = Arg::Name(verdict.text.to(language).to_owned());
    let mut lines = vec![first(said).text(language)];
    if verdict.causes.len() > 1 && !is_noise(diff) {
        let all = verdict.causes.len();
        let title = match all > CAUSES {
            true => message!(
                "diff-largest-causes",
                some = Arg::Count(CAUSES as u64),
                all = Arg::Count(all as u64)
            ),
            false => message!("diff-causes"),
        };
        lines.push(title.text(language));
        let causes = verdict.causes.iter().take(CAUSES);
        lines.extend(causes.map(|cause| format!("  {}", cause.text.to(language))));
    }
    lines.into_iter().map(Untrusted::from).collect()
}

fn is_noise(diff: &Diff) -> bool {
    let total = diff.rows.iter().find(|row| row.subject == Subject::Total);
    total.and_then(Row::first).is_some_and(|time| time.noise == Noise::Within)
}

/// Its columns, all but the last as wide as they are in any case.
fn table(title: &str, rows: Vec<(String, &Change)>, has_noise: bool, language: Language) -> Table {
    let median =
        |stat: Option<Stat>, of: &str| stat.map_or("-".into(), |stat| number(stat.median, of));
    let head = |text: &str, of: &str| match unit(of) {
        "" => text.to_owned(),
        unit => format!("{text}({unit})"),
    };
    let of = rows.first().map_or("ns", |(_, change)| change.unit);
    let mut header = vec![head("Before", of), head("After", of), head("Change", of)];
    header.push("Relative".to_owned());
    header.extend(has_noise.then(|| "Noise".to_owned()));
    let cells = |change: &Change| {
        let mut cells = vec![
            median(change.before, change.unit),
            median(change.after, change.unit),
            absolute(change),
            relative(change, language),
        ];
        cells.extend(has_noise.then(|| noise(change, language)));
        cells
    };
    let lines: Vec<Vec<String>> = rows.iter().map(|(_, change)| cells(change)).collect();
    let width = |column: usize| {
        let all = std::iter::once(&header).chain(&lines).filter_map(|line| line.get(column));
        all.map(|cell| cell.chars().count()).max().unwrap_or(0)
    };
    // A blank on both sides of each cell.
    let others: usize = (0..header.len()).map(|column| width(column) + 2).sum();
    let most = COLUMNS.saturating_sub(others + 2).max(LEAST_NAME);
    let rows = rows.iter().zip(lines).map(|((name, _), cells)| {
        std::iter::once(short(name, most)).chain(cells).collect::<Vec<String>>()
    });
    let rows: Vec<Vec<String>> = rows.collect();
    header.insert(0, "Name".to_owned());
    Table::new(title.to_owned(), header, rows)
}

/// The wall time of each unit, where there are several.
fn units(comparison: &Comparison, most: usize, has_noise: bool, language: Language) -> Table {
    if comparison.is_single() {
        return Table::default();
    }
    let all = comparison.units.len();
    let total = |unit: &UnitDiff| -> Option<Change> {
        unit.diff.rows.iter().find(|row| row.subject == Subject::Total)?.first().cloned()
    };
    let totals: Vec<(String, Change)> = comparison
        .units
        .iter()
        .take(most)
        .filter_map(|unit| Some((unit.unit.to_string(), total(unit)?)))
        .collect();
    let rows = totals.iter().map(|(name, change)| (name.clone(), change)).collect();
    let title = message!("diff-table-units", title = kinds_title(comparison)).text(language);
    table(&of_all(&title, most, all, language), rows, has_noise, language)
}

/// The phases of the whole run that changed, the wall time first.
fn phases(diff: &Diff, most: usize, has_noise: bool, language: Language) -> Table {
    let all = diff.rows.iter().filter(|row| row.subject == Subject::Total);
    let mut changes: Vec<&Change> =
        all.flat_map(|row| &row.changes).filter(|change| change.unit == "ns").collect();
    if let Some(phases) = changes.get_mut(1..) {
        phases.sort_by(|a, b| b.absolute.abs().total_cmp(&a.absolute.abs()));
    }
    let rows = changes.into_iter().take(most + 1).map(|change| (change.metric.to_owned(), change));
    let title = Message::new("diff-table-phases").text(language);
    table(&title, rows.collect(), has_noise, language)
}

/// The rows of a subject that changed most.
fn rows(
    diff: &Diff,
    (title, language): (&'static str, Language),
    subject: Subject,
    most: usize,
    has_noise: bool,
) -> Table {
    let of_subject = diff.rows.iter().filter(|row| row.subject == subject);
    let changed: Vec<(String, &Change)> = of_subject
        .filter_map(|row| Some((row.name.clone(), row.first()?)))
        .filter(|(_, change)| change.absolute != 0.0)
        .collect();
    let all = changed.len();
    let title = of_all(&Message::new(title).text(language), most, all, language);
    table(&title, changed.into_iter().take(most).collect(), has_noise, language)
}

/// A text of at most so many characters: its middle is left out.
#[must_use]
pub fn short(text: &str, most: usize) -> String {
    let length = text.chars().count();
    if length <= most {
        return text.to_owned();
    }
    let tail = most.saturating_sub(2) / 2;
    let head: String = text.chars().take(most.saturating_sub(2 + tail)).collect();
    let tail: String = text.chars().skip(length - tail).collect();
    format!("{head}..{tail}")
}
