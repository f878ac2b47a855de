//! Layout of tables: plain text, or fitted to a terminal.

use bigtpu_output::Table;
use comfy_table::presets::{ASCII_FULL_CONDENSED, NOTHING, UTF8_HORIZONTAL_ONLY};
use comfy_table::{CellAlignment, ColumnConstraint, ContentArrangement, TableComponent, Width};

/// A table as plain text of any width.
pub(super) fn plain(table: &Table) -> String {
    let mut out = comfy_table::Table::new();
    out.load_preset(ASCII_FULL_CONDENSED);
    let (header, rows) = table.lines();
    out.set_header(header);
    fill(&mut out, rows.into_iter());
    out.to_string()
}

/// A table as plain text of any width, without rules.
#[must_use]
pub fn bare(table: &Table) -> String {
    let mut out = comfy_table::Table::new();
    out.load_preset(NOTHING);
    let (header, rows) = table.lines();
    out.set_header(header);
    fill(&mut out, rows.into_iter());
    out.lines().map(|line| line.trim_end().to_owned()).collect::<Vec<_>>().join("\n")
}

/// A table that fits `width` columns: the least important columns are left out, as many as need be, and a last line says
/// how many. `ranks`: headers, the most important first; those not named come last, from the left. A table of which only
/// the names would stay is turned instead.
pub(super) fn ranked(table: &Table, width: usize, ranks: &[&str]) -> String {
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
        1 => format!("{text}\n... 1 more column: --full"),
        n => format!("{text}\n... {n} more columns: --full"),
    }
}

/// A text whose lines are broken at blanks to fit `width` columns; where it continues it is indented by two more.
#[must_use]
pub fn wrapped(text: &str, width: usize) -> String {
    let indent = " ".repeat(text.chars().take_while(|c| *c == ' ').count() + 2);
    let mut lines: Vec<String> = Vec::new();
    let mut line = text.chars().take_while(|c| *c == ' ').collect::<String>();
    let mut is_empty = true;
    for word in text.split_whitespace() {
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

/// The header, broken into words, and all rows.
fn in_rows(table: &Table) -> Vec<Vec<String>> {
    let (header, rows) = table.lines();
    let mut grid: Vec<Vec<String>> = vec![header.iter().map(|h| in_words(h)).collect()];
    grid.extend(rows);
    grid
}

/// A table that fits `width` columns: headers are broken at their words, columns that are 0 all over are left
/// out, and a table that is still too wide is turned on its side and, if need be, cut into several.
pub(super) fn fitting(table: &Table, width: usize) -> String {
    let (grid, _) = without_zeros(in_rows(table));
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
    // comfy-table counts the padding into a column's width, but not the blank that parts columns.
    let widths: Vec<usize> = least_widths(&grid).into_iter().map(|width| width - 1).collect();
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
        let cells = grid.iter().skip(1).map(|row| row[c].chars().count()).max();
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
    for c in header.chars() {
        // The `u` of `uArch` is no word.
        let is_prefix = last == 'u' && before == ' ';
        let ended_word = (last.is_ascii_lowercase() || last.is_ascii_digit()) && !is_prefix;
        let starts_word = c.is_ascii_uppercase() && ended_word || c == '(';
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
    fn headers_break_at_their_words() {
        assert_eq!(in_words("GdmaDdrAvgBW(GB/s)"), "Gdma Ddr Avg BW (GB/s)");
        assert_eq!(in_words("GdmaL2AvgBW(GB/s)"), "Gdma L2 Avg BW (GB/s)");
        assert_eq!(in_words("uArchURate"), "uArch URate");
        assert_eq!(in_words("Engine"), "Engine");
    }

    #[test]
    fn the_least_important_columns_are_left_out() {
        let header = ["Core", "Total", "Detail", "Rate"].map(str::to_owned).to_vec();
        let row = ["0", "1234.5", "77777777", "99.9%"].map(str::to_owned).to_vec();
        let table = Table::new("", header, [row]);
        let ranks = ["Core", "Rate", "Total"];
        assert!(ranked(&table, 60, &ranks).contains("77777777"));
        let narrow = ranked(&table, 24, &ranks);
        assert!(!narrow.contains("Detail") && narrow.contains("1234.5"), "{narrow}");
        assert!(
            narrow.contains("99.9%") && narrow.ends_with("... 1 more column: --full"),
            "{narrow}"
        );
    }

    #[test]
    fn texts_break_at_blanks() {
        assert_eq!(wrapped("  one two three", 10), "  one two\n    three");
        assert_eq!(wrapped("one", 2), "one");
    }
}
