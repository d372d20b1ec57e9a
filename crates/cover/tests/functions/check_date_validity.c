/* [Weiler13], section 5.2, with the 16-bit parameters that it means. */
int check_date_validity(short year, short month, short day_of_month) {
    int valid = 1;
    int max_days;
    if (month == 1 || month == 3 || month == 5 || month == 7 || month == 8 || month == 10 || month == 12) {
        max_days = 31;
    } else {
        if (month == 4 || month == 6 || month == 9 || month == 11) {
            max_days = 30;
        } else {
            max_days = 28;
            if (year > 1582) {
                if (year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)) {
                    max_days = 29;
                }
            } else {
                if (year % 4 == 0) {
                    max_days = 29;
                }
            }
        }
    }
    if (year < 5 || month > 12 || month < 1 || day_of_month > max_days || day_of_month < 1) {
        valid = 0;
    }
    if (year == 1582 && month == 10 && day_of_month > 4 && day_of_month < 15) {
        valid = 0;
    }
    return valid;
}
