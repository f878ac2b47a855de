//! End-to-end tests of the `bigtpuprofile` binary, by theme. They need nothing but the fixtures.

#[cfg(test)]
mod suite;
#[cfg(test)]
mod support;
