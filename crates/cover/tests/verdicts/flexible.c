// holds
void __CPROVER_assert(int, const char *);
struct text { char n; char letters[]; };
struct list { int n; int values[]; };
struct list a = { 3, { 4, 5, 6 } }, b = { .values = { [1] = 7 } };
struct text t = { 2, "ab" };
int sum(struct list *l) { int s = 0; for (int i = 0; i < l->n; i++) s += l->values[i]; return s; }
int main(void) {
    __CPROVER_assert(sizeof a == 4 && sizeof t == 1, "the type has no elements");
    __CPROVER_assert(sum(&a) == 15 && b.values[1] == 7 && b.values[0] == 0, "elements");
    __CPROVER_assert(t.letters[0] == 'a' && t.letters[2] == 0, "a text");
    a.values[2] = 1;
    __CPROVER_assert(sum(&a) == 10, "written");
    return 0;
}
