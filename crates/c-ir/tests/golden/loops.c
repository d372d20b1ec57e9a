int f(int n) {
    int sum = 0;
    for (int i = 0; i < n; i++) {
        if (i == 3) continue;
        if (i == 7) break;
        sum += i;
    }
    while (sum > 100) sum /= 2;
    do sum--; while (sum > 10 && n);
    for (;;) if (sum++ > 5) return sum;
}
