#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| bigtpu_probe::checks::host_trace(bytes));
