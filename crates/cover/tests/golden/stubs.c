/* Calls of stubs, with an out-parameter and a text. */
int get(int channel, short *value);
void report(const char *text, int level);
int f(int channel) {
    short v = 0;
    if (get(channel, &v) < 0) {
        report("lost", channel);
        return -1;
    }
    if (v > 40) report("hot", v);
    return 0;
}
