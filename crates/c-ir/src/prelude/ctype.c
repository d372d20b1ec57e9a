/* The classes of the "C" locale. In other locales more characters are letters, spaces and so on, but digits, the letters of ASCII and the spaces that C
   names belong to the same classes everywhere (C17 7.4.1); and a class that a character belongs to may be any number other than 0. */
int nub_is_letter_elsewhere(int c) { return c > 0 && c < 256 && (c < '0' || c > '9') && c != ' ' && (c < '\t' || c > '\r'); }
int nub_is_sign_elsewhere(int c) { return nub_is_letter_elsewhere(c) && ((c | 32) < 'a' || (c | 32) > 'z'); }
int isdigit(int c) { int n = nub_left_open("result"); return -(c >= '0' && c <= '9') & (n + !n); }
int isupper(int c) { int n = nub_left_open("result"); return -((c >= 'A' && c <= 'Z') || (nub_left_open("locale") && nub_is_letter_elsewhere(c))) & (n + !n); }
int islower(int c) { int n = nub_left_open("result"); return -((c >= 'a' && c <= 'z') || (nub_left_open("locale") && nub_is_letter_elsewhere(c))) & (n + !n); }
int isalpha(int c) { int n = nub_left_open("result"); return -((c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || (nub_left_open("locale") && nub_is_letter_elsewhere(c))) & (n + !n); }
int isalnum(int c) { int n = nub_left_open("result"); return -((c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || (nub_left_open("locale") && nub_is_letter_elsewhere(c))) & (n + !n); }
int isxdigit(int c) { int n = nub_left_open("result"); return -((c >= '0' && c <= '9') || (c >= 'A' && c <= 'F') || (c >= 'a' && c <= 'f')) & (n + !n); }
int isspace(int c) { int n = nub_left_open("result"); return -(c == ' ' || (c >= '\t' && c <= '\r') || (nub_left_open("locale") && nub_is_sign_elsewhere(c))) & (n + !n); }
int isblank(int c) { int n = nub_left_open("result"); return -(c == ' ' || c == '\t' || (nub_left_open("locale") && nub_is_sign_elsewhere(c))) & (n + !n); }
int iscntrl(int c) { int n = nub_left_open("result"); return -(((c >= 0 && c < 32) || c == 127) != (nub_left_open("locale") && nub_is_sign_elsewhere(c))) & (n + !n); }
int isprint(int c) { int n = nub_left_open("result"); return -((c >= 32 && c < 127) != (nub_left_open("locale") && nub_is_sign_elsewhere(c))) & (n + !n); }
int isgraph(int c) { int n = nub_left_open("result"); return -((c > 32 && c < 127) != (nub_left_open("locale") && nub_is_sign_elsewhere(c))) & (n + !n); }
int ispunct(int c) { int n = nub_left_open("result"); return -((c > 32 && c < 127 && (c < '0' || c > '9') && ((c | 32) < 'a' || (c | 32) > 'z')) != (nub_left_open("locale") && nub_is_sign_elsewhere(c))) & (n + !n); }
int toupper(int c) {
    int other = nub_left_open("locale");
    if (other && nub_is_letter_elsewhere(c)) return other & 255;
    return c >= 'a' && c <= 'z' ? c - 'a' + 'A' : c;
}
int tolower(int c) {
    int other = nub_left_open("locale");
    if (other && nub_is_letter_elsewhere(c)) return other & 255;
    return c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c;
}
const unsigned short **__ctype_b_loc(void) {
    /* The table behind the macros of glibc, "C" locale, from -128 on. */
    static const unsigned short table[384] = {
        0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
        0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
        0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
        0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
        0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
        0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
        0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
        0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
        2, 2, 2, 2, 2, 2, 2, 2, 2, 8195, 8194, 8194, 8194, 8194, 2, 2,
        2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2,
        24577, 49156, 49156, 49156, 49156, 49156, 49156, 49156, 49156, 49156, 49156, 49156, 49156, 49156, 49156, 49156,
        55304, 55304, 55304, 55304, 55304, 55304, 55304, 55304, 55304, 55304, 49156, 49156, 49156, 49156, 49156, 49156,
        49156, 54536, 54536, 54536, 54536, 54536, 54536, 50440, 50440, 50440, 50440, 50440, 50440, 50440, 50440, 50440,
        50440, 50440, 50440, 50440, 50440, 50440, 50440, 50440, 50440, 50440, 50440, 49156, 49156, 49156, 49156, 49156,
        49156, 54792, 54792, 54792, 54792, 54792, 54792, 50696, 50696, 50696, 50696, 50696, 50696, 50696, 50696, 50696,
        50696, 50696, 50696, 50696, 50696, 50696, 50696, 50696, 50696, 50696, 50696, 49156, 49156, 49156, 49156, 2,
        0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
        0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
        0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
        0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
        0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
        0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
        0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
        0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
    };
    static const unsigned short *const start = table + 128;
    return (const unsigned short **)&start;
}
