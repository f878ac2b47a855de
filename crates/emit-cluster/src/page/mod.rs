//! One page for all ranks: heat table of states, link matrix, operations, stragglers, clocks.
//!
//! The page is one file without references to anything outside. Its data are the report, the heat table (a byte for
//! each state in each of many equal stretches of time, deflated), and the slowest pairs of each link.

mod heat;

use std::collections::BTreeMap;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use bigtpu_cluster::report::Cluster;
use bigtpu_cluster::{Joined, PairView};
use bigtpu_messages::Language;
use bigtpu_output::{
    Json, Markup, NO_SCRIPT, OutDir, OutputError, Text, Written, page_start, text,
};
use rayon::prelude::*;
use serde::Serialize;

use crate::tables::state_name;
use heat::Heat;

/// Name of the page.
pub const PAGE_FILE: &str = "cluster.html";

/// Its script, the script's hash and its style, made by `npm run build` in `crates/emit-web/page`.
const SCRIPT: &str = include_str!("../../page/dist/cluster.js");
const SCRIPT_HASH: &str = include_str!("../../page/dist/cluster.js.sha256");
const STYLE: &str = include_str!("../../page/dist/cluster.css");

/// Members of operations that the page holds; beyond it operations are listed without their ranks.
const MOST_MEMBERS: usize = 30_000;
/// Operations that the page holds.
const MOST_OPERATIONS: usize = 20_000;
/// Slowest pairs of a link that the page holds, and of all links.
const PAIRS_OF_LINK: usize = 20;
const MOST_PAIRS: usize = 20_000;

/// A page of one rank, to which the page of all links.
#[derive(Debug, Clone, Serialize)]
pub struct RankPage {
    /// Rank.
    pub rank: u32,
    /// Where its page is, relative to this one.
    pub name: String,
    /// `name` as the value of a link.
    pub href: String,
}

/// What the script reads.
#[derive(Serialize)]
struct Data<'a> {
    cluster: &'a Cluster,
    /// Names of the states, by number.
    states: Vec<&'static str>,
    heat: Heat,
    /// Pairs of each link:
    /// `[start, late receiver, start-up, transfer, completion, late sender, bytes, retries, operation]`.
    pairs: Vec<Vec<[i64; 9]>>,
    /// Operations that are in the report and not on the page.
    left_out: usize,
    pages: &'a [RankPage],
    /// Sentences of the report with their Chinese.
    chinese: BTreeMap<String, String>,
}

/// Writes the page. `pages`: pages of single ranks.
///
/// # Errors
/// [`OutputError`] when it can't be written.
pub fn write_page(
    joined: &Joined,
    pages: &[RankPage],
    out: &OutDir,
) -> Result<Written, OutputError> {
    let mut cluster = joined.cluster.clone();
    let left_out = cluster.operations.len().saturating_sub(MOST_OPERATIONS);
    cluster.operations.truncate(MOST_OPERATIONS);
    if cluster.steps.iter().map(|step| step.ranks.len()).sum::<usize>() > MOST_MEMBERS {
        cluster.steps.iter_mut().for_each(|step| step.ranks.clear());
    }
    let mut members = 0;
    for operation in &mut cluster.operations {
        members += operation.ranks.len();
        if members > MOST_MEMBERS {
            operation.ranks.clear();
        }
    }
    let (heat, shares) = heat::heat(joined);
    let data = Data {
        states: (0..12).map(state_name).collect(),
        heat,
        pairs: slowest_pairs(joined),
        left_out,
        pages,
        chinese: chinese(&cluster),
        cluster: &cluster,
    };
    let title = format!("{} TPUs as one run", joined.ranks().len());
    let json = serde_json::to_string(&data).unwrap_or_default();
    let mut file = out.file(PAGE_FILE)?;
    let start: Text<Markup> = text!(
        "{}<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; script-src 'sha256-{}'; \
         style-src 'unsafe-inline'; img-src data: blob:; base-uri 'none'; form-action 'none'\">\n\
         <meta name=\"viewport\" content=\"width=device-width\">\n<title>{}</title>\n\
         <style>{}</style>\n</head>\n<body>\n<div id=\"app\"></div>\n\
         {}<script type=\"application/json\" id=\"data\">",
        page_start(None),
        SCRIPT_HASH,
        title,
        Text::literal(STYLE),
        Text::literal(NO_SCRIPT)
    );
    file.append(&start)?;
    file.append(&Json::in_page(&json))?;
    let end: Text<Markup> = text!(
        "</script>\n<script type=\"text/plain\" id=\"heat\">{}</script>\n<script>{}</script>\n</body>\n</html>\n",
        STANDARD.encode(shares),
        Text::literal(SCRIPT)
    );
    file.append(&end)?;
    file.commit()
}

/// The sentences of the report with their Chinese, where it differs.
fn chinese(cluster: &Cluster) -> BTreeMap<String, String> {
    let said = cluster.verdict_messages.iter().chain(&cluster.ledger.notes);
    let said = said.chain(cluster.advice.iter().flat_map(|row| &row.said.messages));
    let said = said.chain(cluster.ambiguous.iter().map(|row| &row.why_message));
    let pairs = said.map(|one| Language::ALL.map(|language| one.text(language)));
    pairs.filter(|[english, chinese]| english != chinese).map(<(String, String)>::from).collect()
}

/// The slowest pairs of each link, by the time of the send without waiting for the receiver.
fn slowest_pairs(joined: &Joined) -> Vec<Vec<[i64; 9]>> {
    let links = joined.cluster.links.len();
    let most = PAIRS_OF_LINK.min(MOST_PAIRS / links.max(1)).max(1);
    let busy = |p: &PairView| {
        let send = p.send.phases;
        send.start_up + send.transfer + send.completion
    };
    let row = |p: &PairView| {
        let (s, r) = (p.send.phases, p.receive.phases);
        let command = joined.command(&p.send).unwrap_or_default();
        let rank = joined.rank(p.send.rank as usize);
        let start = rank.map_or(0.0, |rank| rank.clock.reference(command.start));
        [
            start.round() as i64,
            s.waiting,
            s.start_up,
            s.transfer,
            s.completion,
            r.waiting,
            i64::try_from(command.bytes).unwrap_or(i64::MAX),
            command.replays.into(),
            p.operation.map_or(-1, i64::from),
        ]
    };
    let slowest = |link: usize| {
        let mut own: Vec<PairView> = joined.pairs_of(link).collect();
        let key = |p: &PairView| (-busy(p), p.send.command);
        if most < own.len() {
            own.select_nth_unstable_by_key(most, key);
            own.truncate(most);
        }
        own.sort_by_key(key);
        own.iter().map(row).collect()
    };
    (0..links).into_par_iter().map(slowest).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Texts of the page's own: titles, hints, headings, names of facts.
    #[test]
    fn every_text_has_its_chinese() {
        let words = include_str!("../../page/words.js");
        let sources = [
            include_str!("../../page/base.js"),
            include_str!("../../page/heat.js"),
            include_str!("../../page/pointing.js"),
            include_str!("../../page/matrix.js"),
            include_str!("../../page/details.js"),
            include_str!("../../page/main.js"),
        ];
        let starts = [
            "title: '",
            "hint: '",
            "'h3', {}, '",
            "'p', {}, '",
            "', '",
            "      ['",
            "by('",
            "}, '",
        ];
        let mut count = 0;
        for source in sources {
            for start in starts {
                for rest in source.split(start).skip(1) {
                    let text = rest.split('\'').next().unwrap_or_default();
                    // Names of things and of columns have no blank or begin small.
                    let is_text = text.starts_with(|c: char| c.is_ascii_uppercase());
                    if is_text && !text.contains(['$', '<']) && text.len() > 2 {
                        assert!(words.contains(&format!("'{text}':")), "{text}");
                        count += 1;
                    }
                }
            }
        }
        assert!(count > 60, "{count} texts");
    }

    #[test]
    fn the_script_does_not_end_its_element() {
        let script = SCRIPT.to_lowercase();
        assert!(!script.contains("</script") && !script.contains("<!--"));
        assert!(!STYLE.to_lowercase().contains("</style"));
    }
}
