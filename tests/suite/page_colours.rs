//! Colours of the pages: one meaning in all of them, and text that can be read in both themes and on paper.

use std::collections::BTreeMap;

const TOKENS: &str = include_str!("../../crates/output/src/tokens.css");
const OF_A_RUN: &str = include_str!("../../crates/emit-web/page/dist/page.css");
const OF_CLUSTERS: &str = include_str!("../../crates/emit-cluster/page/page.css");

type Colours = BTreeMap<String, [u8; 3]>;

/// The colours that the first block behind `start` declares, of the light theme and of the dark one.
fn colours(start: &str) -> [Colours; 2] {
    let block = &TOKENS[TOKENS.find(start).unwrap()..];
    let block = &block[block.find(":root {").unwrap()..];
    let block = &block[..block.find('}').unwrap()];
    let of = |declaration: &str, theme: usize| {
        let (name, value) = declaration.trim().strip_prefix("--")?.split_once(':')?;
        let pair = value.trim().strip_prefix("light-dark(").and_then(|pair| pair.strip_suffix(')'));
        let value = pair.map_or(Some(value), |pair| pair.split(',').nth(theme))?;
        Some((name.to_owned(), rgb(value.trim())?))
    };
    [0, 1].map(|theme| block.split(';').filter_map(|each| of(each, theme)).collect())
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

#[test]
fn text_can_be_read_on_its_background() {
    let [light, dark] = colours("*/");
    let [paper, _] = colours("@media print");
    let printed = light.clone().into_iter().chain(paper).collect();
    for sheet in [light, dark, printed] {
        assert!(sheet.len() >= 17, "{sheet:?}");
        let soft = ["bad", "warn"].map(|name| (name, format!("{name}-soft")));
        let texts = ["text", "muted", "accent", "bad", "warn", "good"];
        let on = |background: &'static str| texts.map(|text| (text, background.to_owned()));
        for (text, background) in on("bg").into_iter().chain(on("panel")).chain(soft) {
            let ratio = contrast(sheet[text], sheet[&background]);
            assert!(ratio >= 4.5, "--{text} on --{background}: {ratio:.2}");
        }
        // What is only seen, not read: bars and swatches.
        for mark in ["tiu", "gdma", "sdma", "cdma"] {
            let ratio = contrast(sheet[mark], sheet["panel"]);
            assert!(ratio >= 3.0, "--{mark} on --panel: {ratio:.2}");
        }
    }
}

/// Both kinds of page have all tokens: the page of a run in its bundle, the others with the sheet before their own.
#[test]
fn colours_of_both_themes_are_described_once() {
    let squeezed = |text: &str| text.replace([' ', '\n'], "").to_lowercase();
    let bundle = squeezed(OF_A_RUN);
    let tokens: Vec<String> = colours("*/")[1].keys().map(|name| format!("--{name}:")).collect();
    for token in tokens {
        let value = TOKENS.split_once(&token).unwrap().1.split_once(';').unwrap().0;
        assert!(bundle.contains(&(token.clone() + &squeezed(value))), "{token}{value}");
        assert!(!OF_CLUSTERS.contains(&token), "{token}");
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

#[test]
fn bars_stay_on_paper() {
    assert!(TOKENS.contains("print-color-adjust: exact"));
    assert!(OF_A_RUN.contains("print-color-adjust:exact"));
}
