//! Layout of tables: plain text, or fitted to a terminal.

use bigtpu_output::Table;
use comfy_table::presets::{ASCII_FULL_CONDENSED, NOTHING, UTF8_HORIZONTAL_ONLY};
use comfy_table::{CellAlignment, ColumnConstraint, ContentArrangement, TableComponent, Width};

/// A table as plain text of any width.
pub(super) fn plain(table: &Table) -> String {
    in_preset(table, ASCII_FULL_CONDENSED)
}

/// A table as plain text of any width, without rules.
#[must_use]
pub fn bare(table: &Table) -> String {
    in_preset(table, NOTHING)
}

fn in_preset(table: &Table, preset: &str) -> String {
    let mut out = comfy_table::Table::new();
    out.load_preset(preset);
    let (header, rows) = table.lines();
    let names = name_columns(header.len(), &rows);
    out.set_header(header);
    fill(&mut out, rows.into_iter());
    align_names(&mut out, &names);
    out.lines().map(|line| line.trim_end().to_owned()).collect::<Vec<_>>().join("\n")
}

/// A table that fits `width` columns: the least important columns are left out, as many as need be, and a last line says
/// how many, and which `option` shows them. `ranks`: headers, the most important first; those not named come last, from the left. A table of which only
/// the names would stay is turned instead.
pub(super) fn ranked(table: &Table, width: usize, ranks: &[&str], option: &str) -> String {
    let (header, _) = table.lines();
    let headers = header.iter().enumerate();
    let rank = |(at, header): (usize, &String)| {
        ranks.iter().position(|name| name == header).unwrap_or(ranks.len() + at)
    };
    let mut order: Vec<(usize, usize)> =
        headers.map(|(at, header)| (rank((at, header)), at)).filter(|&(_, at)| at > 0).collect();
    order.sort_unstable();
    let (grid, kept) = without_zeros(in_rows(table));
    let widths = least_widths(&grid);
    let place = |at: usize| kept.iter().position(|&column| column == at);
    let mut chosen: Vec<usize> = order.iter().filter_map(|&(_, at)| place(at)).collect();
    let needed = |chosen: &[usize]| widths[0] + chosen.iter().map(|&c| widths[c]).sum::<usize>();
    let all = chosen.len();
    while chosen.len() > 1 && needed(&chosen) > width {
        chosen.pop();
    }
    if chosen.len() < all.min(2) || needed(&chosen) > width {
        return fitting(table, width);
    }
    let left_out = all - chosen.len();
    chosen.push(0);
    chosen.sort_unstable();
    let rows = grid.iter().map(|row| chosen.iter().map(|&c| row[c].clone()).collect()).collect();
    let text = draw(rows, width);
    match left_out {
        0 => text,
        1 => format!("{text}\n... 1 more column: {option}"),
        n => format!("{text}\n... {n} more columns: {option}"),
    }
}

/// A text whose lines are broken at blanks to fit `width` columns; where it continues it is indented by two more.
#[must_use]
pub fn wrapped(text: &str, width: usize) -> String {
    let indent = " ".repeat(text.chars().take_while(|c| *c == ' ').count() + 2);
    let mut lines: Vec<String> = Vec::new();
    let mut line = text.chars().take_while(|c| *c == ' ').collect::<String>();
    let mut is_empty = true;
    for word in words(text) {
        let word = word.as_str();
        if !is_empty && line.chars().count() + 1 + word.chars().count() > width {
            lines.push(std::mem::replace(&mut line, indent.clone()));
            is_empty = true;
        }
        if !is_empty {
            line.push(' ');
        }
        line.push_str(word);
        is_empty = false;
    }
    lines.push(line);
    lines.join("\n")
}

/// Lines that are too long, broken as [`wrapped`] does; rules, and lines in Chinese, which a terminal may break anywhere, stay.
pub(super) fn broken(text: &str, width: usize) -> String {
    let line = |line: &str| {
        let is_ours = line.is_ascii() && line.chars().count() > width;
        if is_ours { wrapped(line, width) } else { line.to_owned() }
    };
    text.split('\n').map(line).collect::<Vec<_>>().join("\n")
}

/// Units that stay in a line with the number before them.
const UNITS: [&str; 20] = [
    "ns", "us", "ms", "s", "%", "B", "kB", "MB", "GB", "TB", "KiB", "MiB", "GiB", "GB/s", "TOPS",
    "mJ", "J", "W", "MHz", "cycles",
];

/// The words of a text; a number and its unit are one.
fn words(text: &str) -> Vec<String> {
    let mut words: Vec<String> = Vec::new();
    for word in text.split_whitespace() {
        let unit = word.trim_end_matches([',', ';', '.', ':', ')']);
        match words.last_mut() {
            Some(last) if UNITS.contains(&unit) && last.ends_with(|c: char| c.is_ascii_digit()) => {
                last.push(' ');
                last.push_str(word);
            }
            _ => words.push(word.to_owned()),
        }
    }
    words
}

/// The header, broken into words, and all rows.
fn in_rows(table: &Table) -> Vec<Vec<String>> {
    let (header, rows) = table.lines();
    let mut grid: Vec<Vec<String>> = vec![header.iter().map(|h| in_words(h)).collect()];
    grid.extend(rows);
    grid
}

/// A table that fits `width` columns: headers are broken at their words, columns that are 0 all over are left
/// out, long names take several lines, and a table that is still too wide is turned on its side and, if need be, cut
/// into several.
pub(super) fn fitting(table: &Table, width: usize) -> String {
    let (grid, _) = without_zeros(in_rows(table));
    let grid = with_short_names(grid, width);
    if least_widths(&grid).iter().sum::<usize>() <= width {
        return draw(grid, width);
    }
    let turned = turn(&grid);
    let widths = least_widths(&turned);
    let name_width = widths.first().copied().unwrap_or(0);
    let mut pieces: Vec<Vec<usize>> = Vec::new();
    let mut room = 0;
    for (column, &needed) in widths.iter().enumerate().skip(1) {
        if needed > room || pieces.is_empty() {
            pieces.push(vec![0]);
            room = width.saturating_sub(name_width);
        }
        room = room.saturating_sub(needed);
        if let Some(piece) = pieces.last_mut() {
            piece.push(column);
        }
    }
    let piece = |columns: &Vec<usize>| -> Vec<Vec<String>> {
        turned.iter().map(|row| columns.iter().map(|&c| row[c].clone()).collect()).collect()
    };
    pieces.iter().map(|columns| draw(piece(columns), width)).collect::<Vec<_>>().join("\n")
}

fn draw(grid: Vec<Vec<String>>, width: usize) -> String {
    // comfy-table counts the padding into a column's width, but not the blank that parts columns.
    let widths: Vec<usize> = least_widths(&grid).into_iter().map(|width| width - 1).collect();
    let mut out = comfy_table::Table::new();
    out.load_preset(UTF8_HORIZONTAL_ONLY).remove_style(TableComponent::HorizontalLines);
    out.remove_style(TableComponent::MiddleIntersections);
    out.set_content_arrangement(ContentArrangement::Dynamic);
    out.set_width(u16::try_from(width).unwrap_or(u16::MAX));
    let mut rows = grid.into_iter();
    let header = rows.next().unwrap_or_default();
    let rows: Vec<Vec<String>> = rows.collect();
    let names = name_columns(header.len(), &rows);
    out.set_header(header);
    fill(&mut out, rows.into_iter());
    align_names(&mut out, &names);
    for (column, width) in out.column_iter_mut().zip(widths) {
        let least = Width::Fixed(u16::try_from(width).unwrap_or(u16::MAX));
        column.set_padding((0, 1));
        column.set_constraint(ColumnConstraint::LowerBoundary(least));
    }
    out.lines().map(|line| line.trim_end().to_owned()).collect::<Vec<_>>().join("\n")
}

fn fill<R: IntoIterator<Item: Into<comfy_table::Cell>>>(
    out: &mut comfy_table::Table,
    rows: impl Iterator<Item = R>,
) {
    for row in rows {
        out.add_row(row.into_iter().map(Into::into).collect::<Vec<comfy_table::Cell>>());
    }
    for column in out.column_iter_mut() {
        column.set_cell_alignment(CellAlignment::Right);
    }
}

/// Names start at the left; numbers end at the right, so that their digits are below one another.
fn align_names(out: &mut comfy_table::Table, names: &[usize]) {
    for &column in names {
        if let Some(column) = out.column_mut(column) {
            column.set_cell_alignment(CellAlignment::Left);
        }
    }
}

/// The columns that hold names: some cell has letters, and none is a number. The first says what its row is about: there
/// `5 80_Relu` is a name as well.
fn name_columns(columns: usize, rows: &[Vec<String>]) -> Vec<usize> {
    // `80_Relu` is a name.
    let is_number = |column: usize, cell: &str| {
        let cell = cell.trim_start_matches(['+', '-', '<', '>', '~', '(']);
        let rest = cell.trim_start_matches(|c: char| c.is_ascii_digit() || matches!(c, '.' | ','));
        let is_followed = match column {
            0 => UNITS.contains(&rest.trim_start()),
            _ => rest.starts_with([' ', '%', '/', ':']),
        };
        rest.len() < cell.len() && (rest.is_empty() || is_followed)
    };
    let holds_names = |column: &usize| {
        let mut cells = rows.iter().filter_map(|row| row.get(*column)).peekable();
        let has_letters = |cell: &&String| cell.contains(char::is_alphabetic);
        rows.iter().filter_map(|row| row.get(*column)).any(|cell| has_letters(&cell))
            && cells.all(|cell| !is_number(*column, cell))
    };
    (0..columns).filter(holds_names).collect()
}

/// A column of names keeps at least so many letters in a line.
const LEAST_NAME: usize = 12;

/// Breaks long names into lines, where the table is too wide for the terminal and broken names can make it fit.
fn with_short_names(mut grid: Vec<Vec<String>>, width: usize) -> Vec<Vec<String>> {
    let excess =
        |grid: &[Vec<String>]| least_widths(grid).iter().sum::<usize>().saturating_sub(width);
    let columns = grid.first().map_or(0, Vec::len);
    let mut names = name_columns(columns, grid.get(1..).unwrap_or_default());
    // The first column is what each row is about, whatever its name looks like.
    if columns > 0 && !names.contains(&0) {
        names.push(0);
    }
    let whole = grid.clone();
    while excess(&grid) > 0 && !names.is_empty() {
        let widths = least_widths(&grid);
        let widest = names.iter().enumerate().max_by_key(|(_, column)| widths[**column]);
        let Some((place, column)) = widest.map(|(place, column)| (place, *column)) else { break };
        names.remove(place);
        let most = widths[column].saturating_sub(2 + excess(&grid)).max(LEAST_NAME);
        for row in grid.iter_mut().skip(1) {
            row[column] = in_lines(&row[column], most);
        }
    }
    if excess(&grid) > 0 { whole } else { grid }
}

/// A name in lines of at most so many letters: broken at blanks, else behind marks within it, else anywhere.
fn in_lines(name: &str, most: usize) -> String {
    let mut lines: Vec<String> = Vec::new();
    let mut line: Vec<char> = Vec::new();
    for letter in name.chars() {
        line.push(letter);
        if line.len() <= most {
            continue;
        }
        // A number stays with the mark before it: `taylor_4x`, `layers.3`.
        let is_place = |at: &usize| line.get(*at).is_none_or(|next| !next.is_ascii_digit());
        let behind = |marks: &[char]| {
            let places = (1..=line.len()).rev().filter(is_place);
            places.into_iter().find(|at| line.get(at - 1).is_some_and(|c| marks.contains(c)))
        };
        let blank = line.iter().rposition(|c| *c == ' ').map(|at| at + 1);
        let head = blank.or_else(|| behind(&['/', '_', '.', ':', '-', ',']));
        let cut = head.filter(|cut| *cut < line.len()).unwrap_or(most);
        // A blank at which a line breaks is on neither.
        let rest = line.split_off(cut).into_iter().skip_while(|c| *c == ' ').collect();
        lines.push(line.iter().collect::<String>().trim_end().to_owned());
        line = rest;
    }
    lines.push(line.into_iter().collect());
    lines.join("\n")
}

/// Leaves out columns whose cells are all 0; the first is the rows' name and stays. Also the places of the columns that stay.
fn without_zeros(grid: Vec<Vec<String>>) -> (Vec<Vec<String>>, Vec<usize>) {
    let is_zero = |cell: &String| cell.chars().all(|c| matches!(c, '0' | '.' | '%'));
    let columns = grid.first().map_or(0, Vec::len);
    let stays = |c: &usize| *c == 0 || !grid.iter().skip(1).all(|row| is_zero(&row[*c]));
    let kept: Vec<usize> = (0..columns).filter(stays).collect();
    let rows = grid.iter().map(|row| kept.iter().map(|&c| row[c].clone()).collect()).collect();
    (rows, kept)
}

/// Width that each column needs without breaking a cell: a header's longest word, or the longest cell, and
/// two blanks.
fn least_widths(grid: &[Vec<String>]) -> Vec<usize> {
    let columns = grid.first().map_or(0, Vec::len);
    let width = |c: usize| {
        let header = grid[0][c].split(' ').map(|word| word.chars().count()).max();
        let cells = grid.iter().skip(1).flat_map(|row| row[c].lines());
        let cells = cells.map(|line| line.chars().count()).max();
        header.max(cells).unwrap_or(0) + 2
    };
    (0..columns).map(width).collect()
}

/// Rows become columns.
fn turn(grid: &[Vec<String>]) -> Vec<Vec<String>> {
    let columns = grid.first().map_or(0, Vec::len);
    (0..columns).map(|c| grid.iter().map(|row| row[c].clone()).collect()).collect()
}

/// `GdmaDdrAvgBW(GB/s)` becomes `Gdma Ddr Avg BW (GB/s)`.
fn in_words(header: &str) -> String {
    let mut words = String::new();
    let mut last = ' ';
    let mut before = ' ';
    let mut is_unit = false;
    for c in header.chars() {
        // The `u` of `uArch` is no word, nor are the prefixes of units: mJ/token, MiB/s.
        let is_prefix = before == ' ' && last.is_ascii_lowercase() || last == 'i' && c == 'B';
        let ended_word = (last.is_ascii_lowercase() || last.is_ascii_digit()) && !is_prefix;
        // A unit is one word: MiB, mJ.
        let starts_word = c.is_ascii_uppercase() && ended_word && !is_unit || c == '(';
        is_unit = c == '(' || is_unit && c != ')';
        if starts_word && last != ' ' {
            words.push(' ');
        }
        words.push(c);
        before = if starts_word { ' ' } else { last };
        last = c;
    }
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_table_that_is_too_wide_is_turned() {
        let row =
            |name: &str| vec![name.to_owned(), "0".into(), "123456789".into(), "987654321".into()];
        let header = ["Core", "Lost", "FirstTotal", "SecondTotal"].map(str::to_owned).to_vec();
        let table = Table::new("", header, [row("a")]);
        let wide = fitting(&table, 60);
        assert!(!wide.contains("Lost") && wide.contains("123456789"), "{wide}");
        let narrow = fitting(&table, 24);
        assert!(narrow.lines().all(|l| l.chars().count() <= 24), "{narrow}");
        assert!(narrow.contains("123456789") && narrow.contains("987654321"), "{narrow}");
    }

    #[test]
    fn names_begin_at_the_left_in_a_file_as_well() {
        let table =
            Table::new("", ["Target", "Time (us)"], [["AKS", "133.2"], ["measured", "90.1"]]);
        let lines = plain(&table);
        assert!(lines.contains("| AKS      |     133.2 |"), "{lines}");
        assert!(lines.contains("| measured |      90.1 |"), "{lines}");
    }

    #[test]
    fn headers_break_at_their_words() {
        assert_eq!(in_words("GdmaDdrAvgBW(GB/s)"), "Gdma Ddr Avg BW (GB/s)");
        assert_eq!(in_words("GdmaL2AvgBW(GB/s)"), "Gdma L2 Avg BW (GB/s)");
        assert_eq!(in_words("uArchURate"), "uArch URate");
        assert_eq!(in_words("Engine"), "Engine");
        assert_eq!(in_words("Energy(mJ)"), "Energy (mJ)");
        assert_eq!(in_words("DramMemory(MiB)"), "Dram Memory (MiB)");
        assert_eq!(in_words("mJ/token"), "mJ/token");
        assert_eq!(in_words("Rate MiB/s"), "Rate MiB/s");
    }

    #[test]
    fn numbered_names_of_rows_begin_at_the_left() {
        let rows = |first: &str| vec![vec![first.to_owned(), "2 (TP 2)".to_owned()]];
        assert_eq!(name_columns(2, &rows("5 80_Relu (Conv2D)")), [0]);
        assert_eq!(name_columns(2, &rows("12.5 us")), [0; 0]);
        assert_eq!(name_columns(2, &rows("3")), [0; 0]);
    }

    #[test]
    fn the_least_important_columns_are_left_out() {
        let header = ["Core", "Total", "Detail", "Rate"].map(str::to_owned).to_vec();
        let row = ["0", "1234.5", "77777777", "99.9%"].map(str::to_owned).to_vec();
        let table = Table::new("", header, [row]);
        let ranks = ["Core", "Rate", "Total"];
        assert!(ranked(&table, 60, &ranks, "--full").contains("77777777"));
        let narrow = ranked(&table, 24, &ranks, "--full");
        assert!(!narrow.contains("Detail") && narrow.contains("1234.5"), "{narrow}");
        assert!(
            narrow.contains("99.9%") && narrow.ends_with("... 1 more column: --full"),
            "{narrow}"
        );
    }

    #[test]
    fn long_names_take_several_lines_before_a_table_is_turned() {
        let row = |name: &str| [name, "95.708 (-28.1 %)", "63.281 (-52.5 %)"].map(str::to_owned);
        let rows = [row("layer:191_Transpose (Permute)"), row("gdma")];
        let table = Table::new("", ["Part", "1.1x(us)", "2x(us)"], rows);
        let narrow = fitting(&table, 60);
        let lines: Vec<&str> = narrow.lines().collect();
        assert!(lines.iter().all(|line| line.chars().count() <= 60), "{narrow}");
        assert!(lines.iter().any(|line| line.starts_with("layer:191_Transpose  ")), "{narrow}");
        assert!(lines.contains(&"(Permute)"), "{narrow}");
        assert_eq!(name_columns(2, &[["80_Relu", "12.5 %"].map(str::to_owned).to_vec()]), [0]);
        // Names at the left, and no second table.
        assert!(lines.iter().any(|line| line.starts_with("gdma ")), "{narrow}");
        assert_eq!(lines.iter().filter(|line| line.starts_with('═')).count(), 1, "{narrow}");
    }

    #[test]
    fn names_break_at_blanks_or_marks() {
        assert_eq!(in_lines("model/layers.3/mlp", 14), "model/layers.3\n/mlp");
        assert_eq!(in_lines("a bc def", 4), "a bc\ndef");
        assert_eq!(in_lines("abcdefgh", 4), "abcd\nefgh");
        assert_eq!(in_lines("sfu.taylor_4x", 12), "sfu.\ntaylor_4x");
    }

    #[test]
    fn a_number_and_its_unit_stay_together() {
        assert_eq!(wrapped("bounds: 63.281 us, else", 14), "bounds:\n  63.281 us,\n  else");
        assert_eq!(wrapped("it is 50.3 %.", 11), "it is\n  50.3 %.");
    }

    #[test]
    fn texts_break_at_blanks() {
        assert_eq!(wrapped("  one two three", 10), "  one two\n    three");
        assert_eq!(wrapped("one", 2), "one");
    }
}
