/* 3 tests of f, for the criterion mcdc: 14 of 28 goals.
   Expected results are those observed, not those specified: check them. Made by nub cover. */
#include "unity.h"
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

void setUp(void) { nub_restore(); }
void tearDown(void) {}

/* a = 0, b = 0, key = 'q' */
void test_f_1(void) {
    TEST_ASSERT_TRUE(f(0, 0, 113) == 0);
}

/* a = 10, b = 0, key = 'q' */
void test_f_2(void) {
    TEST_ASSERT_TRUE(f(10, 0, 113) == 4);
}

/* a = 0, b = 0, key = '\0' */
void test_f_3(void) {
    TEST_ASSERT_TRUE(f(0, 0, 0) == 0);
}

int main(void) {
    nub_save();
    UNITY_BEGIN();
    RUN_TEST(test_f_1);
    RUN_TEST(test_f_2);
    RUN_TEST(test_f_3);
    return UNITY_END();
}
