/* The oracle of workers.py: the verdict of another command, after a fixed time.
 *
 *     cc -O2 -DSECONDS=0.3 '-DKEPT="FOLDER"' '-DCOMMAND="word","word"' -o oracle sleeper.c
 *     ./oracle FILE
 *
 * The command is asked once for each content of FILE, and its exit status is kept in FOLDER. A run takes SECONDS,
 * or as long as the command if that is longer. One process and no shell: with many runs at once the processor would be the limit. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

/* Two FNV-1a hashes with different beginnings: 128 bits. */
static void name_of(const char *file, char *name, size_t size)
{
    uint64_t a = 0xcbf29ce484222325u, b = 0x9ae16a3b2f90404fu;
    unsigned char buffer[1 << 16];
    ssize_t n;
    int fd = open(file, O_RDONLY);
    if (fd < 0)
        exit(99);
    while ((n = read(fd, buffer, sizeof buffer)) > 0)
        for (ssize_t i = 0; i < n; i++) {
            a = (a ^ buffer[i]) * 0x100000001b3u;
            b = (b ^ buffer[i]) * 0x10000000233u;
        }
    close(fd);
    snprintf(name, size, KEPT "/%016llx%016llx", (unsigned long long)a, (unsigned long long)b);
}

static int known(const char *name)
{
    int status = -1;
    FILE *in = fopen(name, "r");
    if (in) {
        if (fscanf(in, "%d", &status) != 1)
            status = -1;
        fclose(in);
    }
    return status;
}

static int ask(char *file)
{
    char *argv[] = {COMMAND, file, NULL};
    int status;
    pid_t child = fork();
    if (child == 0) {
        int null = open("/dev/null", O_WRONLY);
        dup2(null, 1);
        dup2(null, 2);
        execvp(argv[0], argv);
        _exit(99);
    }
    while (waitpid(child, &status, 0) < 0)
        if (errno != EINTR)
            exit(99);
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

static void keep(const char *name, int status)
{
    char draft[4200];
    snprintf(draft, sizeof draft, "%s.%d", name, (int)getpid());
    FILE *out = fopen(draft, "w");
    if (out) {
        fprintf(out, "%d\n", status);
        fclose(out);
        rename(draft, name);
    }
}

int main(int argc, char **argv)
{
    struct timespec end;
    char name[4096];
    if (argc != 2)
        return 99;
    clock_gettime(CLOCK_MONOTONIC, &end);
    long long at = end.tv_sec * 1000000000LL + end.tv_nsec + (long long)(SECONDS * 1e9);
    end.tv_sec = at / 1000000000LL;
    end.tv_nsec = at % 1000000000LL;
    name_of(argv[1], name, sizeof name);
    int status = known(name);
    if (status < 0) {
        status = ask(argv[1]);
        keep(name, status);
    }
    while (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &end, NULL) == EINTR)
        ;
    return status;
}
