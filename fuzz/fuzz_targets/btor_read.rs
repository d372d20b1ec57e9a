//! BTOR and BTOR2: nothing lost, references go back, what is well formed survives every translation.
#![no_main]

libfuzzer_sys::fuzz_target!(|text: &[u8]| nub_btor::check::check(text));
