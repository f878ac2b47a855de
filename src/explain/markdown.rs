//! Documents as a terminal shows them: Markdown without its marks, links as their words, tables as lists, code indented.

use super::examples;

/// What a text consists of.
enum Block {
    Heading(String),
    /// Lines of a paragraph or of an item of a list, joined.
    Prose(String),
    Table(Vec<Vec<String>>),
    Code(Vec<String>),
    /// A comment: what is run before the example behind it.
    Setup(String),
}

/// Where a text stands.
#[derive(Debug, Clone, Copy)]
pub(super) struct Place {
    /// Its document, such as `docs/analysis.md`.
    pub(super) document: &'static str,
    /// What stands before it there.
    pub(super) before: &'static str,
}

/// The lines of a text. The first heading is left out where `title` takes its place.
pub(super) fn lines(text: &str, title: Option<String>, place: Place) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    let is_titled = title.is_some();
    lines.extend(title);
    let mut blocks = blocks(text);
    if is_titled && matches!(blocks.first(), Some(Block::Heading(_))) {
        blocks.remove(0);
    }
    let mut before = place.before.to_owned();
    for block in blocks {
        let shown = match block {
            Block::Heading(heading) => vec![heading],
            Block::Prose(prose) => {
                vec![only_link(&prose, place.document).unwrap_or_else(|| inline(&prose))]
            }
            Block::Table(rows) => listed(&rows),
            Block::Setup(comment) => {
                before.push_str(&format!("\n{comment}\n"));
                Vec::new()
            }
            Block::Code(code) => {
                let shown = examples::runnable(&code, &before);
                before.push_str(&format!("\n```sh\n{}\n```\n", code.join("\n")));
                shown.into_iter().map(|line| format!("    {line}").trim_end().to_owned()).collect()
            }
        };
        let shown: Vec<String> = shown.into_iter().filter(|line| !line.is_empty()).collect();
        let is_item = |line: &String| line.trim_start().starts_with("- ");
        let follows = lines.last().is_some_and(is_item) && shown.first().is_some_and(is_item);
        if !lines.is_empty() && !shown.is_empty() && !follows {
            lines.push(String::new());
        }
        lines.extend(shown);
    }
    lines
}

/// Whether a line begins an item of a list.
fn is_item(line: &str) -> bool {
    let line = line.trim_start();
    let number = line.trim_start_matches(|c: char| c.is_ascii_digit());
    line.starts_with("- ") || (number.len() < line.len() && number.starts_with(". "))
}

fn blocks(text: &str) -> Vec<Block> {
    let mut all: Vec<Block> = Vec::new();
    // Whether the next line goes on with the last block.
    let mut is_open = false;
    let mut lines = text.lines();
    while let Some(line) = lines.next() {
        if line.starts_with("```") {
            let code = lines.by_ref().take_while(|line| !line.starts_with("```"));
            all.push(Block::Code(code.map(str::to_owned).collect()));
            is_open = false;
        } else if line.starts_with(examples::SETUP) {
            all.push(Block::Setup(line.to_owned()));
            is_open = false;
        } else if line.trim().is_empty() || is_left_out(line) {
            is_open = false;
        } else if line.starts_with('#') {
            all.push(Block::Heading(line.to_owned()));
            is_open = false;
        } else if line.starts_with('|') {
            let row = cells(line);
            let is_rule = row.iter().all(|cell| cell.chars().all(|c| matches!(c, '-' | ':')));
            match all.last_mut().filter(|_| is_open) {
                _ if is_rule => {}
                Some(Block::Table(rows)) => rows.push(row),
                _ => all.push(Block::Table(vec![row])),
            }
            is_open = true;
        } else {
            match all.last_mut().filter(|_| is_open && !is_item(line)) {
                Some(Block::Prose(prose)) => join(prose, line.trim()),
                _ => all.push(Block::Prose(line.trim_end().to_owned())),
            }
            is_open = true;
        }
    }
    all
}

/// Comments are for tests; pictures and the link to the other language are for the browser.
fn is_left_out(line: &str) -> bool {
    let is_link = line.starts_with('[') && line.ends_with(".md)") && !line.contains(' ');
    line.starts_with("<!--") || line.starts_with("![") || is_link
}

/// Goes on with a paragraph: with a blank, but not within Chinese.
fn join(prose: &mut String, line: &str) {
    let is_within = |c: Option<char>| c.is_some_and(|c| !c.is_ascii());
    if !(is_within(prose.chars().last()) && is_within(line.chars().next())) {
        prose.push(' ');
    }
    prose.push_str(line);
}

/// The cells of a row; a mark within code is escaped.
fn cells(line: &str) -> Vec<String> {
    let row = line.trim().trim_start_matches('|').trim_end_matches('|').replace("\\|", "\u{0}");
    row.split('|').map(|cell| cell.trim().replace('\u{0}', "|")).collect()
}

/// A table as a list, an item for each row; the head says what stands between the dashes.
fn listed(rows: &[Vec<String>]) -> Vec<String> {
    let row = |row: &Vec<String>| {
        let cells = row.iter().map(|cell| inline(cell));
        cells.filter(|cell| !cell.is_empty()).collect::<Vec<_>>().join(" — ")
    };
    let head = rows.first().map(row).filter(|head| !head.is_empty());
    let head = head.map(|head| format!("{head}:"));
    let rows = rows.iter().skip(1).map(|cells| format!("- {}", row(cells)));
    head.into_iter().chain(rows).collect()
}

/// A paragraph without marks: links are their words; what leads to proofs, which only the repository has, is left out.
fn inline(text: &str) -> String {
    let mut text = text.replace("**", "");
    while let Some((start, end)) = proof(&text) {
        let (start, end) = with_brackets(&text, start, end);
        text.replace_range(start..end, "");
    }
    let mut out = String::new();
    let mut rest = text.as_str();
    while let Some((before, behind)) = rest.split_once('[') {
        let link = behind.split_once("](").and_then(|(word, end)| {
            let (_, end) = end.split_once(')')?;
            (!word.contains('[')).then_some((word, end))
        });
        let Some((word, end)) = link else {
            out.push_str(before);
            out.push('[');
            rest = behind;
            continue;
        };
        out.push_str(before.strip_suffix('!').unwrap_or(before));
        out.push_str(word);
        rest = end;
    }
    out.push_str(rest);
    let out = without_angles(out).replace("  ", " ");
    examples::without_fixtures(out.trim_end())
}

/// An address without the brackets that mark it as one.
fn without_angles(mut text: String) -> String {
    while let Some(start) = text.find("<https://") {
        let end = text.get(start..).and_then(|rest| rest.find('>'));
        if let Some(end) = end {
            text.remove(start + end);
        }
        text.remove(start);
    }
    text
}

/// A paragraph that is a link and nothing else, as the command that prints what it leads to.
fn only_link(text: &str, document: &str) -> Option<String> {
    let (word, target) = text.trim().strip_prefix('[')?.split_once("](")?;
    let target = target.trim_end_matches(['.', '。']).strip_suffix(')')?;
    let is_only = !target.contains(['(', ')', ' ']) && !word.contains('[');
    if !is_only || target.contains("proof/") || target.contains("://") || !target.contains(".md") {
        return None;
    }
    let directory = document.rsplit_once('/').map_or("", |(directory, _)| directory);
    let target = target.replace(".zh-CN.md", ".md");
    let place = match target.strip_prefix("../") {
        Some(target) => format!("docs/{target}"),
        None if directory.is_empty() => target,
        None => format!("{directory}/{target}"),
    };
    Some(format!("{word}: `bigtpuprofile explain {place}`"))
}

/// Where a link to a proof begins and ends.
fn proof(text: &str) -> Option<(usize, usize)> {
    let at = text.find("](proof/").or_else(|| text.find("](../proof/"))?;
    let start = text[..at].rfind('[')?;
    let end = at + text[at..].find(')')? + 1;
    // That the proof is in English.
    let behind = &text[end..];
    let english = ["（英文）", ", in English", "，英文"];
    let note = english.iter().find(|note| behind.starts_with(**note)).map_or(0, |note| note.len());
    Some((start, end + note))
}

/// What is left out with a link: brackets around it, else what separates it within them, else its sentence.
fn with_brackets(text: &str, start: usize, end: usize) -> (usize, usize) {
    let (before, behind) = (&text[..start], &text[end..]);
    for (open, close) in [("(", ")"), ("（", "）")] {
        if before.ends_with(open) && behind.starts_with(close) {
            let start = before.trim_end_matches(open).trim_end().len();
            return (start, end + close.len());
        }
    }
    for mark in ["; ", "；"] {
        if before.ends_with(mark) && behind.starts_with([')', '）', ';', '；']) {
            return (start - mark.len(), end);
        }
    }
    let sentence = [". ", "。", ": ", "："].iter();
    let first = sentence.filter_map(|mark| before.rfind(mark).map(|at| at + mark.len())).max();
    let last =
        behind.find(". ").map(|at| at + 2).or(behind.find('。').map(|at| at + '。'.len_utf8()));
    (first.unwrap_or(0), last.map_or(text.len(), |at| end + at))
}

#[cfg(test)]
mod tests {
    use super::*;

    const NOWHERE: Place = Place { document: "docs/analysis.md", before: "" };

    #[test]
    fn a_terminal_sees_no_marks() {
        let text = "## Head\n\n[中文](head.zh-CN.md)\n\n<!-- asked: x -->\n**Bold** [link](ci.md#noise) goes\non.\n\
            ![picture](images/x.png)\n\n| a | b |\n|---|---|\n| `1\\|2` | [two](x.md) |\n\n\
            ```sh\nbigtpuprofile DUMP out\n```\n\n[All rules](advice.md).\n- one\n- two\n";
        let shown = lines(text, Some("Title".into()), NOWHERE);
        let expected = [
            "Title",
            "",
            "Bold link goes on.",
            "",
            "a — b:",
            "- `1|2` — two",
            "",
            "    bigtpuprofile DUMP out",
            "",
            "All rules: `bigtpuprofile explain docs/advice.md`",
            "",
            "- one",
            "- two",
        ];
        assert_eq!(shown, expected);
    }

    #[test]
    fn what_leads_to_proofs_is_left_out() {
        for (text, shown) in [
            ("It holds ([tables](proof/x.md)). More.", "It holds. More."),
            ("By cores (`hardware`; [sources](proof/x.md#roofs)):", "By cores (`hardware`):"),
            ("Each has a time. [More](proof/x.md).", "Each has a time."),
            ("[How it was measured](../proof/p.md), and why.", ""),
            ("相符（[全部](../proof/x.md)，英文）。另有。", "相符。另有。"),
            ("不作比较。[更多](proof/x.md)（英文）。", "不作比较。"),
        ] {
            assert_eq!(inline(text), shown, "{text}");
        }
    }
}
