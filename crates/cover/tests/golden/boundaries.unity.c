/* 4 tests of f, for the criterion mcdc: 24 of 30 goals.
   Expected results are those observed, not those specified: check them. Made by nub cover. */
#include "unity.h"
#define main nub_main_of_the_program
#include "boundaries.c"
#undef main
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void setUp(void) {}
void tearDown(void) {}

/* x = 10, n = 1, t = 0.5 */
void test_f_1(void) {
    TEST_ASSERT_TRUE(f(10, 1u, 0.5) == 4);
}

/* x = 11, n = 1, t = 0.49999999999999994 */
void test_f_2(void) {
    TEST_ASSERT_TRUE(f(11, 1u, 0.49999999999999994) == 2);
}

/* x = 11, n = 0, t = 0.0 */
void test_f_3(void) {
    TEST_ASSERT_TRUE(f(11, 0u, 0.0) == 6);
}

/* x = 9, n = 1, t = 0.5000000000000001 */
void test_f_4(void) {
    TEST_ASSERT_TRUE(f(9, 1u, 0.5000000000000001) == 4);
}

int main(void) {
    UNITY_BEGIN();
    RUN_TEST(test_f_1);
    RUN_TEST(test_f_2);
    RUN_TEST(test_f_3);
    RUN_TEST(test_f_4);
    return UNITY_END();
}
