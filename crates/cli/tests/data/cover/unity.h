/* The part of Unity's interface that generated tests use, enough to compile and run them. Written for this test. */
#include <stdio.h>

void setUp(void);
void tearDown(void);
static int unity_failures, unity_tests;

#define UNITY_BEGIN() (unity_failures = unity_tests = 0)
#define RUN_TEST(test) (unity_tests++, setUp(), test(), tearDown())
#define TEST_ASSERT_TRUE(condition) \
    do { if (!(condition)) { unity_failures++; printf("%s:%d: %s\n", __FILE__, __LINE__, #condition); } } while (0)
#define UNITY_END() (printf("%d tests, %d failures\n", unity_tests, unity_failures), unity_failures)
