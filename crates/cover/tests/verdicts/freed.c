// fails: a pointer to no object in line 8
void *malloc(unsigned long);
void free(void *);
int main(void) {
  int *p = malloc(sizeof(int));
  *p = 1;
  free(p);
  return *p;
}
