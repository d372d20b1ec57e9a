/* 3 tests of f, for the criterion mcdc: 10 of 10 goals.
   Expected results are those observed, not those specified: check them. Made by nub cover. */
#include "unity.h"

enum { NUB_RESULT = 0, NUB_END = 255 };
struct nub_read { long long value; unsigned size; };
static const struct nub_read nub_nothing[] = { { 0, NUB_END } };
static const struct nub_read *nub_next = nub_nothing, **nub_from = &nub_next;
__attribute__((unused)) static long long nub_take(void) { return (*nub_from)->size == NUB_END ? 0 : (*nub_from)++->value; }

#define main nub_main_of_the_program
#include "stubs.c"
#undef main
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void *nub_kept[1024];
__attribute__((unused)) static void *nub_new(unsigned long size) {
    static unsigned n;
    return nub_kept[n++ % 1024] = __builtin_calloc(1, size);
}
struct nub_part { unsigned offset, size; long long value; };
struct nub_item { char kind; long long value; const void *place; const struct nub_part *parts; const char *text; };
static const struct nub_item nub_no_calls[] = { { 0, 0, 0, 0, 0 } };
static const struct nub_item *nub_expected = nub_no_calls, *nub_first = nub_no_calls, *nub_ahead[32];
static unsigned nub_n_ahead;
static const char *nub_difference;
__attribute__((unused)) static void nub_differ(const char *text) {
    if (!nub_difference) nub_difference = text;
    nub_expected = nub_first = nub_no_calls;
}
__attribute__((unused)) static int nub_was_made(const struct nub_item *call) {
    unsigned i;
    for (i = 0; i < nub_n_ahead; i++) if (nub_ahead[i] == call) return 1;
    return 0;
}
__attribute__((unused)) static void nub_skip_made(void) {
    while (nub_first->kind && (nub_first->kind != 'c' || nub_was_made(nub_first))) nub_first++;
}
/* C leaves open which part of a statement comes first: calls of one statement are expected in any order. */
__attribute__((unused)) static void nub_called(const char *name) {
    const struct nub_item *call;
    nub_skip_made();
    for (call = nub_first; call->kind && (call->kind != 'c' || call->value == nub_first->value); call++) {
        const char *a = name, *b = call->text;
        if (call->kind != 'c' || nub_was_made(call)) continue;
        while (*a && *a == *b) a++, b++;
        if (*a || *b != '(') continue;
        if (call == nub_first) nub_first++;
        else if (nub_n_ahead < sizeof nub_ahead / sizeof *nub_ahead) nub_ahead[nub_n_ahead++] = call;
        else break;
        nub_expected = call + 1;
        return;
    }
    nub_differ(name);
}
__attribute__((unused)) static void nub_number(long long value) {
    if (nub_expected->kind == 'a') nub_expected++;
    else if (nub_expected->kind != 'n') return;
    else if (nub_expected->value != value) nub_differ(nub_expected->text);
    else nub_expected++;
}
__attribute__((unused)) static void nub_pointer(const void *pointer) {
    const struct nub_part *part;
    if (nub_expected->kind == 'a') {
        nub_expected++;
        return;
    }
    if (nub_expected->kind != 'p') return;
    if ((pointer != 0) != nub_expected->value || (nub_expected->place && nub_expected->place != pointer)) {
        nub_differ(nub_expected->text);
        return;
    }
    for (part = nub_expected->parts; part && part->size; part++) {
        const unsigned char *bytes = (const unsigned char *)pointer + part->offset;
        unsigned long long found = 0;
        unsigned i;
        for (i = 0; i < part->size && i < 8; i++) found |= (unsigned long long)bytes[i] << 8 * i;
        if (part->size < 8) found ^= (unsigned long long)part->value & ((1ull << 8 * part->size) - 1);
        else found ^= (unsigned long long)part->value;
        if (found) {
            nub_differ(nub_expected->text);
            return;
        }
    }
    nub_expected++;
}
__attribute__((unused)) static int nub_calls_agree(void) {
    nub_skip_made();
    if (nub_first->kind) nub_differ(nub_first->text);
    return !nub_difference;
}
static const struct nub_read *nub_of_get = nub_nothing;
#ifdef __clang__
__attribute__((no_sanitize("function")))
#endif
__typeof__(int) nub_stub_get(__typeof__(int) a0, __typeof__(short *) a1) {
    nub_called("get");
    nub_from = &nub_of_get;
    nub_number((long long)a0);
    nub_pointer((const void *)a1);
    {
        __typeof__(short) *p = (__typeof__(short) *)a1;
        unsigned char i, n = (unsigned char)nub_take();
        for (i = 0; i < n; i++) {
            p[i] = (short)nub_take();
        }
    }
    {
        __typeof__(int) r;
        r = (int)nub_take();
        nub_from = &nub_next;
        return r;
    }
}

#if defined __GNUC__ && !defined __clang__
#pragma GCC diagnostic ignored "-Wattribute-alias"
#endif
extern __typeof__(get) get __attribute__((alias("nub_stub_get")));
static const struct nub_read *nub_of_report = nub_nothing;
#ifdef __clang__
__attribute__((no_sanitize("function")))
#endif
__typeof__(void) nub_stub_report(__typeof__(char *) a0, __typeof__(int) a1) {
    nub_called("report");
    nub_from = &nub_of_report;
    nub_pointer((const void *)a0);
    nub_number((long long)a1);
    nub_from = &nub_next;
}

#if defined __GNUC__ && !defined __clang__
#pragma GCC diagnostic ignored "-Wattribute-alias"
#endif
extern __typeof__(report) report __attribute__((alias("nub_stub_report")));

void setUp(void) {}
void tearDown(void) {}

/* channel = 0, get #1 writes value = 1, *value of get #1 = 41, get #1 = 0 */
void test_f_1(void) {
    static const struct nub_part behind0[] = { { 0, 2, (long long)0 }, { 0, 0, 0 } };
    static const struct nub_part behind1[] = { { 0, 1, (long long)104 }, { 1, 1, (long long)111 }, { 2, 1, (long long)116 }, { 3, 1, (long long)0 }, { 0, 0, 0 } };
    const struct nub_item calls[] = {
        { 'c', 1, 0, 0, "get(0, {0})" },
        { 'n', (long long)0, 0, 0, "get(0, {0})" },
        { 'p', 1, 0, behind0, "get(0, {0})" },
        { 'c', 2, 0, 0, "report(\"hot\", 41)" },
        { 'p', 1, 0, behind1, "report(\"hot\", 41)" },
        { 'n', (long long)41, 0, 0, "report(\"hot\", 41)" },
        { 0, 0, 0, 0, 0 }
    };
    nub_expected = nub_first = calls;
    nub_n_ahead = 0;
    nub_difference = 0;
    static const struct nub_read of_get[] = { { 1, sizeof(unsigned char) }, { 41, sizeof(short) }, { 0, sizeof(int) }, { 0, NUB_END } };
    nub_of_get = of_get;
    nub_of_report = nub_nothing;
    TEST_ASSERT_TRUE(f(0) == 0);
    TEST_ASSERT_TRUE(nub_calls_agree());
}

/* channel = 0, get #1 writes value = 0, get #1 = 0 */
void test_f_2(void) {
    static const struct nub_part behind0[] = { { 0, 2, (long long)0 }, { 0, 0, 0 } };
    const struct nub_item calls[] = {
        { 'c', 1, 0, 0, "get(0, {0})" },
        { 'n', (long long)0, 0, 0, "get(0, {0})" },
        { 'p', 1, 0, behind0, "get(0, {0})" },
        { 0, 0, 0, 0, 0 }
    };
    nub_expected = nub_first = calls;
    nub_n_ahead = 0;
    nub_difference = 0;
    static const struct nub_read of_get[] = { { 0, sizeof(unsigned char) }, { 0, sizeof(int) }, { 0, NUB_END } };
    nub_of_get = of_get;
    nub_of_report = nub_nothing;
    TEST_ASSERT_TRUE(f(0) == 0);
    TEST_ASSERT_TRUE(nub_calls_agree());
}

/* channel = 0, get #1 writes value = 0, get #1 = -1 */
void test_f_3(void) {
    static const struct nub_part behind0[] = { { 0, 2, (long long)0 }, { 0, 0, 0 } };
    static const struct nub_part behind1[] = { { 0, 1, (long long)108 }, { 1, 1, (long long)111 }, { 2, 1, (long long)115 }, { 3, 1, (long long)116 }, { 4, 1, (long long)0 }, { 0, 0, 0 } };
    const struct nub_item calls[] = {
        { 'c', 1, 0, 0, "get(0, {0})" },
        { 'n', (long long)0, 0, 0, "get(0, {0})" },
        { 'p', 1, 0, behind0, "get(0, {0})" },
        { 'c', 2, 0, 0, "report(\"lost\", 0)" },
        { 'p', 1, 0, behind1, "report(\"lost\", 0)" },
        { 'n', (long long)0, 0, 0, "report(\"lost\", 0)" },
        { 0, 0, 0, 0, 0 }
    };
    nub_expected = nub_first = calls;
    nub_n_ahead = 0;
    nub_difference = 0;
    static const struct nub_read of_get[] = { { 0, sizeof(unsigned char) }, { -1, sizeof(int) }, { 0, NUB_END } };
    nub_of_get = of_get;
    nub_of_report = nub_nothing;
    TEST_ASSERT_TRUE(f(0) == -1);
    TEST_ASSERT_TRUE(nub_calls_agree());
}

int main(void) {
    UNITY_BEGIN();
    RUN_TEST(test_f_1);
    RUN_TEST(test_f_2);
    RUN_TEST(test_f_3);
    return UNITY_END();
}
