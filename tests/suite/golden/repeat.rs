//! Outputs are the same bytes whatever the number of threads, and from run to run.

use crate::support::case::with_reference;
use crate::support::run::analyzed;

#[test]
fn outputs_do_not_depend_on_threads_or_chance() {
    for case in with_reference() {
        let run = |jobs: &str| {
            let mut args = case.args();
            args.push(jobs.to_owned());
            analyzed(&case.dump(), &args).files()
        };
        let one = run("-j1");
        assert!(!one.is_empty(), "{}: nothing was written", case.name);
        for (jobs, what) in [("-j2", "-j1 and -j2"), ("-j2", "two runs"), ("-j0", "-j0 and -j1")] {
            let other = run(jobs);
            assert_eq!(
                one.keys().collect::<Vec<_>>(),
                other.keys().collect::<Vec<_>>(),
                "{}: {what} write different files",
                case.name
            );
            let changed: Vec<_> = one.keys().filter(|&name| one[name] != other[name]).collect();
            assert!(changed.is_empty(), "{}: {what} differ in {changed:?}", case.name);
        }
    }
}
