/* A "solver" with a planted defect, for BTOR: it crashes when a structure deep in the graph is there.
 *
 *   planted N DEEP FILE     aborts iff defect number N lies at least DEEP below the root
 *
 * The defects are of the kind that real solvers had: two operators that meet at some depth, not a word in the text.
 * Linear in the file. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX = 1 << 16 };
static char op[MAX][12];
static int arg[MAX][3], n_args[MAX], live[MAX], depth[MAX], order[MAX], n_lines;

static int is(int id, const char *name) { return !strcmp(op[abs(id)], name); }

static void read_file(FILE *file) {
  char line[256];
  while (fgets(line, sizeof line, file)) {
    int id, at, width;
    if (sscanf(line, "%d %11s %d%n", &id, op[0], &width, &at) < 3 || id <= 0 || id >= MAX) continue;
    memcpy(op[id], op[0], sizeof op[0]);
    order[n_lines++] = id;
    if (is(id, "array") || is(id, "var") || !strncmp(op[id], "const", 5)) continue;
    int has_index = is(id, "write") || is(id, "acond"), value, used;
    if (has_index && sscanf(line + at, "%d%n", &value, &used) == 1) at += used;
    int most = is(id, "slice") || is(id, "uext") || is(id, "sext") ? 1 : 3;
    while (n_args[id] < most && sscanf(line + at, "%d%n", &value, &used) == 1) {
      arg[id][n_args[id]++] = value;
      at += used;
    }
  }
}

/* What a root reaches, and how deep it lies. Operands come before their users. */
static void mark(void) {
  for (int i = n_lines - 1; i >= 0; i--) {
    int id = order[i];
    if (is(id, "root")) live[id] = 1;
    for (int k = 0; live[id] && k < n_args[id]; k++) {
      int to = abs(arg[id][k]);
      if (to >= MAX) exit(2);
      live[to] = 1;
      if (depth[to] < depth[id] + 1) depth[to] = depth[id] + 1;
    }
  }
}

static int has(int id, const char *name) {
  for (int k = 0; k < n_args[id]; k++)
    if (is(arg[id][k], name)) return 1;
  return 0;
}

static int below(int id, const char *name, const char *other) {
  for (int k = 0; k < n_args[id]; k++)
    if (is(arg[id][k], name) && has(abs(arg[id][k]), other)) return 1;
  return 0;
}

static int any(const char *name, const char *child, const char *grandchild, int min_depth) {
  for (int i = 0; i < n_lines; i++) {
    int id = order[i];
    if (live[id] && depth[id] >= min_depth && is(id, name) && (grandchild ? below(id, child, grandchild) : has(id, child)))
      return 1;
  }
  return 0;
}

/* Two structures, the first of them at least `deep` below the root: what is above it must stay, in some form. */
static int defect(int number, int deep) {
  switch (number) {
    case 0: return any("acond", "write", 0, deep) && any("concat", "slice", 0, 4);
    case 1: return any("read", "acond", "write", deep) && any("neg", "add", 0, 2);
    case 2: return any("eq", "write", "write", deep) && any("add", "mul", 0, 4);
    case 3: return any("write", "acond", 0, deep) && any("ugt", "concat", 0, 3);
    case 4: return any("acond", "acond", "write", deep) && any("redxor", "read", 0, 2);
    case 5: return any("ult", "udiv", 0, deep) && any("read", "write", 0, 5);
    case 6: return any("write", "write", 0, deep) && any("srem", "uext", 0, 3);
    case 7: return any("ne", "acond", 0, deep) && any("smod", "sext", 0, 4);
    case 8: return any("sdiv", "slice", 0, deep) && any("acond", "write", "acond", 3);
    default: return any("urem", "concat", 0, deep) && any("eq", "acond", 0, 3);
  }
}

int main(int argc, char **argv) {
  FILE *file = argc == 4 ? fopen(argv[3], "r") : 0;
  if (!file) return 2;
  read_file(file);
  mark();
  if (defect(atoi(argv[1]), atoi(argv[2]))) abort();
  puts("sat");
  return 10;
}
