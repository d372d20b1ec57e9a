//! What goes along with a cut.
#![no_main]

libfuzzer_sys::fuzz_target!(|text: &[u8]| nub_edits::check::check_clean_up(text));
