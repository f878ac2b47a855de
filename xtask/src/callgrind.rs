//! Callgrind's output file: instructions by function, with those of what it calls.

use std::collections::HashMap;

/// Instructions of each function with those of its callees, by its name; calls of a function by itself count once.
pub(crate) fn inclusive(profile: &str) -> Result<HashMap<String, u64>, String> {
    let mut names: HashMap<&str, &str> = HashMap::new();
    let mut costs: HashMap<String, u64> = HashMap::new();
    let (mut caller, mut callee) = ("", "");
    let mut lines = profile.lines();
    while let Some(line) = lines.next() {
        if let Some(name) = line.strip_prefix("fn=") {
            caller = resolve(name, &mut names);
        } else if let Some(name) = line.strip_prefix("cfn=") {
            callee = resolve(name, &mut names);
        } else if line.starts_with("calls=") {
            // The line behind it: where the call is, and what it cost.
            let cost = lines.next().and_then(|line| line.split(' ').nth(1)?.parse::<u64>().ok());
            let cost = cost.ok_or("callgrind's file has a call without a cost")?;
            if caller != callee {
                *costs.entry(callee.to_owned()).or_default() += cost;
            }
        }
    }
    Ok(costs)
}

/// A name is given once, with a number: `(12) main`, later `(12)`. Callgrind marks levels of recursion by a suffix such as
/// `'2`.
fn resolve<'p>(name: &'p str, names: &mut HashMap<&'p str, &'p str>) -> &'p str {
    let (number, text) = name.split_once(' ').unwrap_or((name, ""));
    if !text.is_empty() {
        names.insert(number, text.split('\'').next().unwrap_or(text));
    }
    names.get(number).copied().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    const PROFILE: &str = "\
fn=(1) main
0 5
cfn=(2) work
calls=2 10
0 70
cfn=(3) other
calls=1 10
0 4
fn=(2)
0 40
cfn=(2)
calls=1 10
0 30
cfn=(3)
calls=1 10
0 6
";

    #[test]
    fn functions_count_what_they_call_and_recursion_counts_once() {
        let costs = inclusive(PROFILE).unwrap();
        assert_eq!((costs["work"], costs["other"], costs.get("main")), (70, 10, None));
    }

    #[test]
    fn a_cut_file_is_an_error() {
        assert!(inclusive("fn=(1) a\ncfn=(2) b\ncalls=1 3\n").is_err());
    }
}
