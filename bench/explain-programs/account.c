/* A transfer with a fee and an overdraft. */
int from_balance, to_balance, overdraft, fee_fixed, fee_percent, bank;
static int fee(int amount)
{
    int part = amount * fee_percent / 100;
    if (part < fee_fixed)
        part = fee_fixed;
    if (part > amount)
        part = amount;
    return part;
}
static int available(void)
{
    int sum = from_balance + overdraft;
    if (sum < 0)
        return 0;
    return sum;
}
int transfer(int amount, int is_premium)
{
    int cost, total;
    if (amount <= 0)
        return 1;
    cost = is_premium ? 0 : fee(amount);
    total = amount + cost;
    if (total > available())
        return 2;
    from_balance = from_balance - total;
    to_balance = to_balance + amount;
    bank = bank + cost;
    return 0;
}
/* harness */
#include <assert.h>
int nondet_int(void);
void nub_assume(int);
int main(void)
{
    int amount = nondet_int(), is_premium = nondet_int(), old_from, old_to, old_bank, answer;
    from_balance = nondet_int(); to_balance = nondet_int(); overdraft = nondet_int();
    fee_fixed = nondet_int(); fee_percent = nondet_int(); bank = 0;
    nub_assume(from_balance >= -500 && from_balance <= 10000 && to_balance >= 0 && to_balance <= 10000);
    nub_assume(overdraft >= 0 && overdraft <= 500 && fee_fixed >= 0 && fee_fixed <= 10 && fee_percent >= 0 && fee_percent <= 5);
    nub_assume(amount >= -10000 && amount <= 20000 && (is_premium == 0 || is_premium == 1));
    nub_assume(from_balance >= -overdraft);
    old_from = from_balance; old_to = to_balance; old_bank = bank;
    answer = transfer(amount, is_premium);
    assert(from_balance + to_balance + bank == old_from + old_to + old_bank);
    assert(from_balance >= -overdraft);
    assert(answer == 0 || (from_balance == old_from && to_balance == old_to));
    assert(answer != 0 || to_balance == old_to + amount);
    assert(!is_premium || bank == 0);
    assert(bank <= amount || bank == 0);
    return 0;
}
