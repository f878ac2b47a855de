//! The documents that messages and results name: who has the program alone reads them with it.

use std::sync::LazyLock;

use bigtpu_messages::Language;

use super::markdown::{self, Place};
use super::{TERMS, document};

/// A document: its place, and its text in the order of [`Language::ALL`].
#[derive(Debug, Clone, Copy)]
pub(crate) struct Page {
    place: &'static str,
    texts: [&'static str; 2],
}

/// Documents in English and in Chinese.
macro_rules! pages {
    ($($name:literal),+ $(,)?) => {
        [$(Page {
            place: concat!("docs/", $name, ".md"),
            texts: [
                include_str!(concat!("../../docs/", $name, ".md")),
                include_str!(concat!("../../docs/", $name, ".zh-CN.md")),
            ],
        }),+]
    };
}

/// Documents for users.
static PAGES: [Page; 30] = pages![
    "first-run",
    "symptoms",
    "capture",
    "command-line",
    "analysis",
    "columns",
    "advice",
    "page",
    "perfetto-sql",
    "events",
    "query",
    "python",
    "ci",
    "fleet",
    "cluster",
    "compat",
    "browser",
    "real-hardware",
    "performance",
    "reliability",
    "prediction",
    "prediction/across",
    "prediction/costs",
    "prediction/estimate",
    "prediction/llm",
    "prediction/measured",
    "prediction/pipeline",
    "prediction/replay",
    "prediction/search",
    "prediction/simulate",
];

/// What one reads first.
static README: Page = Page {
    place: "README.md",
    texts: [include_str!("../../README.md"), include_str!("../../README.zh-CN.md")],
};

/// Short answers to questions of users. Only the program shows them: each names the section that says more.
static ANSWERS: Page = Page {
    place: "answers",
    texts: [include_str!("answers.md"), include_str!("answers.zh-CN.md")],
};

/// The terms, whose one document has both languages, as a page of each.
static GLOSSARY: LazyLock<Page> = LazyLock::new(|| Page {
    place: "docs/glossary.md",
    // Chapters are parts of texts that are there as long as the program.
    texts: Language::ALL.map(|language| &*document::glossary_in(TERMS, language).leak()),
});

/// What engineers of the format read is in English only.
static FORMAT: Page =
    Page { place: "docs/format.md", texts: [include_str!("../../docs/format.md"); 2] };

fn all() -> impl Iterator<Item = &'static Page> {
    [&README, &ANSWERS].into_iter().chain(&PAGES).chain([&*GLOSSARY, &FORMAT])
}

/// The places of all.
pub(super) fn places() -> impl Iterator<Item = &'static str> {
    all().map(|page| page.place)
}

/// A document by its name without folder and ending: `capture` for `docs/capture.md`.
pub(super) fn named(name: &str, language: Language) -> Option<Chapter> {
    let name_of = |page: &Page| page.place.rsplit('/').next()?.strip_suffix(".md");
    let page = all().find(|page| name_of(page) == Some(name))?;
    let [english, chinese] = page.texts;
    Some(Chapter::whole(page, language.choose(english, chinese)))
}

/// The short answer to exactly this question.
pub(super) fn answer_to(question: &str, language: Language) -> Option<Chapter> {
    short_answers(language).find(|chapter| chapter.is_asked_as(question))
}

/// The short answers.
pub(super) fn short_answers(language: Language) -> impl Iterator<Item = Chapter> {
    let all = chapters_of(&ANSWERS, language).into_iter();
    all.filter(|chapter| !chapter.is_document())
}

/// Whom a document is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Scope {
    /// Users.
    Users,
    /// Users who ask.
    Answers,
    /// Users with a problem.
    Symptoms,
    /// Users who write queries.
    Queries,
    /// Engineers of the format.
    Format,
}

/// A section of a document.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Chapter {
    page: &'static Page,
    /// Whether it is all of its document.
    is_whole: bool,
    /// What stands before it in the document.
    before: &'static str,
    /// The headings above it, from that of the document on.
    above: [&'static str; DEEPEST],
    /// Its heading in English, which its place has.
    named: &'static str,
    pub(super) heading: &'static str,
    /// With the sections in it.
    pub(super) text: &'static str,
    /// Without them.
    pub(super) own: &'static str,
}

/// Levels of headings.
const DEEPEST: usize = 6;

impl Chapter {
    /// The document, all of it.
    fn whole(page: &'static Page, text: &'static str) -> Self {
        let above = [""; DEEPEST];
        Self {
            page,
            is_whole: true,
            before: "",
            above,
            named: heading(text),
            heading: heading(text),
            text,
            own: text,
        }
    }

    /// Its lines on a terminal. A section begins with the title of its document.
    pub(super) fn lines(&self) -> Vec<String> {
        let place = Place { document: self.page.place, before: self.before };
        markdown::lines(self.text, self.title(), place)
    }

    /// Its heading without marks.
    pub(super) fn heading_alone(&self) -> String {
        self.heading.replace('`', "")
    }

    /// What stands in place of its heading; a whole document has its own.
    fn title(&self) -> Option<String> {
        let heading = self.heading_alone();
        match self.above.first() {
            _ if self.scope() == Scope::Answers => Some(heading),
            Some(document) if !document.is_empty() => {
                let short = document.split([':', '：']).next().unwrap_or_default();
                let mark = if short.is_ascii() { ": " } else { "：" };
                Some(format!("{}{mark}{heading}", short.replace('`', "")))
            }
            _ => None,
        }
    }

    /// The section that a short answer names for more, and the answer without it.
    pub(super) fn without_more(mut self, language: Language) -> (Self, Option<Self>) {
        let last =
            self.text.trim_end().rsplit_once("\n\n").filter(|_| self.scope() == Scope::Answers);
        let Some((told, last)) = last else { return (self, None) };
        let place = last.split("explain ").last().and_then(|rest| rest.split('`').next());
        self.text = told;
        (self, place.and_then(|place| find(place, language)))
    }

    /// Whether exactly its own question is asked.
    pub(super) fn is_asked_as(&self, question: &str) -> bool {
        let plain = |text: &str| text.trim_end_matches(['?', '？', '.', '。']).to_lowercase();
        plain(&self.heading_alone()) == plain(question)
    }

    /// As `explain` takes it: a short answer by its question, a section by its place.
    pub(super) fn asked_as(&self) -> String {
        match self.scope() {
            // A shell takes an apostrophe for the end of quotes.
            Scope::Answers if self.heading.contains('\'') => {
                format!("\"{}\"", self.heading_alone())
            }
            Scope::Answers => format!("'{}'", self.heading_alone()),
            _ => self.place(),
        }
    }

    /// As links name it: `docs/capture.md#pitfalls`.
    pub(super) fn place(&self) -> String {
        if self.is_whole {
            return self.page.place.to_owned();
        }
        format!("{}#{}", self.page.place, slug(self.named))
    }

    /// The headings above it, and the name of the document.
    pub(super) fn path_of_headings(&self) -> String {
        format!("{} {}", self.above.join(" "), self.page.place.trim_end_matches(".md"))
    }

    /// Other words for its heading: lines `<!-- asked: one | another -->`.
    pub(super) fn asked(&self) -> impl Iterator<Item = &'static str> {
        let comment = |line: &'static str| line.strip_prefix("<!-- asked: ")?.strip_suffix(" -->");
        self.own.lines().filter_map(comment).flat_map(|all| all.split('|')).map(str::trim)
    }

    /// What it says, without its comments.
    pub(super) fn told(&self) -> String {
        let lines = self.own.lines().filter(|line| !line.starts_with("<!--"));
        lines.collect::<Vec<_>>().join("\n")
    }

    /// Whether it is what stands before the sections of a document.
    pub(super) fn is_document(&self) -> bool {
        self.above.iter().all(|heading| heading.is_empty())
    }

    /// The chapter of the other language, where it was found in one and is shown in the other.
    pub(super) fn shown_in(self, found: Language, shown: Language) -> Self {
        let is_translated = found == Language::English && shown != found;
        if !is_translated {
            return self;
        }
        let mut others = chapters_of(self.page, shown).into_iter();
        others.find(|other| other.named == self.named).unwrap_or(self)
    }

    /// Whom its document is for.
    pub(super) fn scope(&self) -> Scope {
        match self.page.place {
            "docs/format.md" | "docs/reliability.md" => Scope::Format,
            "answers" => Scope::Answers,
            "docs/symptoms.md" => Scope::Symptoms,
            "docs/perfetto-sql.md" => Scope::Queries,
            _ => Scope::Users,
        }
    }
}

/// All sections of all documents; of a document itself what stands before its sections.
pub(super) fn chapters(language: Language) -> impl Iterator<Item = Chapter> {
    all().flat_map(move |page| chapters_of(page, language))
}

/// The sections of a document.
fn chapters_of(page: &'static Page, language: Language) -> Vec<Chapter> {
    let [english, chinese] = page.texts;
    let text = language.choose(english, chinese);
    let mut path = [""; DEEPEST];
    let starts: Vec<(usize, usize)> = headings(text).collect();
    let end_of = |at: usize, is_end: &dyn Fn(usize) -> bool| {
        let behind = &starts[at + 1..];
        behind.iter().find(|(_, level)| is_end(*level)).map_or(text.len(), |(start, _)| *start)
    };
    let all = starts.iter().enumerate().zip(headings(english));
    let chapters = all.map(|((at, &(start, level)), (named, _))| {
        // From one heading to the next, and to the next of the same level or a higher one.
        let own = &text[start..end_of(at, &|_| true)];
        let whole = &text[start..end_of(at, &|other| other <= level)];
        let level = level.clamp(1, DEEPEST) - 1;
        path[level..].fill("");
        let above = path;
        path[level] = heading(own);
        Chapter {
            page,
            is_whole: false,
            before: &text[..start],
            above,
            named: heading(&english[named..]),
            heading: heading(own),
            text: if level == 0 { own } else { whole },
            own,
        }
    });
    chapters.collect()
}

/// A document, or a section of it: `docs/capture.md`, `docs/analysis.md#roofline`. Also as documents link to each other:
/// `analysis.md#roofline`, `analysis.zh-CN.md`. `None` where there is none of the name.
pub(super) fn find(name: &str, language: Language) -> Option<Chapter> {
    let (place, wanted) = name.split_once('#').map_or((name, None), |(p, a)| (p, Some(a)));
    let (place, language) = match place.strip_suffix(".zh-CN.md") {
        Some(stem) => (format!("{stem}.md"), Language::Chinese),
        None => (place.to_owned(), language),
    };
    let without_directory = |place: &str| place.strip_prefix("docs/").unwrap_or(place).to_owned();
    let place = without_directory(&place);
    let page = all().find(|page| without_directory(page.place) == place)?;
    let [english, chinese] = page.texts;
    let Some(wanted) = wanted else {
        return Some(Chapter::whole(page, language.choose(english, chinese)));
    };
    // Anchors are those of the English document, which messages name, or of the Chinese one.
    let mut of_page = chapters_of(page, language).into_iter();
    let is_meant = |chapter: &Chapter| {
        slug(chapter.named) == wanted || anchor(chapter.heading, char::is_alphanumeric) == wanted
    };
    of_page.find(is_meant)
}

/// Where headings begin, and their level. A `#` within code is none.
fn headings(text: &'static str) -> impl Iterator<Item = (usize, usize)> {
    let mut is_code = false;
    let mut at = 0;
    text.split_inclusive('\n').filter_map(move |line| {
        let start = at;
        at += line.len();
        is_code ^= line.starts_with("```");
        let level = line.len() - line.trim_start_matches('#').len();
        (!is_code && level > 0).then_some((start, level))
    })
}

/// The words of a section's heading.
fn heading(section: &str) -> &str {
    section.lines().next().unwrap_or_default().trim_start_matches('#').trim()
}

/// A heading as links name it: small letters, `-` for blanks, without other marks, and without Chinese where it is in both languages.
fn slug(heading: &str) -> String {
    anchor(heading, |c| c.is_ascii_alphanumeric())
}

/// A heading as an anchor: of the letters that are kept.
fn anchor(heading: &str, is_kept: fn(char) -> bool) -> String {
    let kept = heading.chars().filter(|c| is_kept(*c) || matches!(c, ' ' | '-' | '_'));
    kept.collect::<String>().trim().to_lowercase().replace(' ', "-")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_page_and_a_section_are_found_in_both_languages() {
        let text = |name: &str, language| find(name, language).map(|chapter| chapter.text);
        let whole = text("docs/capture.md", Language::English).unwrap();
        assert!(whole.starts_with("# "));
        let [english, chinese] =
            Language::ALL.map(|language| text("docs/analysis.md#roofline", language).unwrap());
        assert!(english.starts_with("## Roofline\n") || english.starts_with("### Roofline\n"));
        assert!(chinese.starts_with("##") && chinese.contains('。') && !english.contains('。'));
        assert!(english.len() < text("docs/analysis.md", Language::English).unwrap().len());
        assert_eq!(named("capture", Language::English).map(|page| page.text), Some(whole));
        // As documents link to each other.
        assert_eq!(text("analysis.md#roofline", Language::English), Some(english));
        for place in [
            "analysis.zh-CN.md#roofline",
            "docs/analysis.zh-CN.md#roofline",
            "docs/symptoms.zh-CN.md#没有名称",
        ] {
            let found = find(place, Language::English).unwrap();
            assert!(found.text.contains('。') || found.text.contains('：'), "{place}");
        }
        for name in ["docs/nothing.md", "docs/capture.md#nothing", "capture", ""] {
            assert!(find(name, Language::English).is_none(), "{name}");
        }
    }

    /// What an answer names exists, and nothing leads to what only the repository has.
    #[test]
    fn answers_lead_to_sections_and_show_no_marks() {
        for language in Language::ALL {
            for chapter in chapters(language).filter(|chapter| chapter.scope() != Scope::Format) {
                let lines = chapter.lines();
                for line in &lines {
                    let place = chapter.place();
                    let marks = ["](", "![", "proof/", "fixtures/", "<!--"];
                    assert!(!marks.iter().any(|mark| line.contains(mark)), "{place}: {line}");
                    for named in line.split("bigtpuprofile explain docs/").skip(1) {
                        let named = named.split(['`', ' ', ')', '）', '\'']).next().unwrap();
                        assert!(
                            find(&format!("docs/{named}"), language).is_some(),
                            "{place}: {named}"
                        );
                    }
                }
            }
        }
    }

    /// A section is found by its number, which is the same in both languages.
    #[test]
    fn both_languages_have_the_same_headings() {
        for page in PAGES.iter().chain([&ANSWERS]) {
            let levels =
                page.texts.map(|text| headings(text).map(|(_, level)| level).collect::<Vec<_>>());
            assert_eq!(levels[0], levels[1], "{}", page.place);
        }
    }

    #[test]
    fn headings_become_anchors() {
        assert_eq!(slug("1. Directory"), "1-directory");
        assert_eq!(slug("Terms / 术语"), "terms");
        assert_eq!(slug("Commands by their values: `query`"), "commands-by-their-values-query");
    }
}
