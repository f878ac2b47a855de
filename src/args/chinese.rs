//! The command line in Chinese: the tree of clap with help texts of the catalogue, and clap's own sentences. The English texts stand
//! where the options are declared; `locales/zh/help.ftl` has the Chinese ones by command and option. Tests hold that none is missing.

use std::error::Error as _;
use std::num::{IntErrorKind, ParseFloatError, ParseIntError};

use bigtpu_messages::{Language, Message, help_text};
use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{Arg, Command, Error};

/// What clap itself writes into help texts and below errors, and headings, with what stands there in Chinese.
const FIXED: [(&str, &str); 18] = [
    ("Usage:", "用法："),
    ("Arguments:", "参数："),
    ("Options:", "选项："),
    ("Commands:", "命令："),
    ("Language models:", "语言模型："),
    ("Options of --cluster:", "--cluster 的选项："),
    ("[aliases: ", "[别名："),
    ("[alias: ", "[别名："),
    ("[env: ", "[环境变量："),
    ("Print help (see more with '--help')", "显示帮助（'--help' 显示更多）"),
    ("Print help (see a summary with '-h')", "显示帮助（'-h' 显示摘要）"),
    ("Print help", "显示帮助"),
    ("Print version", "显示版本"),
    ("Print this message or the help of the given subcommand(s)", "显示本帮助或所给命令的帮助"),
    ("For more information, try '--help'.", "更多信息请用 '--help'。"),
    ("error: ", "错误："),
    ("[OPTIONS]", "[选项]"),
    ("[COMMAND]", "[命令]"),
];

/// A text that clap wrote, with its own words in Chinese.
fn with_fixed(text: &str) -> String {
    FIXED.iter().fold(text.to_owned(), |text, (english, chinese)| text.replace(english, chinese))
}

/// The tree with Chinese help texts. Texts that the catalogue does not have stay: a test finds them.
pub(crate) fn translated(command: Command) -> Command {
    of_path(command, "")
}

fn of_path(mut command: Command, path: &str) -> Command {
    let id = format!("help-{}", if path.is_empty() { "program" } else { path });
    if let Some(about) = help_text(&id, None) {
        if command.get_long_about().is_some() {
            command = command.long_about(with_long(&about, &id));
        }
        command = command.about(about);
    }
    if let Some(examples) = help_text(&id, Some("examples")) {
        command = command.after_help(examples);
    }
    command = command.mut_args(|arg| with_help(arg, path));
    let names: Vec<String> =
        command.get_subcommands().map(|sub| sub.get_name().to_owned()).collect();
    for name in names.iter().filter(|name| *name != "help") {
        let below = if path.is_empty() { name.clone() } else { format!("{path}-{name}") };
        command = command.mut_subcommand(name, |sub| of_path(sub, &below));
    }
    command
}

/// The key of an argument in the catalogue: that of its command, or the one that commands share.
fn key_of(arg: &Arg, path: &str) -> Option<String> {
    let path = if path.is_empty() { "program" } else { path };
    let keys = [path, "any"].map(|path| format!("help-{path}-{}", name_of(arg)));
    keys.into_iter().find(|key| help_text(key, None).is_some())
}

/// An option by its name, another argument by its id.
fn name_of(arg: &Arg) -> &str {
    arg.get_long().unwrap_or(arg.get_id().as_str())
}

/// Values and defaults are part of the text: clap would write its own words before them.
fn with_help(arg: Arg, path: &str) -> Arg {
    let Some(key) = key_of(&arg, path) else { return arg };
    let Some(help) = help_text(&key, None) else { return arg };
    let takes_values = arg.get_action().takes_values();
    let names = |values: Vec<String>| Some(values.join(", ")).filter(|names| !names.is_empty());
    let defaults =
        arg.get_default_values().iter().map(|value| value.to_string_lossy().into_owned());
    let default =
        names(defaults.filter(|_| takes_values && !arg.is_hide_default_value_set()).collect());
    let values = if takes_values && !arg.is_hide_possible_values_set() {
        arg.get_possible_values()
    } else {
        Vec::new()
    };
    let shown = values.iter().filter(|value| !value.is_hide_set());
    let listed: Vec<String> = shown.clone().map(|value| value.get_name().to_owned()).collect();
    let described: Vec<String> = shown
        .filter_map(|value| {
            let help = help_text(&key, Some(&attribute(value.get_name())))?;
            Some(format!("- {}：{help}", value.get_name()))
        })
        .collect();
    let default = default.map(|value| format!("[默认：{value}]"));
    let list = names(listed).map(|names| format!("[可选值：{names}]"));
    let short: Vec<&str> =
        std::iter::once(&*help).chain(default.as_deref()).chain(list.as_deref()).collect();
    let mut long = with_long(&help, &key);
    if !described.is_empty() {
        long += &format!("\n\n可选值：\n{}", described.join("\n"));
    } else if let Some(list) = &list {
        long += &format!("\n\n{list}");
    }
    if let Some(default) = &default {
        long += &format!("\n\n{default}");
    }
    let has_long = arg.get_long_help().is_some() || !described.is_empty();
    let arg = arg.help(short.join(" "));
    let arg = match takes_values {
        true => arg.hide_possible_values(true).hide_default_value(true),
        false => arg,
    };
    if has_long { arg.long_help(long) } else { arg }
}

/// What the long help has: the short one, and more behind it.
fn with_long(short: &str, key: &str) -> String {
    help_text(key, Some("long"))
        .map_or_else(|| short.to_owned(), |long| format!("{short}\n\n{long}"))
}

/// A value's attribute in the catalogue.
fn attribute(value: &str) -> String {
    format!("v-{}", slug(value))
}

fn slug(text: &str) -> String {
    let letters =
        text.chars().map(|c| if c.is_ascii_alphanumeric() { c.to_ascii_lowercase() } else { '-' });
    letters.collect()
}

/// What clap says, in Chinese: a help text, or what is wrong with the command line. With `has_style` it is for a terminal.
pub(super) fn said(error: &Error, has_style: bool) -> String {
    let rendered = error.render();
    let text = if has_style { rendered.ansi().to_string() } else { rendered.to_string() };
    match sentence(error) {
        Some(sentence) => {
            // What clap puts behind its sentence is the usage, which is the same in both languages.
            let usage = text.find("Usage:").map(|at| &text[at..]);
            let mut said = format!("错误：{sentence}\n");
            for end in usage.into_iter().map(with_fixed) {
                said += "\n";
                said += &end;
            }
            said
        }
        None => with_fixed(&text),
    }
}

/// What is wrong, with what clap knows of it; `None` of a help text, and of a sentence that is not clap's.
fn sentence(error: &Error) -> Option<String> {
    let one = |kind| match error.get(kind) {
        Some(ContextValue::String(text)) => text.clone(),
        Some(ContextValue::Strings(texts)) => texts.join("、"),
        Some(ContextValue::Number(number)) => number.to_string(),
        _ => String::new(),
    };
    let id = match error.kind() {
        ErrorKind::InvalidValue if one(ContextKind::InvalidValue).is_empty() => "no-value",
        ErrorKind::InvalidValue => "invalid-value",
        ErrorKind::ValueValidation => "value",
        ErrorKind::UnknownArgument => "unknown",
        ErrorKind::InvalidSubcommand => "command",
        ErrorKind::NoEquals => "no-equals",
        ErrorKind::TooManyValues => "too-many",
        ErrorKind::TooFewValues => "too-few",
        ErrorKind::WrongNumberOfValues => "number",
        ErrorKind::ArgumentConflict => "conflict",
        ErrorKind::MissingRequiredArgument => "missing",
        ErrorKind::MissingSubcommand => "missing-command",
        ErrorKind::InvalidUtf8 => "utf8",
        _ => return None,
    };
    if error.context().next().is_none() && error.kind() != ErrorKind::InvalidUtf8 {
        return None;
    }
    let given = [
        ("arg", ContextKind::InvalidArg),
        ("value", ContextKind::InvalidValue),
        ("command", ContextKind::InvalidSubcommand),
        ("prior", ContextKind::PriorArg),
        ("actual", ContextKind::ActualNumValues),
        ("expected", ContextKind::ExpectedNumValues),
        ("least", ContextKind::MinValues),
    ];
    let start = Message::new("help-error").with("kind", id);
    let message =
        given.into_iter().fold(start, |message, (name, kind)| message.with(name, one(kind)));
    let message = message.with("reason", error.source().map_or_else(String::new, reason));
    let tips = [
        ("values", ContextKind::ValidValue),
        ("like-argument", ContextKind::SuggestedArg),
        ("like-value", ContextKind::SuggestedValue),
        ("like-command", ContextKind::SuggestedSubcommand),
    ];
    let mut said = message.text(Language::Chinese);
    for (kind, context) in tips {
        let all = one(context);
        if !all.is_empty() {
            let tip = Message::new("help-error-tip").with("kind", kind).with("all", all);
            said += "\n  ";
            said += &tip.text(Language::Chinese);
        }
    }
    Some(said)
}

/// Why a value is refused: our own errors have both languages, those of numbers do not.
fn reason(error: &(dyn std::error::Error + 'static)) -> String {
    let kind = match error.downcast_ref::<ParseIntError>().map(ParseIntError::kind) {
        Some(IntErrorKind::PosOverflow) => "large",
        Some(IntErrorKind::NegOverflow) => "small",
        Some(_) => "whole",
        None if error.is::<ParseFloatError>() => "number",
        None if error.is::<regex_lite::Error>() => "pattern",
        None => "other",
    };
    let text = Language::Chinese.display(|| error.to_string());
    // Of a range clap has a sentence only.
    let text = match text.split_once(" is not in ") {
        Some((value, range)) => format!("{value} 不在 {range} 之内"),
        None => text,
    };
    let message = Message::new("help-error-reason").with("kind", kind).with("text", text);
    message.text(Language::Chinese)
}

#[cfg(test)]
mod tests {
    use std::collections::{BTreeMap, BTreeSet};

    use clap::CommandFactory as _;

    use super::super::Cli;
    use super::*;

    /// What the help texts say in English, by the key of the catalogue; of an argument that commands share, each text of it.
    fn english() -> BTreeMap<(String, String), BTreeSet<String>> {
        let mut all = BTreeMap::new();
        let mut command = Cli::command();
        command.build();
        collect(&command, "", &mut all);
        all
    }

    type English = BTreeMap<(String, String), BTreeSet<String>>;

    fn collect(command: &Command, path: &str, all: &mut English) {
        let own = if path.is_empty() { "program" } else { path };
        let mut add = |key: &str, attribute: &str, text: Option<String>| {
            if let Some(text) = text.filter(|text| !text.is_empty()) {
                all.entry((key.to_owned(), attribute.to_owned())).or_default().insert(text);
            }
        };
        let shown = |text: Option<&clap::builder::StyledStr>| text.map(ToString::to_string);
        let rest = |short: &Option<String>, long: Option<String>| {
            let (short, long) = (short.as_deref()?, long?);
            Some(long.strip_prefix(short).unwrap_or(&long).trim().to_owned())
        };
        let key = format!("help-{own}");
        let about = shown(command.get_about());
        let long = rest(&about, shown(command.get_long_about()));
        add(&key, "", about);
        add(&key, "long", long);
        add(&key, "examples", shown(command.get_after_help()));
        for arg in command.get_arguments().filter(|arg| !arg.is_hide_set()) {
            let id = arg.get_id().as_str();
            if matches!(id, "help" | "version") {
                continue;
            }
            let key = key_of(arg, path).unwrap_or_else(|| format!("help-{own}-{}", name_of(arg)));
            let short = shown(arg.get_help());
            add(&key, "long", rest(&short, shown(arg.get_long_help())));
            add(&key, "", short);
            let values = if arg.get_action().takes_values() {
                arg.get_possible_values()
            } else {
                Vec::new()
            };
            for value in values.iter().filter(|value| !value.is_hide_set()) {
                add(&key, &attribute(value.get_name()), shown(value.get_help()));
            }
        }
        for sub in command.get_subcommands().filter(|sub| sub.get_name() != "help") {
            let name = sub.get_name();
            let below = if path.is_empty() { name.to_owned() } else { format!("{path}-{name}") };
            collect(sub, &below, all);
        }
    }

    fn chinese(key: &str, attribute: &str) -> Option<String> {
        help_text(key, Some(attribute).filter(|attribute| !attribute.is_empty()))
    }

    #[test]
    fn every_help_text_is_there_in_chinese() {
        let all = english();
        let missing: Vec<String> = all
            .iter()
            .filter(|((key, attribute), _)| chinese(key, attribute).is_none())
            .map(|((key, attribute), texts)| format!("{key} .{attribute} = {texts:?}"))
            .collect();
        assert!(missing.is_empty(), "{} texts:\n{}", missing.len(), missing.join("\n"));
        let several: Vec<_> = all.iter().filter(|(_, texts)| texts.len() > 1).collect();
        assert!(several.is_empty(), "shared by different texts: {several:#?}");
    }
}
