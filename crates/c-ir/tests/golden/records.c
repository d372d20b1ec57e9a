struct flags { unsigned a : 3; signed b : 5; struct { int x, y; }; };
static struct flags table[2] = { { 1, -2, { 3, 4 } }, { .y = 7 } };
union u { int word; unsigned char bytes[4]; };
int f(int i) {
    struct flags local = table[i];
    union u u = { 5 };
    local.a += 2;
    local.x = (struct flags){ .b = 3 }.b;
    return local.a + local.b + u.bytes[0];
}
