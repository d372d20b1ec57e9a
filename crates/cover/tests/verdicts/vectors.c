// holds
void __CPROVER_assert(int, const char *);
typedef int v4 __attribute__((vector_size(16)));
typedef unsigned char bytes __attribute__((__vector_size__(8)));
int main(void) {
    v4 a = { 1, -2, 3, 4 }, b = a + 10, c;
    c = a * b - (v4){ 1, 1, 1, 1 };
    __CPROVER_assert(sizeof a == 16 && b[0] == 11 && b[1] == 8, "a number for each element");
    __CPROVER_assert(c[1] == -17 && ((int *)&c)[3] == 55, "element by element");
    v4 m = a > 0;
    c += c;
    __CPROVER_assert(m[0] == -1 && m[1] == 0 && c[3] == 110 && (-a)[1] == 2 && (~a)[0] == -2, "masks");
    bytes x = { 255, 1 }, y = x + 1;
    y[7] = 3;
    __CPROVER_assert(y[0] == 0 && y[1] == 2 && y[2] == 1 && y[7] == 3, "no promotion");
    return 0;
}
