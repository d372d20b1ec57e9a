//! The law of replay on programs that use one construct each.

#![allow(clippy::unwrap_used)] // A test may stop at what it does not expect.

mod common;

use common::{Random, check_law, check_program, program_with};
use nub_c_ir::DataModel;
use nub_unroll::UnrollConfig;

/// Each text has a function `f`; most runs must reach its end, so that something is compared.
#[track_caller]
fn replays(text: &str) {
    let whole = check_law(text, &UnrollConfig::default(), 200, &mut Random::new(1));
    assert!(whole >= 20, "only {whole} of 200 runs were compared to their end:\n{text}");
}

#[test]
fn integers_and_conversions() {
    replays(
        "long f(signed char a, unsigned short b, unsigned c, long d, _Bool e) {
            unsigned char n = a * b; short s = c; int big = (int)d ^ e;
            return (a < b) + (c > d) + n + s + (big >> 3) + ~c + (d == big) - e + (c << (b & 7)) % 77u;
        }",
    );
}

#[test]
fn undefined_arithmetic() {
    replays("int f(int a, int b) { return a + b - a * 3; }");
    replays("int f(int a, int b) { return a / b + a % b; }");
    replays("int f(short a, int b) { return a << b | a >> b; }");
}

#[test]
fn short_circuit() {
    replays(
        "int f(int a, int b, int c) { int n = 0; if (a > 0 && (b > 0 || !(c > 3)) || a == -1) n = 1; return n + (a && b) + (c ? a || b : b && c); }",
    );
}

#[test]
fn loops() {
    replays(
        "int f(unsigned char n) { int sum = 0; for (int i = 0; i < (n & 7); i++) { if (i == 5) continue; sum += i; if (sum > 9) break; } return sum; }",
    );
    replays(
        "int f(unsigned char n) { int k = 0; do { k++; n >>= 1; } while (n > 2 && k < 5); while (n) { n--; k += 2; } return k; }",
    );
    replays(
        "int f(unsigned char a) { int c = 0; for (int i = 0; i < 3; i++) for (int j = i; j < 3; j++) { if (a & 1 << i) c += j; } return c; }",
    );
}

#[test]
fn gotos_into_loops() {
    replays(
        "int f(int a) { int n = 0; if (a & 1) goto in; again: n += 2; in: n++; if (n < 6 && (a >> n & 1)) goto again; return n; }",
    );
    replays(
        "int f(int a) { int n = 0; switch (a & 3) { case 0: do { n++; case 1: n += 2; case 2: n += 3; } while (n < 8); default: n += 100; } return n; }",
    );
}

#[test]
fn switches() {
    replays(
        "int f(int a) { int n = 0; switch (a) { case 1: n = 1; break; case 2: n = 2; case -1: n += 3; break; case 10 ... 20: n = 7; break; default: n = 9; } return n; }",
    );
    replays(
        "int f(unsigned char a) { switch (a) { case 0: return 1; case 200: return 2; } switch (a & 1) { case 1: a = 3; } return a; }",
    );
}

#[test]
fn calls_and_recursion() {
    replays(
        "static int g(int a) { if (a > 3) return a - 3; return a; } int f(int a, int b) { return g(a) ^ g(g(b)); }",
    );
    replays(
        "static int fac(int n) { return n <= 1 ? 1 : n * fac(n - 1); } int f(unsigned char a) { return fac(a & 7); }",
    );
    replays(
        "static int p(int a) { return a ^ 1; } static int q(int a) { return a | 4; } int f(int a, int b) { int (*h)(int) = a & 1 ? p : q; return h(b); }",
    );
}

#[test]
fn early_ends() {
    replays(
        "void abort(void); int f(int a, int b) { if (a == 1) abort(); if (b > 100) return 1; if (a == 2 && b == 2) abort(); return a > b; }",
    );
    replays(
        "void __CPROVER_assume(int); void __CPROVER_assert(int, const char *); int f(int a, int b) { __CPROVER_assume(a != 3); if (b) __CPROVER_assert(a != 1, \"one\"); return a; }",
    );
}

#[test]
fn arrays_with_open_indices() {
    replays(
        "int f(unsigned char i, unsigned char j, int v) { int a[5] = {1, 2, 3}; a[i % 5] = v; a[j & 3] += 1; return a[0] + a[i % 5] * 3 + a[4]; }",
    );
    replays(
        "int f(unsigned char i, unsigned char j) { static const short t[3][4] = {{1, 2}, {3, 4, 5}}; char s[] = \"hello\"; return t[i % 3][j & 3] + s[i % 6] + \"abc\"[j & 1]; }",
    );
    replays("int f(unsigned char i) { int a[4] = {0}; return a[i & 7]; }");
}

#[test]
fn structures_and_unions() {
    replays(
        "struct p { char c; int x, y; }; static struct p g(struct p q) { q.x++; return q; } int f(int a, unsigned char i) { struct p t[3] = {{1, 2, 3}}, u; t[i % 3].y = a & 255; u = t[i & 1]; u = g(u); return u.x + u.y + u.c; }",
    );
    replays(
        "union u { int n; unsigned char b[4]; struct { short lo, hi; } s; }; int f(int a, unsigned char i) { union u v; v.n = a; v.b[i & 3] ^= 5; return v.s.hi + v.b[1]; }",
    );
    replays(
        "struct b { unsigned a : 3; int c : 5; unsigned long d : 33; _Bool e : 1; }; int f(int a, int b) { struct b s = {0}; s.a = a; s.c = b; s.d = a; s.e = b; s.c += 3; return s.a + s.c + (int)s.d + s.e; }",
    );
}

#[test]
fn pointers() {
    replays(
        "int f(int a, int b) { int x = 1, y = 2; int *p = a > 0 ? &x : &y; *p = b; p = &x; (*p)--; return x - y; }",
    );
    replays(
        "int f(unsigned char i, unsigned char j) { int a[6] = {5, 4, 3, 2, 1, 0}; int *p = a + i % 6, *q = a + j % 6; *p = 9; return *q + (p < q) + (int)(q - p) + (p == q); }",
    );
    replays(
        "int f(int a) { unsigned char *p = (unsigned char *)&a; int n = 0; for (unsigned i = 0; i < sizeof a; i++) n = n * 3 + p[i]; p[1] = 7; return n & 0xffff ^ a; }",
    );
    replays(
        "struct n { int v; struct n *next; }; int f(int a, int b) { struct n x = {a & 15, 0}, y = {b & 15, &x}; int s = 0; struct n *p = a & 1 ? &x : &y; while (p) { s += p->v; p = p->next; } return s; }",
    );
    replays(
        "static int *g(int a) { int x = a; return a > 0 ? &x : 0; } int f(int a) { int *p = g(a); return p ? 2 : a > -5; }",
    );
}

#[test]
fn constants_are_not_written() {
    replays(
        "const int c[2] = {1, 2}; const int *p = c; int f(int n) { int x = 0; int *q = n > 9 ? (int *)p : &x; *q = n; p++; return *p + x; }",
    );
}

/// A pointer that left its object does not point to the object at that address, whether that was placed before or after.
#[test]
fn pointers_that_left_their_object() {
    for objects in ["int *p = a, *q = b; p += 8 + (n & 1);", "int *p = a + 8; int *q = b;"] {
        replays(&format!(
            "int f(int n) {{ int a[2] = {{0}}, b[2] = {{0}}; {objects} *q = 1; if (n > 9) *p = 5; p -= 7; q -= n & 3; return b[0] + (p > a) + q[n & 3]; }}"
        ));
    }
    replays(
        "struct s { long k[3]; } g[2]; int f(int n) { struct s x[2] = {{{1}}}, *p = x - 2 + (n & 1), *q = g; q->k[0] = n & 3; return (int)p[2].k[0] + (int)q[1].k[0]; }",
    );
    replays(
        "long t[4] = {16, 48, 80, 112}; int f(unsigned char n) { int *k = n > 3 ? (int *)t[n & 3] : 0; if (k == (int *)7) return 1; int a[2] = {0}, b[2] = {0}, *p = a, *q = b; *p = 1; *q = n; return a[0] + b[0]; }",
    );
}

#[test]
fn addresses_from_integers() {
    replays(
        "struct n { int v; int k[2]; }; int f(int a, unsigned char i) { struct n x = {1, {2, a & 3}}; int *p = &x.k[1]; struct n *q = (struct n *)((char *)p - (unsigned long)&((struct n *)0)->k[1]); return q->v + (q == &x) + (int)(unsigned long)&((struct n *)0)->k[i & 1]; }",
    );
    replays("int f(int a) { char *p = 0; if (a & 1) p++; return p ? 1 : 2; }");
    replays(
        "int f(int a, int b) { int x = a & 3, y = b & 3; return *(int *)((unsigned long)(a > b ? &x : &y) ^ 0); }",
    );
}

#[test]
fn pointer_parameters_and_globals() {
    replays(
        "struct p { char c; int x; unsigned k : 4; }; int f(struct p *p, const char *s, int *n) { p->x ^= 1; *n = *n / 2; return p->x + p->c + s[2] + p->k + *n; }",
    );
    replays(
        "static int count = 3; int table[4] = {1, 2, 3, 4}; int *where = &table[2]; int f(int a) { static int calls; calls++; count += a & 3; *where = count; return table[a & 3] + calls; }",
    );
    replays(
        "struct p { int a[2]; short s; } ; extern struct p e; extern int n; int f(struct p v, int i) { return e.a[i & 1] + n % 5 + v.a[1] - v.s; }",
    );
}

#[test]
fn heap() {
    replays(
        "void *malloc(unsigned long); void *calloc(unsigned long, unsigned long); void free(void *); int f(int a, unsigned char i) { int *p = malloc(12), *q = calloc(3, 4); p[0] = a & 7; p[1] = 2; p[2] = 3; q[i % 3] = 5; int n = p[i % 3] + q[0]; free(p); if (a == 1) n += p[0]; free(q); return n; }",
    );
}

#[test]
fn library_models() {
    replays("#include <string.h>\nunsigned long strlen(const char *); int strcmp(const char *, const char *); void *memcpy(void *, const void *, unsigned long); int f(int a) { char s[8] = \"abc\"; s[1] = a; char t[8]; memcpy(t, s, 4); return (int)strlen(t) + strcmp(t, \"abd\"); }".replace("#include <string.h>\n", "").as_str());
}

#[test]
fn inputs_while_running() {
    replays(
        "int nondet_int(void); int f(int a) { int s = 0; for (int i = 0; i < 3; i++) { if (a >> i & 1) { int n = nondet_int(); if (n > 5) s += i; else s -= n & 7; } } return s; }",
    );
}

/// Widths are those of the model, also unusual ones.
#[test]
fn other_data_models() {
    let odd = DataModel { int_bits: 4, long_bits: 21, ..DataModel::int16() };
    let text = "struct p { char c; int n; long k; }; int f(int a, long b, char c) { struct p s = {c, a, b}; int t[3] = {1, 2}; \
                int *w = &t[a & 1]; *w ^= c & 3; s.k >>= 2; unsigned char *q = (unsigned char *)&s.n; \
                return (int)(s.k & 7) + t[1] - (a < b) + (s.c > 3) + (*q & 1); }";
    for model in [DataModel::ilp32(), DataModel::int16(), odd] {
        let program = program_with(text, &model);
        let whole = check_program(&program, &UnrollConfig::default(), 200, &mut Random::new(9));
        assert!(whole >= 20, "only {whole} with {model:?}");
    }
}

/// Several calls: each starts with the static and global variables, and the memory behind pointers, that the previous one left.
#[test]
fn calls_one_after_the_other() {
    let config = UnrollConfig { calls: 4, ..UnrollConfig::default() };
    for text in [
        "int f(unsigned char e) { static int n; if (e & 1) n++; if (n > 2) { n = 0; return 1; } return 0; }",
        "int total; int f(int a, int b) { static int last = 7; int d = a > last ? b : last; total += d & 15; last = a; return total + d; }",
        "void exit(int); int f(unsigned char a) { static unsigned char open; if (a > 250 && open) exit(1); open = a & 3; return open; }",
        "int f(unsigned char *p, unsigned char k) { static unsigned char *kept; int r = 0; if (kept) r = *kept; kept = p; *p += k; return r; }",
    ] {
        let whole = check_law(text, &config, 300, &mut Random::new(3));
        assert!(whole >= 20, "only {whole} of 300 runs were compared to their end:\n{text}");
    }
}

/// Pointers to one object, to a global object, into an array, or with a numeric address.
#[test]
fn shared_objects() {
    let mut config = UnrollConfig::default();
    config.pointers.aliases = nub_unroll::Aliases::SameType;
    config.pointers.may_be_null = true;
    config.pointers.elements = 3;
    for text in [
        "int f(int *p, int *q) { if (!p || !q) return -1; *p = 1; *q = 2; return *p * 10 + *q + (p == q); }",
        "int g; int f(int *p) { g = 1; if (p) *p = 2; return g; }",
        "int t[3]; int f(int *p, int *q) { t[0] = 5; if (p) *p = 7; if (q) *q += t[0]; return t[0] + (p == t) + (q == p); }",
        "int f(char *p) { if (p == (char *)1) return 1; if (p == (char *)-1L) return 2; return p ? *p : 0; }",
        "int f(short *p, short *end) { int n = 0; if (!p || !end || end < p) return -1; while (p < end && n < 3) { n++; *p++ = n; } return n * 10 + (end - p); }",
    ] {
        let whole = check_law(text, &config, 400, &mut Random::new(5));
        assert!(whole >= 20, "only {whole} of 400 runs were compared to their end:\n{text}");
    }
    config.calls = 2;
    let text = "int f(int *p) { static int *kept; int r = kept && p && kept == p ? *kept : 0; kept = p; if (p) *p += 1; return r; }";
    assert!(check_law(text, &config, 400, &mut Random::new(7)) >= 20);
}

const ALLOCATORS: &str = "void *malloc(unsigned long); void *calloc(unsigned long, unsigned long); void *realloc(void *, unsigned long); void free(void *);\n";

#[test]
fn allocations_of_any_size() {
    let replays = |text: &str| replays(&format!("{ALLOCATORS}{text}"));
    replays(
        "int f(unsigned char n, unsigned char i) { int *p = malloc(n * sizeof(int)); for (int k = 0; k < 4; k++) if (k < n) p[k] = k + 1; return i < n && i < 4 ? p[i] : -1; }",
    );
    // An index after the end is noticed.
    replays("int f(unsigned char n, unsigned char i) { char *p = calloc(n & 7, 2); return p[i & 15] + 1; }");
    // So is one whose offset in bytes would wrap around into the object.
    replays("int f(long i) { int *p = calloc(3, 4); return i < 3 ? p[i] : 0; }");
    // No object is that large.
    replays("int f(unsigned long n) { char *p = malloc(n); if (!p) return -1; free(p); return 1; }");
    replays("int f(unsigned long n, unsigned long m) { return calloc(n, m) != 0; }");
}

#[test]
fn reallocation() {
    let replays = |text: &str| replays(&format!("{ALLOCATORS}{text}"));
    replays(
        "int f(unsigned char n, unsigned char m, unsigned char i) { n = n % 5 + 1; m %= 6; int *p = malloc(n * 4); for (int k = 0; k < n; k++) p[k] = k * k;
           int *q = realloc(p, m * 4); if (!q) return -1; i &= 7; return i < m && i < n ? q[i] + 1 : 0; }",
    );
    // What is after the old length was never written.
    replays(
        "int f(unsigned char n, unsigned char i) { int *p = calloc(2, 4); p = realloc(p, 16); return p[i & 3] + n; }",
    );
    // The old object has ended, and only what was allocated can be reallocated.
    replays(
        "int f(unsigned char n) { int *p = malloc(4); *p = 1; int *q = realloc(p, 8); return n > 100 ? *p : *q; }",
    );
    replays(
        "int f(unsigned char n) { int x = 1; int *p = n & 1 ? malloc(4) : &x; p = realloc(p, 8); return p != 0; }",
    );
    replays(
        "int f(int n) { char *p = n & 1 ? malloc(2) : malloc(3); p[0] = 1; p[1] = 2; p = realloc(p, n & 2 ? 1 : 9); return p[n >> 4 & 1]; }",
    );
}

#[test]
fn variable_length_arrays() {
    replays(
        "int f(unsigned char n, unsigned char i) { int a[n % 6 + 1]; for (int k = 0; k <= n % 6; k++) a[k] = k; return a[i & 7] + (int)sizeof a; }",
    );
    replays("int f(signed char n) { char a[n]; a[0] = 1; return a[0] + (int)sizeof a; }");
    replays("int f(unsigned char n, unsigned char m) { n = n % 3 + 1; m = m % 3 + 1; short a[n][m]; for (int i = 0; i < n; i++) for (int j = 0; j < m; j++) a[i][j] = i * 4 + j;
               short (*p)[m] = a; p += n - 1; return (*p)[m - 1] * 100 + (int)(p - a); }");
}

/// The loop is left whatever `b` is; `b` is evaluated after it, for all iterations at once.
#[test]
fn decisions_that_end_behind_their_loop() {
    let text = "int f(signed char a, int b, int c) { int n = 0; if (a > 3) return -1;
        do { n += c & 7; } while ((a-- > 0 && c > 2) || (b && 0)); return n > 0 ? 1 : 0; }";
    replays(text);
}

#[test]
fn variable_arguments() {
    replays(
        "static int sum(int n, ...) { __builtin_va_list l; __builtin_va_start(l, n); int s = 0; for (int i = 0; i < n; i++) s = s * 2 + __builtin_va_arg(l, int); __builtin_va_end(l); return s; }
           int f(unsigned char a, unsigned char b) { return sum(2, a, b) + sum(1, b & 3) * (sum(0) == 0); }",
    );
    // Reading one argument too many is noticed.
    replays(
        "static int last(int n, ...) { __builtin_va_list l; __builtin_va_start(l, n); int s = 0; while (n-- > 0) s = __builtin_va_arg(l, int); return s; }
           int f(unsigned char n, int a) { return last(n & 3, a, 7); }",
    );
    // A list may be passed on, and functions with variable arguments called through pointers.
    replays(
        "static long in(int n, __builtin_va_list l) { long s = __builtin_va_arg(l, long); return n ? s + *__builtin_va_arg(l, char *) : s; }
           static long out(int n, ...) { __builtin_va_list l; __builtin_va_start(l, n); return in(n, l); }
           long f(unsigned char n, int a) { long (*p)(int, ...) = out; char c = (char)a; return p(n & 1, (long)a, &c); }",
    );
}

#[test]
fn quantifiers() {
    replays(
        "int f(unsigned char a, unsigned char b) { unsigned char t[3] = {a, b, 7};
           int all = __CPROVER_forall { int i; (i >= 0 && i < 3) ==> t[i] > 3 }; int some = __CPROVER_exists { unsigned i; i < 3 && t[i] == 5 };
           return all * 4 + some * 2 + __CPROVER_forall { int i; (0 <= i && i <= 1) ==> __CPROVER_exists { int j; j > i && j < 3 && t[j] != t[i] } }; }",
    );
}

#[test]
fn enumerations_with_a_type() {
    replays(
        "enum small : unsigned char { one = 1, big = 200 }; int f(int a) { enum small e = (enum small)a; return e + big + (int)sizeof e * (e > one); }",
    );
}

#[test]
fn pointers_inside_objects() {
    replays(
        "struct node { short value; struct node *next; };
        int f(struct node *n, int limit) {
            int sum = 0;
            for (int i = 0; i < 3 && n; i++, n = n->next) { sum += n->value; n->value = limit; }
            return sum;
        }",
    );
    replays(
        "struct text { int length; char *characters; }; struct pair { struct text a, b; };
        int f(struct pair p, char **list) {
            int n = p.a.length > 2 ? p.a.characters[0] : p.b.characters[0];
            p.b.characters[0] = 7;
            return n + list[0][0] + p.a.characters[0];
        }",
    );
    replays(
        "struct s { int *p; int n; } s;
        int f(struct s *a, struct s *b) { *a->p = 3; *b->p += a->n; return *a->p + (a->p == b->p) + (a == b); }",
    );
}
