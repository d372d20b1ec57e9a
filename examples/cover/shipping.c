/* The price of a parcel in euros, or -1 if it is not accepted. The last check of the weight is a mistake: it can never be true. */
int shipping(int grams, int is_member, int is_express) {
  if (grams <= 0 || grams > 30000)
    return -1;
  if (is_express && grams <= 10000)
    return is_member ? 8 : 12;
  if (grams > 2000 && (!is_member || grams > 30000))
    return 9;
  return 4;
}
