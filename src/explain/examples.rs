//! Examples of documents that are shown alone: commands that make what they use come with them.

/// What begins the path of a dump that only the repository has.
const FIXTURES: &str = "fixtures/";

/// What begins the path of a file that only the repository has, in a comment with commands.
const REPOSITORY: &str = "$REPOSITORY";

/// What begins a comment with the commands that are run before an example.
pub(super) const SETUP: &str = "<!-- setup: ";

/// An example with the commands before it that make the dumps it uses. `before`: the document up to it.
pub(super) fn runnable(code: &[String], before: &str) -> Vec<String> {
    let is_console = code.iter().any(|line| line.starts_with("$ "));
    let is_command = |line: &&String| !is_console || line.starts_with("$ ");
    let mut needed: Vec<String> = code.iter().filter(is_command).flat_map(|l| words(l)).collect();
    let mut made: Vec<String> = Vec::new();
    for command in commands(before).into_iter().rev() {
        if !made.contains(&command) && makes(&command).any(|name| needed.contains(&name)) {
            needed.extend(words(&command));
            made.insert(0, command);
        }
    }
    // What the example makes itself.
    let own: Vec<String> = code.iter().filter(is_command).flat_map(|line| makes(line)).collect();
    // Nor what only the repository has: the reader has files of such names, or has no use for the example.
    let is_in_repository = |command: &str| command.contains(REPOSITORY);
    made.retain(|command| {
        !makes(command).any(|name| own.contains(&name)) && !is_in_repository(command)
    });
    let mark = if is_console { "$ " } else { "" };
    let made = made.into_iter().map(|command| format!("{mark}{command}"));
    made.chain(code.iter().cloned()).map(|line| without_fixtures(&line)).collect()
}

/// A line with `DUMP` for dumps that only the repository has.
pub(super) fn without_fixtures(line: &str) -> String {
    let mut out = String::new();
    let mut rest = line;
    while let Some((before, behind)) = rest.split_once(FIXTURES) {
        out.push_str(before);
        out.push_str("DUMP");
        let is_path = |c: char| c.is_ascii_alphanumeric() || "-_./".contains(c);
        rest = behind.trim_start_matches(is_path);
    }
    out + rest
}

/// The commands of a document: those of its blocks, and of `<!-- setup: ... -->`.
fn commands(text: &str) -> Vec<String> {
    let mut all = Vec::new();
    let mut is_code = false;
    for line in text.lines() {
        if line.starts_with("```") {
            is_code = !is_code && ["```sh", "```console"].contains(&line);
        } else if let Some(setup) = line.strip_prefix(SETUP) {
            let setup = setup.trim_end_matches(" -->");
            // A loop is one command.
            match setup.starts_with("for ") {
                true => all.push(setup.to_owned()),
                false => all.extend(setup.split(';').map(|command| command.trim().to_owned())),
            }
        } else if is_code {
            all.push(line.trim_start_matches("$ ").to_owned());
        }
    }
    all
}

/// The first parts of the paths among the words of a command.
fn words(line: &str) -> Vec<String> {
    let line = line.trim_start_matches("$ ");
    let words = line.split_whitespace().filter_map(|word| word.split('/').next());
    words.map(|word| word.trim_end_matches(';').to_owned()).collect()
}

/// The dumps that a command makes: of `synth`, and copies of them that are then changed.
fn makes(command: &str) -> impl Iterator<Item = String> {
    let words = words(command);
    let is_named = |word: &&String| {
        word.starts_with(|c: char| c.is_ascii_alphabetic())
            && !word.contains('.')
            && *word != "bigtpuprofile"
    };
    let behind = |mark: &str| words.iter().position(|word| word == mark).map(|at| at + 1);
    let from = match words.first().map(String::as_str) {
        Some("cp" | "rm" | "mkdir") => Some(1),
        _ => behind("synth"),
    };
    let made: Vec<String> = match (words.first().map(String::as_str), from) {
        (Some("cp"), _) => words.last().cloned().into_iter().collect(),
        (Some("for"), _) => {
            let after = words.iter().zip(words.iter().skip(1));
            after.filter(|(word, _)| *word == "synth").map(|(_, name)| name.clone()).collect()
        }
        (_, Some(from)) => words.iter().skip(from).find(is_named).cloned().into_iter().collect(),
        _ => Vec::new(),
    };
    made.into_iter()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_example_comes_with_what_makes_its_dumps() {
        let before = "<!-- setup: bigtpuprofile synth demo -q; bigtpuprofile synth other; cp -r demo cut; rm cut/cdmlib0_3.profile -->\n\
            ```console\n$ bigtpuprofile synth before\nbefore: 9 files\n```\n";
        let shown =
            |code: &str| runnable(&code.lines().map(str::to_owned).collect::<Vec<_>>(), before);
        assert_eq!(
            shown("$ bigtpuprofile info cut\nlost"),
            [
                "$ bigtpuprofile synth demo -q",
                "$ cp -r demo cut",
                "$ rm cut/cdmlib0_3.profile",
                "$ bigtpuprofile info cut",
                "lost",
            ]
        );
        assert_eq!(
            shown("bigtpuprofile before out"),
            ["bigtpuprofile synth before", "bigtpuprofile before out"]
        );
        assert_eq!(shown("$ bigtpuprofile synth before -q"), ["$ bigtpuprofile synth before -q"]);
        let before = "<!-- setup: cp \"$REPOSITORY/a/cnn.onnx\" model.onnx -->\n";
        assert_eq!(
            runnable(&["bigtpuprofile estimate model.onnx".to_owned()], before),
            ["bigtpuprofile estimate model.onnx"]
        );
        assert_eq!(
            shown("bigtpuprofile query fixtures/real/x_y 'dur>1us'"),
            ["bigtpuprofile query DUMP 'dur>1us'"]
        );
    }
}
