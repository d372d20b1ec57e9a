/* 3 tests of f, for the criterion mcdc: 14 of 28 goals.
   Expected results are those observed, not those specified: check them. Made by nub cover. */
#define main nub_main_of_the_program
#include "states.c"
#undef main
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static __typeof__(mode) nub_saved_mode;
static void nub_save(void) {
    memcpy((void *)&nub_saved_mode, (const void *)&mode, sizeof mode);
}
static void nub_restore(void) {
    memcpy((void *)&mode, (const void *)&nub_saved_mode, sizeof nub_saved_mode);
}

static int nub_check(int holds, const char *text) {
    if (!holds) printf("  %s does not hold\n", text);
    return holds;
}

/* a = 0, b = 0, key = 'q' */
static int nub_test_1(void) {
    int same = nub_check(f(0, 0, 113) == 0, "f(0, 0, 113) == 0");
    return same;
}

/* a = 10, b = 0, key = 'q' */
static int nub_test_2(void) {
    int same = nub_check(f(10, 0, 113) == 4, "f(10, 0, 113) == 4");
    return same;
}

/* a = 0, b = 0, key = '\0' */
static int nub_test_3(void) {
    int same = nub_check(f(0, 0, 0) == 0, "f(0, 0, 0) == 0");
    return same;
}

static const struct { int (*run)(void); char end; char is_alone; const char *text; } nub_tests[] = {
    { nub_test_1, 'r', 0, "a = 0, b = 0, key = 'q'" },
    { nub_test_2, 'r', 0, "a = 10, b = 0, key = 'q'" },
    { nub_test_3, 'r', 0, "a = 0, b = 0, key = '\\0'" },
};

static int nub_run(unsigned k) {
    int differs;
    differs = !nub_tests[k].run();
    if (differs) printf("test %u of f differs from what was observed: %s\n", k + 1, nub_tests[k].text);
    return differs;
}

int main(int argc, char **argv) {
    unsigned n = sizeof nub_tests / sizeof *nub_tests, k, failed = 0;
    nub_save();
    if (argc > 1) {
        k = (unsigned)atoi(argv[1]) - 1;
        return k < n ? nub_run(k) : 2;
    }
    for (k = 0; k < n; k++) {
        nub_restore();
        failed += (unsigned)nub_run(k);
    }
    printf("%u tests of f, %u differ\n", n, failed);
    return failed != 0;
}
