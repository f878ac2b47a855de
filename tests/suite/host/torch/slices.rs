//! Every slice, whatever the form of the file.

use std::fs;

use super::super::{merge, merge_text, with_file};
use super::{file, host_lines, line, merged, shown};
use crate::support::host::{list_of, text_of};
use crate::support::multiset::assert_same;

#[test]
fn every_slice_is_there_with_exact_times_and_arguments() {
    let expected = shown().into_iter().map(|event| {
        let (ts, dur) = event.span_ns();
        line(&event.text("name"), ts, dur, &event.text("cat"), &event.args())
    });
    assert_same("slices", expected, host_lines(&merged()));
}

#[test]
fn zipped_plain_object_or_list_make_no_difference() {
    assert!(fs::read(file()).unwrap().starts_with(&[0x1f, 0x8b]), "the fixture is zipped");
    let text = text_of(&file());
    // Notes name the file.
    let zipped = with_file(fs::read(file()).unwrap(), |path| merge(path, &[]).files());
    let plain = merge_text(&text, &[]).files();
    let list = merge_text(&list_of(&text), &[]).files();
    assert!(zipped == plain, "zipped and plain differ");
    assert!(plain == list, "an object and a bare list differ");
}
