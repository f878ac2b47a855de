//! End-to-end tests of the `bigtpuprofile` binary, by theme. They need nothing but the fixtures.

mod suite;
mod support;
