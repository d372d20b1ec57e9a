#include <assert.h>
#include <string.h>
static int is_command(const char *s) {
  if (strlen(s) < 3)
    return 0;
  return strcmp(s, "halt") != 0;
}
void check(char s[6]) {
  s[5] = 0;
  int r = is_command(s);
  assert(r == (s[0] == 'h' && s[1] == 'a' && s[2] == 'l' && s[3] == 't' && s[4] == 0));
}
