# 4 tests of f for CTest. Made by nub cover.
cmake_minimum_required(VERSION 3.10)
project(nub_tests_f C)
enable_testing()
add_executable(nub_tests_f "tests.c")
add_test(NAME f.1 COMMAND nub_tests_f 1)
add_test(NAME f.2 COMMAND nub_tests_f 2)
add_test(NAME f.3 COMMAND nub_tests_f 3)
add_test(NAME f.4 COMMAND nub_tests_f 4)
