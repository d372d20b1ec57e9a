/* [Weiler13], section 5.3. */
void abort(void);
int ariane_sri_analogy(int measured_value) {
    int derived_value;
    if (measured_value > 32767 || measured_value < -32768) {
        abort();
    } else {
        derived_value = measured_value;
    }
    return derived_value;
}
