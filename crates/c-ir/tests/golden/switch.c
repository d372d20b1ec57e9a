int f(unsigned char c) {
    switch (c) {
    case 'a': case 'b': return 1;
    case '0' ... '9': c++;
    default: break;
    case 200: if (c > 3) return 2;
    }
    return c;
}
