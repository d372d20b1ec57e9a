/* What these write is written as the library writes it. Of a conversion that is not known here nothing is said: such a run is beyond every bound. */
nub_size nub_put(char *to, nub_size n, nub_size at, char c) {
    if (at + 1 < n) to[at] = c;
    return at + 1;
}
nub_size nub_pad(char *to, nub_size n, nub_size at, char c, int count) {
    for (int i = 0; i < count; i++) at = nub_put(to, n, at, c);
    return at;
}
/* Digits, the last one first. */
int nub_digits_of(char *digits, unsigned long long value, unsigned base, char ten) {
    int n = 0;
    for (; value; value /= base) {
        unsigned digit = value % base;
        digits[n++] = digit < 10 ? '0' + digit : ten + (digit - 10);
    }
    return n;
}
/* What is read while it is written must not overlap (C17 7.21.6.5). */
void nub_read_while_written(char *to, nub_size n, const char *from, nub_size length) {
    if (length > n) length = n;
    if (length) nub_apart(to, from, length);
}
int nub_vsnprintf(char *to, nub_size n, const char *format, __builtin_va_list list) {
    nub_size at = 0;
    const char *start = format;
    for (; *format; format++) {
        int is_left = 0, has_zeros = 0, width = 0, precision = -1, size = 0, n_sizes = 0, length = 0, zeros = 0;
        char sign = 0, buffer[24];
        const char *text = buffer;
        unsigned long long value = 0;
        if (*format != '%') {
            at = nub_put(to, n, at, *format);
            continue;
        }
        for (format++; *format == '-' || *format == '0' || *format == '+' || *format == ' '; format++) {
            if (*format == '-') is_left = 1;
            else if (*format == '0') has_zeros = 1;
            else if (*format == '+' || !sign) sign = *format;
        }
        if (*format == '*') {
            width = __builtin_va_arg(list, int);
            if (width < 0) is_left = 1, width = -width;
            format++;
        } else {
            for (; *format >= '0' && *format <= '9'; format++) width = width * 10 + (*format - '0');
        }
        if (*format == '.') {
            precision = 0;
            format++;
            if (*format == '*') {
                precision = __builtin_va_arg(list, int);
                format++;
            } else {
                for (; *format >= '0' && *format <= '9'; format++) precision = precision * 10 + (*format - '0');
            }
        }
        for (; *format == 'l' || *format == 'h' || *format == 'z' || *format == 't' || *format == 'j'; format++) {
            if (n_sizes && (n_sizes > 1 || format[-1] != *format || size >= 2)) for (;;) {}
            n_sizes++;
            size += *format == 'h' ? -1 : *format == 'l' ? 1 : 2;
        }
        if ((*format == 'c' || *format == 's' || *format == '%') && (has_zeros || sign || *format != 's' && precision >= 0)) for (;;) {}
        if (*format == '%' && format[-1] != '%') for (;;) {}
        if (*format == 'd' || *format == 'i') {
            long long number;
            if (size >= 2) number = __builtin_va_arg(list, long long);
            else if (size == 1) number = __builtin_va_arg(list, long);
            else number = __builtin_va_arg(list, int);
            if (size == -1) number = (short)number;
            if (size == -2) number = (signed char)number;
            if (number < 0) sign = '-';
            value = number < 0 ? 0ull - (unsigned long long)number : (unsigned long long)number;
            length = nub_digits_of(buffer, value, 10, 'a');
        } else if (*format == 'u' || *format == 'x' || *format == 'X' || *format == 'o') {
            if (size >= 2) value = __builtin_va_arg(list, unsigned long long);
            else if (size == 1) value = __builtin_va_arg(list, unsigned long);
            else value = __builtin_va_arg(list, unsigned);
            if (size == -1) value = (unsigned short)value;
            if (size == -2) value = (unsigned char)value;
            sign = 0;
            length = nub_digits_of(buffer, value, *format == 'u' ? 10 : *format == 'o' ? 8 : 16, *format == 'X' ? 'A' : 'a');
        } else if (*format == 'c' && size == 0) {
            buffer[0] = (char)__builtin_va_arg(list, int);
            length = 1;
        } else if (*format == 's' && size == 0) {
            text = __builtin_va_arg(list, const char *);
            while ((precision < 0 || length < precision) && text[length]) length++;
        } else if (*format == '%') {
            buffer[0] = '%';
            length = 1;
        } else {
            for (;;) {}
        }
        if (*format == 'c' || *format == 's' || *format == '%') {
            sign = 0;
            nub_read_while_written(to, n, text, length);
            if (!is_left) at = nub_pad(to, n, at, ' ', width - length);
            for (int i = 0; i < length; i++) at = nub_put(to, n, at, text[i]);
        } else {
            if (precision >= 0) has_zeros = 0;
            else precision = 1;
            if (precision > length) zeros = precision - length;
            if (has_zeros && !is_left && width > length + zeros + (sign != 0)) zeros = width - length - (sign != 0);
            if (!is_left) at = nub_pad(to, n, at, ' ', width - length - zeros - (sign != 0));
            if (sign) at = nub_put(to, n, at, sign);
            at = nub_pad(to, n, at, '0', zeros);
            for (int i = length; i > 0; i--) at = nub_put(to, n, at, buffer[i - 1]);
        }
        if (is_left) at = nub_pad(to, n, at, ' ', width - length - zeros - (sign != 0));
    }
    if (n) to[at < n ? at : n - 1] = 0;
    nub_read_while_written(to, at < n ? at + 1 : n, start, format - start + 1);
    return (int)at;
}
/* No library needs to fail here, but C lets it. */
int vsnprintf(char *to, nub_size n, const char *format, __builtin_va_list list) {
    int length = nub_vsnprintf(to, n, format, list), other = nub_left_open("result");
    return other < 0 ? other : length;
}
int snprintf(char *to, nub_size n, const char *format, ...) {
    __builtin_va_list list;
    __builtin_va_start(list, format);
    int length = nub_vsnprintf(to, n, format, list), other = nub_left_open("result");
    return other < 0 ? other : length;
}
int vsprintf(char *to, const char *format, __builtin_va_list list) {
    int length = nub_vsnprintf(to, ~(nub_size)0, format, list), other = nub_left_open("result");
    return other < 0 ? other : length;
}
int sprintf(char *to, const char *format, ...) {
    __builtin_va_list list;
    __builtin_va_start(list, format);
    int length = nub_vsnprintf(to, ~(nub_size)0, format, list), other = nub_left_open("result");
    return other < 0 ? other : length;
}
/* Texts that are written to a stream. */
void nub_text(const char *s) {
    while (*s) s++;
}
void nub_text_or_null(const char *s) {
    if (s) nub_text(s);
}
void nub_text_part(const char *s, int most) {
    for (int i = 0; (most < 0 || i < most) && s[i]; i++) {}
}
/* A format that the text does not contain: one with conversions is beyond every bound. */
void nub_plain_format(const char *s) {
    for (; *s; s++)
        if (*s == '%') for (;;) {}
}
