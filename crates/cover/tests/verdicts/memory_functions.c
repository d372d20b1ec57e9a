// holds
void *memset(void *, int, unsigned long); void *memcpy(void *, const void *, unsigned long); int memcmp(const void *, const void *, unsigned long); unsigned long strlen(const char *);
int main(void) {
  char from[4] = {1, 2, 3, 4}, to[4];
  memset(to, 7, sizeof to);
  memcpy(to + 1, from, 2);
  __CPROVER_assert(to[0] == 7 && to[1] == 1 && to[2] == 2 && to[3] == 7, "copied");
  __CPROVER_assert(strlen("abc") == 3 && memcmp(from, to + 1, 2) == 0, "read");
}
