//! Every pass on BTOR and BTOR2, and what goes along with a cut.
#![no_main]

libfuzzer_sys::fuzz_target!(|text: &[u8]| nub_edits::btor::check::check_edits(text));
