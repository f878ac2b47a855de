//! A comparison as tables: the whole run by metric, then cores, engines, kernels and opcodes.

use bigtpu_answers::{
    CRITICAL_PATH, Change, Comparison, Diff, Method, Noise, Row, Stat, Subject, UnitDiff,
};
use bigtpu_messages::{Arg, Language, Message, message};
use bigtpu_output::{Table, Untrusted};

use crate::diff::cells::{absolute, interval, noise, relative, side, unit};

/// What was compared, and what makes numbers hard to compare.
#[must_use]
pub fn headline(comparison: &Comparison, language: Language) -> Vec<Untrusted<'static>> {
    let units = &comparison.units;
    let names = |runs: &[String]| Arg::Name(runs.join(", "));
    let count = |count: usize| Arg::Count(count as u64);
    let mut said = match units.as_slice() {
        [UnitDiff { diff, .. }] if comparison.is_single() => {
            vec![
                message!("diff-before", runs = names(&diff.before)),
                message!("diff-after", runs = names(&diff.after)),
            ]
        }
        units => {
            let runs =
                |of: fn(&Diff) -> usize| units.iter().map(|unit| of(&unit.diff)).sum::<usize>();
            let (before, after) = (runs(|diff| diff.before.len()), runs(|diff| diff.after.len()));
            let [units, before, after] = [units.len(), before, after].map(count);
            vec![match has_workloads(comparison) {
                true => message!(
                    "diff-units-of-workloads",
                    units = units,
                    before = before,
                    after = after
                ),
                false => message!("diff-units", units = units, before = before, after = after),
            }]
        }
    };
    let is_ranked =
        |unit: &UnitDiff| matches!(unit.diff.method, Some(Method::Ranks | Method::Modes));
    if !units.iter().all(|unit| unit.diff.noise_is_known) {
        said.push(message!("diff-noise-unknown"));
    } else if units.iter().any(is_ranked) {
        said.push(message!("diff-one-occasion"));
        let least = units.iter().filter_map(|unit| unit.diff.least_change).reduce(f64::max);
        if let Some(least) = least.filter(|least| *least > 0.0) {
            said.push(message!("diff-least-change", least = Arg::Share(least)));
        }
    }
    let line = |severity: &'static str, note: &Message| {
        message!("note-line", severity = Message::new(severity), note = note.clone())
    };
    let warnings = units.iter().flat_map(|unit| &unit.diff.warnings);
    said.extend(comparison.warnings.iter().chain(warnings).map(|w| line("note-warning", w)));
    said.extend(comparison.notes.iter().map(|note| line("note-remark", note)));
    said.iter().map(|one| Untrusted::from(one.text(language))).collect()
}

/// The tables that have rows, each with at most `most`. With several units: their wall times, then the tables of the
/// unit whose wall time grew most.
#[must_use]
pub fn tables(comparison: &Comparison, most: usize, language: Language) -> Vec<Table> {
    let Some(worst) = comparison.worst() else { return Vec::new() };
    if comparison.is_single() {
        return unit_tables(&worst.diff, "", most, language);
    }
    let mut all = vec![units_table(comparison, language)];
    all.extend(unit_tables(&worst.diff, &format!("{}: ", worst.unit), most, language));
    all
}

/// What tells the units of a comparison apart.
fn has_workloads(comparison: &Comparison) -> bool {
    let mut units = comparison.units.iter();
    units.any(|unit| unit.unit.workload.is_some() || unit.unit.part.is_some())
}

/// What the units are, as a title.
pub(crate) fn kinds_title(comparison: &Comparison) -> Message {
    match has_workloads(comparison) {
        true => Message::new("diff-table-workloads"),
        false => Message::new("diff-table-devices"),
    }
}

/// A line for each unit: its wall time.
fn units_table(comparison: &Comparison, language: Language) -> Table {
    let of_unit = |UnitDiff { unit, diff }: &UnitDiff| {
        let total = diff.rows.iter().find(|row| row.subject == Subject::Total)?.first()?;
        Some(line(unit.to_string(), total, language))
    };
    let header = ["Name", "Before(us)", "After(us)", "Change(us)", "Relative", "Interval", "Noise"];
    let title = message!("diff-table-units-ranked", title = kinds_title(comparison)).text(language);
    table(title, &header, comparison.units.iter().filter_map(of_unit).collect())
}

/// The tables of a unit; `prefix` begins their titles.
fn unit_tables(diff: &Diff, prefix: &str, most: usize, language: Language) -> Vec<Table> {
    let title = |id: &'static str| format!("{prefix}{}", Message::new(id).text(language));
    let all = [
        metrics_table(diff, &title("diff-table-total"), Subject::Total, language),
        metrics_table(diff, &title("diff-table-losses"), Subject::Loss, language),
        metrics_table(diff, &title("diff-table-steady-steps"), Subject::Steps, language),
        rows_table(diff, &title("diff-table-path"), Subject::CriticalPath, most, language),
        rows_table(diff, &title("diff-table-steps"), Subject::Step, most, language),
        rows_table(diff, &title("diff-table-cores"), Subject::Core, most, language),
        rows_table(diff, &title("diff-table-engines"), Subject::Engine, most, language),
        rows_table(diff, &title("diff-table-kernels"), Subject::Kernel, most, language),
        rows_table(diff, &title("diff-table-opcodes"), Subject::Opcode, most, language),
        rows_table(diff, &title("diff-table-types"), Subject::DataType, most, language),
        rows_table(diff, &title("diff-table-shapes"), Subject::Shape, most, language),
        rows_table(diff, &title("diff-table-directions"), Subject::Direction, most, language),
    ];
    all.into_iter().filter(|table| !table.is_empty()).collect()
}

/// The rows of a subject; of the critical path only the pieces that changed, as most have not.
fn rows(diff: &Diff, subject: Subject) -> impl Iterator<Item = &Row> {
    let changed = |row: &&Row| row.first().is_some_and(|change| change.absolute != 0.0);
    let of_subject = diff.rows.iter().filter(move |row| row.subject == subject);
    of_subject.filter(move |row| subject != Subject::CriticalPath || changed(row))
}

fn table(title: String, header: &[&str], rows: Vec<Vec<String>>) -> Table {
    Table::new(title, header.iter().map(|head| (*head).to_owned()), rows)
}

/// A name and the numbers of its change.
fn line(name: String, change: &Change, language: Language) -> Vec<String> {
    vec![
        name,
        side(change.before, change.unit),
        side(change.after, change.unit),
        absolute(change),
        relative(change, language),
        interval(change, language),
        noise(change, language),
    ]
}

/// A line for each number of a subject that has one row.
fn metrics_table(diff: &Diff, title: &str, subject: Subject, language: Language) -> Table {
    let changes = rows(diff, subject).flat_map(|row| &row.changes);
    let of_change = |c: &Change| {
        let name = match unit(c.unit) {
            "" => c.metric.to_owned(),
            unit => format!("{}({unit})", c.metric),
        };
        line(name, c, language)
    };
    let header = ["Metric", "Before", "After", "Change", "Relative", "Interval", "Noise"];
    table(title.into(), &header, changes.map(of_change).collect())
}

/// A line for each row: its time, and what else changed.
fn rows_table(
    diff: &Diff,
    title: &str,
    subject: Subject,
    most: usize,
    language: Language,
) -> Table {
    let all = rows(diff, subject).count();
    let mut changes = rows(diff, subject).flat_map(|row| &row.changes);
    let has_path =
        changes.any(|c| c.metric == CRITICAL_PATH && (c.before.is_some() || c.after.is_some()));
    let of_row = |row: &Row| {
        let first = row.first()?;
        let on_path = row.changes.iter().find(|change| change.metric == CRITICAL_PATH);
        let others = row.changes.iter().skip(1).filter(|c| {
            c.metric != CRITICAL_PATH
                && c.absolute != 0.0
                && c.before.is_some()
                && c.after.is_some()
                && c.noise != Noise::Within
        });
        let others: Vec<String> = others
            .take(3)
            .map(|c| format!("{} {}", c.metric, relative_or_absolute(c, language)))
            .collect();
        let mut cells = line(row.shown_name(language), first, language);
        if has_path {
            cells.push(on_path.map_or_else(|| "-".to_owned(), path_change));
        }
        cells.push(others.join(", "));
        Some(cells)
    };
    let title = of_all(title, most, all, language);
    let mut header =
        vec!["Name", "Before(us)", "After(us)", "Change(us)", "Relative", "Interval", "Noise"];
    if has_path {
        header.push("On the path(us)");
    }
    header.push("Also");
    table(title, &header, rows(diff, subject).take(most).filter_map(of_row).collect())
}

/// The change of a kernel's time on the critical path; `-` where it is on neither side's.
fn path_change(change: &Change) -> String {
    let is_off = |stat: Option<Stat>| stat.is_none_or(|stat| stat.max == 0.0);
    if is_off(change.before) && is_off(change.after) { "-".into() } else { absolute(change) }
}

fn relative_or_absolute(change: &Change, language: Language) -> String {
    if change.relative.is_some() { relative(change, language) } else { absolute(change) }
}

/// The title of a table that may have the first rows only.
pub(crate) fn of_all(title: &str, most: usize, all: usize, language: Language) -> String {
    if all <= most {
        return title.to_owned();
    }
    message!("diff-table-first", title = title, most = most, all = all).text(language)
}
