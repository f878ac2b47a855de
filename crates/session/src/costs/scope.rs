//! Scopes: parts in a row that a rule groups by their names.

use bigtpu_messages::{Message, error_message};
use std::str::FromStr;

use regex_lite::Regex;

use crate::costs::execution::Execution;

/// `REGEX=NAME`: parts whose name matches belong to a scope of that name. The name may hold `$1` and the like.
#[derive(Debug, Clone)]
pub struct ScopeRule {
    pattern: Regex,
    name: String,
}

/// Why a text is no rule.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ScopeError {
    /// The text has no `=`, or nothing on one side of it.
    #[error("{}", error_message!("error-costs-scope-form", value = format_args!("{:?}", .0)))]
    Form(String),
    /// The pattern is no regular expression.
    #[error("{}", error_message!("error-costs-scope-pattern", text = format_args!("{:?}", text), reason))]
    Pattern {
        /// The pattern.
        text: String,
        /// What is wrong with it.
        reason: Message,
    },
}

impl FromStr for ScopeRule {
    type Err = ScopeError;

    fn from_str(text: &str) -> Result<Self, ScopeError> {
        let parts = text.rsplit_once('=').filter(|(p, n)| !p.is_empty() && !n.is_empty());
        let (pattern, name) = parts.ok_or_else(|| ScopeError::Form(text.to_owned()))?;
        let compiled = Regex::new(pattern).map_err(|error| ScopeError::Pattern {
            text: pattern.to_owned(),
            reason: error_message!("error-regex", text = error),
        })?;
        Ok(Self { pattern: compiled, name: name.to_owned() })
    }
}

impl ScopeRule {
    /// The scope of a part, if the rule is for it.
    fn scope(&self, part: &str) -> Option<String> {
        let captures = self.pattern.captures(part)?;
        let mut name = String::new();
        captures.expand(&self.name, &mut name);
        Some(name)
    }
}

/// Name of the scope of all parts that no rule is for.
pub(crate) const REST: &str = "rest";

/// Executions of scopes in time order: parts in a row whose names belong to the same scope are one. Parts that no rule is
/// for are in the scope [`REST`], so that all scopes together are the run. The names are returned next to them; nothing
/// at all if no rule is for any part.
pub(crate) fn scoped(
    rules: &[ScopeRule],
    names: &[String],
    executions: &[Execution],
) -> (Vec<String>, Vec<Execution>) {
    let scope_of: Vec<Option<String>> =
        names.iter().map(|name| rules.iter().find_map(|rule| rule.scope(name))).collect();
    let of = |execution: &Execution| scope_of.get(execution.name as usize).and_then(Option::as_ref);
    if !executions.iter().any(|execution| of(execution).is_some()) {
        return (Vec::new(), Vec::new());
    }
    let mut scopes: Vec<String> = Vec::new();
    let mut found: Vec<Execution> = Vec::new();
    for execution in executions {
        let scope = of(execution).map_or(REST, String::as_str);
        let number = scopes.iter().position(|name| name == scope).unwrap_or_else(|| {
            scopes.push(scope.to_owned());
            scopes.len() - 1
        }) as u32;
        // A phase ends a scope's execution.
        let open = |last: &&mut Execution| last.name == number && last.phase == execution.phase;
        match found.last_mut().filter(open) {
            Some(last) => last.extend(execution),
            None => found.push(Execution { name: number, ..execution.clone() }),
        }
    }
    (scopes, found)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::costs::level::Run;

    #[test]
    fn consecutive_parts_are_one_execution() {
        let names: Vec<String> = ["l0.q", "l0.k", "l1.q", "norm"].map(str::to_owned).to_vec();
        let at = |name: u32, start: i64| {
            let run = Run { name, lane: 0, start, end: start + 8 };
            Execution { step: 10, ..Execution::new(&run) }
        };
        let executions = [at(0, 0), at(1, 10), at(2, 20), at(3, 30), at(2, 40)];
        let rules = ["l([0-9])\\..*=block$1".parse().unwrap()];
        let (scopes, found) = scoped(&rules, &names, &executions);
        assert_eq!(scopes, ["block0", "block1", "rest"]);
        let found: Vec<_> = found.iter().map(|e| (e.name, e.start, e.end, e.step)).collect();
        assert_eq!(found, [(0, 0, 18, 20), (1, 20, 28, 10), (2, 30, 38, 10), (1, 40, 48, 10)]);
    }

    #[test]
    fn all_scopes_together_are_the_run() {
        let names = ["matmul".to_owned(), "norm".to_owned()];
        let at = |name: u32, start: i64| {
            let run = Run { name, lane: 0, start, end: start + 8 };
            Execution { step: 10, ..Execution::new(&run) }
        };
        let executions = [at(0, 0), at(1, 10), at(0, 20), at(1, 30)];
        let rules = ["matmul=matrix".parse().unwrap()];
        let (scopes, found) = scoped(&rules, &names, &executions);
        assert_eq!(scopes, ["matrix", REST]);
        assert_eq!(found.iter().map(|execution| execution.step).sum::<i64>(), 40);
        assert!(scoped(&["nothing=x".parse().unwrap()], &names, &executions).1.is_empty());
    }

    #[test]
    fn a_rule_needs_both_sides_and_a_pattern() {
        assert_eq!("abc".parse::<ScopeRule>().unwrap_err(), ScopeError::Form("abc".into()));
        let error = "a(=x".parse::<ScopeRule>().unwrap_err().to_string();
        assert!(error.contains("a("), "{error}");
    }
}
