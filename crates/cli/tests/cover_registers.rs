//! `nub cover` of programs that reach their registers through pointers: a pointer that the program makes from a number leads to a register.

#![allow(clippy::disallowed_methods, clippy::unwrap_used)] // tests start programs and write files

mod common;

use common::Bench;

/// The output of `nub cover`, and the tests that it wrote.
fn cover(text: &str, options: &[&str]) -> (String, String) {
    let bench = Bench::new();
    bench.write("f.c", text);
    let words: Vec<&str> = ["cover", "f.c", "-f", "f", "-o", "t.c"].iter().chain(options).copied().collect();
    let found = bench.nub(&words).expect(0).stdout;
    (found, bench.read("t.c"))
}

/// All goals are covered, and the compiled tests agree.
fn check_all(text: &str) -> String {
    let (found, tests) = cover(text, &[]);
    let words: Vec<&str> = found.lines().next().unwrap_or_default().split(' ').collect();
    assert!(words.len() > 5 && words[3] == words[5], "{found}");
    assert!(found.contains("compiled with sanitizers and run: results agree"), "{found}");
    tests
}

const UART: &str = "#include <stdint.h>
typedef struct { volatile uint32_t SR, DR, CR; } UART;
#define UART1 ((UART *)0x40011000u)
#define UART2 ((UART *)0x40004400u)
";

#[test]
fn pointers_may_lead_to_registers() {
    let programs = [
        // A table of peripherals.
        "static UART *const bases[2] = { UART1, UART2 };
         int f(unsigned i, uint8_t b) { if (i > 1) return -1; UART *u = bases[i]; if (!(u->SR & 0x80)) return 0; u->DR = b; u->CR |= 1; return 1; }",
        // A handle that holds the address.
        "typedef struct { UART *Instance; int state; } Handle;
         int f(Handle *h) { if (!h || !h->Instance) return -1; if (h->Instance->SR & 0x20) { h->state = h->Instance->DR & 0xff; return 1; } h->Instance->CR = 3; return 0; }",
        // A helper whose argument is one of two peripherals.
        "static int enable(UART *u) { u->CR |= 8; return u->CR & 8 ? 1 : 0; }
         int f(int first) { return enable(first ? UART1 : UART2) ? 5 : 6; }",
        // Addresses as numbers.
        "static uint32_t rd(uint32_t a) { return *(volatile uint32_t *)(uintptr_t)a; }
         static void wr(uint32_t a, uint32_t v) { *(volatile uint32_t *)(uintptr_t)a = v; }
         int f(uint32_t v) { if (rd(0x40000004u) & 2) { wr(0x40000008u, v); return 1; } return 0; }",
        "int f(uintptr_t base, uint32_t v) { volatile uint32_t *p = (volatile uint32_t *)(base + 4); if (*p > 7) { *p = v; return 1; } return 0; }",
        // The parameter itself is compared with an address.
        "int f(UART *u) { if (u == UART1) { u->CR = 1; return u->SR & 1 ? 3 : 2; } return 0; }",
    ];
    for program in programs {
        check_all(&format!("{UART}{program}"));
    }
}

/// What a register holds is not what was written to it, and what an object holds is.
#[test]
fn objects_keep_what_is_written_through_such_pointers() {
    let text = "static volatile uint32_t shadow; uint32_t plain;
        int f(int real, uint32_t v) { volatile uint32_t *p = real ? &UART1->DR : &shadow; plain = 1; *p = v; if (plain != 1) return 1; return *p == v; }";
    let (found, _) = cover(&format!("{UART}{text}"), &["-c", "decision"]);
    assert!(found.contains("compiled with sanitizers and run: results agree"), "{found}");
    assert!(found.contains("`plain != 1` true: infeasible"), "{found}");
}

/// A null pointer is not a number, however far it is moved.
#[test]
fn null_pointers_do_not_lead_to_registers() {
    let bodies = [
        "(volatile int *p, int i) { int r = p[i] > 3; return p ? r : 2; }",
        "(volatile int *p, int i) { volatile int *q = p + 1; q[i] = 3; return p ? 1 : 2; }",
    ];
    for body in bodies {
        let (found, _) = cover(&format!("int f{body}"), &["-c", "decision"]);
        assert!(found.contains("`p` false: infeasible without undefined behaviour"), "{found}");
        assert!(found.contains("compiled with sanitizers and run: results agree"), "{found}");
    }
}

#[test]
fn claims_name_that_a_number_is_no_address_of_memory() {
    let text = "#include <stdint.h>
        int f(int a) { uint32_t id = *(const uint32_t *)0x08004000u; if (id == 0x1234 && a) return 1; return 0; }";
    let (found, _) = cover(text, &["-c", "decision"]);
    let wanted =
        "if the program uses no memory at addresses that it makes from numbers, except for registers";
    assert!(found.matches(wanted).count() == 2 && found.matches(": infeasible if").count() == 2, "{found}");
    // A number may also be the address of an object.
    let text = "#include <stdint.h>
        static int state; int *where(void) { return &state; }
        int f(uintptr_t a) { state = 0; *(volatile int *)a = 5; return state == 5 ? 1 : 0; }";
    let (found, _) = cover(text, &["-c", "decision"]);
    let claim = found.find("`state == 5` true: infeasible if").expect(&found);
    assert!(found[claim..].contains("if no address of an object matters as a number"), "{found}");
}

#[test]
fn bit_fields_of_registers_are_written_and_changed() {
    let port = "typedef struct { unsigned on : 1; unsigned mode : 3; unsigned rest : 28; } Bits;
        typedef struct { volatile Bits cr; volatile unsigned sr; } Port;
        #define PORT ((Port *)0x50000000u)\n";
    let programs = [
        "int f(unsigned m) { PORT->cr.mode = m & 7; PORT->cr.on = 1; return PORT->sr & 1 ? 1 : 0; }",
        "int f(int k) { Port *p = k ? PORT : (Port *)0x50001000u; p->cr.mode++; p->cr.on |= 1; (p->cr.on) = 0; return p->cr.mode > 3 ? 1 : 0; }",
        "int f(Port *p) { p->cr.on = 1; return p->cr.on ? 1 : 0; }",
        "Port *at(int k) { static int n; n += k; return PORT; } int f(int k) { if (at(k)->cr.on) return 1; return at(1)->cr.mode++ == 2; }",
    ];
    for program in programs {
        check_all(&format!("{port}{program}"));
    }
}
