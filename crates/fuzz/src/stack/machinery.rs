//! Frames that show how a program died but nothing about the bug.

use std::sync::LazyLock;

use regex::RegexSet;

/// Whole names of functions. Grouped by whose they are.
const TABLE: &[&str] = &[
    // Unknown, or a bare address.
    r"\?\?|0x[0-9a-f]+|",
    // The end of a process in libc, and failed assertions.
    r"(__GI_|__libc_)?_?_?(abort|raise|gsignal|exit)|_?_?pthread_kill\w*|__assert\w*|__fortify_fail|__stack_chk_fail|__chk_fail|__libc_message\w*",
    // The start of a process and of threads.
    r"_start|__libc_start_\w+|start_thread|_?_?clone3?|__clone\w*|_dl_\w+|call_init|_IO_\w+",
    // Allocators.
    r"(__libc_|__GI___libc_|_int_|tc_|je_)?(malloc|free|calloc|realloc|memalign)(_\w+)?|malloc_printerr|munmap_chunk|operator new|operator delete|unlink_chunk|sysmalloc",
    // Interceptors and runtimes of sanitizers.
    r"___?interceptor_.*|__(asan|lsan|msan|tsan|ubsan|sanitizer|hwasan)_.*|__(asan|lsan|msan|tsan|ubsan|sanitizer|hwasan)::.*|_?_?interception::.*",
    // Copying and comparing memory.
    r"_?_?(mem|str|wmem)(cpy|move|set|cmp|chr|len|ncpy|ncmp|cat|dup|ndup|spn|cspn)(_\w+)?|v?s?n?f?printf|v?sn?printf",
    // The C++ and Rust runtimes.
    r"std::(terminate|unexpected|__throw_\w+|abort)|__cxa_\w+|__cxxabiv1::.*|__gnu_cxx::.*|_Unwind_\w+|__gxx_personality\w*|_ZSt9terminatev",
    r"(__rustc::)?rust_begin_unwind|call_once|rust_panic\w*|__rust_\w+|core::(panicking|ops::function)::.*|(std|core)::(panicking|rt|panic|sys|sys_common|backtrace|backtrace_rs)::.*|std::backtrace.*",
    r"core::(result::unwrap_failed|option::(unwrap|expect)_failed|slice::index::.*|str::slice_error_fail\w*)|alloc::raw_vec::.*",
];

static REGEXES: LazyLock<RegexSet> = LazyLock::new(|| {
    let whole = TABLE.iter().map(|names| format!("^(?:{names})$"));
    RegexSet::new(whole).expect("constants, compiled by every test")
});

/// Whether a frame of this function is dropped.
pub(super) fn is_machinery(function: &str) -> bool {
    REGEXES.is_match(function)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn runtimes_are_dropped_and_programs_are_not() {
        for name in [
            "",
            "??",
            "abort",
            "__GI_abort",
            "raise",
            "__GI_raise",
            "gsignal",
            "__pthread_kill_implementation",
            "__assert_fail",
            "__assert_fail_base",
            "__libc_start_main",
            "__libc_start_call_main",
            "_start",
            "malloc",
            "__libc_free",
            "_int_free",
            "malloc_printerr",
            "operator new",
            "operator delete",
            "__interceptor_vsprintf",
            "___interceptor_free",
            "__asan_memcpy",
            "__asan::ReportGenericError",
            "memcpy",
            "__memmove_avx_unaligned",
            "std::terminate",
            "__cxa_throw",
            "rust_begin_unwind",
            "core::panicking::panic_fmt",
            "std::rt::lang_start",
            "sprintf",
            "vsnprintf",
            "strlen",
            "start_thread",
            "clone",
        ] {
            assert!(is_machinery(name), "{name}");
        }
        for name in [
            "main",
            "btor_exp_eq",
            "freeze",
            "memory_manager::allocate",
            "abort_solver",
            "smt::context::free_var",
            "std::vector::push",
            "printer",
            "restart",
        ] {
            assert!(!is_machinery(name), "{name}");
        }
    }
}
