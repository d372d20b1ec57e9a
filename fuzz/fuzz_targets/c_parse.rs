//! C: places nest, findings have hints, what is accepted can be printed and read again.
#![no_main]

libfuzzer_sys::fuzz_target!(|text: &[u8]| nub_c_syntax::check::check_parse(text));
