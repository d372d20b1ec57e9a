//! The reader: nothing lost, spans nest.
#![no_main]

libfuzzer_sys::fuzz_target!(|text: &[u8]| nub_smtlib::check::check_tree(text));
