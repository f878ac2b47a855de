//! Which operator runs on which machine.

use std::collections::BTreeMap;

/// Machine of operators without an accelerator: the host.
pub const HOST: &str = "HOST";

/// Where operators of a context run, and when their input is sent there.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Target {
    /// Name of the machine, as mappings write it.
    pub machine: String,
    /// The input is sent every time, even if the machine does not change (`t`).
    pub always: bool,
    /// The input is sent at the first use until all chosen experts ran (`m`).
    pub first_use: bool,
}

impl Target {
    /// From `NAME` or `NAME,FLAGS`. Only the text between the first and the second comma is read
    /// as flags.
    #[must_use]
    pub fn parse(text: &str) -> Self {
        let mut parts = text.split(',');
        let machine = parts.next().unwrap_or("").trim().replace('_', "-");
        let flags = parts.next().unwrap_or("");
        Self { machine, always: flags.contains('t'), first_use: flags.contains('m') }
    }
}

/// Targets by context, and the machine of everything else.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Mapping {
    /// Target of each layer context, class name or function name.
    pub targets: BTreeMap<String, Target>,
    /// Machine of what is not named. `None`: it stays where the operator before ran.
    pub rest: Option<Target>,
}

impl Mapping {
    /// Target of a key.
    #[must_use]
    pub fn find(&self, key: &str) -> Option<&Target> {
        self.targets.get(key).or(self.rest.as_ref())
    }

    /// All targets.
    pub fn targets(&self) -> impl Iterator<Item = &Target> {
        self.targets.values().chain(&self.rest)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn flags_follow_commas() {
        let flags = |text: &str| {
            let target = Target::parse(text);
            (target.always, target.first_use)
        };
        assert_eq!(Target::parse("PIM_AI_4chip").machine, "PIM-AI-4chip");
        assert_eq!(flags("H100"), (false, false));
        assert_eq!(flags("H100,t"), (true, false));
        assert_eq!(flags("H100,tm"), (true, true));
        assert_eq!(flags("H100,t,m"), (true, false));
    }
}
