/* [Weiler13], section 1.6. */
unsigned int fits_in_one_week(unsigned int days_task1, unsigned int days_task2) {
    unsigned int days;
    days = days_task1 + days_task2;
    if (days > 7) {
        return 0;
    } else {
        return 1;
    }
}
