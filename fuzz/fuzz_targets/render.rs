//! The edits of every pass, merged and rendered.
#![no_main]

libfuzzer_sys::fuzz_target!(|text: &[u8]| nub_edits::check::check_render(text));
