long f(short s, unsigned char c, unsigned u, long l, _Bool b) {
    s += c;
    c = s * 2;
    b = l;
    return s < u ? l + u : -1;
}
