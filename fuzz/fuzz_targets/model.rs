#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| bigtpu_fuzz_support::checks::model(bytes));
