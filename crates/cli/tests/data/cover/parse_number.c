/* A decimal number with sign and blanks before it; -1 if there is none or it is too large. */
#include <ctype.h>
#include <limits.h>
#include <stdbool.h>

int parse_number(const char *text) {
    int value = 0, digits = 0;
    bool is_negative = false;
    if (!text)
        return -1;
    while (*text == ' ' || *text == '\t')
        text++;
    if (*text == '-' || *text == '+')
        is_negative = *text++ == '-';
    while (*text >= '0' && *text <= '9') {
        if (value > 999)
            return -1;
        value = 10 * value + (*text++ - '0');
        digits++;
    }
    if (digits == 0 || (*text != 0 && *text != ';'))
        return -1;
    return is_negative ? -value : value;
}
