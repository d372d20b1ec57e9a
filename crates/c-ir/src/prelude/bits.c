unsigned short __builtin_bswap16(unsigned short x) { return (unsigned short)(x << 8 | x >> 8); }
unsigned __builtin_bswap32(unsigned x) {
    return x << 24 | (x & 0xff00u) << 8 | (x >> 8 & 0xff00u) | x >> 24;
}
unsigned long long __builtin_bswap64(unsigned long long x) {
    unsigned long long y = 0;
    for (int i = 0; i < 8; i++) y = y << 8 | (x >> 8 * i & 0xff);
    return y;
}
int __builtin_popcountll(unsigned long long x) {
    int n = 0;
    for (; x; x &= x - 1) n++;
    return n;
}
int __builtin_popcount(unsigned x) { return __builtin_popcountll(x); }
int __builtin_popcountl(unsigned long x) { return __builtin_popcountll(x); }
int __builtin_parity(unsigned x) { return __builtin_popcountll(x) & 1; }
int __builtin_parityl(unsigned long x) { return __builtin_popcountll(x) & 1; }
int __builtin_parityll(unsigned long long x) { return __builtin_popcountll(x) & 1; }
int __builtin_ctzll(unsigned long long x) {
    if (!x) __builtin_unreachable();
    int n = 0;
    for (; !(x & 1); x >>= 1) n++;
    return n;
}
int __builtin_ctz(unsigned x) { return __builtin_ctzll(x); }
int __builtin_ctzl(unsigned long x) { return __builtin_ctzll(x); }
int __builtin_clz(unsigned x) {
    if (!x) __builtin_unreachable();
    int n = 0;
    for (; !(x & ~(~0u >> 1)); x <<= 1) n++;
    return n;
}
int __builtin_clzl(unsigned long x) {
    if (!x) __builtin_unreachable();
    int n = 0;
    for (; !(x & ~(~0ul >> 1)); x <<= 1) n++;
    return n;
}
int __builtin_clzll(unsigned long long x) {
    if (!x) __builtin_unreachable();
    int n = 0;
    for (; !(x & ~(~0ull >> 1)); x <<= 1) n++;
    return n;
}
int __builtin_ffsll(long long x) { return x ? __builtin_ctzll(x) + 1 : 0; }
int __builtin_ffs(int x) { return x ? __builtin_ctz(x) + 1 : 0; }
int __builtin_ffsl(long x) { return x ? __builtin_ctzl(x) + 1 : 0; }
int ffs(int x) { return x ? __builtin_ctz(x) + 1 : 0; }
unsigned short htons(unsigned short x) { return __builtin_bswap16(x); }
unsigned short ntohs(unsigned short x) { return __builtin_bswap16(x); }
unsigned htonl(unsigned x) { return __builtin_bswap32(x); }
unsigned ntohl(unsigned x) { return __builtin_bswap32(x); }
