//! The DIMACS reader: nothing lost, tokens apart, faults have places.
#![no_main]

libfuzzer_sys::fuzz_target!(|text: &[u8]| nub_dimacs::check::check_read(text));
