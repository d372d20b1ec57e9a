/* Included before everything else: tests end in `_exit` or by a signal, and clang writes its counters at `exit` only. */
#include <signal.h>
#include <stdlib.h>
#include <unistd.h>

int __llvm_profile_write_file(void);
void __llvm_profile_set_filename(const char *);

/* Each test is a process of its own, and its number must be in the name once more. */
static void write_counters(void) {
    __llvm_profile_set_filename("seen-%p.profraw");
    __llvm_profile_write_file();
}

static void write_profile(int signal_number) {
    write_counters();
    signal(signal_number, SIG_DFL);
    raise(signal_number);
}

__attribute__((constructor)) static void on_abort(void) { signal(SIGABRT, write_profile); }

static void exit_with_profile(int code) {
    write_counters();
    _exit(code);
}

#define _exit(code) exit_with_profile(code)
