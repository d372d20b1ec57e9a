#include <assert.h>
int nondet_int(void);
enum state { IDLE, SENT, DONE };
enum event { SEND = 1, ACK, RESET };
static int next(int s, int e) {
  switch (s) {
  case IDLE: return e == SEND ? SENT : IDLE;
  case SENT: return e == ACK ? IDLE : e == RESET ? IDLE : SENT;
  default: return e == RESET ? IDLE : s;
  }
}
int main(void) {
  int s = IDLE;
  for (int i = 0; i < 3; i++) {
    int e = nondet_int(), old = s;
    s = next(s, e);
    assert(!(old == SENT && e == ACK) || s == DONE);
  }
  return 0;
}
