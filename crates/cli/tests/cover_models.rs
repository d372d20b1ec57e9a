//! `nub cover --data-model` with the headers of this machine: types and limits are those of the model.

#![allow(clippy::disallowed_methods, clippy::unwrap_used)] // tests start programs and write files

mod common;

use common::Bench;

const PROGRAM: &str = "#include <limits.h>\n#include <stdint.h>\n#include <stdlib.h>\n#include <string.h>\n\
    int exact(uint64_t x, int32_t y) { if (x > 0xFFFFFFFFu) return 1; if (y < -40000) return 2; return 0; }\n\
    int size(const char *s) { if (strlen(s) > 3) return 1; return 0; }\n\
    int limit(long x) { if (x == LONG_MAX && x > INT_MAX) return __SIZEOF_LONG__; return 0; }\n";

fn covered(function: &str, model: &str) -> String {
    let bench = Bench::new();
    bench.write("f.c", PROGRAM);
    let run = bench.nub(&["cover", "f.c", "-f", function, "-c", "decision", "--data-model", model]).expect(0);
    run.stdout.lines().next().unwrap_or_default().to_owned()
}

#[test]
fn types_of_headers_have_the_width_of_their_name() {
    for model in ["lp64", "ilp32", "int16", "ilp32be"] {
        let found = covered("exact", model);
        assert!(found.contains("4 of 4 goals"), "{model}: {found}");
    }
    for model in ["lp64", "ilp32", "ilp32be"] {
        let found = covered("size", model);
        assert!(found.contains("2 of 2 goals"), "{model}: {found}");
    }
}

/// The same condition is possible or impossible.
#[test]
fn limits_are_those_of_the_model() {
    for (model, expected) in [("lp64", "2 of 2 goals"), ("ilp32", "1 of 2 goals; 1 infeasible (proved)")] {
        let found = covered("limit", model);
        assert!(found.contains(expected), "{model}: {found}");
    }
}
