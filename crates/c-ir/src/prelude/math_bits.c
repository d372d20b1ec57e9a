/* The exponent as it is written, of a number that is neither zero nor special; below 1 if it is subnormal. */
int nub_exponent_T(REAL x, WORD *word) {
    union { REAL number; WORD word; } u;
    int exponent;
    u.number = x;
    exponent = (int)(u.word >> FRACTION & TOP);
    if (exponent == 0) {
        u.number = x * 0x1p64_T;
        exponent = (int)(u.word >> FRACTION & TOP) - 64;
    }
    *word = u.word & ~((WORD)TOP << FRACTION);
    return exponent;
}
REAL nub_number_T(WORD word, int exponent) {
    union { REAL number; WORD word; } u;
    u.word = word | (WORD)exponent << FRACTION;
    return u.number;
}
REAL frexp_T(REAL x, int *exponent) {
    WORD word;
    *exponent = 0;
    if (x == 0 || !__builtin_isfinite(x)) return nub_quieted_T(x);
    *exponent = nub_exponent_T(x, &word) - (TOP / 2 - 1);
    return nub_number_T(word, TOP / 2 - 1);
}
REAL scalbn_T(REAL x, int n) {
    WORD word;
    int exponent;
    if (x == 0 || !__builtin_isfinite(x)) return nub_quieted_T(x);
    if (n > 5000) n = 5000;
    if (n < -5000) n = -5000;
    exponent = nub_exponent_T(x, &word) + n;
    if (exponent >= TOP) return nub_number_T(word, TOP - 1) * 0x1p64_T;
    if (exponent > 0) return nub_number_T(word, exponent);
    /* Less than half of the smallest number is all the same. One product rounds once. */
    if (exponent < -(FRACTION + 1)) exponent = -(FRACTION + 1);
    return nub_number_T(word, exponent + 64) * 0x1p-64_T;
}
REAL scalbln_T(REAL x, long n) { return scalbn_T(x, n > 5000 ? 5000 : n < -5000 ? -5000 : (int)n); }
REAL ldexp_T(REAL x, int n) { return scalbn_T(x, n); }
REAL nextafter_T(REAL x, REAL y) {
    union { REAL number; WORD word; } u;
    if (x != x || y != y) return x + y;
    if (x == y) return y;
    u.number = x;
    if (x == 0) {
        u.word = 1;
        return copysign_T(u.number, y);
    }
    if ((x < y) == (x > 0)) u.word++;
    else u.word--;
    return u.number;
}
int ilogb_T(REAL x) {
    WORD word;
    if (x == 0 || x != x) return -2147483647 - 1;
    if (__builtin_isinf(x)) return 2147483647;
    return nub_exponent_T(x, &word) - TOP / 2;
}
REAL logb_T(REAL x) {
    WORD word;
    if (x == 0) return -__builtin_inf_T();
    if (!__builtin_isfinite(x)) return x * x;
    return nub_exponent_T(x, &word) - TOP / 2;
}
