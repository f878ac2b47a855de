//! Colours of the pages: one meaning in all of them, and text that can be read in both themes and on paper.

use std::collections::BTreeMap;

const OF_A_RUN: &str = include_str!("../../crates/emit-web/page/src/style/base.css");
const WITHOUT_SCRIPTS: &str = include_str!("../../crates/output/src/page.css");
const OF_CLUSTERS: &str = include_str!("../../crates/emit-cluster/page/page.css");

type Colours = BTreeMap<String, [u8; 3]>;

/// The colours that a block of a style sheet declares, the first block behind `start`.
fn colours(sheet: &str, start: &str) -> Colours {
    let at = sheet.find(start).unwrap_or_else(|| panic!("{start} is not in the sheet"));
    let block = &sheet[at + start.len()..];
    let block = &block[block.find('{').unwrap() + 1..];
    let block = &block[block.find("--").unwrap()..];
    let end = block.find('}').unwrap();
    let of = |declaration: &str| {
        let (name, value) = declaration.trim().strip_prefix("--")?.split_once(':')?;
        Some((name.to_owned(), rgb(value.trim())?))
    };
    block[..end].split(';').filter_map(of).collect()
}

fn rgb(value: &str) -> Option<[u8; 3]> {
    let digits = value.strip_prefix('#')?;
    let wide: String = match digits.len() {
        3 => digits.chars().flat_map(|digit| [digit, digit]).collect(),
        _ => digits.to_owned(),
    };
    let number = u32::from_str_radix(&wide, 16).ok()?;
    Some([(number >> 16) as u8, (number >> 8) as u8, number as u8])
}

/// WCAG 2.2, relative luminance and contrast ratio.
fn contrast(one: [u8; 3], other: [u8; 3]) -> f64 {
    let luminance = |colour: [u8; 3]| {
        let linear = colour.map(|part| {
            let part = f64::from(part) / 255.0;
            if part <= 0.040_45 { part / 12.92 } else { ((part + 0.055) / 1.055).powf(2.4) }
        });
        0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]
    };
    let (one, other) = (luminance(one), luminance(other));
    (one.max(other) + 0.05) / (one.min(other) + 0.05)
}

/// Blocks of the two sheets with the same content: light, dark.
fn themes() -> [(Colours, Colours); 2] {
    [
        (colours(OF_A_RUN, ":root "), colours(WITHOUT_SCRIPTS, ":root ")),
        (
            colours(OF_A_RUN, ":root[data-theme=\"dark\"] "),
            colours(WITHOUT_SCRIPTS, "prefers-color-scheme: dark"),
        ),
    ]
}

#[test]
fn pages_without_scripts_have_the_colours_of_the_page_of_a_run() {
    for (of_a_run, plain) in themes() {
        assert!(plain.len() >= 14, "{plain:?}");
        for (name, colour) in &plain {
            assert_eq!(of_a_run.get(name), Some(colour), "--{name}");
        }
    }
}

#[test]
fn text_can_be_read_on_its_background() {
    let printed = colours(WITHOUT_SCRIPTS, "@media print");
    let screens = themes().into_iter().flat_map(|(of_a_run, plain)| [of_a_run, plain]);
    for sheet in screens.chain([printed]) {
        for text in ["text", "muted", "accent", "bad", "warn", "good"] {
            for background in ["bg", "panel"] {
                let ratio = contrast(sheet[text], sheet[background]);
                assert!(ratio >= 4.5, "--{text} on --{background}: {ratio:.2}");
            }
        }
        // What is only seen, not read: bars and swatches.
        for mark in ["tiu", "gdma", "sdma", "cdma"] {
            let ratio = contrast(sheet[mark], sheet["panel"]);
            assert!(ratio >= 3.0, "--{mark} on --panel: {ratio:.2}");
        }
    }
}

#[test]
fn an_engine_has_its_colour_in_clusters_too() {
    for (state, engine) in [("compute", "tiu"), ("memory", "gdma"), ("link", "cdma")] {
        let of_engine = format!("--{state}:var(--{engine})");
        assert_eq!(OF_CLUSTERS.matches(&of_engine).count(), 1, "{of_engine}");
        assert_eq!(OF_CLUSTERS.matches(&format!("--{state}:")).count(), 1, "{state}");
    }
}

/// The page of a cluster begins with the sheet of those without scripts.
#[test]
fn bars_stay_on_paper() {
    for sheet in [OF_A_RUN, WITHOUT_SCRIPTS] {
        assert!(sheet.contains("print-color-adjust: exact"));
    }
}
