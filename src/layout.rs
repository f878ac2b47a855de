//! Layout of tables: plain text, or fitted to a terminal.

use bigtpu_emit::Table;
use comfy_table::presets::{ASCII_FULL_CONDENSED, NOTHING, UTF8_HORIZONTAL_ONLY};
use comfy_table::{CellAlignment, ColumnConstraint, ContentArrangement, TableComponent, Width};

/// A table as plain text of any width.
pub(crate) fn plain(table: &Table) -> String {
    let mut out = comfy_table::Table::new();
    out.load_preset(ASCII_FULL_CONDENSED);
    out.set_header(&table.header);
    fill(&mut out, table.rows.iter().chain(&table.footer));
    out.to_string()
}

/// A table as plain text of any width, without rules.
pub(crate) fn bare(table: &Table) -> String {
    let mut out = comfy_table::Table::new();
    out.load_preset(NOTHING);
    out.set_header(&table.header);
    fill(&mut out, table.rows.iter().chain(&table.footer));
    out.lines().map(|line| line.trim_end().to_owned()).collect::<Vec<_>>().join("\n")
}

/// A table that fits `width` columns: headers are broken at their words, columns that are 0 all over are left
/// out, and a table that is still too wide is turned on its side and, if need be, cut into several.
pub(crate) fn fitting(table: &Table, width: usize) -> String {
    let mut grid: Vec<Vec<String>> = vec![table.header.iter().map(|h| in_words(h)).collect()];
    grid.extend(table.rows.iter().chain(&table.footer).cloned());
    grid = without_zeros(grid);
    let is_wide = |grid: &[Vec<String>]| least_widths(grid).iter().sum::<usize>() > width;
    if !is_wide(&grid) {
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
    let widths = least_widths(&grid);
    let mut out = comfy_table::Table::new();
    out.load_preset(UTF8_HORIZONTAL_ONLY).remove_style(TableComponent::HorizontalLines);
    out.remove_style(TableComponent::MiddleIntersections);
    out.set_content_arrangement(ContentArrangement::Dynamic);
    out.set_width(u16::try_from(width).unwrap_or(u16::MAX));
    let mut rows = grid.into_iter();
    out.set_header(rows.next().unwrap_or_default());
    fill(&mut out, rows);
    for (column, width) in out.column_iter_mut().zip(widths) {
        let least = Width::Fixed(u16::try_from(width).unwrap_or(u16::MAX));
        column.set_padding((0, 1));
        column.set_constraint(ColumnConstraint::LowerBoundary(least));
    }
    out.to_string()
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

/// Leaves out columns whose cells are all 0; the first is the rows' name and stays.
fn without_zeros(grid: Vec<Vec<String>>) -> Vec<Vec<String>> {
    let is_zero = |cell: &String| cell.chars().all(|c| matches!(c, '0' | '.' | '%'));
    let columns = grid.first().map_or(0, Vec::len);
    let keep: Vec<bool> =
        (0..columns).map(|c| c == 0 || !grid.iter().skip(1).all(|row| is_zero(&row[c]))).collect();
    grid.into_iter()
        .map(|row| row.into_iter().zip(&keep).filter(|(_, keep)| **keep).map(|(c, _)| c).collect())
        .collect()
}

/// Width that each column needs without breaking a cell: a header's longest word, or the longest cell, and
/// a blank.
fn least_widths(grid: &[Vec<String>]) -> Vec<usize> {
    let columns = grid.first().map_or(0, Vec::len);
    let width = |c: usize| {
        let header = grid[0][c].split(' ').map(|word| word.chars().count()).max();
        let cells = grid.iter().skip(1).map(|row| row[c].chars().count()).max();
        header.max(cells).unwrap_or(0) + 1
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
    for c in header.chars() {
        let ended_word = last.is_ascii_lowercase() || last.is_ascii_digit();
        let starts_word = c.is_ascii_uppercase() && ended_word || c == '(';
        if starts_word && last != ' ' {
            words.push(' ');
        }
        words.push(c);
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
        let table = Table { header, rows: vec![row("a")], ..Table::default() };
        let wide = fitting(&table, 60);
        assert!(!wide.contains("Lost") && wide.contains("123456789"), "{wide}");
        let narrow = fitting(&table, 24);
        assert!(narrow.lines().all(|l| l.chars().count() <= 24), "{narrow}");
        assert!(narrow.contains("123456789") && narrow.contains("987654321"), "{narrow}");
    }

    #[test]
    fn headers_break_at_their_words() {
        assert_eq!(in_words("GdmaDdrAvgBW(GB/s)"), "Gdma Ddr Avg BW (GB/s)");
        assert_eq!(in_words("GdmaL2AvgBW(GB/s)"), "Gdma L2 Avg BW (GB/s)");
        assert_eq!(in_words("uArchURate"), "u Arch URate");
        assert_eq!(in_words("Engine"), "Engine");
    }
}
