//! Declarations, uses and sorts agree with each other.
#![no_main]

libfuzzer_sys::fuzz_target!(|text: &[u8]| nub_smtlib::check::check_analysis(text));
