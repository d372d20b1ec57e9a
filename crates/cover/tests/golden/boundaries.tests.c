/* 4 tests of f, for the criterion mcdc: 24 of 30 goals.
   Expected results are those observed, not those specified: check them. Made by nub cover. */
#define main nub_main_of_the_program
#include "boundaries.c"
#undef main
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int nub_check(int holds, const char *text) {
    if (!holds) printf("  %s does not hold\n", text);
    return holds;
}

/* x = 10, n = 1, t = 0.5 */
static int nub_test_1(void) {
    int same = nub_check(f(10, 1u, 0.5) == 4, "f(10, 1u, 0.5) == 4");
    return same;
}

/* x = 11, n = 1, t = 0.49999999999999994 */
static int nub_test_2(void) {
    int same = nub_check(f(11, 1u, 0.49999999999999994) == 2, "f(11, 1u, 0.49999999999999994) == 2");
    return same;
}

/* x = 11, n = 0, t = 0.0 */
static int nub_test_3(void) {
    int same = nub_check(f(11, 0u, 0.0) == 6, "f(11, 0u, 0.0) == 6");
    return same;
}

/* x = 9, n = 1, t = 0.5000000000000001 */
static int nub_test_4(void) {
    int same = nub_check(f(9, 1u, 0.5000000000000001) == 4, "f(9, 1u, 0.5000000000000001) == 4");
    return same;
}

static const struct { int (*run)(void); char end; char is_alone; const char *text; } nub_tests[] = {
    { nub_test_1, 'r', 0, "x = 10, n = 1, t = 0.5" },
    { nub_test_2, 'r', 0, "x = 11, n = 1, t = 0.49999999999999994" },
    { nub_test_3, 'r', 0, "x = 11, n = 0, t = 0.0" },
    { nub_test_4, 'r', 0, "x = 9, n = 1, t = 0.5000000000000001" },
};

static int nub_run(unsigned k) {
    int differs;
    differs = !nub_tests[k].run();
    if (differs) printf("test %u of f differs from what was observed: %s\n", k + 1, nub_tests[k].text);
    return differs;
}

int main(int argc, char **argv) {
    unsigned n = sizeof nub_tests / sizeof *nub_tests, k, failed = 0;
    if (argc > 1) {
        k = (unsigned)atoi(argv[1]) - 1;
        return k < n ? nub_run(k) : 2;
    }
    for (k = 0; k < n; k++) {
        failed += (unsigned)nub_run(k);
    }
    printf("%u tests of f, %u differ\n", n, failed);
    return failed != 0;
}
