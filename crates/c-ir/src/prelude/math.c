REAL fmod_T(REAL x, REAL y) {
    REAL rest = remainder_T(fabs_T(x), fabs_T(y));
    if (rest < 0) rest += fabs_T(y);
    return copysign_T(rest, x);
}
/* Which of two zeros C leaves open. The second is what glibc returns on x86-64. */
REAL fmin_T(REAL x, REAL y) {
    if (x == y) return nub_either_T(y, x);
    return nub_quieted_T(x < y || y != y ? x : y);
}
REAL fmax_T(REAL x, REAL y) {
    if (x == y) return nub_either_T(y, x);
    return nub_quieted_T(x > y || y != y ? x : y);
}
REAL fdim_T(REAL x, REAL y) { return x <= y ? 0 : x - y; }
REAL modf_T(REAL x, REAL *whole) {
    *whole = trunc_T(x);
    return copysign_T(__builtin_isinf(x) ? 0 : x - *whole, x);
}
long lround_T(REAL x) { return (long)round_T(x); }
long lrint_T(REAL x) { return (long)rint_T(x); }
long long llround_T(REAL x) { return (long long)round_T(x); }
long long llrint_T(REAL x) { return (long long)rint_T(x); }
