//! The page: one self-contained HTML file that shows a profile.
#![forbid(unsafe_code)]
