// fails: a pointer to no object in line 4
struct list { int n; int values[]; };
struct list a = { 3, { 4, 5, 6 } };
int main(void) { return a.values[a.n]; }
