struct ring { unsigned char head, count, data[4]; };
int put(struct ring *r, unsigned char value) {
  if (r->head > 4 || r->count >= 4)
    return -1;
  r->data[r->head] = value;
  r->head++;
  r->count++;
  return 0;
}
int check(unsigned char head, unsigned char count, unsigned char value) {
  struct ring r = {head, count, {0}};
  return put(&r, value);
}
