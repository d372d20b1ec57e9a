enum colour { red, green = 5, blue };
int f(int x) {
    while (1) {
        if (sizeof(int) == 4 && x) break;
        if (0 || blue == 6) return red;
    }
    return 0 ? x : green;
}
