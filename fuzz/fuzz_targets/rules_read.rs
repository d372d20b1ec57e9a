//! Rewriting rules: errors have places and hints; what is read can be used.
#![no_main]

libfuzzer_sys::fuzz_target!(|text: &[u8]| nub_edits::smtlib::rules::check(text));
