//! The catalogue: sentences by id, compiled in. A part is read when its first message is shown.

use std::sync::OnceLock;

use fluent_bundle::concurrent::FluentBundle;
use fluent_bundle::{FluentArgs, FluentResource};
use unic_langid::LanguageIdentifier;

use crate::functions::add_functions;
use crate::language::Language;
use crate::message::Message;

type Bundle = FluentBundle<FluentResource>;

/// A part of the catalogue: the messages of one subject in both languages.
#[derive(Debug)]
pub struct CataloguePart {
    /// What stands before the first `-` of its ids.
    pub prefixes: &'static [&'static str],
    /// Its files in the order of [`Language::ALL`].
    pub sources: [&'static str; 2],
}

/// Help texts have their English where the options are declared.
const HELP: CataloguePart =
    CataloguePart { prefixes: &["help"], sources: ["", include_str!("../locales/zh/help.ftl")] };

macro_rules! parts {
    ($($file:literal: $prefixes:expr;)*) => {
        /// All parts.
        pub const PARTS: &[CataloguePart] = &[$(CataloguePart {
            prefixes: &$prefixes,
            sources: [
                include_str!(concat!("../locales/en/", $file, ".ftl")),
                include_str!(concat!("../locales/zh/", $file, ".ftl")),
            ],
        },)* HELP];
    };
}

parts! {
    "answers": ["verdict", "bound", "headline", "advice", "doubt", "evidence", "place", "cores"];
    "notes": ["note"];
    "diff": ["cause", "diff"];
    "history": ["history"];
    "report": ["report"];
    "record": ["record"];
    "roofs": ["roof"];
    "commands": ["info", "whatif", "written", "found", "batch", "dumps", "costs", "synth", "explain", "simulate", "open"];
    "cluster": ["cluster"];
    "fleet": ["fleet"];
    "predict": ["model", "predict", "llm", "pipeline", "search"];
    "query": ["query"];
    "graph": ["graph"];
    "errors": ["error"];
    "sources": ["source"];
    "problems": ["problem"];
}

/// What a message's file has on its line: the text with the places of its arguments. For where no memory is left to read the catalogue:
/// it takes none.
#[must_use]
pub fn source_of(language: Language, id: &str) -> Option<&'static str> {
    let at = language.choose(0, 1);
    let lines =
        PARTS.iter().flat_map(|part| part.sources.get(at).into_iter().flat_map(|s| s.lines()));
    lines.filter_map(|line| line.strip_prefix(id)?.strip_prefix(" = ")).next()
}

/// The read parts, by language.
static BUNDLES: [[OnceLock<Bundle>; PARTS.len()]; 2] =
    [const { [const { OnceLock::new() }; PARTS.len()] }; 2];

fn bundle(part: usize, language: Language) -> Option<&'static Bundle> {
    let at = language.choose(0, 1);
    let source = PARTS.get(part)?.sources.get(at)?;
    let read = || {
        // A test reads all files; what can't be read of one is left out here.
        let (Ok(resource) | Err((resource, _))) = FluentResource::try_new((*source).to_owned());
        let locale: Option<LanguageIdentifier> = language.choose("en", "zh").parse().ok();
        let mut bundle = Bundle::new_concurrent(locale.into_iter().collect());
        bundle.set_use_isolating(false);
        add_functions(&mut bundle);
        bundle.add_resource_overriding(resource);
        bundle
    };
    Some(BUNDLES.get(at)?.get(part)?.get_or_init(read))
}

/// The sentence of a message; its id where the catalogue has none.
pub(crate) fn format(message: &Message, language: Language) -> String {
    let sentence = || {
        let prefix = message.id.split('-').next()?;
        let part = PARTS.iter().position(|part| part.prefixes.contains(&prefix))?;
        let bundle = bundle(part, language)?;
        let pattern = bundle.get_message(&message.id)?.value()?;
        let mut args = FluentArgs::with_capacity(message.args.len());
        for (name, arg) in &message.args {
            args.set(name.clone(), arg.value(language));
            for (end, value) in arg.more_values(language) {
                args.set(format!("{name}{end}"), value);
            }
        }
        Some(bundle.format_pattern(pattern, Some(&args), &mut Vec::new()).into_owned())
    };
    sentence().unwrap_or_else(|| message.id.clone().into_owned())
}

/// The Chinese text of an option or command in the help, by its key, or what an attribute of it says.
#[must_use]
pub fn help_text(key: &str, attribute: Option<&str>) -> Option<String> {
    let bundle = bundle(PARTS.len() - 1, Language::Chinese)?;
    let message = bundle.get_message(key)?;
    let pattern = match attribute {
        Some(name) => message.get_attribute(name)?.value(),
        None => message.value()?,
    };
    Some(bundle.format_pattern(pattern, None, &mut Vec::new()).into_owned())
}
